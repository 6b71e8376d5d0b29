"""Reads starting ratings, CSV or a workbook, by headings in either language."""

from collections.abc import Iterator

from banzuke.core import facts
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.formats.files.headings import FoundTable, find_table, sheets_alike
from banzuke.formats.files.spreadsheet import read_sheets
from banzuke.ledger.csv_table import header_is_good, read_rows
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import CHESS, GO, Table

#: What else a column may be headed, in small letters and without blanks and signs.
_ALIASES = {
    "player_id": "playerid id memberid 会員番号 会員id 番号",
    "speed": "speed 種目 区分",
    "rating": "rating rtg elo レーティング 持ち点",
    "games": "games n 対局数 局数 試合数",
    "peak": "peak highest 最高 最高レーティング",
    "earned": "earned 初回",
    "rank": "rank 段級位 棋力",
    "points": "points ポイント 持点 持ち点",
    "rated_games": "ratedgames games 対局数 局数",
    "wins_in_bc": "winsinbc bcwins",
}
_SPEEDS = {"スタンダード": facts.STANDARD, "ラピッド": facts.RAPID, "ブリッツ": facts.BLITZ}
_SIGNS = str.maketrans("", "", " _-./()　")


def read(data: bytes, file: str, is_go: bool) -> Rows:
    """The table's rows, of a Go server's pool or one of chess, with their lines.

    Raises RefusedError with every fault.
    """
    table = next(each for each in (GO if is_go else CHESS) if each.name == "standings")
    faults: list[Fault] = []
    sheets = read_sheets(data, file, faults)
    found = find_table(sheets, lambda cells: len(_columns(cells, table)) > 1)
    if found:
        faults += sheets_alike(file, (found, *found.others), lambda cells: _columns(cells, table))
    refuse_any(faults)
    if found is None:
        raise RefusedError([fault(file, 0, "", "no-header", columns=", ".join(table.columns))])
    return _rows_of(found, file, table)


def _column_of(cell: str, table: Table) -> str:
    plain = cell.casefold().translate(_SIGNS)
    return next((name for name in table.columns if plain in _ALIASES[name].split()), "")


def _columns(cells: list[str], table: Table) -> set[str]:
    """The columns that a row of headings names."""
    return {name for cell in cells if (name := _column_of(cell, table))}


def _rows_of(found: FoundTable, file: str, table: Table) -> Rows:
    columns = [_column_of(cell, table) for cell in found.headings]
    faults: list[Fault] = []
    rows, known = Rows(file), [place for place, name in enumerate(columns) if name]
    names = [columns[place] for place in known]
    if header_is_good(rows, found.line, names, table, faults):
        read_rows(rows, names, _cells(found, known), table, faults)
    refuse_any(faults)
    if not rows.records:
        raise RefusedError([fault(file, 0, "", "register-empty")])
    return rows


def _cells(found: FoundTable, known: list[int]) -> Iterator[tuple[int, list[str]]]:
    for line, row in found.rows():
        cells = [row[place] if place < len(row) else "" for place in known]
        if any(cells):
            yield line, [_SPEEDS.get(cell, cell) for cell in cells]
