"""How far favourites' scores are from what is expected, and how much of it the errors of ratings explain.

A rating is not a strength. Who is rated too high is a favourite more often than the strength warrants, so
that favourites score less than a table says that is exactly true. Two things make ratings err:

- Noise. A game moves a rating by K (s - e). Near the strength, e follows the rating by b = p q / 173.7 a
  point, and s has the variance p q. The error of the player and that of the opponent make up the next one: V
  = (1 - K b)^2 V + K^2 b^2 V + K^2 p q. As K b is small, V settles at 173.7 K / 2, whatever the gap (Aldous,
  "Elo ratings and the sports model", 2017, has it for a win or a loss). Draws make it less, as s varies less.
- Lag behind a strength that changes, and first ratings from few games. Both are measured: the results of one
  player in one event hang together beyond what the gaps say, by b^2 times the variance of the error they
  share.

The gap of two strengths is then nearer to 0 than that of their ratings, on average, by the share of its
variance that is error; and it varies about that. `expect_with_noise` takes the mean of the table over it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.lab.forecasts import Forecasts
from banzuke.lab.intervals import Clusters, clusters_of, group_means, mean_intervals, share_intervals
from banzuke.lab.peer_systems import PEERS
from banzuke.lab.sheets import ENOUGH, Cell, Note, Sheet, figure, header_of, named_sheet, note
from banzuke.lab.true_expectation import NATURAL, Floats, Truth

Row = tuple[Cell, ...]

#: Steps to the slope that fits best, and points at which a mean over errors is taken.
STEPS, NODES = 30, 7


def fit_slope(gap: Floats, score: Floats) -> float:
    """The slope of the logistic curve through 1/2 at 0 that fits scores best."""
    slope = 0.0
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-slope * gap))
        known = float((gap**2 * chance * (1 - chance)).sum())
        slope += float((gap * (score - chance)).sum()) / known if known else math.nan
    return slope


def error_measured(games: Forecasts) -> float:
    """The variance of the error of a gap, by how the results of one player in one event hang together."""
    gap, score = games.gap, games.score
    slope, variance = fit_slope(gap, score), float(np.mean(gap**2))
    chance = 1 / (1 + np.exp(-slope * gap))
    surprise, steepness = score - chance, slope * chance * (1 - chance)
    (together,) = clusters_of(np.tile(games.event, 2), np.append(games.white, games.black)).event_and_player
    sides = np.append(surprise, -surprise), np.tile(steepness, 2)
    shared, moved = (np.bincount(together, each) ** 2 - np.bincount(together, each**2) for each in sides)
    left = 2 * float(shared.sum() / moved.sum()) if moved.any() else 0.0
    return variance * (1 - math.sqrt(max(0.0, 1 - 4 * left / variance))) / 2 if variance else 0.0


def expect_with_noise(gap: Floats, curve: Truth, error: float) -> Floats:
    """What favourites score by gap, if that is the curve of strengths and gaps err with such a variance."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    nearer = 1 - min(1 / 2, error / max(float(np.mean(gap**2)), 1e-9)) if len(gap) else 1.0
    found = np.zeros(len(gap))
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        true = nearer * gap + node * math.sqrt(nearer * error)
        share = curve(np.abs(true))
        found += weight * np.where(true < 0, 1 - share, share)
    return found


def curve_of(gap: Floats, expected: Floats) -> Truth:
    """Expectations as a curve over the gap, 0 or more; between two gaps on a line."""
    points, place = np.unique(gap, return_inverse=True)
    means = np.bincount(place, expected) / np.bincount(place)
    return lambda gaps: np.interp(gaps, points, means) if len(points) else gaps


class Calibration(NamedTuple):
    """A model's games between two rated sides, seen from the one that is ahead.

    Besides gap, score and what the model expects: what a table does, and that with the errors of ratings;
    the variance of a gap's error.
    """

    name: str
    clusters: Clusters
    gap: Floats
    score: Floats
    expected: Floats
    table: Floats
    noise: Floats
    error: float


