"""How good forecasts of games are: the loss of each game, and the choice of a model by the games before.

A model that is chosen for what it did may have been lucky. So history is cut into parts, and for each part
that model is chosen which lost least in all parts before it: what the choice then loses was not known to it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.lab.intervals import Clusters, Intervals, mean_intervals, share_intervals
from banzuke.lab.true_expectation import Floats, Ints

#: An expectation counts as at least this far from 0 and 1: the tables are printed in hundredths, rounded.
NEAREST = 0.005
#: History is cut into so many parts.
PARTS = 5


class Losses(NamedTuple):
    """A game's loss in three measures, each an array of a row a game (see `losses`)."""

    log: Floats
    brier: Floats
    right: Floats


def losses(expected: Floats, score: Floats) -> Losses:
    """What forecasts lose, from the expected scores and the scores (1, 1/2, 0) of one side of each game.

    A draw is half a win and half a loss in every measure. `log` is the cross-entropy of the score, in nats:
    -(s ln p + (1 - s) ln(1 - p)) with p at least 0.005 from 0 and 1; ln 2 = 0.693 for whoever says one half
    each time. A drawn game costs at least ln 2 of it, however well foretold. `brier` is (s - p) squared.
    `right` is 1 where the side that was expected to score more won, 0 where it lost, 1/2 for a draw and
    where both were expected to score the same. Each is the same seen from the other side.
    """
    clipped = np.clip(expected, NEAREST, 1 - NEAREST)
    log = -(score * np.log(clipped) + (1 - score) * np.log1p(-clipped))
    right = 0.5 + np.sign(expected - 0.5) * (score - 0.5)
    return Losses(log, np.square(score - expected), right)


def parts_of(place: NDArray[Any]) -> Ints:
    """Which part of the history each game is in: lists in their order, in parts of about as many games."""
    _, of_list, games = np.unique(place, return_inverse=True, return_counts=True)
    middle = np.cumsum(games) - games / 2
    return np.asarray((middle * PARTS / max(1, len(place))).astype(np.int64)[of_list])


def sum_parts(log: Floats, parts: Ints) -> Floats:
    """The losses of each part."""
    return np.bincount(parts, log, PARTS).astype(np.float64)


def choose(totals: Floats) -> Ints:
    """For each part, which model lost least in the parts before it; the first model before all.

    `totals` has a row for each model and a column for each part.
    """
    before = np.cumsum(np.pad(totals, ((0, 0), (1, 0)))[:, :-1], axis=1)
    return np.asarray(before.argmin(axis=0))


def measure(lost: Losses, clusters: Clusters, groups: Ints | None = None, count: int = 1) -> Intervals:
    """The means of all three measures by group, each with its interval; that of `right` is one of shares."""
    means = mean_intervals(np.stack(lost[:2]), clusters, groups, count)
    share = share_intervals(lost.right, clusters, groups, count)
    return Intervals(*(np.concatenate(rows) for rows in zip(means, share, strict=True)))
