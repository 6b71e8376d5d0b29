"""Reads a federation's table of games: a row a game, of many events.

Two layouts are known and found by their headings: the one handed out (`White Point, White ID, White Name,
..., Date, Time, Source, ..., Rating Update Date`) and a dump of the office's own table (`white_id`,
`white_point`, `start_at`, `time_type`, `tournament_id`). Open points are settled so:

- A report is made for each source, kind of time and day of the list; in the dump for each tournament and
  kind of time. It bears the source's name, or the tournament's number.
- The table has no rounds: a day's games are taken in the order of the file, each in the round after the
  last one of either player, so nobody plays twice in a round. Nor has it the event's days: they are
  those of its first and last game. A remark says both.
- A player is who has the id, or where there is none the name. Names of one id that differ in more than
  case, width and commas contradict each other. A rating that changes within an event is left blank.
- After a thousand faults the rest is not read.
- Of two columns for the same thing (Source, tournament_id) the one of the table handed out is read.
- Of several tables in a workbook the first is read, with a remark. A game that an event has twice is taken
  twice, with a remark.
- K, the moves, and the days of keeping the records are passed over. When a report was handed in the table
  does not say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from banzuke.core.facts import BLITZ, RAPID, STANDARD
from banzuke.core.fault import Fault, fault
from banzuke.formats.files.headings import FoundTable, columns_of, find_table, headings_twice, places_of
from banzuke.formats.files.spreadsheet import (
    HEADING_ROWS,
    cell_day,
    column_letter,
    first_texts,
    is_workbook,
    read_sheets,
)
from banzuke.formats.files.text import decode_beginning, plain, plain_heading, whole_number
from banzuke.formats.game_rows import games_twice, in_rounds, sheets_unread, times_of_day
from banzuke.formats.notation import day_order_remarks
from banzuke.formats.report import (
    MOST_FAULTS,
    MOST_RATING,
    Report,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)

_BEGINNING = 4096
_SIDES, _PLAYER_CELLS = ("white", "black"), ("id", "name", "kanji", "rating")
_NEEDED = ("white point", "white id", "black id", "date", "time", "source")
_OTHERS = [f"{side} {name}" for side in _SIDES for name in _PLAYER_CELLS]
#: The headings of the dump, by those of the table handed out, which go before them.
_DUMP = {"date": "start at", "time": "time type", "source": "tournament id"}
_LIST_DAY = "rating update date"
#: What a column is called, by what it holds.
_HEADINGS = {
    name: (name, _DUMP[name]) if name in _DUMP else (name,) for name in (*_NEEDED, *_OTHERS, _LIST_DAY)
}
_KNOWN = frozenset(word for words in _HEADINGS.values() for word in words)
_SPEEDS = {
    said: speed
    for speed, codes in ((STANDARD, ("ST",)), (RAPID, ("RP",)), (BLITZ, ("BL",)))
    for said in (*codes, speed.upper())
}
_RESULTS = {"1": "1-0", "0": "0-1", "0.5": "1/2-1/2", "0,5": "1/2-1/2", ".5": "1/2-1/2", "1⁄2": "1/2-1/2"}


def looks_like(data: bytes) -> bool:
    """Whether the beginning names the columns of White's points and both ids."""
    if is_workbook(data):
        beginning = " ".join(first_texts(data))
    else:
        beginning = "\n".join(decode_beginning(data, _BEGINNING).split("\n")[:HEADING_ROWS])
    text = plain_heading(beginning)
    return all(name in text for name in ("white point", "white id", "black id"))


def read(data: bytes, file: str) -> list[Report]:
    """Read the table's reports, in the order in which they begin; raises nothing: see `Report.faults`.

    What cannot be laid to one event stands in a report of its own, without players, before the others.
    """
    faults: list[Fault] = []
    sheets = read_sheets(data, file, faults)
    if faults:  # of a part of the table nobody knows which events are whole
        return [refused_report(*faults)]
    table = find_table(sheets, lambda cells: _places(_columns(cells)).keys() >= set(_NEEDED))
    if table is None:
        return [refused_report(fault(file, 0, "", "game-table-no-headings", columns=", ".join(_NEEDED)))]
    columns = _columns(table.headings)
    if twice := headings_twice(file, table.line, table.headings, columns):
        return [refused_report(*twice)]
    return _Table(file, _places(columns)).reports(table)


