"""A draft as it is shown: what each change of it does, a strike and the row added for it as one."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from banzuke.database.models import Inquiry
from banzuke.office.fact_rows import TABLES, record_of
from banzuke.office.lists.correction_drafts import ADD, CORRECTED, STRIKE, cells_of, struck_row
from banzuke.web import column_labels
from banzuke.web.board.forms import TABLES as NAMES

#: The column that says whom or which event a row is of; it stays when the row is changed.
OF = {"players": "player_id", "memberships": "player_id", "events": "event_id", "games": "event_id"}


class Cell(NamedTuple):
    """A cell that changes: what it is called, and how it reads before and after."""

    label: Any
    before: str
    after: str


class Change(NamedTuple):
    """A change of the draft: `first` and `many` say which places of it; `act` is strike, add or change."""

    first: int
    many: int
    act: str
    table: Any
    what: str
    cells: list[Cell]


def changes(inquiry: Inquiry) -> list[Change]:
    """The changes of an inquiry's draft, in their order."""
    found: list[Change] = []
    draft, number = inquiry.draft, 0
    while number < len(draft):
        later = draft[number + 1] if number + 1 < len(draft) else None
        change = _change(inquiry, number, draft[number], later)
        found.append(change)
        number += change.many
    return found


def _change(inquiry: Inquiry, number: int, one: Mapping[str, Any], later: Mapping[str, Any] | None) -> Change:
    name = one["table"]
    if one["act"] == ADD:
        return Change(number, 1, ADD, NAMES[name], describe(name, one["record"]), [])
    before = _struck(inquiry, one)
    if later and later["act"] == ADD and later["table"] == name:
        after = later["record"]
        if before[OF[name]] == after[OF[name]]:
            return Change(
                number, 2, "change", NAMES[name], describe(name, before), _cells(name, before, after)
            )
    return Change(number, 1, STRIKE, NAMES[name], describe(name, before), [])


def _struck(inquiry: Inquiry, change: Mapping[str, Any]) -> dict[str, str]:
    record = CORRECTED[change["table"]]
    return cells_of(TABLES[record], record_of(struck_row(inquiry, dict(change)), record))


def _cells(table: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Cell]:
    names = [name for name in {**before, **after} if before.get(name, "") != after.get(name, "")]
    return [
        Cell(column_labels.label(table, name), before.get(name, ""), after.get(name, "")) for name in names
    ]


def describe(table: str, row: Mapping[str, str]) -> str:
    """A row in one line."""
    if table == "games":
        return f"{row['event_id']}, {row['round']}: {row['white']} – {row['black']} {row['result']}"
    if table == "memberships":
        return (
            f"{row['player_id']}, {row['valid_from']} – {row['valid_to']} {row.get('event_id', '')}".strip()
        )
    return f"{row.get('player_id') or row.get('event_id', '')} {row['name']}"
