"""What a Go server's rules foretell of its games, each from how its two players stood just before it.

The server's document promises no score. What stands for one is its table of points: the share of games at
which a side that wins them neither gains nor loses points, so many ranks ahead after handicap and komi; it
is also what certification reckons with. A gap is counted in ranks, after the terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.go_facts import BEGINNER
from banzuke.engine.columnar.moment_columns import A_DAY
from banzuke.lab.encounters import FIRST_DAY, MONDAY, WEEK
from banzuke.lab.forecasts import Foretold, nothing
from banzuke.lab.go_constants import FIGURES, GO
from banzuke.lab.go_variant_run import rated_years
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.true_expectation import SCALE
from banzuke.lab.variants import figures
from banzuke.rulebooks.pandanet.columnar import pandanet_twin as pandanet
from banzuke.rulebooks.pandanet.columnar.lookup_tables import tables_of
from banzuke.rulebooks.pandanet.ranks import BOTH_WINS, HALF_RANK, RANK, expectation

if TYPE_CHECKING:
    from banzuke.columnar.go_columns import GoGames, Rows
    from banzuke.engine.columnar.go_reader import GoColumns
    from banzuke.lab.go_variant_run import Year
    from banzuke.lab.true_expectation import Floats, Ints
    from banzuke.lab.variants import Variant
    from banzuke.rulebooks.pandanet.columnar.lookup_tables import Figures

#: Games of which nothing is foretold: those that are rated for neither side, or ended by a fault.
NOT_PLAYED_OUT = (*range(pandanet.BOARD, pandanet.RESULT + 1), pandanet.NO_GREETING, pandanet.NO_MOVE)
COUNTED = (pandanet.POINTS_MOVE, pandanet.ON_RECORD)

CERTAIN = BOTH_WINS * HALF_RANK
#: Elo points of a rank, where one rank ahead expects what the book's table does; of the rank 1k.
A_RANK = float(SCALE * np.log10(expectation(RANK) / (CERTAIN - expectation(RANK))))
OF_1K = 2000.0


def foretold_go(columns: GoColumns, variant: Variant, until: str | None = None) -> Foretold:
    """The games that were played out by two players with ranks, as a variant's table of points expects them.

    An event is a week (from Monday, UTC), and so is a list; a game's number is its row in the ledger.
    """
    numbers, first, parts = figures(variant).get(GO, FIGURES), 0, [nothing()]
    for year in rated_years(columns, variant, until):
        parts.append(_of_year(year, first, numbers))
        first += len(year.games.ended)
    return Foretold(*(np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)))


def _of_year(year: Year, first: int, numbers: Figures) -> Foretold:
    """The games of a year; `first` is the row of its first game in the ledger."""
    games, count = year.games, len(year.games.ended)
    judgement, difference, upper, won = (
        year.lines[name].reshape(-1, 2).T for name in ("judgement", "difference", "upper", "won")
    )
    lead = np.where(upper[1] == 0, -difference[1], difference[1]).astype(np.int64)
    is_played = (difference[1] != MISSING) & (won[1] != MISSING) & ~np.isin(judgement, NOT_PLAYED_OUT).any(0)
    week = (games.ended // A_DAY + MONDAY) // WEEK
    neither = np.full((2, count), MISSING, np.int32)
    return Foretold(
        of=np.arange(first, first + count),
        place=week.astype(np.int32),
        day=(week * WEEK - MONDAY + FIRST_DAY).astype(np.int32),
        event=week.astype(np.int32),
        speed=np.zeros(count, np.int32),
        year=np.full(count, year.year, np.int32),
        white=games.white,
        black=games.black,
        counted=np.isin(judgement, COUNTED).max(axis=0),
        score=(won[1] == 1).astype(np.float64),
        expected=_expected(np.where(is_played, lead, 0), tables_of(numbers)),
        gap=lead / RANK,
        k=neither,
        born=np.zeros((2, count), np.int32),
        ahead=-worth(games, tables_of(numbers)) * A_RANK,
    ).take(is_played)


def _expected(lead: Ints, tables: Rows) -> Floats:
    """The share at which White's points stand still, so many 24ths of a rank ahead."""
    reach = int(tables["middle"][0])
    found: Floats = tables["expected"][0][reach + np.clip(lead, -reach, reach)] / CERTAIN
    return found


def worth(games: GoGames, tables: Rows) -> Floats:
    """What the terms are worth to Black, in ranks."""
    found: Floats = (tables["worth"][0][games.handicap] - games.komi) / RANK
    return found


def openings(columns: GoColumns) -> dict[int, float]:
    """What peers begin with: Elo points of everybody's first rank, certified or declared, by player."""
    lowest = VALUES[0]
    values = {
        player: VALUES[state.half] if state.half is not None else lowest
        for player, state in enumerate(columns.opening)
        if state.half is not None or state.kind == BEGINNER
    }
    return {player: OF_1K + A_RANK * float(value) for player, value in values.items()}


def stones(columns: GoColumns, games: Foretold) -> Ints:
    """The handicap stones of those games."""
    given: Ints = columns.games.handicap[games.of.astype(np.int64)].astype(np.int64)
    return given
