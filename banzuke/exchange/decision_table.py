"""Decisions about players as a table that an officer fills in with a spreadsheet program.

One row a reported player of whom it is not sure who they are: the report's file, the number and name in it
and what else it says of them, `player_id` to be filled in (a member's id, or `new`), and the likeliest
members. Where one member alone bears the name but for its spelling, it is filled in, to be confirmed.
"""

from collections.abc import Iterable

from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.exchange.player_identities import NEW, Decision, UndecidedPlayer, proposals
from banzuke.formats.files.spreadsheet import NO_SHEET, read_sheets
from banzuke.formats.files.text import plain, spreadsheet_csv, unescape_formula, whole_number

COLUMNS = ("file", "number", "name", "name_native", "national_id", "fide_id", "player_id", "candidates")


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
    sheet = next(iter(read_sheets(data, file, faults)), NO_SHEET)
    refuse_any(faults)
    header = [plain(cell) for cell in sheet.rows[0]] if sheet.rows else []
    missing = [name for name in ("file", "number", "name", "player_id") if name not in header]
    faults += [fault(file, 1, name, "who-column", columns=", ".join(COLUMNS)) for name in missing]
    refuse_any(faults)
    decisions: dict[tuple[str, int], Decision] = {}
    for line, cells in sheet.below(1):
        row = dict(zip(header, map(unescape_formula, cells), strict=False))
        number = whole_number(row.get("number", ""))
        if number is not None and row.get("player_id", "").strip():
            decision = Decision(row.get("file", ""), number, row.get("name", ""), _id(row["player_id"]))
            if decisions.setdefault((decision.file, number), decision) != decision:
                faults.append(fault(file, line, "player_id", "who-twice", number=number, of=decision.file))
        elif number is None:
            faults.append(fault(file, line, "number", "who-number", value=row.get("number", "")))
    refuse_any(faults)
    return list(decisions.values())


def _id(cell: str) -> str:
    return NEW if plain(cell).casefold() == NEW else plain(cell)
