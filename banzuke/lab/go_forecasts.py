"""What a Go server's rules forecast of its games, each from how its two players stood just before it.

The server's document promises no score. What stands for one is its table of points: the share of games at
which a side that wins them neither gains nor loses points, so many ranks ahead after handicap and komi; it
is also what certification reckons with. A gap is counted in ranks, after the terms.
"""

from fractions import Fraction

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import BEGINNER
from banzuke.core.rulebook import GoBook
from banzuke.engine.columnar.go_reader import A_DAY, GoColumns
from banzuke.lab.encounters import FIRST_DAY, MONDAY, WEEK
from banzuke.lab.forecasts import Forecasts, no_games
from banzuke.lab.go_histories import Year, rated_years
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.true_expectation import SCALE, Floats
from banzuke.lab.variants import Variant, pool_of
from banzuke.ledger.pool_rules import go_book

#: Printed shares are fractions of so much at most.
FINEST = 10**6
#: Elo points of the rank 1k.
OF_1K = 2000.0


def elo_of_a_rank(book: GoBook) -> float:
    """Elo points of a rank: so many ahead, one expects what the book does of one who is a rank ahead."""
    twin = twin_of(book)
    ahead = twin.forecasts.expected(twin.figures(book), np.array(float(twin.forecasts.units)))
    share = Fraction(float(ahead)).limit_denominator(FINEST)
    return float(SCALE * np.log10(float(share / (1 - share))))


def forecast_go(columns: GoColumns, variant: Variant, until: str | None = None) -> Forecasts:
    """The games that were played out by two players with ranks, as a variant's table of points expects them.

    An event is a week (from Monday, UTC), and so is a list; a game's number is its row in the ledger.
    """
    book = go_book(pool_of(columns.pool, variant).editions[0])
    a_rank, first, parts = elo_of_a_rank(go_book(columns.pool.editions[0])), 0, list[Forecasts]()
    openings = go_openings(columns, a_rank)
    for year in rated_years(columns, variant, until):
        parts.append(_of_year(year, first, book, a_rank, openings))
        first += len(year.games.ended)
    parts = parts or [no_games()]
    return Forecasts(*(np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)))


def _of_year(year: Year, first: int, book: GoBook, a_rank: float, openings: Floats) -> Forecasts:
    """The games of a year; `first` is the row of its first game in the ledger, `openings` are Elo points."""
    games, count = year.games, len(year.games.ended)
    figures, forecasts = twin_of(book).figures(book), twin_of(book).forecasts
    judgement, difference, upper, won = (
        year.lines[name].reshape(-1, 2).T for name in ("judgement", "difference", "upper", "won")
    )
    lead = np.where(upper[1] == 0, -difference[1], difference[1]).astype(np.int64)
    is_known = (difference[1] != MISSING) & (won[1] != MISSING)
    is_played = is_known & ~np.isin(judgement, forecasts.unplayed).any(0)
    week = (games.ended // A_DAY + MONDAY) // WEEK
    return Forecasts(
        of=np.arange(first, first + count),
        place=week.astype(np.int32),
        day=(week * WEEK - MONDAY + FIRST_DAY).astype(np.int32),
        event=week.astype(np.int32),
        speed=np.zeros(count, np.int32),
        year=np.full(count, year.year, np.int32),
        white=games.white,
        black=games.black,
        counted=np.isin(judgement, forecasts.rated).max(axis=0),
        score=(won[1] == 1).astype(np.float64),
        expected=forecasts.expected(figures, np.where(is_played, lead, 0)),
        gap=lead / forecasts.units,
        k=np.full((2, count), MISSING, np.int32),
        born=np.zeros((2, count), np.int32),
        ahead=-(forecasts.worth(figures, games.handicap, games.komi) / forecasts.units) * a_rank,
        rating=openings[np.stack([games.white, games.black])],
        newcomer=np.full(count, np.nanmean([OF_1K, *openings])),
        lead=lead / forecasts.units,
    ).take(is_played)


def go_openings(columns: GoColumns, a_rank: float) -> Floats:
    """What peers begin with: Elo points of everybody's first rank, certified or declared; NaN if none."""
    openings = np.full(len(columns.player_ids), np.nan)
    for player, state in enumerate(columns.opening):
        if state.half is not None or state.kind == BEGINNER:
            openings[player] = OF_1K + a_rank * float(VALUES[state.half or 0])
    return openings