def calibrate(models: Mapping[str, Forecasts], clusters: Clusters, table: Truth) -> list[Calibration]:
    """The calibration of each model that has games, all on the same rows; `table` is by gaps of 0 or more.

    The errors of ratings are as measured, where there is enough to measure them by, and those of K at least.
    """
    found = []
    for name, games in models.items():
        rows = np.flatnonzero(~np.isnan(games.gap))
        if len(rows):
            rated, own = games.take(rows), clusters.take(rows)
            gap, expected, score = from_the_side_ahead(rated)
            measured = error_measured(rated) if len(np.unique(rated.event)) >= ENOUGH else 0.0
            k = rated.k[(rated.k != MISSING) & (name not in PEERS)]
            error = max(measured, float(k.mean()) / NATURAL if len(k) else 0.0)
            noise = expect_with_noise(gap, table, error)
            found.append(Calibration(name, own, gap, score, expected, table(gap), noise, error))
    return found


def from_the_side_ahead(games: Forecasts) -> tuple[Floats, Floats, Floats]:
    """Gap, expectation and score, seen from the side ahead (White's, where neither is)."""
    is_white = games.gap >= 0
    expected = np.where(is_white, games.expected, 1 - games.expected)
    return np.abs(games.gap), expected, np.where(is_white, games.score, 1 - games.score)


def scale_rows(found: Iterable[Calibration]) -> Iterator[Row]:
    """The fitted scale of each model, that of the table without and with errors, and a rating's error.

    The fitted one is blank where favourites do not score more; its upper end where they may not.
    """
    for own in found:
        others = (_scale_of(fit_slope(own.gap, values)) for values in (own.table, own.noise))
        slope = fit_slope(own.gap, own.score)
        chance = 1 / (1 + np.exp(-slope * own.gap))
        pull = own.gap * (own.score - chance) / np.mean(own.gap**2 * chance * (1 - chance))
        mean, low, high, worth = mean_intervals(slope + pull, own.clusters).cells()
        scale = (math.log(10) / each if each and each > 0 else None for each in (mean, high, low))
        yield own.name, len(own.gap), *scale, worth, *map(figure, others), math.sqrt(own.error / 2)


def _scale_of(slope: float) -> float:
    """The gap at which the odds are ten to one; no number where the curve is flat."""
    return math.log(10) / slope if slope else math.nan


def calibration_rows(
    found: Iterable[Calibration], step_of: Callable[[Floats], Any], ends: Callable[[int], tuple[float, float]]
) -> Iterator[Row]:
    """By gap, in steps whose ends are given: results, what is expected, and what the side ahead scored."""
    for own in found:
        group = step_of(own.gap).astype(np.int64)
        count = int(group.max()) + 1
        results = [np.bincount(group, own.score == score, count).astype(int) for score in (1, 0.5, 0)]
        means = group_means(np.stack([own.table, own.noise, own.expected]), group, count)
        scored = share_intervals(own.score, own.clusters, group, count, own.expected)
        for step in np.unique(group).tolist():
            ended = [int(of_result[step]) for of_result in results]
            yield own.name, *ends(step), sum(ended), *ended, *means[:, step].tolist(), *scored.cells(step)


def calibration_sheets(
    found: Sequence[Calibration], step_of: Callable[[Floats], Any], ends: Callable[[int], Any], unit: str = ""
) -> Iterator[Sheet]:
    """The sheets of scales and of results by gap, in steps whose ends are given; `unit` blank for points."""
    name, key = unit and f"_{unit}", unit and f"-{unit}"
    rows, notes = calibration_rows(found, step_of, ends), noise_notes(found, key)
    yield named_sheet(f"scales{name}", scale_rows(found))
    yield named_sheet(f"calibration{name}", rows, notes)


def noise_notes(found: Sequence[Calibration], of: str = "") -> tuple[Note, ...]:
    """Of the first model: what the table expects, with errors, what was scored; and this as one number."""
    for row in scale_rows(found[:1]):
        cells = zip(header_of("scales")[1:], row[1:], strict=True)
        facts = {name: f"{cell:.4g}" if isinstance(cell, float) else "–" for name, cell in cells}
        facts |= {name: f"{getattr(found[0], name).mean():.3f}" for name in ("table", "noise", "score")}
        return (note(f"predicted-noise{of}", **facts),)
    return ()
