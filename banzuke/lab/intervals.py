"""Means and shares of games, with intervals that hold the true figure 95 times in 100.

Games hang together in two ways: those of one event, and those that share a player. The variance of a mean is
V = V_event + V_player - V_both (Cameron, Gelbach, Miller 2011), where a game belongs to both of its players
(Aronow, Samii, Assenova 2015). Each part is that of a jackknife, which leaves out one cluster at a time
(MacKinnon, Nielsen, Webb 2023); V is never less than V_event. Student's quantile has one degree of freedom
less than there are clusters, counted as so many of one size as the real ones are worth (Kish 1965).
`bench/laboratory_claims.py` measures how often the intervals hold the truth.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from banzuke.lab.sheets import CONFIDENCE, figure
from banzuke.lab.true_expectation import Floats, Ints

#: Worth fewer clusters, a mean has no interval (fewer than `ENOUGH`: with a warning).
FEWEST = 4


class Clusters(NamedTuple):
    """What rows hang together by (`clusters_of`): of each kind the columns with its numbers, one or two."""

    event: Sequence[Ints]
    player: Sequence[Ints]
    pair: Sequence[Ints]
    event_and_player: Sequence[Ints]
    event_and_pair: Sequence[Ints]

    def take(self, rows: NDArray[Any]) -> "Clusters":
        """Those rows alone; a row may be taken several times."""
        return Clusters(*([column[rows] for column in columns] for columns in self))


def clusters_of(event: NDArray[Any], *players: NDArray[Any]) -> Clusters:
    """The clusters of rows, each of an event and of one player, or of the two players of a game.

    Numbers may be any. Where there are no events, give each row a number of its own.
    """
    (events,), own = _dense([event]), _dense(players)
    count = max(int(each.max(initial=0)) for each in own) + 1
    pair = [np.minimum(*own) * count + np.maximum(*own)] if len(own) > 1 else []
    both, every = [events * count + each for each in own], [events * count**2 + each for each in pair]
    return Clusters([events], own, *(_dense(columns) for columns in (pair, both, every)))


def _dense(columns: Sequence[NDArray[Any]]) -> list[Ints]:
    """The same numbers from 0 on, without gaps."""
    return [*np.unique(columns, return_inverse=True)[1].reshape(len(columns), -1)] if columns else []


def each_alone(rows: int) -> Clusters:
    """The clusters of rows of which no two hang together."""
    return clusters_of(np.arange(rows), np.arange(rows))


class Intervals(NamedTuple):
    """Means, with standard errors and the ends of intervals: a row for each kind of value, a column a group.

    `clusters` is how many events or players of one size a mean rests on, whichever are fewer. NaN where a
    group has no row; the ends, too, where it has too few clusters.
    """

    mean: Floats
    low: Floats
    high: Floats
    error: Floats
    clusters: Floats

    @property
    def chance(self) -> Floats:
        """How likely a mean so far from 0, to either side, is by chance alone."""
        with np.errstate(invalid="ignore", divide="ignore"):
            chance = 2 * special.stdtr(self.clusters - 1, -np.abs(self.mean / self.error))
        return np.where(np.isnan(self.low), np.nan, chance)

    def cells(self, group: int = 0, kinds: Any = slice(None)) -> tuple[float | int | None, ...]:
        """Of a group: mean and ends of these kinds of value, then the clusters; None for no number."""
        ends = np.stack([each[kinds, group] for each in self[:3]], axis=-1)
        return *map(figure, ends.ravel()), int(np.nan_to_num(self.clusters[0, group]))


def mean_intervals(
    values: Floats, clusters: Clusters, groups: Ints | None = None, count: int = 1, among: int = 1
) -> Intervals:
    """The means of values by group (a number from 0 to `count` for each row), each with its interval.

    `values` has a column for each row, and a row for each kind of value. A difference of two models is the
    mean of their differences game by game. Of so many intervals (`among`) all hold the truth 95 times in 100.
    """
    values = np.atleast_2d(values)
    groups = np.zeros(values.shape[1], np.int64) if groups is None else groups
    mean = group_means(values, groups, count)
    error, worth = _errors(values - mean[:, groups], clusters, groups, count)
    worth = np.broadcast_to(worth, mean.shape)
    reach = student_quantile(worth, among) * error
    return Intervals(mean, mean - reach, mean + reach, error, worth)


def share_intervals(
    scores: Floats, clusters: Clusters, groups: Ints | None = None, count: int = 1, expected: Any = 0.0
) -> Intervals:
    """The means of scores (0 to 1) by group, each with Wilson's interval (1927), in one row.

    Games count as so many independent wins and losses as leave the same doubt. With `expected`, it is the
    doubt about how far scores are from these expectations, whatever games a group happens to have. A group
    that won or lost everything is in as much doubt as the others are on average, at least.
    """
    groups = np.zeros(len(scores), np.int64) if groups is None else groups
    found = mean_intervals(scores - expected, clusters, groups, count)
    mean, games = group_means(scores, groups, count), np.bincount(groups, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = mean * (1 - mean) / games
        effect = found.error**2 / alone
        usual = effect[(alone > 0) & np.isfinite(effect)]
        effect = np.where(alone > 0, effect, max(1.0, float(usual.mean()) if len(usual) else 1.0))
        doubt = student_quantile(found.clusters) ** 2 * effect / games
        middle = (mean + doubt / 2) / (1 + doubt)
        reach = np.sqrt(mean * (1 - mean) * doubt + doubt**2 / 4) / (1 + doubt)
    return Intervals(mean, middle - reach, middle + reach, found.error, found.clusters)


def estimate(values: Floats, least: int = 2) -> tuple[float | None, ...]:
    """The mean of values that do not hang together, with Student's interval from `least` known ones on."""
    known = values[~np.isnan(values)]
    if len(known) < least:
        return figure(known.mean()) if len(known) else None, None, None
    reach = special.stdtrit(len(known) - 1, (1 + CONFIDENCE) / 2) * known.std(ddof=1) / len(known) ** 0.5
    return tuple(float(known.mean() + side * reach) for side in (0, -1, 1))


