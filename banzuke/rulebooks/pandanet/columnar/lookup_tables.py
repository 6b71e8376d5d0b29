"""The numbers of `pandanet` and `ranks`, and the tables that its fast twin looks up."""

from functools import cache
from typing import NamedTuple

import numpy as np

from banzuke.columnar.go_columns import Rows
from banzuke.core.go_facts import HALF_RANKS
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import RuleBook
from banzuke.rulebooks.pandanet import ranks as pandanet_ranks
from banzuke.rulebooks.pandanet.ranks import HALF_RANK, RANK


class Figures(NamedTuple):
    """The rule book's numbers; only the laboratory gives others.

    `lower_wins` are the points of the lower side's win at d = 0, 1/2, 1, ... to `widest` (in 24ths) and
    further; `multipliers` (the last game, tenths) in order; `worths` what so many stones are worth with komi
    0, in 24ths.
    """

    board_size: int
    least_moves: int
    flat: int
    bonus_below: int
    lower_wins: tuple[int, ...]
    widest: int
    multipliers: tuple[tuple[int, int], ...]
    later_multiplier: int
    bc_wins: int
    certifying_games: int
    review_every: int
    beyond_table_a_rank: int
    most_expected: int
    both_wins: int
    worths: tuple[int, ...]


def figures_of(book: RuleBook) -> Figures:
    """The numbers of a book's parameters."""
    given = book.parameters
    names = [name for name in Figures._fields if name in given and isinstance(given[name].value, int)]
    return Figures(
        **{name: given.whole(name) for name in names},
        lower_wins=given.row("lower_wins"),
        widest=given.whole("widest_ranks") * RANK,
        multipliers=given.row("multipliers"),
        worths=tuple(book.for_twin["worth"](stones, 0) for stones in range(given.whole("most_stones") + 1)),
    )


@cache
def tables_of(figures: Figures) -> Rows:
    """What the kernels look up for those numbers, a single row.

    `value[half]` and `worth[stones]` (with komi 0) are 24ths of a rank; `points[step, upper_won, d]` whole
    points, a step of multipliers lasting until the game `last_game[step]`; `expected[middle + lead]` 2400ths,
    of which a half point of score has `half_point`. The numbers bear the names that they have in `Figures`.
    """
    middle = HALF_RANK * HALF_RANKS + figures.widest
    tenths = [*(tenths for _, tenths in figures.multipliers), figures.later_multiplier]
    columns = {
        "value": [pandanet_ranks.value(half) for half in range(HALF_RANKS)],
        "worth": figures.worths,
        "points": [[_points(figures, step, upper_won) for upper_won in (False, True)] for step in tenths],
        "last_game": [last for last, _ in figures.multipliers],
        "expected": [_expectation(figures, lead) for lead in range(-middle, middle + 1)],
        "middle": middle,
        "half_point": figures.both_wins * HALF_RANK // 2,
        **{name: number for name, number in figures._asdict().items() if isinstance(number, int)},
    }
    arrays = {name: np.array(column, np.int32) for name, column in columns.items()}
    row = np.zeros(1, [(name, np.int32, array.shape) for name, array in arrays.items()])
    for name, array in arrays.items():
        row[name] = array
    return row


def _lower_wins(figures: Figures, difference: int) -> int:
    """As `ranks.lower_wins`, from the figures."""
    column, rest = divmod(difference, HALF_RANK)
    here, there = figures.lower_wins[column], figures.lower_wins[column + bool(rest)]
    return here * HALF_RANK + (there - here) * rest


def _points(figures: Figures, tenths: int, upper_won: bool) -> list[int]:
    """As `ranks.points_moved`, from the figures, for every d that is rated."""
    lower = [_lower_wins(figures, d) for d in range(figures.widest + 1)]
    table = [figures.both_wins * HALF_RANK - size if upper_won else size for size in lower]
    return [rounded(size * tenths, 10 * HALF_RANK) for size in table]


def _expectation(figures: Figures, lead: int) -> int:
    """As `ranks.expectation`, from the figures."""
    size, unit = abs(lead), figures.both_wins * HALF_RANK // 100
    expected = _lower_wins(figures, min(size, figures.widest))
    if size > figures.widest:
        expected += figures.beyond_table_a_rank * unit * (size - figures.widest) // RANK
        expected = min(expected, figures.most_expected * unit)
    return expected if lead >= 0 else figures.both_wins * HALF_RANK - expected
