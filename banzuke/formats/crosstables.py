"""Games from the rows of a crosstable, of a Swiss or of a round robin.

A cell of a Swiss crosstable is `12w1`, `3b½`, `17b-`, `-1`, `-½`, `8w`: the opponent by the number of the
row, the colour and the result. What is open is settled so:

- Colours are `w` and `b`, or another language's pair (German `w` `s`): the pair that fits most of the cells.
- `+` and `-` are won and lost without a game; a pairing without a result is one not played yet.
- No opponent, and `1`, `½`, `0`, `-` or nothing, is a round without a game.
- Two rows tell every game; what they do not both say is no game.
- Points are held against the results at a point, a half and none.

In a round robin's crosstable the result (`1` `½` `0` `+` `-` `*`) stands where row and column meet. A double
round robin has two results for each pair: two columns a player (`1a` `1b`), or two in a cell (`1½`). Such a
table says neither rounds nor colours. Both are taken from FIDE's Berger tables (Handbook C.05, Annex 1; the
second time with colours reversed) and a remark says so: neither changes a rating.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from banzuke.core.decimals import halves
from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import plain
from banzuke.formats.notation import plain_marks
from banzuke.formats.report import ReportedBye, ReportedGame

_GAME = re.compile(r"([0-9]{1,5}) ?([^\W\d_]) ?([10=+-]?)")
_IDLE = re.compile(r"-? ?[10=+-]?")
_POINTS = re.compile(r"([0-9]{0,4})(?:[.,]([05])0*)?(=?)")
#: White's letter and Black's.
_COLOURS = ("wb", "ws", "bn", "bp", "bc", "bč", "bs", "vs", "бч", "白黒")
_HALF_POINTS = {"1": 2, "+": 2, "=": 1}
#: What White's cell and Black's say, and the ledger's result.
FITS = {"10": "1-0", "==": "1/2-1/2", "01": "0-1", "+-": "+/-", "-+": "-/+", "--": "-/-"}


class CrossRow(NamedTuple):
    """A row: where it stands, its number, a cell for each round, and its points as written."""

    line: int
    number: int
    cells: tuple[str, ...]
    points: str = ""


class Rounds(NamedTuple):
    """The rounds of the columns of cells, the headings over them, and the heading of the points."""

    numbers: tuple[int, ...]
    headings: tuple[str, ...]
    points: str = ""


class Crosstable(NamedTuple):
    """What a crosstable says: games by round, faults, and how many pairings of each round have no result.

    `byes` are the rounds without an opponent that are worth points.
    """

    games: list[ReportedGame]
    faults: list[Fault]
    unfinished: dict[int, int]
    byes: tuple[ReportedBye, ...] = ()


class Cell(NamedTuple):
    """A round of a row: opponent (0 none, -1 unreadable), if White, result (`1` `=` `0` `+` `-`, blank)."""

    opponent: int
    white: bool
    result: str


_UNREAD = Cell(-1, False, "")
Board = dict[int, Cell]  # a round by the numbers of the rows


def parse_half_points(text: str) -> int | None:
    """Points such as `6,5`, `6.5`, `6½` in half points; None if it is none."""
    found = _POINTS.fullmatch(plain(text.replace("½", "=")).replace(" ", ""))
    if not found or not any(found.groups()) or (found[2] and found[3]):
        return None
    return int(found[1] or 0) * 2 + (found[2] == "5") + bool(found[3])


def points_fault(
    file: str, row: CrossRow, heading: str, results: Iterable[str], *, is_read: bool
) -> Fault | None:
    """What is wrong with a row's points by the marks of its results; None where these are not all read."""
    text, points = row.points.strip(), parse_half_points(row.points)
    total = sum(_HALF_POINTS.get(result, 0) for result in results)
    facts = {"player": row.number, "said": text, "sum": halves(total)}
    if text and points is None:
        return fault(file, row.line, heading, "crosstable-bad-points", **facts)
    if text and points != total and is_read:
        return fault(file, row.line, heading, "crosstable-points", **facts)
    return None


def count_answers(rows: Sequence[CrossRow]) -> int:
    """How many cells name an opponent whose cell names this row: whether the numbers are those meant."""
    columns = range(len(rows[0].cells) if rows else 0)
    named = [{row.number: _opponent(row.cells[i]) for row in rows} for i in columns]
    return sum(two not in (0, one) and board.get(two) == one for board in named for one, two in board.items())


