"""Reads what SGF cannot say of games of Go from a table beside them, and puts the two together.

A row names its game by `game_id`, or by `file` (with or without folders and ending) where that holds one
game. Of the rest only `ended` is needed: the ISO moment of the end with its offset from UTC. `room`, `pair`,
`robot` and `fault` hold the ledger's words; `black` and `white` the players' ids, where these are not the
names in the file. `moves` is the true number where the file's moves are cut short, never a smaller one.
"""

import re
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.spreadsheet import NO_SHEET, first_texts, is_workbook, read_sheets
from banzuke.formats.files.text import decode_beginning, plain, whole_number
from banzuke.formats.files.zip_files import ZIP_SIGNATURE
from banzuke.formats.report import GoReport, ReportedGoGame

COLUMNS = ("file", "game_id", "ended", "room", "pair", "robot", "fault", "black", "white", "moves")
_WORDS = {
    "room": ("", "rated", "free", "practice", "monthly"),
    "pair": ("", "0", "1"),
    "robot": ("", "black", "white"),
    "fault": ("", "black", "white"),
}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:?\d\d(?::?\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)", re.ASCII)
_FIRST_YEAR, _LAST_YEAR, _MOST_MOVES = 1850, 2199, 9999
_HEAD = 4096
#: The day in the file may be another zone's, and the day on which the game began.
_NEAR = timedelta(days=2)


class GoTableRow(NamedTuple):
    """A row of the table: its line, the game it names, and what it says of it by `ReportedGoGame`'s names."""

    line: int
    game_id: str
    stem: str
    values: dict[str, Any]

    @property
    def stems(self) -> set[str]:
        """The files, without their endings, in which the row's game may stand."""
        return {self.stem, self.game_id, self.game_id.rpartition("-")[0]}


class GoTable(NamedTuple):
    """A table beside games: the rows that are readable, and every fault found."""

    file: str
    rows: tuple[GoTableRow, ...]
    faults: tuple[Fault, ...] = ()


def looks_like(data: bytes) -> bool:
    """Whether the first line is this table's heading: moments of ends, and no results.

    Of a workbook, whether its texts have that heading among them.
    """
    if is_workbook(data):
        first = first_texts(data) if data.startswith(ZIP_SIGNATURE) else []
    else:
        text = decode_beginning(data, _HEAD)
        first = re.split(r'["\t,;]+', text.split("\n")[0])
    names = {plain(name).lower() for name in first}
    return "ended" in names and bool({"file", "game_id"} & names) and "result" not in names


def read_table(data: bytes, file: str) -> GoTable:
    """Read the table in `data`, CSV or a workbook's first sheet; raises nothing: see `GoTable.faults`."""
    faults: list[Fault] = []
    found = read_sheets(data, file, faults)
    sheet = found[0] if found else NO_SHEET
    heading = [plain(cell).lower() for cell in sheet.rows[0]] if sheet.rows else []
    if not faults and _is_good(heading, file, faults):
        cells = ((line, dict(zip(heading, row, strict=False))) for line, row in sheet.below(1))
        read = [_row(line, row, file, faults) for line, row in cells]
        return GoTable(file, tuple(row for row in read if row), tuple(faults))
    return GoTable(file, (), tuple(faults))


def add_table(report: GoReport, table: GoTable) -> GoReport:
    """The games with what the table says of them; one of which nothing says when it ended is a fault.

    Several games without any table are one fault together.
    """
    faults = [*report.faults, *table.faults]
    unread = {_stem(f.file) for f in report.faults}
    of_name: dict[tuple[str, str], list[str]] = {}
    for game in report.games:
        of_name.setdefault(("file", _stem(game.file)), []).append(game.game_id)
        of_name["game_id", game.game_id] = [game.game_id]
    rows: dict[str, GoTableRow] = {}
    for row in table.rows:
        named = of_name.get(("game_id", row.game_id) if row.game_id else ("file", row.stem), [])
        first = rows.setdefault(named[0], row) if len(named) == 1 else row
        if first is not row:
            faults.append(fault(table.file, row.line, "", "sgf-table-twice", game=named[0], first=first.line))
        elif len(named) > 1:
            name, games = row.stem, len(named)
            faults.append(fault(table.file, row.line, "file", "sgf-table-several", name=name, games=games))
        elif not named and not row.stems & unread:
            faults.append(fault(table.file, row.line, "", "sgf-table-no-game", game=row.game_id or row.stem))
    if not table.file and len(report.games) > 1:
        first_file, number = report.games[0].file, len(report.games)
        return GoReport(report.games, (*faults, fault(first_file, 0, "", "sgf-no-table", games=number)))
    completed = [_add_row(game, rows.get(game.game_id), table, faults) for game in report.games]
    return GoReport(tuple(completed), tuple(faults))


