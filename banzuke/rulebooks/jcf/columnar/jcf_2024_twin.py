"""The fast twin of `rulebooks.jcf.jcf_2024`, in the order of the document: for all players at once.

The figures are those of the readable book. `monthly_twin` has the steps; what is asked once an event is the
readable book's own function. What NCS and JCF share stands elsewhere:

- `monthly_games`: members (`_is_member`, JCF 3(5)), C (`change`, JCF 5(1)), games that move nobody
  (`decide_games`, `write_line`, JCF 5(1)C-zero), the sum and the floor (`settle`, JCF 5(2), JCF 5(3));
- `table_arrays`: PD and the difference counted (`expected`, `limited`, JCF 5(1)PD), dp (JCF 6(4)dp).
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import MISSING, Int32s, State
from banzuke.columnar.calendar_years import born_after
from banzuke.columnar.kernels import rounded
from banzuke.columnar.partitioned_batches import Seats
from banzuke.columnar.twin import Rules
from banzuke.core.month import months_later
from banzuke.rulebooks.fide.columnar.table_arrays import DP, percentage
from banzuke.rulebooks.jcf.columnar.monthly_games import GamesOnFile
from banzuke.rulebooks.jcf.columnar.monthly_twin import Edition, clauses_of, first_known, twin


class Figures(NamedTuple):
    """The numbers of JCF 5 and 6."""

    k_normal: int
    k_new: int
    k_junior: int
    k_reached: int
    new_games: int
    junior_age: int
    junior_rating: int
    reached_rating: int
    limit: int
    floor: int
    first_games: int
    first_months: int


@njit(cache=True)
def _coefficients(figures: Figures, now: State, seats: Seats, born: Int32s, year: int) -> Int32s:
    """JCF 5(1)K, in the order: ever 2400, junior, new, normal."""
    k = np.full(len(seats.player), np.int32(figures.k_normal))
    young = born_after(figures.junior_age, year)
    for seat in range(len(k)):
        speed, player = seats.speed[seat], seats.player[seat]
        peak = now.peak[speed, player]
        if peak >= figures.reached_rating:
            k[seat] = figures.k_reached
        elif born[player] > young and peak < figures.junior_rating:
            k[seat] = figures.k_junior
        elif now.games[speed, player] < figures.new_games:
            k[seat] = figures.k_new
    return k


def _inherited(fide: Int32s, speed: int, other: Int32s) -> Int32s:
    """JCF 6(1), 6(2): FIDE's of the same speed, else the other domestic one, else FIDE's other."""
    return first_known(fide[speed], other, fide[1 - speed])


@njit(cache=True)
def _first_ratings(figures: Figures, on_file: GamesOnFile, dp: Int32s) -> Int32s:
    """JCF 6(3), 6(4): six games against rated players, neither all won nor all lost: the mean and dp."""
    found = np.full_like(on_file.points, MISSING)
    for seat in range(len(found)):
        n, points = on_file.rated[seat], on_file.points[seat]
        if n < figures.first_games or points in (0, 2 * n):
            continue
        total = on_file.opponents[seat] + dp[percentage(points, n)] * n
        found[seat] = max(figures.floor, rounded(total, n))
    return found


def edition(rules: Rules) -> Edition:
    """JCF 2024; games on file count for two years."""
    figures: Figures = rules.figures
    return Edition(
        floor=figures.floor,
        limit=figures.limit,
        rates_against_unrated=False,
        unrated_pair_waits=False,
        events_have_members=False,
        oldest_on_file=lambda closes: months_later(closes, -figures.first_months).toordinal() + 1,
        clauses=clauses_of(rules.book),
        admission=rules.book.for_twin["admission"],
        inherited=_inherited,
        coefficients=partial(_coefficients, figures),
        first_ratings=lambda on_file: _first_ratings(figures, on_file, DP),
    )


TWIN = twin(Figures, edition)
