"""Reads a plain list of games, as a club keeps it in a spreadsheet: a row a game, of one event.

The headings are White, Black and Result, in English or Japanese; Round, Date and both players' ids are read
where they stand. The ids may stand alone, without names. Open points are settled so:

- A result is the ledger's (`1-0`, `½-½`, `+/-`), or White's points alone (`1`, `0.5`, `0`).
- A player is who has the id, or where there is none the name, whatever its case, width and blanks. A
  remark says so where every name looks like an id.
- Without a column of rounds each game is in the round after the last one of either player, in the order of
  the file; a remark says so. A round that is given stands as it is.
- The event's days are those of its first and last game, where days stand. Its name, its speed and the day of
  the report are not in such a file: whoever hands it in adds them.
- Sheets without these headings are passed over; of several lists in a workbook the first is read, with a
  remark. A remark names the columns that are not read, but for such as say nothing of how a game is rated
  (Board, Elo), and without rounds each game that is there twice.
- A column that names the event is not read, but several events in it are a fault.
- A heading that stands twice is a fault. Of two that mean the same (Date, Day) the one is read that
  `HEADINGS` has first: a column Day beside Date names weekdays.
"""

import re
from collections.abc import Collection, Iterator

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.headings import is_bye
from banzuke.formats.files.headings import FoundTable, columns_of, find_table, headings_twice, places_of
from banzuke.formats.files.spreadsheet import (
    HEADING_ROWS,
    cell_day,
    column_letter,
    first_texts,
    is_workbook,
    read_sheets,
)
from banzuke.formats.files.text import decode_beginning, plain, plain_heading, some_names, whole_number
from banzuke.formats.game_rows import games_twice, in_rounds, sheets_unread, times_of_day
from banzuke.formats.notation import day_order_remarks, parse_result, plain_marks
from banzuke.formats.report import (
    MOST_FAULTS,
    Report,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)

#: What a column is called, by what it holds; of two in one table the first is read.
HEADINGS = {
    "round": ("round", "rd", "rd.", "rnd", "ラウンド", "回戦", "局"),
    "white": ("white", "white name", "white player", "白", "白番", "白番氏名"),
    "black": ("black", "black name", "black player", "黒", "黒番", "黒番氏名"),
    "result": ("result", "score", "結果", "勝敗"),
    "day": ("date", "day", "played", "日付", "対局日"),
    "white id": ("white id", "white no.", "white no", "白番会員番号", "白会員番号", "白 id"),
    "black id": ("black id", "black no.", "black no", "黒番会員番号", "黒会員番号", "黒 id"),
}
_KNOWN = frozenset(word for words in HEADINGS.values() for word in words)
#: How a column is called that names the event.
_EVENT = frozenset(
    ("event", "event name", "tournament", "tournament name", "competition", "大会", "大会名", "棋戦")
)
#: Columns that say nothing of how a game is rated, also of one side (White Elo).
_HARMLESS = frozenset(
    (
        *("board", "bo.", "bo", "table", "no.", "no", "nr.", "nr", "#", "id", "game", "rank", "snr", "seed"),
        *("elo", "rating", "rtg", "title", "fed", "fed.", "federation", "country", "club", "team", "school"),
        *("eco", "opening", "moves", "pgn", "link", "url", "site", "place", "venue"),
        *("day", "weekday", "note", "notes", "remark", "remarks", "comment", "comments"),
        *("卓", "台", "番号", "曜日", "時刻", "備考", "所属", "クラブ", "チーム", "学校", "国", "会場"),
        *("場所", "レーティング", "段級位", "タイトル", "称号", "戦型", "オープニング", "手数", "棋譜"),
    )
)
_SIDE = re.compile(r"\A(?:white|black|[wb](?=[ -])|白番?|黒番?)[ -]*")
#: What a list must have; a column of a side's ids stands for that of its names.
_NEEDED = (("white", "white id"), ("black", "black id"), ("result",))
#: The remark that every name looks like an id.
NAMES_LIKE_IDS = "game-list-ids"
#: Names that look like ids: a number, with some letters before it.
_ID = re.compile(r"[A-Za-z]{0,3}[-_ ]?[0-9]+")
#: A table with this column is the ledger's own, of many events.
_OF_LEDGER = "event_id"
_BEGINNING = 4096
_MOST_ROUNDS = 999
_POINTS = {"1": "1-0", "=": "1/2-1/2", "0": "0-1"}
_FOOTNOTES = " *†‡"


