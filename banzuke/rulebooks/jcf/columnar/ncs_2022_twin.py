"""The fast twin of `rulebooks.jcf.ncs_2022`, in the order of the document: for all players at once.

The figures are those of the readable book. `monthly_twin` has the steps; what is asked once an event is the
readable book's own function. What NCS and JCF share stands elsewhere:

- `monthly_games`: members (`_is_member`, NCS 2(2)), C (`change`, NCS 5(1)), games that move nobody
  (`decide_games`, `write_line`, NCS 5(3)), the sum and the floor (`settle`, NCS 5(2), NCS 5(5));
- `table_arrays`: PD and the difference counted (`expected`, `limited`, NCS 5(1)PD, NCS 5(4)), dp (NCS 6(4)).
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import MISSING, Flags, Int32s, State
from banzuke.columnar.calendar_years import born_after
from banzuke.columnar.kernels import rounded
from banzuke.columnar.partitioned_batches import Seats
from banzuke.columnar.twin import ListRows, Rules
from banzuke.core.facts import STANDARD
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.fide.columnar.table_arrays import DP, percentage
from banzuke.rulebooks.jcf.columnar.monthly_games import GamesOnFile
from banzuke.rulebooks.jcf.columnar.monthly_twin import Edition, clauses_of, first_known, twin


class Figures(NamedTuple):
    """The numbers of NCS 5 and 6."""

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
    ur_counts_as: int
    above_half_each: int


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
    return first_known(other, *fide)


@njit(cache=True)
def _first_ratings(figures: Figures, on_file: GamesOnFile, dp: Int32s, unrated_fill: bool) -> Int32s:
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


def edition(rules: Rules) -> Edition:
    """NCS 2022 with its settings."""
    figures: Figures = rules.figures
    settings = rules.settings
    return Edition(
        floor=figures.floor,
        limit=figures.limit,
        rates_against_unrated=settings.rate_against_unrated,
        unrated_pair_waits=True,
        events_have_members=True,
        oldest_on_file=lambda _closes: 0,
        clauses=clauses_of(rules.book),
        admission=partial(rules.book.for_twin["admission"], settings=settings),
        inherited=_inherited,
        coefficients=partial(_coefficients, figures, is_shared=settings.k_shared),
        first_ratings=lambda on_file: _first_ratings(figures, on_file, DP, settings.unrated_games_fill_first),
    )


def _qualified(of: ChessBook, rows: ListRows) -> Flags:
    """As `ncs_2022.is_qualified`."""
    of_standard = rows.speed == of.speeds.index(STANDARD)
    found: Flags = of_standard & (rows.games > of.parameters.whole("qualified_beyond"))
    return found


TWIN = twin(Figures, edition, _qualified)
