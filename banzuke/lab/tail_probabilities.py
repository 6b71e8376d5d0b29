"""How probable a score is: exact tails of a sum of games, allowing for errors in the ratings.

A game's chances are those of `truth`: a win, a draw, a loss. All leads of one score may be off together by
one error, drawn from a normal distribution: ratings are estimates. `false_discoveries` corrects for
testing many scores.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from banzuke.lab.encounters import Scale
from banzuke.lab.true_expectation import Floats, Ints, draw_chance

#: Errors at which tails are taken, in standard deviations, and their weights.
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
#: A tail that the normal approximation puts above this is left at that.
PLAIN = 0.03
#: Where slopes of the expectation are taken, as a share of `Scale.much_weaker`.
_STEP = 0.1
#: Scores further off than so many standard deviations tell nothing of the usual error; looked for so often.
_FAR, _ROUNDS = 3, 5


class Odds(NamedTuple):
    """What a game's chances are made of: the scale, draws at even strength, the error of a lead."""

    scale: Scale
    draws: float
    error: float


class Totals(NamedTuple):
    """Sums by group: score, expected score, its variance, its change when all leads are one higher."""

    score: Floats
    expected: Floats
    variance: Floats
    slope: Floats


def odds_of(scale: Scale, lead: Floats, score: Ints) -> Odds:
    """The odds as these games show their draws; no error yet."""
    expected = scale.expected(lead)
    room = 2 * np.minimum(expected, 1 - expected).sum()
    draws = min(float((score == 1).sum() / room), 1.0) if room else 0.0
    return Odds(scale, draws, 0.0)


def totals(odds: Odds, members: Sequence[Ints], lead: Floats, score: Ints) -> Totals:
    """The sums by group; `members` are the rows of its games; scores are half points, their sums points."""
    group = np.repeat(np.arange(len(members)), list(map(len, members)))
    rows = np.concatenate([*members, np.zeros(0, np.int64)])
    expected, step = odds.scale.expected(lead[rows]), odds.scale.much_weaker * _STEP
    slope = (odds.scale.expected(lead[rows] + step) - odds.scale.expected(lead[rows] - step)) / (2 * step)
    variance = expected * (1 - expected) - draw_chance(expected, odds.draws) / 4
    columns = score[rows] / 2, expected, variance, slope
    sums: list[Any] = [np.bincount(group, column, len(members)) for column in columns]
    return Totals(*sums)


def with_error(odds: Odds, sums: Totals) -> Odds:
    """The odds with the error of leads that makes the scores of groups as far off as they are.

    The few that are far off all the same are left out: they are what is looked for.
    """
    off, error = sums.score - sums.expected, 0.0
    near = np.ones(len(off), np.bool_)
    for _ in range(_ROUNDS):
        squares = (sums.slope[near] ** 2).sum()
        left = (off[near] ** 2 - sums.variance[near]).sum()
        error = float(max(0, left / squares)) ** 0.5 if squares else 0.0
        near = np.abs(off) <= _FAR * np.sqrt(sums.variance + (error * sums.slope) ** 2)
    return odds._replace(error=error)


def tails(
    odds: Odds, sums: Totals, members: Sequence[Ints], lead: Floats, score: Ints
) -> tuple[Floats, Floats]:
    """The chances of a score at least as high, and at most as high, by group.

    Exact where the normal approximation is below `PLAIN`, else that.
    """
    spread = np.sqrt(sums.variance + (odds.error * sums.slope) ** 2)
    spread[spread == 0] = np.inf
    off, half_a_step = sums.score - sums.expected, 1 / 4
    above, below = stats.norm.sf((off - half_a_step) / spread), stats.norm.cdf((off + half_a_step) / spread)
    for group in np.flatnonzero(np.minimum(above, below) <= PLAIN).tolist():
        rows = members[group]
        above[group], below[group] = exact(odds, lead[rows], int(score[rows].sum()))
    return above, below


def exact(odds: Odds, lead: Floats, points: int) -> tuple[float, float]:
    """The chances of at least, and of at most, so many half points in games of those leads."""
    chances = _WEIGHTS @ distribution(odds, lead + odds.error * _NODES[:, None])
    above, below = float(chances[points:].sum()), float(chances[: points + 1].sum())
    return min(above, 1.0), min(below, 1.0)


def distribution(odds: Odds, leads: Floats) -> Floats:
    """The chances of 0, 1, 2 ... half points in all, a row for each row of leads, a column a game."""
    expected = odds.scale.expected(leads)
    drawn = draw_chance(expected, odds.draws)
    rows, games = leads.shape
    sums = np.zeros((rows, 2 * games + 1))
    sums[:, 0] = 1
    for game in range(games):
        before, draw = sums.copy(), drawn[:, game, None]
        won = expected[:, game, None] - draw / 2
        sums *= 1 - won - draw
        sums[:, 1:] += before[:, :-1] * draw
        sums[:, 2:] += before[:, :-2] * won
    return sums


def false_discoveries(chances: Floats) -> Floats:
    """The chances adjusted by Benjamini and Hochberg: of those below q, a share of q at most is mere luck."""
    adjusted: Floats = stats.false_discovery_control(np.clip(chances, 0, 1)) if len(chances) else chances
    return adjusted
