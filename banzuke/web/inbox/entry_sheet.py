"""The sheet that is filled in in the browser: players by number, results in a crosstable or game by game.

A round robin's results are typed from the row's side: `1` `0` `½` (`5`, `=`), `+` `-` for games not played;
one of the two cells of a pair is enough. Rounds and colours are those of the Berger tables
(`formats.crosstables`). The cells of a Swiss event name opponent and colour too (`web.inbox.swiss_entry`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.core.fault import Fault, fault
from banzuke.database.models import Pool
from banzuke.exchange.report_import import event_fields_of
from banzuke.formats.crosstables import CrossRow, CrosstableHeadings, read_round_robin
from banzuke.formats.files.text import plain, whole_number
from banzuke.formats.notation import parse_day, parse_result, plain_marks
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.office.fact_rows import standing_rows
from banzuke.office.public_names import Person, by_id_only, person
from banzuke.office.search.look_ups import beginnings
from banzuke.web.inbox.swiss_entry import MIRRORED, cells_of, swiss_typed

ROUND_ROBIN, SWISS, GAMES = "crosstable", "swiss", "games"
KINDS = {ROUND_ROBIN: _("Round robin"), SWISS: _("Swiss"), GAMES: _("Game by game")}
#: Players, rounds and rows of games to begin with, and at the most.
PLAYERS, ROUNDS, ROWS = 8, 5, 12
MOST_PLAYERS, MOST_ROUNDS, MOST_ROWS = {ROUND_ROBIN: 60, SWISS: 200, GAMES: 200}, 20, 1_000
#: A result typed with one key, for White.
TYPED = {"1": "1-0", "0": "0-1", "=": "1/2-1/2", "+": "+/-", "-": "-/+"}
_LONGEST = 200


class GameRow(NamedTuple):
    """A row of a game as it was typed."""

    round: str = ""
    white: str = ""
    black: str = ""
    result: str = ""
    played: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing but the round stands in it."""
        return not any((self.white, self.black, self.result))


@dataclass(slots=True)
class Sheet:
    """What stands on the sheet: the players' fields as typed, the cells (by rows) or rows of games.

    `needs_colours`: whether a Swiss event's games need them.
    """

    kind: str
    players: list[str]
    needs_colours: bool = True
    cells: list[list[str]] = field(default_factory=list)
    rows: list[GameRow] = field(default_factory=list)
    event: dict[str, Any] = field(default_factory=dict)

    @property
    def numbered(self) -> list[tuple[int, str]]:
        """The players who are filled in, by their numbers."""
        return [(number, typed) for number, typed in enumerate(self.players, 1) if typed]

    @property
    def table(self) -> list[tuple[int, str, list[tuple[int, str]]]]:
        """Every row of the crosstable: number, player, cells with their columns' numbers."""
        return [
            (number, typed, list(enumerate(cells, 1)))
            for number, (typed, cells) in enumerate(zip(self.players, self.cells, strict=True), 1)
        ]

    @property
    def most_players(self) -> int:
        """How many players it may have."""
        return MOST_PLAYERS[self.kind]

    @property
    def rounds(self) -> list[int]:
        """The numbers of a Swiss event's rounds."""
        return list(range(1, len(self.cells[0]) + 1)) if self.cells else []

    @property
    def games(self) -> list[ReportedGame]:
        """The games, as far as they can be read."""
        return self._read()[0]

    @property
    def faults(self) -> list[Fault]:
        """What cannot be read of the sheet."""
        games, faults = self._read()
        return faults or ([] if games else [fault("", 0, "", "sheet-no-games")])

    def _read(self) -> tuple[list[ReportedGame], list[Fault]]:
        if self.kind == GAMES:
            return self._listed()
        used = [n for n, row in enumerate(self.cells, 1) if self.kind == SWISS and any(row)]
        count = max((*used, *(number for number, _ in self.numbered)), default=0)
        gaps = [n for n, typed in enumerate(self.players[:count], 1) if not typed]
        if gaps:
            return [], [fault("", 0, "", "sheet-gap", number=gaps[0])]
        if self.kind == SWISS:
            return swiss_typed(self.cells[:count], needs_colours=self.needs_colours)
        return self._crossed(count)

    def _crossed(self, count: int) -> tuple[list[ReportedGame], list[Fault]]:
        """The games of a round robin of the first so many rows."""
        cells = [[_mark(cell) for cell in row[:count]] for row in self.cells[:count]]
        for one in range(count):
            for two in range(count):
                if one != two and not cells[one][two]:
                    cells[one][two] = MIRRORED.get(cells[two][one], "")
        rows = [CrossRow(number, number, tuple(row)) for number, row in enumerate(cells, 1)]
        found = (
            read_round_robin("", rows, CrosstableHeadings(tuple(str(n + 1) for n in range(count)), 1))
            if rows
            else None
        )
        return (found.games, found.faults) if found else ([], [])

    def _listed(self) -> tuple[list[ReportedGame], list[Fault]]:
        """The games of the rows."""
        numbers = {number for number, _ in self.numbered}
        found = [_game(line, row, numbers) for line, row in enumerate(self.rows, 1) if not row.is_blank]
        games = [each for each in found if not isinstance(each, Fault)]
        return games, [each for each in found if isinstance(each, Fault)]

    def report(self, pool: Pool, values: Mapping[str, Any]) -> Report:
        """The sheet as a report, for the report form."""
        event = ReportedEvent(**{k: v for k, v in values.items() if k in ReportedEvent._fields})
        players = _players(pool, self.numbered)
        return Report(event, tuple(players), tuple(sorted(self.games, key=lambda game: game.round)))


