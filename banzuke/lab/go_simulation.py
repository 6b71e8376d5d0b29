"""What a Go server's rules make of synthetic pools whose strength is known.

Measured: how far certified ranks are from the strengths, how often they flicker at the border zone, how often
certification misses. An error is the rank's value less the strength, in ranks. Figures are means over several
pools, with intervals.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import GoStates
from banzuke.core.go_facts import HALF_RANKS, RANK_NAMES
from banzuke.lab.parallel_runs import Findings
from banzuke.lab.sheets import Cell, with_ends
from banzuke.lab.simulation import Job, Measurement, SheetPlan, estimates, mean
from banzuke.lab.synthetic_go_pools import (
    VALUES,
    YEAR,
    GoPool,
    GoRules,
    PlayedGoPool,
    certified_halves,
    nearest_half,
    one_day,
    play,
    rules_of,
    seat_pairs,
    standing_halves,
    states_of,
)
from banzuke.lab.true_expectation import Floats, Ints

#: A move of rank counts as reversed when the player's next one, within so many rated games, leads back.
WITHIN = (5, 10, 20)
#: Further from the true rank than this, certification has missed.
MISSED = 1
#: By so many ranks the examined newcomers misjudge themselves, and so many of each are examined in a run.
MISJUDGED, EXAMINED = np.arange(-4, 5), 100
#: The strengths of those examined, in ranks: far enough from both ends of the scale.
EXAMINED_FROM, EXAMINED_TO = -8, 4

RANK_COLUMNS = ("rank", "players", *with_ends("error"), "spread", *with_ends("missed"))
YEAR_COLUMNS = ("year", *with_ends("error", "rmse"))
FLICKER_COLUMNS = ("within", *with_ends("moves", "reversed"))
CERTIFICATION_COLUMNS = ("misjudged", "newcomers", *with_ends("error", "missed"))


def measure(job: Job) -> Findings:
    """The figures of one run."""
    rules = rules_of(job.variant)
    course = play(job.pool, rules, job.seed)
    errors = _errors(course)
    return {
        **_by_rank(course, errors),
        **_by_year(course, errors),
        **flicker(course.half, course.games),
        **_examine_certification(job.pool, rules, np.random.default_rng([job.seed, 1])),
    }


def _errors(course: PlayedGoPool) -> Floats:
    """By day and player the rank less the strength; NaN where nobody is certified yet."""
    is_certified = (course.half != MISSING) & (course.joins <= np.arange(len(course.half))[:, None])
    return np.where(is_certified, VALUES[np.where(is_certified, course.half, 0)] - course.strength, np.nan)


def _by_rank(course: PlayedGoPool, errors: Floats) -> Findings:
    """Of the second half of the time, by true rank: how many hold it, their mean error, its spread, misses.

    Strengths count to the whole rank that is nearest; `held` is a mean over the days.
    """
    later = slice(len(errors) // 2, None)
    known = ~np.isnan(errors[later])
    ranks, errors = nearest_half(np.rint(course.strength[later][known])) // 2, errors[later][known]
    of_rank = [errors[ranks == rank] for rank in range(HALF_RANKS // 2)]
    return {
        "held": np.array([len(own) / len(known) for own in of_rank]),
        "rank_error": np.array([mean(own) for own in of_rank]),
        "rank_spread": np.array([own.std() if len(own) else np.nan for own in of_rank]),
        "rank_missed": np.array([mean(np.abs(own) > MISSED) for own in of_rank]),
    }


def _by_year(course: PlayedGoPool, errors: Floats) -> Findings:
    """The mean error of everybody and its root mean square: of the opening, then of each year."""
    days = np.arange(len(course.half))
    of_year = [errors[(days + YEAR - 1) // YEAR == year] for year in range(days[-1] // YEAR + 1)]
    of_year = [own[~np.isnan(own)] for own in of_year]
    return {
        "year_error": np.array([mean(own) for own in of_year]),
        "year_rmse": np.array([mean(own**2) ** 0.5 for own in of_year]),
    }


def flicker(half: NDArray[np.int32], games: NDArray[np.int32]) -> Findings:
    """Moves of rank a hundred rated games, and the share of them that the next move takes back, by WITHIN.

    `half` (MISSING: not certified) and `games` are by day and player; a day has one game at most. Moves that
    a player's last games left no time to take back do not count.
    """
    counts = np.zeros(2 + 2 * len(WITHIN))
    for player in range(half.shape[1]):
        is_certified = half[:, player] != MISSING
        if is_certified.any():
            counts += _moves(half[is_certified, player].astype(np.int64), games[is_certified, player])
    (moves, played), (taken_back, could_be) = counts[:2], counts[2:].reshape(2, -1)
    return {
        "moves": np.array(100 * moves / played if played else np.nan),
        "reversed": np.divide(taken_back, could_be, out=np.full(len(WITHIN), np.nan), where=could_be > 0),
    }


def _moves(half: Ints, games: NDArray[np.int32]) -> Floats:
    """One player's moves and games, then by WITHIN the moves taken back and those that could have been."""
    steps = np.diff(half)
    at = np.flatnonzero(steps)
    when, up = games[at + 1], steps[at] > 0
    is_back, waits = np.zeros(len(at), np.bool_), np.zeros(len(at), np.int64)
    is_back[:-1], waits[:-1] = up[1:] != up[:-1], np.diff(when)
    back = [is_back & (waits <= within) for within in WITHIN]
    could_be = [taken | (when + within <= games[-1]) for taken, within in zip(back, WITHIN, strict=True)]
    sums = [float(flags.sum()) for flags in (*back, *could_be)]
    return np.array([len(at), games[-1] - games[0], *sums])


