"""The fast twin of `rulebooks.ncs_2022`: its clauses for every player at once, in the order of the document.

The figures are those of the readable book. `month` walks; what is asked once an event is the readable book's
own function. What NCS and JCF share stands elsewhere:

- `month_games`: members (`_is_member`, NCS 2(2)), C (`change`, NCS 5(1)), games that move nobody
  (`decide_games`, `_line`, NCS 5(3)), the sum and the floor (`settle`, NCS 5(2), NCS 5(5));
- `tables`: PD and the difference counted (`expected`, `limited`, NCS 5(1)PD, NCS 5(4)), dp (NCS 6(4)).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from banzuke.rulebooks.jcf.columnar import monthly_twin as month
from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.calendar_years import born_after
from banzuke.rulebooks.fide.columnar.table_arrays import DP, percentage, rounded
from banzuke.rulebooks.jcf.columnar.monthly_twin import Edition, filled
from banzuke.rulebooks.jcf import ncs_2022 as book

if TYPE_CHECKING:
    from banzuke.columnar.batch_columns import Batch, Int32s, Rated, State
    from banzuke.rulebooks.jcf.columnar.monthly_twin import OnFile, Seats


class Figures(NamedTuple):
    """The numbers of NCS 5 and 6."""

    k_normal: int = book.K_NORMAL
    k_new: int = book.K_NEW
    k_junior: int = book.K_JUNIOR
    k_reached: int = book.K_REACHED
    new_games: int = book.NEW_GAMES
    junior_age: int = book.JUNIOR_AGE
    junior_rating: int = book.JUNIOR_RATING
    reached_rating: int = book.REACHED_RATING
    limit: int = book.LIMIT
    floor: int = book.FLOOR
    first_games: int = book.FIRST_GAMES
    ur_counts_as: int = book.UR_COUNTS_AS
    above_half_each: int = book.ABOVE_HALF_EACH


FIGURES = Figures()


@njit(cache=True)
def _coefficients(
    figures: Figures, now: State, seats: Seats, born: Int32s, year: int, is_shared: bool
) -> Int32s:
    """NCS 5(1)K, in the order: ever 2400, junior, new, normal."""
    k = np.full(len(seats.player), np.int32(figures.k_normal))
    young = born_after(figures.junior_age, year)
    for seat in range(len(k)):
        speed, player = seats.speed[seat], seats.player[seat]
        value, peak = now.value[speed, player], now.peak[speed, player]
        games, earned = now.games[speed, player], now.earned[speed, player]
        if is_shared:
            other = 1 - speed
            value, peak = max(value, now.value[other, player]), max(peak, now.peak[other, player])
            games, earned = games + now.games[other, player], earned or now.earned[other, player]
        if peak >= figures.reached_rating:
            k[seat] = figures.k_reached
        elif born[player] > young and value != MISSING and value < figures.junior_rating:
            k[seat] = figures.k_junior
        elif earned and games < figures.new_games:
            k[seat] = figures.k_new
    return k


def _inherited(fide: Int32s, _speed: int, other: Int32s) -> Int32s:
    """NCS 6(1), 6(2): the other NCS rating, else FIDE standard, rapid, blitz."""
    return filled(other, *fide)


@njit(cache=True)
def _first_ratings(figures: Figures, on_file: OnFile, dp: Int32s, unrated_fill: bool) -> Int32s:
    """NCS 6(3), 6(4): from the fourth game, by the formula of FIDE's calculator."""
    found = np.full_like(on_file.points, MISSING)
    for seat in range(len(found)):
        rated, unrated = on_file.rated[seat], on_file.unrated[seat]
        n, points = rated + unrated, on_file.points[seat] + on_file.unrated_points[seat]
        if rated + unrated_fill * unrated < figures.first_games:
            continue
        added = dp[percentage(points, n)] if points < n else figures.above_half_each * (points - n)
        total = on_file.opponents[seat] + figures.ur_counts_as * unrated
        found[seat] = max(figures.floor, rounded(total + added * n, n))
    return found


def edition(settings: book.Settings, figures: Figures = FIGURES) -> Edition:
    """NCS 2022 with those settings."""
    return Edition(
        floor=figures.floor,
        limit=figures.limit,
        rates_against_unrated=settings.rate_against_unrated,
        unrated_pair_waits=True,
        events_have_members=True,
        oldest_on_file=lambda _closes: 0,
        clauses=book.VERDICTS,
        admission=partial(book.admission, settings=settings),
        inherited=_inherited,
        coefficients=partial(_coefficients, figures, is_shared=settings.k_shared),
        first_ratings=lambda on_file: _first_ratings(figures, on_file, DP, settings.unrated_games_fill_first),
    )


def rate(
    state: State,
    batch: Batch,
    settings: book.Settings,
    figures: Figures = FIGURES,
    *,
    with_lines: bool = True,
) -> Rated:
    """A month's reports rated by NCS 2022."""
    return month.rate(edition(settings, figures), state, batch, with_lines=with_lines)