def read_swiss(file: str, rows: Sequence[CrossRow], rounds: Rounds, *, whole: bool = True) -> Crosstable:
    """Read the games; `whole` if no row of the table was left out, so that every opponent must be there."""
    reader = _SwissReader(file, rows, rounds, whole)
    reader.check_points()
    for index in range(len(rounds.numbers)):
        reader.play(index)
    return Crosstable(reader.games, reader.faults, reader.unfinished, tuple(reader.byes()))


def _opponent(cell: str) -> int:
    found = _GAME.fullmatch(plain_marks(cell))
    return int(found[1]) if found else 0


def _colours(rows: Sequence[CrossRow]) -> str:
    """The letters of White and Black that fit most cells."""
    letters: Counter[str] = Counter()
    for row in rows:
        letters.update(found[2] for cell in row.cells if (found := _GAME.fullmatch(plain_marks(cell))))
    return max(_COLOURS, key=lambda pair: letters[pair[0]] + letters[pair[1]])


class _SwissReader:
    """A crosstable as far as it is read."""

    def __init__(self, file: str, rows: Sequence[CrossRow], rounds: Rounds, whole: bool) -> None:
        self.file, self.rounds, self.whole = file, rounds, whole
        self.rows = {row.number: row for row in rows}
        self.colours = _colours(rows)
        self.games: list[ReportedGame] = []
        self.faults: list[Fault] = []
        self.unfinished: dict[int, int] = {}
        self.cells = {row.number: self._cells(row) for row in rows}

    def _cells(self, row: CrossRow) -> list[Cell]:
        return [self._cell(row, index, plain_marks(cell)) for index, cell in enumerate(row.cells)]

    def _cell(self, row: CrossRow, index: int, text: str) -> Cell:
        if _IDLE.fullmatch(text):
            return Cell(0, False, text.removeprefix("-").strip())
        found = _GAME.fullmatch(text)
        if not found:
            self._fault(row.number, index, "crosstable-bad-cell", text=row.cells[index])
        elif found[2] not in self.colours:
            self._fault(
                row.number, index, "crosstable-bad-colour", text=found[2], colours=", ".join(self.colours)
            )
        else:
            return Cell(int(found[1]) or -2, found[2] == self.colours[0], found[3])
        return _UNREAD

    def _fault(self, number: int, index: int, code: str, **facts: object) -> None:
        """Note a fault in a row's cell of a round."""
        facts = {"player": number, "round": self.rounds.numbers[index]} | facts
        self.faults.append(
            fault(self.file, self.rows[number].line, self.rounds.headings[index], code, **facts)
        )

    def check_points(self) -> None:
        """Hold every row's points against its results; where most do not fit, the event counts otherwise."""
        wrong = [found for row in self.rows.values() if (found := self._wrong_points(row))]
        if len(wrong) > max(3, len(self.rows) // 2):
            count = {"count": len(wrong), "rows": len(self.rows)}
            first = wrong[0]
            wrong = [fault(self.file, first.line, first.column, "crosstable-points-system", **count)]
        self.faults += wrong

    def byes(self) -> Iterator[ReportedBye]:
        """The rounds without an opponent that are worth points, round by round."""
        for index, number in enumerate(self.rounds.numbers):
            for player, cells in self.cells.items():
                if not cells[index].opponent and (points := _HALF_POINTS.get(cells[index].result)):
                    yield ReportedBye(number, player, points)

    def _wrong_points(self, row: CrossRow) -> Fault | None:
        cells = self.cells[row.number]
        results = (cell.result for cell in cells)
        return points_fault(self.file, row, self.rounds.points, results, is_read=_UNREAD not in cells)

    def play(self, index: int) -> None:
        """Read the games of a round; the row that stands first speaks for both."""
        if self.rows and not any(row.cells[index].strip() for row in self.rows.values()):
            self._fault(next(iter(self.rows)), index, "crosstable-empty-round")
        board = {number: cells[index] for number, cells in self.cells.items()}
        waiting: list[int] = []
        seen: set[int] = set()
        for one, cell in board.items():
            two = cell.opponent
            seen.add(one)
            if two in (0, -1) or not self._is_answered(one, index, board):
                continue
            if two not in seen and self._agree(one, two, index, board):
                waiting.append(one)
        if waiting:
            self.unfinished[self.rounds.numbers[index]] = len(waiting)
            facts = {"count": len(waiting), "opponent": board[waiting[0]].opponent}
            self._fault(waiting[0], index, "crosstable-no-result", **facts)

    def _is_answered(self, one: int, index: int, board: Board) -> bool:
        """Whether the opponent's row names this one too; if it should and does not, that is noted."""
        two = board[one].opponent
        back = board.get(two)
        if two == one:
            self._fault(one, index, "crosstable-plays-self")
        elif back is None and (self.whole or two < 0):
            self._fault(one, index, "crosstable-no-such-opponent", opponent=max(two, 0))
        elif back and back.opponent not in (one, -1):
            text = self.rows[two].cells[index] or "-"
            self._fault(
                one, index, "crosstable-one-sided", opponent=two, other=self.rows[two].line, said=text
            )
        return back is not None and back.opponent == one and two != one

    def _agree(self, one: int, two: int, index: int, board: Board) -> bool:
        """Add the game if both rows tell the same; whether it is still without a result."""
        mine, yours = board[one], board[two]
        white, black = (one, two) if mine.white else (two, one)
        result = FITS.get(board[white].result + board[black].result)
        facts: dict[str, object] = {"opponent": one, "other": self.rows[one].line}
        facts |= {"text": self.rows[two].cells[index], "said": self.rows[one].cells[index]}
        if mine.white == yours.white:
            self._fault(two, index, "crosstable-same-colour", **facts)
        elif mine.result == yours.result == "":
            return True
        elif not result or not (mine.result and yours.result):
            self._fault(two, index, "crosstable-results-clash", **facts)
        else:
            line = self.rows[white].line
            self.games.append(ReportedGame(self.rounds.numbers[index], white, black, result, None, line))
        return False


#: The most players of a round robin; beyond is no round robin.
MOST_PLAYERS = 200
_RESULTS = re.compile(r"[10=+-](?: ?[10=+-])?")
_Pair = tuple[int, int]


class CrosstableHeadings(NamedTuple):
    """The headings of the columns of results, one (or one a cycle) for each player, and of the points."""

    headings: tuple[str, ...]
    cycles: int
    points: str = ""


def berger_pairing(one: int, two: int, players: int) -> tuple[int, int, int]:
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


def read_round_robin(file: str, rows: Sequence[CrossRow], grid: CrosstableHeadings) -> Crosstable:
    """Read the games of a table whose rows and columns are the same players in the same order."""
    players = len(grid.headings) // grid.cycles
    if [row.number for row in rows] != list(range(1, players + 1)) or players > MOST_PLAYERS:
        line = rows[0].line if rows else 0
        return Crosstable(
            [], [fault(file, line, "", "crosstable-not-square", rows=len(rows), columns=players)], {}
        )
    return _RoundRobinReader(file, rows, grid).crosstable()


class _RoundRobinReader:
    """A round robin as far as it is read."""

    def __init__(self, file: str, rows: Sequence[CrossRow], grid: CrosstableHeadings) -> None:
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
        values = [plain_marks(cell) for cell in self._cells(one, two)]
        text = " ".join(cell for cell in self._cells(one, two) if cell)
        if one == two:
            if not all(cell.strip("*x×-■ ") == "" for cell in values):
                self._fault(one, two, "crosstable-own-cell", text=text)
            return []
        if not all(not cell or _RESULTS.fullmatch(cell) for cell in values):
            self._fault(one, two, "crosstable-bad-result", text=text)
            self.unread.add(one)
            return None
        return [result for cell in values for result in cell.replace(" ", "")]

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
        round_, white, _ = berger_pairing(one, two, len(self.rows))
        if len(mine) != len(yours) or not all(a + b in FITS for a, b in zip(mine, yours, strict=True)):
            text, first_text = (
                " ".join(self._cells(*pair)).strip() or "-" for pair in ((two, one), (one, two))
            )
            self._fault(
                two, one, "crosstable-pair-clash", text=text, said=first_text, other=self.rows[one - 1].line
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
            results = mine[cycle] + yours[cycle] if first else yours[cycle] + mine[cycle]
            self.games.append(ReportedGame(number, *pair, FITS[results], None, self.rows[pair[0] - 1].line))

    def _check_points(self) -> None:
        for one, row in enumerate(self.rows, 1):
            cells = (self.results[one, two] or [] for two in range(1, len(self.rows) + 1))
            results = (result for cell in cells for result in cell)
            is_read = one not in self.unread
            if found := points_fault(self.file, row, self.grid.points, results, is_read=is_read):
                self.faults.append(found)