def _add_row(
    game: ReportedGoGame, row: GoTableRow | None, table: GoTable, faults: list[Fault]
) -> ReportedGoGame:
    """The game with what its row says, as far as that does not contradict the file."""
    if row is None:
        if table.rows or not table.faults:
            faults.append(fault(game.file, 0, "", "sgf-no-ending", game=game.game_id))
        return game
    values = dict(row.values)
    if values.get("moves", game.moves) < game.moves:
        faults.append(
            fault(
                table.file, row.line, "moves", "sgf-table-moves", moves=values.pop("moves"), more=game.moves
            )
        )
    ended = values.get("ended")
    if game.day and ended and abs(datetime.fromisoformat(ended).date() - game.day) > _NEAR:
        faults.append(fault(table.file, row.line, "ended", "sgf-table-day", ended=ended, day=game.day))
    return game._replace(**values)


def _is_good(heading: list[str], file: str, faults: list[Fault]) -> bool:
    """Whether the heading has the columns that are needed, each once, and no others."""
    before = len(faults)
    for column, name in enumerate(heading):
        if name and name not in COLUMNS:
            faults.append(fault(file, 1, name, "sgf-table-column", known=", ".join(COLUMNS)))
        elif name and name in heading[:column]:
            faults.append(fault(file, 1, name, "sgf-table-column-twice"))
    if "ended" not in heading or not {"file", "game_id"} & set(heading):
        faults.append(fault(file, 1, "", "sgf-table-heading"))
    return len(faults) == before


def _row(line: int, cells: dict[str, str], file: str, faults: list[Fault]) -> GoTableRow | None:
    """A row, with a fault for each cell that does not hold what it should; None if it names no game."""
    game_id, stem = cells.get("game_id", ""), _stem(cells.get("file", ""))
    if not game_id and not stem:
        faults.append(fault(file, line, "", "sgf-table-nameless"))
        return None
    values: dict[str, Any] = {name: cells[name] for name in ("black", "white") if cells.get(name)}
    for name, words in _WORDS.items():
        word = plain(cells.get(name, "")).lower()
        if word not in words:
            known = ", ".join(words[1:])
            faults.append(fault(file, line, name, "sgf-table-word", text=cells[name], words=known))
        elif word:
            values[name] = word == "1" if name == "pair" else word
    moves, ended = cells.get("moves", ""), plain(cells.get("ended", ""))
    if moves and (number := whole_number(moves, _MOST_MOVES)) is not None:
        values["moves"] = number
    elif moves:
        faults.append(fault(file, line, "moves", "sgf-table-number", text=moves, most=_MOST_MOVES))
    values["ended"] = _moment(ended)
    if not values["ended"]:
        faults.append(fault(file, line, "ended", "sgf-table-moment", text=ended))
    return GoTableRow(line, game_id, stem, values)


def _moment(text: str) -> str:
    """An ISO moment with an offset, blank if the text is none."""
    try:
        moment = datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
    except ValueError:
        return ""
    return moment.isoformat() if moment and _FIRST_YEAR <= moment.year <= _LAST_YEAR else ""


def _stem(file: str) -> str:
    """A file's name without folders and ending, whichever slash parts them."""
    return PurePath(file.replace("\\", "/")).stem