def adjust_chances(chances: Floats) -> Floats:
    """Chances of several findings, each raised to what it is among all of them (Holm 1979)."""
    order = np.argsort(chances)
    left = np.maximum(np.count_nonzero(~np.isnan(chances)) - np.arange(len(chances)), 1)
    found = np.empty(len(chances))
    found[order] = np.minimum(1, np.maximum.accumulate(chances[order] * left))
    return found


def group_means(values: Floats, groups: Ints, count: int) -> Floats:
    """The means of values by group, a row for each kind of value."""
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.array([np.bincount(groups, row, count) for row in np.atleast_2d(values)])
        return np.asarray(sums / np.bincount(groups, minlength=count))


def student_quantile(clusters: Floats, among: int = 1) -> Floats:
    """Student's quantile for one of so many intervals; NaN for too few clusters."""
    freedom = np.where(clusters > FEWEST - 1 / 2, clusters - 1, np.nan)
    return np.asarray(special.stdtrit(freedom, 1 - (1 - CONFIDENCE) / 2 / among))


def _errors(surprises: Floats, clusters: Clusters, groups: Ints, count: int) -> tuple[Floats, Floats]:
    """The standard errors of means, by what rows differ from them; how many clusters these are worth."""
    variances, worth = zip(*(_variance(surprises, each, groups, count) for each in clusters), strict=True)
    event, player, pair, event_and_player, event_and_pair = variances
    variance = np.maximum(event, event + (player - pair) - (event_and_player - event_and_pair))
    return np.sqrt(np.where(np.isfinite(variance), variance, np.nan)), np.minimum(*worth[:2])


def _variance(surprises: Floats, columns: Sequence[Ints], groups: Ints, count: int) -> tuple[Floats, Floats]:
    """The jackknife's variance of means by one kind of cluster; how many of one size these are worth."""
    if not columns or not len(groups):
        return np.zeros((len(surprises), count)), np.zeros(count)
    cells = np.concatenate([column * count + groups for column in columns])
    places = np.arange(cells.max() + 1)
    if count > 1:
        places, cells = np.unique(cells, return_inverse=True)
    group, sizes = places % count, np.bincount(cells).astype(np.float64)
    games, clusters = np.bincount(groups, minlength=count), np.bincount(group, sizes > 0, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        worth = np.bincount(group, sizes, count) ** 2 / np.bincount(group, sizes**2, count)
        sums = np.array([np.bincount(cells, np.tile(row, len(columns))) for row in surprises])
        each = np.where(sizes > 0, sums / (games[group] - sizes), 0) ** 2
        variance = np.array([np.bincount(group, row, count) for row in each])
        return variance * (clusters - 1) / clusters, worth
