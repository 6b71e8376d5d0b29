"""Games from the pairings of Chess-Results: a table a round, with White, the result and Black.

A player is known by the start number, which stands in the link of the name or in a column beside it; where
neither is there, players are numbered here, by their names in the order in which they first appear. Where one
side has no number and the result is one side's (`½`), the name there is a word for nobody. A round in which
no two are paired is still to come, and that is a fault.
"""

import re
from datetime import date
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.event_details import DAY, MOST_ROUNDS
from banzuke.formats.chess_results.footnotes import split_mark
from banzuke.formats.chess_results.headings import is_nobody, round_of
from banzuke.formats.chess_results.page_tables import MOST_NUMBER, Row, Table
from banzuke.formats.files.text import plain, plain_dashes, whole_number
from banzuke.formats.notation import parse_day, parse_result, plain_marks
from banzuke.formats.report import MOST_RATING, ReportedBye, ReportedGame, ReportedPlayer

_IDLE = re.compile(r"[10=+-]?( ?- ?[10=+-])?")
_ONE_SIDED = re.compile(r"[10=+]")
_BYE_POINTS = {"1": 2, "+": 2, "=": 1}
_BEGINNING = re.compile(r"(?:[^\W\d_]{1,12}\.? ?|第)?([0-9]{1,3})(?![0-9])|([0-9]{1,3}) ?\. ?[^\W\d_]{1,12}")


class Side(NamedTuple):
    """A side of a pairing: number (0: no player there), name."""

    number: int
    name: str


def round_in(title: str) -> tuple[int, date | None]:
    """The round and its day in a title such as `Round 9 on 2026/08/09 at 10:00`; 0 and None if none."""
    words = plain(title)
    dated = DAY.search(words)
    begins = _BEGINNING.match(words[: dated.start()]) if dated else None
    number = int(begins[1] or begins[2]) if begins else round_of(words)
    day = parse_day(dated[0].replace(" ", "")) if dated else None
    return (number, day) if number <= MOST_ROUNDS else (0, None)


def _two_sided(table: Table, row: Row) -> bool:
    """Whether the result is not that of one side alone."""
    return not _ONE_SIDED.fullmatch(plain_marks(row.cell(table.layout.columns["result"])))


class Pairings:
    """The rounds of a page's tables of pairings: `take` each table, then see players and games."""

    def __init__(self, file: str, faults: list[Fault]) -> None:
        self.file, self.faults = file, faults
        self.players: dict[int, ReportedPlayer] = {}
        self.games: list[ReportedGame] = []
        self.byes: list[ReportedBye] = []
        self.rounds: set[int] = set()
        self.unfinished: dict[int, int] = {}
        self.numbered_here = False
        self._names: dict[str, int] = {}

    def take(self, table: Table, number: int, day: date | None) -> None:
        """Take the pairings of a round."""
        self.rounds.add(number)
        linked = any(
            row.link(table.layout.columns[side]) for row in table.rows for side in ("white", "black")
        )
        busy: dict[int, str] = {}
        waiting: list[tuple[Row, Side, Side]] = []
        before, paired = len(self.faults), False
        for row in table.rows:
            white, black = (self._side(table, row, side, linked=linked) for side in ("white", "black"))
            if not self._is_free(table, row, number, [white, black], busy):
                continue
            text = row.cell(table.layout.columns["result"])
            result = parse_result(text) if _two_sided(table, row) else None
            paired = paired or bool(white.number and black.number)
            if not (white.number and black.number):
                self._take_idle(table, row, number, white if white.number else black)
            elif result:
                self.games.append(ReportedGame(number, white.number, black.number, result, day, row.line))
            elif plain_dashes(text) in ("", "-"):
                waiting.append((row, white, black))
            else:
                self._note(table, row, "cr-bad-result", round=number, white=white.name, black=black.name)
        if not paired and len(self.faults) == before:
            self.faults.append(fault(self.file, table.heading.line, "", "cr-nobody-paired", round=number))
        if waiting:
            row, white, black = waiting[0]
            self.unfinished[number] = len(waiting)
            facts = {"round": number, "count": len(waiting), "white": white.name, "black": black.name}
            self._note(table, row, "cr-no-result", **facts)

    def _note(self, table: Table, row: Row, code: str, **facts: object) -> None:
        """Note a fault in a row's result."""
        column = table.layout.columns["result"]
        facts["text"] = row.cell(column)
        self.faults.append(fault(self.file, row.line, table.heading_of(column), code, **facts))

    def _take_idle(self, table: Table, row: Row, number: int, who: Side) -> None:
        """A round without an opponent has one side's result, or none; it may be worth points."""
        marks = plain_marks(row.cell(table.layout.columns["result"]))
        if not _IDLE.fullmatch(marks):
            self._note(table, row, "cr-bad-result", round=number, white=who.name, black="")
        elif who.number and (points := _BYE_POINTS.get(marks)):
            self.byes.append(ReportedBye(number, who.number, points))

    def _side(self, table: Table, row: Row, side: str, *, linked: bool) -> Side:
        """The player on a side of a row; number 0 if there is none."""
        columns = table.layout.columns
        name, _ = split_mark(row.cell(columns[side]))
        number = row.link(columns[side])
        if not linked and f"{side}-number" in columns:
            number = self._number(table, row, columns[f"{side}-number"], name)
        elif not linked and not is_nobody(name):
            self.numbered_here = True
            number = self._names.setdefault(name, len(self._names) + 1)
        if not number:
            return Side(0, "")
        player = self._player(table, row, side, Side(number, name))
        known = self.players.setdefault(number, player)
        if known.name != name:
            facts = {"number": number, "name": name, "other": known.name}
            self.faults.append(
                fault(self.file, row.line, table.heading_of(columns[side]), "cr-number-twice", **facts)
            )
        return Side(number, name)

    def _number(self, table: Table, row: Row, column: int, name: str) -> int:
        """The start number beside a name; 0 where no player is."""
        text = row.cell(column)
        number = whole_number(text, MOST_NUMBER)
        nobody = is_nobody(name) or not (text or _two_sided(table, row))
        if not number and not nobody:
            facts = {"text": text, "name": name}
            self.faults.append(fault(self.file, row.line, table.heading_of(column), "cr-bad-number", **facts))
        return 0 if nobody else number or 0

    @staticmethod
    def _player(table: Table, row: Row, side: str, who: Side) -> ReportedPlayer:
        columns = table.layout.columns
        rating, federation = (columns.get(f"{side}-{kind}", -1) for kind in ("rating", "federation"))
        rated = whole_number(row.cell(rating), MOST_RATING) or None
        return ReportedPlayer(
            who.number, who.name, rating=rated, federation=plain(row.cell(federation)), line=row.line
        )

    def _is_free(self, table: Table, row: Row, number: int, sides: list[Side], busy: dict[int, str]) -> bool:
        """Whether nobody of this row has another one in the round; if so that is noted."""
        free = True
        for at, side in enumerate(sides):
            if side.number and side.number in busy:
                column = table.layout.columns[("white", "black")[at]]
                facts = {"round": number, "name": side.name, "number": side.number}
                self.faults.append(
                    fault(self.file, row.line, table.heading_of(column), "cr-plays-twice", **facts)
                )
                free = False
            if side.number:
                busy[side.number] = side.name
        return free
