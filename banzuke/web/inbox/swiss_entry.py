"""A Swiss crosstable as it is typed: a row a player, a column a round, in a cell opponent, colour and result.

`5w1` `5b=` `12w0` are games, `5w+` `5b-` pairings without play; `1`, `½` (`5`, `=`) and `0` are the row's
result. `+`, `-`, `=` and `bye` alone are rounds without an opponent. One of the two cells of a game is
enough, and one of them with the colour. Where the rules ask for no colours both may leave it out (`51`: won
against 5), as for pairings without play: White is then the smaller number. Cells that contradict each other
are faults.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.crosstables import FITS, CrossRow, Rounds, read_swiss
from banzuke.formats.notation import plain_marks
from banzuke.formats.report import ReportedGame

_CELL = re.compile(r"([0-9]{1,3}) ?([wb白黒]) ?([105=+-]?)|([0-9]{1,3}) ?([105=+-])")
_COLOURS = {"白": "w", "黒": "b"}
_OTHER = {"w": "b", "b": "w", "": ""}
#: A result typed from one side, as the other side's cell has it.
MIRRORED = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "": ""}
_PLAYED = frozenset("10=")
#: A ledger's result as White's cell and Black's have it.
_MARKS = {result: pair for pair, result in FITS.items()}
BYE = "bye"


class _TypedCell(NamedTuple):
    """A cell with an opponent: the opponent's number, the row's colour and result (either may be blank)."""

    opponent: int
    colour: str
    result: str

    @property
    def text(self) -> str:
        return f"{self.opponent}{self.colour}{self.result}"


def swiss_typed(
    cells: Sequence[Sequence[str]], *, needs_colours: bool
) -> tuple[list[ReportedGame], list[Fault]]:
    """The games of the cells (by rows, the first is player 1), and what cannot be read of them."""
    if not any(cell for row in cells for cell in row):
        return [], []
    faults: list[Fault] = []
    columns = [
        _complete_column(column, number, faults, needs_colours=needs_colours)
        for number, column in enumerate(zip(*cells, strict=True), 1)
    ]
    rows = [CrossRow(number, number, row) for number, row in enumerate(zip(*columns, strict=True), 1)]
    numbers = tuple(range(1, len(columns) + 1))
    found = read_swiss("", rows, Rounds(numbers, tuple(map(str, numbers))))
    return found.games, faults + found.faults


def _complete_column(
    column: Sequence[str], round_: int, faults: list[Fault], *, needs_colours: bool
) -> list[str]:
    """The cells of a round in full: what one cell of a game leaves out is taken from the other."""
    games = {number: found for number, cell in enumerate(column, 1) if (found := _typed_cell(cell))}
    for one, mine in list(games.items()):
        two = mine.opponent
        if two not in games and 0 < two <= len(column) and not column[two - 1]:
            games[two] = _TypedCell(one, _OTHER[mine.colour], MIRRORED[mine.result])
    for one, mine in games.items():
        theirs = games.get(mine.opponent)
        answered = theirs is not None and theirs.opponent == one
        colour = mine.colour or (_OTHER[theirs.colour] if theirs and answered else "")
        if not colour and answered and needs_colours and mine.result in _PLAYED:
            about = {"round": round_, "player": one, "opponent": mine.opponent}
            faults.append(fault("", one, str(round_), "sheet-no-colour", **about))
        games[one] = mine._replace(colour=colour or ("w" if one < mine.opponent else "b"))
    return [games[n].text if n in games else _idle(cell) for n, cell in enumerate(column, 1)]


def _typed_cell(cell: str) -> _TypedCell | None:
    """A cell with an opponent; None for any other."""
    found = _CELL.fullmatch(plain_marks(cell))
    if found is None:
        return None
    number, colour, result, alone, result_alone = found.groups()
    mark = (result or result_alone or "").replace("5", "=")
    return _TypedCell(int(number or alone), _COLOURS.get(colour, colour or ""), mark)


def _idle(cell: str) -> str:
    """A cell without an opponent as crosstables have it."""
    return "+" if plain_marks(cell) == BYE else cell


def cells_of(games: Sequence[ReportedGame], players: int, most_rounds: int) -> list[list[str]]:
    """Games as the cells of a crosstable; no cells where they cannot say all that is known of the games."""
    rounds = max((game.round for game in games), default=0)
    if not 0 < rounds <= most_rounds:
        return []
    cells = [[""] * rounds for _ in range(players)]
    for game in games:
        mark = _MARKS.get(game.result)
        if mark is None or game.played or max(game.white, game.black) > players:
            return []
        sides = (game.white, f"{game.black}w{mark[0]}"), (game.black, f"{game.white}b{mark[1]}")
        for one, cell in sides:
            if cells[one - 1][game.round - 1]:
                return []
            cells[one - 1][game.round - 1] = cell
    return cells
