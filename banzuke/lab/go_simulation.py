"""What a Go server's rules make of synthetic pools whose strength is known.

Measured: how far certified ranks are from the strengths, how often they flicker at the border zone, how often
certification misses. An error is the rank's value less the strength, in ranks. Figures are means over several
pools, with intervals.
"""

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import GoStates
from banzuke.core.go_facts import HALF_RANKS, RANK_NAMES
from banzuke.engine.parallel_runs import Findings
from banzuke.lab import synthetic_go_pools as pools
from banzuke.lab.simulation import YEARS, Job, Measurement, mean
from banzuke.lab.synthetic_go_pools import VALUES, YEAR, GoPool, GoRules
from banzuke.lab.true_expectation import Floats

#: A move of rank counts as reversed when the player's next one, within so many rated games, leads back.
WITHIN = (5, 10, 20)
#: Further from the true rank than this, certification has missed.
MISSED = 1
#: By so many ranks the examined newcomers misjudge themselves, and so many of each are examined in a run.
MISJUDGED, EXAMINED = np.arange(-4, 5), 100
#: The strengths of those examined, in ranks: far enough from both ends of the scale.
EXAMINED_FROM, EXAMINED_TO = -8, 4


def measure(job: Job) -> Findings:
    """The figures of one run: by true rank, by year (0: the opening), by WITHIN, by MISJUDGED.

    Ranks are of the second half of the time: how many are of each (a mean over the days; strengths count to
    the whole rank that is nearest), their mean error, its spread, and the share that is `MISSED`.
    """
    rules = pools.rules_of(job.variant)
    course = pools.play(job.pool, rules, job.seed)
    days = np.arange(len(course.half))
    is_certified = (course.half != MISSING) & (course.joins <= days[:, None])
    errors = VALUES[np.where(is_certified, course.half, 0)] - course.strength
    later = is_certified & (days >= len(days) // 2)[:, None]
    ranks = pools.nearest_half(np.rint(course.strength[later])) // 2
    of_rank = [errors[later][ranks == rank] for rank in range(HALF_RANKS // 2)]
    year = (days + YEAR - 1) // YEAR
    of_year = [errors[year == each][is_certified[year == each]] for each in range(days[-1] // YEAR + 1)]
    return {
        "ranks_players": np.array([len(own) for own in of_rank]) / (len(days) - len(days) // 2),
        "ranks_error": np.array([mean(own) for own in of_rank]),
        "ranks_spread": np.array([own.std() if len(own) else np.nan for own in of_rank]),
        "ranks_missed": np.array([mean(np.abs(own) > MISSED) for own in of_rank]),
        "years_error": np.array([mean(own) for own in of_year]),
        "years_rmse": np.array([mean(own**2) ** 0.5 for own in of_year]),
        **flicker(course.half, course.games),
        **_examine_certification(job.pool, rules, np.random.default_rng([job.seed, 1])),
    }


def flicker(half: NDArray[np.int32], games: NDArray[np.int32]) -> Findings:
    """Moves of rank a hundred rated games, and the share of them that the next move takes back, by WITHIN.

    `half` (MISSING: not certified) and `games` are by day and player; a day has one game at most. Moves that
    a player's last games left no time to take back do not count.
    """
    player, day = np.nonzero(half.T != MISSING)
    rank, played = half[day, player], games[day, player]
    _, first, count = np.unique(player, return_index=True, return_counts=True)
    left = np.repeat(played[first + count - 1], count) - played
    moves = np.flatnonzero((np.diff(player, prepend=-1) == 0) & (np.diff(rank, prepend=0) != 0))
    up, who, all_played = rank[moves] > rank[moves - 1], player[moves], left[first].sum()
    is_back, waits = np.zeros(len(moves), np.bool_), -np.diff(left[moves], append=0)
    is_back[:-1] = (up[1:] != up[:-1]) & (who[1:] == who[:-1])
    back = [is_back & (waits <= within) for within in WITHIN]
    could_be = [taken | (left[moves] >= within) for taken, within in zip(back, WITHIN, strict=True)]
    return {
        "flicker_moves": np.full(len(WITHIN), 100 * len(moves) / all_played if all_played else np.nan),
        "flicker_reversed": np.array([mean(taken[each]) for taken, each in zip(back, could_be, strict=True)]),
    }


def _examine_certification(pool: GoPool, rules: GoRules, rng: np.random.Generator) -> Findings:
    """How certification judges newcomers who play opponents whose ranks are their strengths, by MISJUDGED."""
    misjudged = np.repeat(MISJUDGED, EXAMINED)
    strength = rng.uniform(EXAMINED_FROM, EXAMINED_TO, len(misjudged))
    half = certify(pool, rules, strength, strength + misjudged, rng)
    errors = (VALUES[half] - strength).reshape(len(MISJUDGED), EXAMINED)
    return {
        "certification_newcomers": np.full(len(MISJUDGED), EXAMINED),
        "certification_error": errors.mean(axis=1),
        "certification_missed": (np.abs(errors) > MISSED).mean(axis=1),
    }


def certify(
    pool: GoPool, rules: GoRules, strength: Floats, declared: Floats, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The half ranks on certification of newcomers of that strength who declared those ranks.

    Each game is against a certified player whose rank is their strength, some `pool.mixing` ranks from the
    newcomer's present one.
    """
    count = len(strength)
    states = pools.states_of(pools.nearest_half(np.rint(declared)), np.zeros(count, np.bool_), rules)
    day = 0
    while (pools.certified_halves(states) == MISSING).any():
        day += 1
        present = pools.standing_halves(states)
        opponents = pools.nearest_half(VALUES[present] + rng.normal(0, pool.mixing, count))
        bench = pools.states_of(opponents, np.ones(count, np.bool_), rules)
        both = GoStates(np.append(states.players, bench.players), np.concatenate([states.evens, bench.evens]))
        plays = np.flatnonzero(pools.certified_halves(states) == MISSING)
        pairs = pools.seat_pairs(rng, np.stack([plays, plays + count], axis=1), np.append(present, opponents))
        pools.one_day(both, pairs, np.append(strength, VALUES[opponents]), day, pool.truth, rules, rng)
        states = GoStates(both.players[:count], both.evens[:count])
    return pools.certified_halves(states).astype(np.int64)


MEASUREMENT: Measurement = (
    measure,
    {
        "ranks": (RANK_NAMES[::2],),
        "years": (YEARS,),
        "flicker": (WITHIN,),
        "certification": (MISJUDGED.tolist(),),
    },
)