def _columns(cells: list[str]) -> dict[str, list[int]]:
    """The columns (from 0) by their headings, as far as they are known."""
    return columns_of(cells, lambda cell: name if (name := plain_heading(cell)) in _KNOWN else "")


def _places(columns: Mapping[str, list[int]]) -> dict[str, int]:
    """The columns (from 0) by their names in the table handed out."""
    return places_of(columns, _HEADINGS)


@lru_cache(maxsize=4096)
def _name_key(name: str) -> str:
    """A name without what may differ: case, width, blanks, commas."""
    return plain(name.replace(",", " ")).casefold()


def _result(cell: str) -> str | None:
    return _RESULTS.get(cell) or _RESULTS.get(plain(cell).removesuffix(".0"))


class _Key(NamedTuple):
    """What makes an event: the table's source, the kind of time, the day of the list."""

    source: str
    speed: str
    listed: date | None


@dataclass(slots=True)
class _Event:
    """The players of an event by id (or name), its games in the order of the file, what is wrong with it.

    `numbers` remembers the numbers of players by the cells that name them.
    """

    players: dict[str, ReportedPlayer] = field(default_factory=dict)
    numbers: dict[tuple[str, ...], int] = field(default_factory=dict)
    games: list[ReportedGame] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    is_lost: bool = False