def _mark(cell: str) -> str:
    """A cell's result in one sign."""
    return {"5": "=", ".5": "="}.get(plain_marks(cell), plain_marks(cell))


def _game(line: int, row: GameRow, numbers: set[int]) -> ReportedGame | Fault:
    """The game of a row, or what is wrong with it."""
    round_, white, black = (whole_number(cell, 999) for cell in (row.round, row.white, row.black))
    played = parse_day(row.played) if row.played else None
    result = TYPED.get(_mark(row.result)) or parse_result(row.result)
    if white not in numbers or black not in numbers or white is None or black is None or white == black:
        return fault("", 0, "", "sheet-players", row=line)
    if not round_ or result is None or (row.played and played is None):
        return fault("", 0, "", "sheet-row", row=line)
    return ReportedGame(round_, white, black, result, played, line)


def _players(pool: Pool, numbered: Sequence[tuple[int, str]]) -> list[ReportedPlayer]:
    """The players: members by the id with which the typed text begins, others by the name typed.

    A member who is shown by id only stands in the report by id alone: the name need not be known.
    """
    firsts = {number: [*beginnings(typed), *beginnings(plain(typed))] for number, typed in numbered}
    rows = standing_rows(pool, facts.Player).filter(player_id__in=set(chain(*firsts.values())))
    hidden = by_id_only(pool)
    members = {row.player_id: person(row.player_id, row.name, row.name_native, hidden) for row in rows}
    known = {number: next(filter(None, map(members.get, first)), None) for number, first in firsts.items()}
    return [_player(number, typed, known[number]) for number, typed in numbered]


def _player(number: int, typed: str, member: Person | None) -> ReportedPlayer:
    if member is not None:
        return ReportedPlayer(
            number, member.name, national_id=member.player_id, name_native=member.name_native
        )
    is_latin = typed.isascii()
    return ReportedPlayer(number, typed if is_latin else "", name_native="" if is_latin else typed)


def sheet_sent(sent: Mapping[str, str], kind: str, *, needs_colours: bool) -> Sheet:
    """The sheet as it was sent, with the size that is wanted."""
    count = _size(sent.get("size"), PLAYERS, MOST_PLAYERS[kind])
    players = [_cell(sent, f"player-{n}") for n in range(1, count + 1)]
    sheet = Sheet(kind, players, needs_colours)
    if kind == GAMES:
        rows = _size(sent.get("rows"), ROWS, MOST_ROWS) + (ROWS if sent.get("act") == "rows" else 0)
        sheet.rows = [
            GameRow(*(_cell(sent, f"{name}-{n}") for name in GameRow._fields)) for n in range(1, rows + 1)
        ]
    else:
        columns = count if kind == ROUND_ROBIN else _size(sent.get("rounds"), ROUNDS, MOST_ROUNDS)
        sheet.cells = [
            [_cell(sent, f"r-{one}-{two}") for two in range(1, columns + 1)] for one in range(1, count + 1)
        ]
    return sheet


def _size(text: str | None, usual: int, most: int) -> int:
    return min(whole_number(text or "", 10**6) or usual, most)


def _cell(sent: Mapping[str, str], name: str) -> str:
    return sent.get(name, "").strip()[:_LONGEST]


def sheet_of(reported: Report | None, kind: str, *, needs_colours: bool) -> Sheet:
    """An empty sheet, or the event of a report that was sent back, to be corrected.

    A round robin begins without results, as does a Swiss crosstable that cannot hold all of its games.
    """
    sheet = Sheet(kind, [""] * PLAYERS, needs_colours, rows=[GameRow()] * ROWS)
    if reported is not None:
        _fill(sheet, reported)
    if kind != GAMES and not sheet.cells:
        columns = len(sheet.players) if kind == ROUND_ROBIN else ROUNDS
        sheet.cells = [[""] * columns for _ in sheet.players]
    return sheet


def _fill(sheet: Sheet, report: Report) -> None:
    """Fill the sheet from a report."""
    sheet.event = event_fields_of(report)
    names = {p.number: f"{p.national_id} {p.name or p.name_native}".strip() for p in report.players}
    count = min(max(names, default=0), sheet.most_players)
    if count:
        sheet.players = [names.get(n, "") for n in range(1, count + 1)]
    if sheet.kind == SWISS:
        sheet.cells = cells_of(report.games, count, MOST_ROUNDS)
    sheet.rows = [
        GameRow(str(g.round), str(g.white), str(g.black), g.result, g.played.isoformat() if g.played else "")
        for g in report.games[:MOST_ROWS]
    ] or sheet.rows
