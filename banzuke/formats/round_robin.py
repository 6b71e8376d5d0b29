"""Games from a round robin's crosstable: where row and column meet, the result (`1` `½` `0` `+` `-` `*`).

A double round robin has two results for each pair: two columns a player (`1a` `1b`), or two in a cell (`1½`).
Such a table says neither rounds nor colours. Both are taken from FIDE's Berger tables (Handbook C.05, Annex
1; the second time with colours reversed) and a remark says so: neither changes a rating.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import fault
from banzuke.formats.game_results import marks
from banzuke.formats.report import ReportedGame
from banzuke.formats.swiss_crosstable import FITS, CrossRow, Crosstable, wrong_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.fault import Fault

#: The most players of a round robin; beyond is no round robin.
MOST_PLAYERS = 200
_RESULTS = re.compile(r"[10=+-](?: ?[10=+-])?")
_Pair = tuple[int, int]


class Grid(NamedTuple):
    """The headings of the columns of results, one (or one a cycle) for each player, and of the points."""

    headings: tuple[str, ...]
    cycles: int
    points: str = ""


def berger(one: int, two: int, players: int) -> tuple[int, int, int]:
    """The round in which two numbers meet, White's number, and Black's, by the Berger tables."""
    last = players + players % 2
    low, high = sorted((one, two))
    if high == last:
        whole = 2 * low - 2
        white = low if 2 * low <= last else high
    else:
        whole = low + high - 2
        white = low if (low + high) % 2 else high
    return whole % (last - 1) + 1, white, low + high - white


def round_robin(file: str, rows: Sequence[CrossRow], grid: Grid) -> Crosstable:
    """Read the games of a table whose rows and columns are the same players in the same order."""
    players = len(grid.headings) // grid.cycles
    if [row.number for row in rows] != list(range(1, players + 1)) or players > MOST_PLAYERS:
        line = rows[0].line if rows else 0
        return Crosstable(
            [], [fault(file, line, "", "crosstable-not-square", rows=len(rows), columns=players)], {}
        )
    return _Reader(file, rows, grid).crosstable()


class _Reader:
    """A round robin as far as it is read."""

    def __init__(self, file: str, rows: Sequence[CrossRow], grid: Grid) -> None:
        self.file, self.rows, self.grid = file, rows, grid
        self.faults: list[Fault] = []
        self.games: list[ReportedGame] = []
        self.unfinished: dict[int, int] = {}
        self.waiting: list[tuple[int, _Pair]] = []
        self.unread: set[int] = set()
        pairs = [(one, two) for one in range(1, len(rows) + 1) for two in range(1, len(rows) + 1)]
        self.results = {pair: self._results(*pair) for pair in pairs}
        self.cycles = max([grid.cycles, *(len(results) for results in self.results.values() if results)])

    def _cells(self, one: int, two: int) -> tuple[str, ...]:
        first = (two - 1) * self.grid.cycles
        return self.rows[one - 1].cells[first : first + self.grid.cycles]

    def _fault(self, one: int, two: int, code: str, **facts: object) -> None:
        heading = self.grid.headings[(two - 1) * self.grid.cycles]
        facts = {"player": one, "opponent": two} | facts
        self.faults.append(fault(self.file, self.rows[one - 1].line, heading, code, **facts))

    def _results(self, one: int, two: int) -> list[str] | None:
        """What a row says of its games with a player, in order; None if that cannot be read."""
        said = [marks(cell) for cell in self._cells(one, two)]
        text = " ".join(cell for cell in self._cells(one, two) if cell)
        if one == two:
            if not all(cell.strip("*x×-■ ") == "" for cell in said):
                self._fault(one, two, "crosstable-own-cell", text=text)
            return []
        if not all(not cell or _RESULTS.fullmatch(cell) for cell in said):
            self._fault(one, two, "crosstable-bad-result", text=text)
            self.unread.add(one)
            return None
        return [result for cell in said for result in cell.replace(" ", "")]

    def crosstable(self) -> Crosstable:
        """Read every pair, then say which rounds wait for results."""
        self._check_points()
        for (one, two), mine in self.results.items():
            yours = self.results[two, one]
            if one < two and mine is not None and yours is not None:
                self._play(one, two, mine, yours)
        if self.waiting:
            number, (one, two) = self.waiting[0]
            for waiting, _ in self.waiting:
                self.unfinished[waiting] = self.unfinished.get(waiting, 0) + 1
            self._fault(one, two, "crosstable-no-result", count=len(self.waiting), round=number)
        self.games.sort(key=lambda game: game.round)
        return Crosstable(self.games, self.faults, self.unfinished)

    def _play(self, one: int, two: int, mine: list[str], yours: list[str]) -> None:
        """Add the games of a pair if both rows tell the same; fewer than the cycles are still to come."""
        round_, white, _ = berger(one, two, len(self.rows))
        if len(mine) != len(yours) or not all(a + b in FITS for a, b in zip(mine, yours, strict=True)):
            text, said = (" ".join(self._cells(*pair)).strip() or "-" for pair in ((two, one), (one, two)))
            self._fault(
                two, one, "crosstable-pair-clash", text=text, said=said, other=self.rows[one - 1].line
            )
            return
        span = len(self.rows) + len(self.rows) % 2 - 1
        for cycle in range(self.cycles):
            number = round_ + span * cycle
            first = (one == white) == (cycle % 2 == 0)
            if cycle >= len(mine):
                self.waiting.append((number, (one, two)))
                continue
            pair = (one, two) if first else (two, one)
            said = mine[cycle] + yours[cycle] if first else yours[cycle] + mine[cycle]
            self.games.append(ReportedGame(number, *pair, FITS[said], None, self.rows[pair[0] - 1].line))

    def _check_points(self) -> None:
        for one, row in enumerate(self.rows, 1):
            cells = (self.results[one, two] or [] for two in range(1, len(self.rows) + 1))
            results = (result for cell in cells for result in cell)
            is_read = one not in self.unread
            if found := wrong_points(self.file, row, self.grid.points, results, is_read=is_read):
                self.faults.append(found)