def _examine_certification(pool: GoPool, rules: GoRules, rng: np.random.Generator) -> Findings:
    """How certification judges newcomers who play opponents whose ranks are their strengths, by MISJUDGED."""
    misjudged = np.repeat(MISJUDGED, EXAMINED)
    strength = rng.uniform(EXAMINED_FROM, EXAMINED_TO, len(misjudged))
    half = certify(pool, rules, strength, strength + misjudged, rng)
    errors = (VALUES[half] - strength).reshape(len(MISJUDGED), EXAMINED)
    return {
        "certified_error": errors.mean(axis=1),
        "certified_missed": (np.abs(errors) > MISSED).mean(axis=1),
    }


def certify(
    pool: GoPool, rules: GoRules, strength: Floats, declared: Floats, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The half ranks on certification of newcomers of that strength who declared those ranks.

    Each game is against a certified player whose rank is their strength, some `pool.mixing` ranks from the
    newcomer's present one.
    """
    count = len(strength)
    states = states_of(nearest_half(np.rint(declared)), np.zeros(count, np.bool_), rules)
    day = 0
    while (certified_halves(states) == MISSING).any():
        day += 1
        present = standing_halves(states)
        opponents = nearest_half(VALUES[present] + rng.normal(0, pool.mixing, count))
        bench = states_of(opponents, np.ones(count, np.bool_), rules)
        both = GoStates(np.append(states.players, bench.players), np.concatenate([states.evens, bench.evens]))
        plays = np.flatnonzero(certified_halves(states) == MISSING)
        pairs = seat_pairs(rng, np.stack([plays, plays + count], axis=1), np.append(present, opponents))
        one_day(both, pairs, np.append(strength, VALUES[opponents]), day, pool.truth, rules, rng)
        states = GoStates(both.players[:count], both.evens[:count])
    return certified_halves(states).astype(np.int64)


def _rank_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    for rank, name in enumerate(RANK_NAMES[::2]):
        held = float(found["held"][:, rank].mean())
        if held:
            spread, *_ = estimates(found, ["rank_spread"], rank)
            error, missed = (estimates(found, [f"rank_{what}"], rank) for what in ("error", "missed"))
            yield name, held, *error, spread, *missed


def _year_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    for year in range(found["year_error"].shape[1]):
        yield year, *estimates(found, ("year_error", "year_rmse"), year)


def _flicker_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    for place, within in enumerate(WITHIN):
        yield within, *estimates(found, ["moves"]), *estimates(found, ["reversed"], place)


def _certification_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    newcomers = len(found["moves"]) * EXAMINED
    for place, misjudged in enumerate(MISJUDGED.tolist()):
        yield misjudged, newcomers, *estimates(found, ("certified_error", "certified_missed"), place)


MEASUREMENT = Measurement(
    measure,
    (
        SheetPlan("ranks", RANK_COLUMNS, _rank_rows),
        SheetPlan("years", YEAR_COLUMNS, _year_rows),
        SheetPlan("flicker", FLICKER_COLUMNS, _flicker_rows),
        SheetPlan("certification", CERTIFICATION_COLUMNS, _certification_rows),
    ),
)
