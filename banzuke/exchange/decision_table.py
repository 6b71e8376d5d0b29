"""Decisions about players as a table that an officer fills in with a spreadsheet program.

One row a reported player of whom it is not sure who they are: the report's file, the number and name in it
and what else it says of them, `player_id` to be filled in (a member's id, or `new`), and the likeliest
members. Where one member alone bears the name but for its spelling, it is filled in, to be confirmed.
"""

from collections.abc import Iterable

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.exchange.player_identities import NEW, Decision, UndecidedPlayer, proposals
from banzuke.formats.files.headings import columns_of, find_table, headings_twice, sheets_alike
from banzuke.formats.files.spreadsheet import read_sheets
from banzuke.formats.files.text import plain, spreadsheet_csv, unescape_formula, whole_number

COLUMNS = ("file", "number", "name", "name_native", "national_id", "fide_id", "player_id", "candidates")
_NEEDED = ("file", "number", "name", "player_id")


def write_decisions(undecided: Iterable[UndecidedPlayer]) -> bytes:
    """The table to fill in (CSV in UTF-8 with the mark that Excel looks for)."""
    rows: list[tuple[object, ...]] = [COLUMNS]
    undecided = list(undecided)
    proposed = proposals(undecided)
    for file, player, candidates in undecided:
        likely = "; ".join(f"{c.player_id} {c.known_as}" for c in candidates)
        identity = (player.name, player.name_native, player.national_id, player.fide_id)
        rows.append((file, player.number, *identity, proposed.get((file, player.number), ""), likely))
    return spreadsheet_csv(rows)


def read_decisions(data: bytes, file: str) -> list[Decision]:
    """The decisions in a table filled in; rows without a player_id are undecided still.

    Raises RefusedError for a table that is none, with the row and column of each fault.
    """
    faults: list[Fault] = []
    sheets = read_sheets(data, file, faults)
    refuse_any(faults)
    table = find_table(sheets, lambda cells: set(_NEEDED) <= _columns(cells).keys())
    if table is None:
        header = _columns(next((sheet.rows[0] for sheet in sheets[:1] if sheet.rows), []))
        missing = [name for name in _NEEDED if name not in header]
        raise RefusedError(
            [fault(file, 1, name, "who-column", columns=", ".join(COLUMNS)) for name in missing]
        )
    columns = _columns(table.headings)
    faults += headings_twice(file, table.line, table.headings, columns)
    faults += sheets_alike(file, (table, *table.others), lambda _: _NEEDED)
    refuse_any(faults)
    decisions: dict[tuple[str, int], Decision] = {}
    for line, cells in table.rows():
        row = {name: unescape_formula(cells[at]) for name, (at,) in columns.items() if at < len(cells)}
        number = whole_number(row.get("number", ""))
        if number is not None and row.get("player_id", "").strip():
            decision = Decision(row.get("file", ""), number, row.get("name", ""), _id(row["player_id"]))
            if decisions.setdefault((decision.file, number), decision) != decision:
                faults.append(fault(file, line, "player_id", "who-twice", number=number, of=decision.file))
        elif number is None:
            faults.append(fault(file, line, "number", "who-number", value=row.get("number", "")))
    refuse_any(faults)
    return list(decisions.values())


def _columns(cells: list[str]) -> dict[str, list[int]]:
    """The columns (from 0) by their headings, as far as they are known."""
    return columns_of(cells, lambda cell: name if (name := plain(cell)) in COLUMNS else "")


def _id(cell: str) -> str:
    return NEW if plain(cell).casefold() == NEW else plain(cell)