def looks_like(data: bytes) -> bool:
    """Whether one of the first rows has the headings of both players and the result."""
    if is_workbook(data):
        words = {plain_heading(text) for text in first_texts(data)}
        found = {name for name, called in HEADINGS.items() if words.intersection(called)}
        return _OF_LEDGER not in words and _has_needed(found)
    text = decode_beginning(data, _BEGINNING)
    for line in text.splitlines()[:HEADING_ROWS]:
        for sign in ",;\t":
            if _places([cell.strip(' "') for cell in line.split(sign)]):
                return True
    return False


def read(data: bytes, file: str) -> Report:
    """Read the event; raises nothing: see `Report.faults`."""
    faults: list[Fault] = []
    table = find_table(read_sheets(data, file, faults), lambda cells: bool(_places(cells)))
    if table is None:
        return refused_report(*faults or [fault(file, 0, "", "game-list-no-headings")])
    if twice := headings_twice(file, table.line, table.headings, _columns(table.headings)):
        return refused_report(*faults, *twice)
    return _List(file, _places(table.headings), faults).report(table)


def _columns(cells: list[str]) -> dict[str, list[int]]:
    """The columns (from 0) by their headings, as far as they are known."""
    return columns_of(cells, lambda cell: name if (name := plain_heading(cell)) in _KNOWN else "")


def _places(cells: list[str]) -> dict[str, int]:
    """The columns (from 0) by what they hold; none where the row is not that of the headings."""
    if any(cell.strip().casefold() == _OF_LEDGER for cell in cells):
        return {}
    places = places_of(_columns(cells), HEADINGS)
    return places if _has_needed(places) else {}


def _has_needed(names: Collection[str]) -> bool:
    return all(any(name in names for name in either) for either in _NEEDED)


