"""How sound ratings are: drift of a fixed cohort, residuals, other ratings of the same persons, errors."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from banzuke.core.facts import SPEEDS, STANDARD
from banzuke.engine.columnar.account_columns import COLUMNS
from banzuke.engine.parallel_runs import Findings
from banzuke.engine.points_account import GAMES, POINT
from banzuke.exchange.fide_lookup import ThreeRatings
from banzuke.lab.account import AccountTables, Row
from banzuke.lab.chess_comparison import columns_of
from banzuke.lab.chess_histories import drift_cells
from banzuke.lab.intervals import clusters_of, each_alone, mean_intervals
from banzuke.lab.sheets import Sheet, figure
from banzuke.lab.true_expectation import SCALE, Floats, Ints, logistic

#: The ages of those whose strength changes least; of who played in how many last years ratings are compared.
COHORT, LATELY = (25, 50), 2
#: How wide bands of ratings are; from how many games on ratings are looked at together.
BAND, RESTS_ON = 100, np.array((0, 1, 10, 20, 30, 50, 100, 200))
#: Of fewer persons two ratings are not compared.
FEWEST = 3


def soundness_sheets(found: AccountTables, fide: Mapping[str, ThreeRatings]) -> list[Sheet]:
    """All sheets; `fide` are FIDE's ratings by player."""
    players, speeds = found.columns.player_ids, found.columns.pool.speeds
    ratings = np.array([fide[player] for player in players], np.float64).reshape(-1, len(SPEEDS))
    others = dict(zip(SPEEDS, ratings.T, strict=True))
    by_year = partial(_residual_rows, ("speed", "year", "rating_from"))
    return [
        found.sheet("cohort_drift", _drift_rows),
        found.sheet("residuals", partial(_residual_rows, ("speed", "rating_from"))),
        found.sheet("residual_years", by_year),
        found.sheet("same_persons", partial(_same_rows, speeds, others)),
        found.sheet("rating_errors", _error_rows),
    ]


def _means(
    keys: Sequence[Floats | Ints], values: Floats, players: Floats, events: Any = None
) -> Iterator[Row]:
    """By each combination of the keys: the keys, how many rows, the mean of the values with its interval."""
    if len(values):
        names, groups = np.unique(np.stack(keys), axis=1, return_inverse=True)
        clusters = clusters_of(np.arange(len(values)) if events is None else events, players)
        found = mean_intervals(values, clusters, groups, names.shape[1])
        for at, size in enumerate(np.bincount(groups).tolist()):
            yield *map(int, names[:, at]), size, *found.cells(at)


def _drift_rows(tables: Findings) -> Iterator[Row]:
    """How far players of the cohort moved in a year who played in it and in the one before.

    What they win from each other cancels (`drift_cells`).
    """
    own, sides = (columns_of(tables, name, COLUMNS) for name in ("points", "sides"))
    code = np.ravel_multi_index(_whole(own, "player", "speed", "year"), (1 << 30, 8, 10_000))
    played = own[GAMES] > 0
    is_aged = (own["age"] >= COHORT[0]) & (own["age"] <= COHORT[1])
    is_rated = (own["before"] > 0) & (own["after"] > 0)
    chosen = played & is_aged & is_rated & np.isin(code - 1, code[played])
    ids = own["player"], sides["player"], sides["opponent"]
    everybody = 1 + int(max(each.max(initial=0) for each in ids))
    for speed, year in np.unique(np.stack([own["speed"], own["year"]])[:, chosen], axis=1).T.tolist():
        at = np.flatnonzero(chosen & (own["speed"] == speed) & (own["year"] == year))
        is_there = (sides["speed"] == speed) & (sides["year"] == year)
        games = {name: each[is_there] for name, each in sides.items()}
        event, *both = _whole(games, "event", "player", "opponent")
        players = own["player"][at].astype(np.int64)
        changes, is_one = np.zeros(everybody), np.zeros(everybody, np.bool_)
        changes[players], is_one[players] = (own["after"] - own["before"])[at] / POINT, True
        moves = np.stack([games["change"] / POINT, 0 * games["change"]])
        count, *ends, clusters = drift_cells(changes, is_one, event, np.stack(both), moves)
        yield int(speed), int(year), count, *map(figure, ends), int(np.nan_to_num(clusters))


