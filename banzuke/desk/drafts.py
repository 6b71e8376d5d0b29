"""The draft of a correction: rows to strike and rows to add, kept with the inquiry until it is carried out.

A draft is a list of changes, in the order in which they were noted:
`{"act": "strike", "table": "games", "row": 12}` and
`{"act": "add", "table": "games", "record": {"event_id": "...", "round": "1", ...}}`, cells as in the ledger.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from banzuke.book.reading import MODELS
from banzuke.book.writing import add_facts
from banzuke.core import facts
from banzuke.desk.refusals import EmptyDraftError, StaleDraftError
from banzuke.desk.rows import TABLES, record_of, standing_rows, strike, with_values
from banzuke.ledger.checks import check_chess
from banzuke.ledger.folder import ChessLedger, records_of
from banzuke.ledger.rows import Rows, by_event
from banzuke.ledger.schema import CHESS

if TYPE_CHECKING:
    from datetime import date

    from banzuke.book.models import Correctable, Entry, Inquiry
    from banzuke.core.fault import Fault
    from banzuke.ledger.cells import Kind
    from banzuke.ledger.folder import Ledger
    from banzuke.ledger.schema import Table

#: What an inquiry can correct.
CORRECTED = {
    TABLES[record].name: record for record in (facts.Player, facts.Membership, facts.Event, facts.Game)
}
STRIKE, ADD = "strike", "add"


def draft_strike(inquiry: Inquiry, table: str, row: int) -> None:
    """Note that a standing row is to be struck. Raises StaleDraftError where none of that number stands."""
    if not standing_rows(inquiry.pool, CORRECTED[table]).filter(pk=row).exists():
        raise StaleDraftError(table=table)
    _note(inquiry, {"act": STRIKE, "table": table, "row": row})


def draft_add(inquiry: Inquiry, record: Any) -> None:
    """Note that a row is to be added."""
    table = TABLES[type(record)]
    _note(inquiry, {"act": ADD, "table": table.name, "record": cells(table, record)})


def draft_change(inquiry: Inquiry, table: str, row: int, **changed: Any) -> None:
    """Note that a standing row is to be struck, and added again with other values in those columns."""
    found = standing_rows(inquiry.pool, CORRECTED[table]).filter(pk=row).first()
    if found is None:
        raise StaleDraftError(table=table)
    record = with_values(record_of(found, CORRECTED[table]), added=None, **changed)
    draft_strike(inquiry, table, row)
    draft_add(inquiry, record)


def take_back(inquiry: Inquiry, number: int) -> None:
    """Take a change, by its place from 0, out of the draft."""
    del inquiry.draft[number]
    inquiry.save(update_fields=["draft"])


def _note(inquiry: Inquiry, change: dict[str, Any]) -> None:
    inquiry.draft.append(change)
    inquiry.save(update_fields=["draft"])


def correctable(table: Table) -> dict[str, Kind]:
    """The columns of a table that a correction can say: all but the inquiry's days."""
    return {name: kind for name, kind in table.columns.items() if name not in ("added", "struck")}


def cells(table: Table, record: Any) -> dict[str, str]:
    """A record's cells that are not blank, as the ledger writes them."""
    kinds = correctable(table)
    values = {name: getattr(record, name) for name in kinds}
    return {name: kinds[name].write(v) for name, v in values.items() if v not in (None, kinds[name].blank)}


def drafted(change: dict[str, Any]) -> Any:
    """The record that a change adds."""
    table = TABLES[CORRECTED[change["table"]]]
    kinds = correctable(table)
    written = change["record"]
    return table.record(**{n: k.read(written[n]) if n in written else k.blank for n, k in kinds.items()})


def struck_row(inquiry: Inquiry, change: dict[str, Any]) -> Correctable:
    """The row that a change strikes."""
    model: Any = MODELS[CORRECTED[change["table"]]]
    row: Correctable = model.objects.get(pk=change["row"], pool=inquiry.pool)
    return row


def corrected(inquiry: Inquiry, ledger: Ledger) -> ChessLedger:
    """The ledger with the draft carried out.

    Raises EmptyDraftError, and StaleDraftError for a row that was struck meanwhile.
    """
    if not inquiry.draft or not isinstance(ledger, ChessLedger):
        raise EmptyDraftError
    tables = {table.name: list(records_of(ledger, table)) for table in CHESS}
    for change in inquiry.draft:
        rows = tables[change["table"]]
        if change["act"] == ADD:
            rows.append(with_values(drafted(change), added=inquiry.day))
        else:
            _strike(rows, record_of(struck_row(inquiry, change), CORRECTED[change["table"]]), inquiry.day)
    games = by_event(tables.pop("games"))
    return ChessLedger(ledger.pool, games=games, **tables)


def _strike(rows: list[Any], record: Any, day: date) -> None:
    try:
        place = rows.index(record)
    except ValueError:
        raise StaleDraftError(table=TABLES[type(record)].name) from None
    rows[place] = with_values(record, struck=day)


def faults_of(ledger: ChessLedger) -> list[Fault]:
    """The faults that the ledger would be refused for."""
    tables = {}
    for table in CHESS:
        records = records_of(ledger, table)
        tables[table.name] = Rows(f"{table.name}.csv", records, array("I", range(2, len(records) + 2)))
    found: list[Fault] = []
    check_chess(ledger.pool, tables, found)
    return found


def enter(inquiry: Inquiry, entry: Entry) -> None:
    """Write the draft's changes into the book. Raises IntegrityError for a row that is struck already."""
    for change in inquiry.draft:
        record = CORRECTED[change["table"]]
        if change["act"] == ADD:
            add_facts(entry, TABLES[record], [with_values(drafted(change), added=inquiry.day)])
        else:
            strike(entry, record, change["row"], inquiry.day)