class _List:
    """A list by the places of its columns; players and games as far as they are read."""

    def __init__(self, file: str, places: dict[str, int], faults: list[Fault]) -> None:
        self.file, self.places, self.faults = file, places, faults
        self.players: dict[str, ReportedPlayer] = {}

    def report(self, table: FoundTable) -> Report:
        """The event of all rows below the headings."""
        self._check_event(table)
        games = []
        for line, row in table.rows():
            if len(self.faults) < MOST_FAULTS and (game := self._game(line, row)):
                games.append(game)
        if not games and not self.faults:
            self._note(0, "", "game-list-empty")
        remarks = sheets_unread(self.file, table)
        if unread := self._unread(table):
            remarks.append(fault(self.file, table.line, "", "game-list-unread", headings=some_names(unread)))
        if games and "round" not in self.places:
            remarks += games_twice(self.file, games, times_of_day(self._days(table)))
            games = in_rounds(games)
            remarks.append(fault(self.file, 0, "", "game-list-assumed", rounds=games[-1].round))
        if games and all(_is_like_id(player) for player in self.players.values()):
            remarks.append(fault(self.file, table.line, "", NAMES_LIKE_IDS))
        remarks += day_order_remarks(self.file, (cell for _, cell in self._days(table)))
        days = [game.played for game in games if game.played]
        rounds = max((game.round for game in games), default=0)
        about = ReportedEvent(starts=min(days, default=None), ends=max(days, default=None), rounds=rounds)
        players = tuple(self.players.values())
        return Report(about, players, tuple(games), tuple(self.faults), tuple(remarks))

    def _days(self, table: FoundTable) -> Iterator[tuple[int, str]]:
        """The cells of days with their lines."""
        return ((line, self._cell(row, "day")) for line, row in table.rows())

    def _unread(self, table: FoundTable) -> list[str]:
        """The headings of the columns that might be missed; of a column without a heading its letter."""
        filled = {at for _, row in table.rows() for at, cell in enumerate(row) if cell}
        names = {at: column_letter(at) for at in sorted(filled)}
        names |= {at: cell for at, cell in enumerate(table.headings) if cell}
        unread = (names[at] for at in sorted(names.keys() - self.places.values()))
        return [name for name in unread if not _is_harmless(plain_heading(name))]

    def _check_event(self, table: FoundTable) -> None:
        """Note where a column begins to name a second event."""
        for at in [at for at, cell in enumerate(table.headings) if plain_heading(cell) in _EVENT]:
            lines: dict[str, int] = {}
            for line, row in table.rows():
                if any(row[at : at + 1]):
                    lines.setdefault(plain(row[at]).casefold(), line)
            if len(lines) > 1:
                first, second = [*lines.values()][:2]
                facts = {"events": len(lines), "first": first}
                self.faults.append(fault(self.file, second, column_letter(at), "game-list-events", **facts))

    def _note(self, line: int, column: str, code: str, **facts: object) -> None:
        letter = column_letter(self.places[column]) if column in self.places else ""
        self.faults.append(fault(self.file, line, letter, code, **facts))

    def _cell(self, row: list[str], column: str) -> str:
        at = self.places.get(column, len(row))
        return row[at] if at < len(row) else ""

    def _game(self, line: int, row: list[str]) -> ReportedGame | None:
        """The game of a row, or None and what is wrong with it; a round without an opponent is no game."""
        if any(is_bye(self._cell(row, side).strip(_FOOTNOTES)) for side in ("white", "black")):
            return None
        before = len(self.faults)
        said, when, numbered = (self._cell(row, name) for name in ("result", "day", "round"))
        result, day = _result(said), cell_day(when)
        number = whole_number(numbered, _MOST_ROUNDS) or 0
        if result is None:
            self._note(line, "result", "game-list-bad-result", text=said)
        if when and day is None:
            self._note(line, "day", "game-list-bad-day", text=when)
        if "round" in self.places and not number:
            self._note(line, "round", "game-list-bad-round", text=numbered)
        white, black = (self._player(line, side, row) for side in ("white", "black"))
        if white and white == black:
            name = self._cell(row, "white") or self._cell(row, "white id")
            self._note(line, "black", "game-list-plays-self", name=name)
        if result is None or len(self.faults) > before:
            return None
        return ReportedGame(number, white, black, result, day, line)

    def _player(self, line: int, side: str, row: list[str]) -> int:
        """The number of a side's player; 0, with a fault, where there is none."""
        name, national_id = self._cell(row, side).strip(_FOOTNOTES), plain(self._cell(row, f"{side} id"))
        if not (name or national_id):
            self._note(line, side if side in self.places else f"{side} id", "game-list-nobody")
            return 0
        key = national_id or f"\n{plain(name).casefold()}"
        number = len(self.players) + 1
        player = ReportedPlayer(number, name, national_id=national_id, line=line)
        return self.players.setdefault(key, player).number


def _is_harmless(heading: str) -> bool:
    """Whether a column need not be missed; one that names the event is checked by itself."""
    return heading in _EVENT or heading in _HARMLESS or _SIDE.sub("", heading, count=1) in _HARMLESS


def _is_like_id(player: ReportedPlayer) -> bool:
    return not player.national_id and _ID.fullmatch(plain(player.name)) is not None


def _result(cell: str) -> str | None:
    """The ledger's result, also from White's points alone."""
    return parse_result(cell) or _POINTS.get(plain_marks(plain(cell).removesuffix(".0")))