def _whole(own: Mapping[str, Floats], *names: str) -> list[Ints]:
    return [own[name].astype(np.int64) for name in names]


def _residual_rows(keys: Sequence[str], tables: Findings) -> Iterator[Row]:
    """What players scored beyond what was expected, by band of their rating."""
    own = columns_of(tables, "sides", COLUMNS)
    own = {name: column[~np.isnan(own["expected"])] for name, column in own.items()}
    own["rating_from"] = own["own"] // BAND * BAND
    return _means([own[key] for key in keys], own["score"] - own["expected"], own["player"], own["event"])


def _same_rows(speeds: Sequence[str], fide: Mapping[str, Floats], tables: Findings) -> Iterator[Row]:
    """The pool's ratings beside others of the same persons: its other speeds', and FIDE's."""
    own = columns_of(tables, "points", COLUMNS)
    ratings = np.full((len(speeds), len(fide[STANDARD])), np.nan)
    rows = (own["year"] > own["year"].max(initial=0) - LATELY) & (own[GAMES] > 0) & (own["after"] > 0)
    speed, player = _whole(own, "speed", "player")
    ratings[speed[rows], player[rows]] = own["after"][rows] / POINT
    for one, other in combinations(range(len(speeds)), 2):
        yield from _compared(one, speeds[other], ratings[one], ratings[other])
    for place, name in enumerate(speeds):
        yield from _compared(place, f"fide-{name or STANDARD}", ratings[place], fide[name or STANDARD])


def _compared(speed: int, beside: str, own: Floats, other: Floats) -> Iterator[Row]:
    """Own less other rating, and how many points the own one rises with each point of the other."""
    known = ~np.isnan(own) & ~np.isnan(other)
    own, other = own[known], other[known]
    if len(own) >= FEWEST and np.ptp(other):
        ahead = other - other.mean()
        slope = (ahead @ own) / (ahead @ ahead)
        influence = ahead * (own - own.mean() - slope * ahead) * len(own) / (ahead @ ahead)
        found = mean_intervals(np.stack([own - other, slope + influence]), each_alone(len(own)))
        yield speed, beside, len(own), *found.cells()[:-1]


def _error_rows(tables: Findings) -> Iterator[Row]:
    """The standard error of ratings by the games they rest on: from a player's results in the year after.

    Each rating with which somebody begins a year stands against the results of the year. With r what a game
    brought beyond the expectation and g how fast that falls as the rating rises, the products of r of any two
    games have the mean V g g', V the variance of the rating about the strength: luck cancels.
    """
    own = columns_of(tables, "sides", COLUMNS)
    years = np.stack([own[name] for name in ("speed", "player", "year")])
    _, first, who = np.unique(years, axis=1, return_index=True, return_inverse=True)
    expected = logistic(own["own"][first][who] - own["other"])
    beyond, fall = own["score"] - expected, np.log(10) / SCALE * expected * (1 - expected)
    products, falls = (np.bincount(who, each) ** 2 - np.bincount(who, each**2) for each in (beyond, fall))
    first, products, falls = (each[falls > 0] for each in (first, products, falls))
    steps = RESTS_ON[np.searchsorted(RESTS_ON, own["rests_on"][first], side="right") - 1]
    keys = [own["speed"][first], steps]
    group = np.unique(np.stack(keys), axis=1, return_inverse=True)[1]
    sums, weights = (np.bincount(group, each) for each in (products, falls))
    variance, mean = (sums / weights)[group], (weights / np.bincount(group))[group]
    values = variance + (products - variance * falls) / mean
    for *row, middle, low, high, clusters in _means(keys, values, own["player"][first]):
        ends = (middle, low, high) if high and float(high) > 0 else (middle, None, None)
        yield *row, *(None if each is None else max(0.0, float(each)) ** 0.5 for each in ends), clusters
