"""How good forecasts of games are: losses of each game, and means with how sure they are.

An interval is that of the bootstrap by events: the events are drawn again, with all their games, as many as
there were; the middle 95 % of the means of 1,000 such draws. Games of one event hang together (the same
players, the same day), so that drawing single games would claim too much.
"""

from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import Int32s
from banzuke.lab.true_expectation import Floats, Ints

#: An expectation counts as at least this far from 0 and 1: the tables are printed in hundredths, rounded.
NEAREST = 0.005
#: Draws of the bootstrap, how many are made at once, and from which seed.
DRAWS, AT_ONCE, SEED = 1000, 50, 20241001
#: The ends of the interval, in percent.
ENDS = (2.5, 97.5)
#: Of fewer events no interval is given: there is too little to draw from.
FEWEST_EVENTS = 5


class Losses(NamedTuple):
    """A game's loss in three measures, each an array of a row a game (see `losses`)."""

    log: Floats
    brier: Floats
    right: Floats


class Means(NamedTuple):
    """Means by group, with the ends of their intervals; NaN where a group has no game, or too few events."""

    mean: Floats
    low: Floats
    high: Floats


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


def means(values: Floats, events: Int32s | Ints, groups: Ints, count: int) -> Means:
    """The means of values by group (0 to `count`), each with the interval of the bootstrap by events.

    `values`, `events` and `groups` have a row for each game or side; numbers of events may be any.
    """
    _, dense = np.unique(events, return_inverse=True)
    among = int(dense.max(initial=-1)) + 1
    cells = dense * count + groups
    weighed = [np.bincount(cells, weights, among * count) for weights in (values, np.ones(len(cells)))]
    sums, sizes = (total.reshape(among, count).astype(np.float64) for total in weighed)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.sum(0) / sizes.sum(0)
    low, high = _ends(sums, sizes)
    is_thin = np.count_nonzero(sizes, axis=0) < FEWEST_EVENTS
    return Means(mean, np.where(is_thin, np.nan, low), np.where(is_thin, np.nan, high))


def _ends(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """The ends of the intervals of sums over sizes, a row an event, a column a group."""
    among, count = sums.shape
    if among < FEWEST_EVENTS:
        blank = np.full(count, np.nan)
        return blank, blank
    both = np.hstack([sums, sizes])
    random = np.random.default_rng(SEED)
    drawn = []
    for _ in range(DRAWS // AT_ONCE):
        weights = random.multinomial(among, np.full(among, 1 / among), AT_ONCE).astype(np.float64)
        totals = weights @ both
        with np.errstate(invalid="ignore", divide="ignore"):
            drawn.append(totals[:, :count] / totals[:, count:])
    return _quantiles(np.vstack(drawn))


def _quantiles(drawn: Floats) -> tuple[Floats, Floats]:
    """The ends of each column; draws in which a group has no game tell nothing of it."""
    ends = np.full((2, drawn.shape[1]), np.nan)
    for group, column in enumerate(drawn.T):
        known = column[~np.isnan(column)]
        if len(known):
            ends[:, group] = np.percentile(known, ENDS)
    return ends[0], ends[1]