class _Table:
    """A table by the places of its columns (-1: a blank cell); events as far as they are read."""

    def __init__(self, file: str, places: dict[str, int]) -> None:
        self.file, self.places = file, places
        self.events: dict[_Key, _Event] = {}
        self.by_cells: dict[tuple[str, str, str], _Event] = {}
        self.homeless: list[Fault] = []
        self.fault_count = 0
        self.cells_of_event = itemgetter(*(places.get(name, -1) for name in ("source", "time", _LIST_DAY)))
        self.cells_of = {
            side: itemgetter(*(places.get(f"{side} {name}", -1) for name in _PLAYER_CELLS)) for side in _SIDES
        }

    def reports(self, table: FoundTable) -> list[Report]:
        """The reports of all rows below the headings."""
        width = max(self.places.values()) + 2
        for line, row in table.rows():
            if self.fault_count < MOST_FAULTS:
                self.take(line, row + [""] * max(width - len(row), 1))
        found = [refused_report(*self.homeless)] if self.homeless else []
        times = times_of_day(self.days(table))
        found += [_report(self.file, key, event, times) for key, event in self.events.items()]
        if not found:
            found = [refused_report(fault(self.file, 0, "", "game-table-empty"))]
        days = (cell for _, cell in self.days(table))
        remarks = (*sheets_unread(self.file, table), *found[0].remarks, *day_order_remarks(self.file, days))
        return [found[0]._replace(remarks=remarks), *found[1:]]

    def days(self, table: FoundTable) -> Iterator[tuple[int, str]]:
        """The cells of days with their lines."""
        return ((line, cell) for line, row in table.rows() for cell in row[self.places["date"] :][:1])

    def fault(self, line: int, heading: str, code: str, **facts: object) -> Fault:
        """A fault in a column, by its letters."""
        self.fault_count += 1
        return fault(self.file, line, column_letter(self.places[heading]), code, **facts)

    def take(self, line: int, row: list[str]) -> None:
        """Take a row (with a blank cell at its end, for the columns that the table lacks)."""
        source, time, listed = self.cells_of_event(row)
        event = self.by_cells.get((source, time, listed))
        if event is None:
            event = self._event(line, source, time, listed)
        self._take_game(line, row, event)
        if event.is_lost:
            self.homeless += event.faults

    def _event(self, line: int, source: str, time: str, listed: str) -> _Event:
        """The event of a row by its source, kind of time and list; one that is lost, if these have faults."""
        name, speed = plain(source), _SPEEDS.get(plain(time).upper(), "")
        faults = []
        if not name:
            faults.append(self.fault(line, "source", "game-table-no-source"))
        if not speed:
            faults.append(self.fault(line, "time", "game-table-bad-time", text=time))
        if listed and not cell_day(listed):
            faults.append(self.fault(line, _LIST_DAY, "game-table-bad-day", text=listed))
        if faults:
            return _Event(faults=faults, is_lost=True)
        event = self.events.setdefault(_Key(name, speed, cell_day(listed)), _Event())
        return self.by_cells.setdefault((source, time, listed), event)

    def _take_game(self, line: int, row: list[str], event: _Event) -> None:
        """Take a row's game into its event, or note what is wrong with it."""
        before = len(event.faults)
        point, when = row[self.places["white point"]], row[self.places["date"]]
        result, day = _result(point), cell_day(when)
        if result is None:
            event.faults.append(self.fault(line, "white point", "game-table-bad-point", text=point))
        if day is None:
            event.faults.append(self.fault(line, "date", "game-table-bad-day", text=when))
        cells = [self.cells_of[side](row) for side in _SIDES]
        white, black = (
            event.numbers.get(player_cells) or self._number(line, side, player_cells, event)
            for side, player_cells in zip(_SIDES, cells, strict=True)
        )
        if white and white == black:
            facts = {"id": plain(cells[1][0] or cells[1][1])}
            event.faults.append(self.fault(line, "black id", "game-table-plays-self", **facts))
        if result and day and len(event.faults) == before:
            event.games.append(ReportedGame(0, white, black, result, day, line))

    def _number(self, line: int, side: str, cells: tuple[str, ...], event: _Event) -> int:
        """The number of a side's player within the event; 0, with a fault, if it cannot be relied on."""
        before = len(event.faults)
        player = self._player(line, side, cells, event)
        if not (player.national_id or player.name):
            event.faults.append(self.fault(line, f"{side} id", "game-table-nobody"))
            return 0
        key = player.national_id or f"\n{_name_key(player.name)}"
        known = event.players.setdefault(key, player)
        if known is not player:
            event.players[key] = self._both(line, side, known, player, event)
        if len(event.faults) > before:
            return 0
        event.numbers[cells] = known.number
        return known.number

    def _player(self, line: int, side: str, cells: tuple[str, ...], event: _Event) -> ReportedPlayer:
        """A side's player as a row has them: by id, name, name in kanji, rating."""
        national_id, name, native, rating_text = cells
        rating = whole_number(rating_text, MOST_RATING) or None
        if rating is None and plain(rating_text).upper() not in ("", "0", "UR"):
            event.faults.append(self.fault(line, f"{side} rating", "game-table-bad-rating", text=rating_text))
        return ReportedPlayer(
            len(event.players) + 1,
            name,
            national_id=plain(national_id),
            line=line,
            name_native=native,
            national_rating=rating,
        )

    def _both(
        self, line: int, side: str, known: ReportedPlayer, player: ReportedPlayer, event: _Event
    ) -> ReportedPlayer:
        """What two rows say of a player."""
        for name, heading in (("name", "name"), ("name_native", "kanji")):
            one, other = getattr(known, name), getattr(player, name)
            if one != other and one and other and _name_key(one) != _name_key(other):
                facts = {"id": known.national_id, "name": other, "known": one, "first": known.line}
                event.faults.append(self.fault(line, f"{side} {heading}", "game-table-two-names", **facts))
        same = known.national_rating == player.national_rating
        return known._replace(
            name=known.name or player.name,
            name_native=known.name_native or player.name_native,
            national_rating=known.national_rating if same else None,
        )


def _report(file: str, key: _Key, event: _Event, times: Mapping[int, str]) -> Report:
    """The report of an event, its games in rounds; `times` are times of day by their lines."""
    twice = games_twice(file, event.games, times)
    games = in_rounds(sorted(event.games, key=lambda game: (game.played or date.min, game.line)))
    days = [game.played for game in games if game.played]
    starts, ends = min(days, default=None), max(days, default=None)
    rounds = games[-1].round if games else 0
    about = ReportedEvent(name=key.source, speed=key.speed, starts=starts, ends=ends, rounds=rounds)
    facts = {"event": key.source, "rounds": rounds, "starts": starts, "ends": ends}
    remarks = (fault(file, 0, "", "game-table-assumed", **facts), *twice) if games else ()
    return Report(about, tuple(event.players.values()), tuple(games), tuple(event.faults), remarks)
