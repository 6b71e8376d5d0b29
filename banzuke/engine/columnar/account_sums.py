"""The points account summed up by part, by year and by groups of players, in hundredths of a point."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banzuke.engine.columnar.account_columns import AGE_UNKNOWN, COLUMNS
from banzuke.engine.points_account import GAMES, NEWCOMERS, PARTS, POINT, STRUCK_OFF, TAKEN_OVER, WON

#: The parts of the whole pool: what one player won another has lost. Of them those that come with nobody.
POOL_PARTS = tuple(part for part in PARTS if part != WON)
MADE = tuple(part for part in POOL_PARTS if part not in (NEWCOMERS, TAKEN_OVER, STRUCK_OFF))
#: The columns after the speed.
TOTALS = ("part", "points")
YEARS = ("year", "points_before", *POOL_PARTS, "change", "points", "left", "in_play")
GROUPS = ("year", "kind", "group", "players", GAMES, *PARTS, "change", "left")
#: Whoever has not played for so many years when the history ends has left, with the last game.
YEARS_AWAY = 2
#: Groups by games in the year: from where on, their names. Groups by rating are so many points wide.
ACTIVITY, ACTIVITIES, BAND = (1, 10, 30), ("0", "1-9", "10-29", "30-"), 200

#: The tables of `account_columns`.
Tables = Mapping[str, NDArray[Any]]


def total_rows(tables: Tables) -> Iterator[tuple[int, str, int]]:
    """What the pool's points were made of in all years, by speed and part; without parts that are nothing."""
    own = _years_of_players(tables)
    for (speed,), _, sums in _sums(own, own["speed"]):
        yield from ((speed, part, sums[part]) for part in POOL_PARTS if sums[part])


def year_rows(tables: Tables) -> Iterator[tuple[int, ...]]:
    """Each year of the pool: its parts, what they make together, and that of the players still in play."""
    own = _years_of_players(tables)
    found = {tuple(key): sums for key, _, sums in _sums(own, own["speed"], own["year"])}
    for speed, year, _, before, _, after in tables["pools"].astype(np.int64).tolist():
        sums = found.get((speed, year), {})
        parts, left = [sums.get(part, 0) for part in POOL_PARTS], sums.get("left", 0)
        yield speed, year, before, *parts, sum(parts), after, left, sum(parts) + left


def group_rows(
    tables: Tables, ages: Sequence[int], age_names: Sequence[str]
) -> Iterator[tuple[int | str, ...]]:
    """By year, and by age, games in the year, and rating before it (a newcomer's: after it).

    Groups by age begin with `ages`; the last of their names is for whose age is not known.
    """
    own = _years_of_players(tables)
    rating = np.where(own["before"] > 0, own["before"], own["after"])
    by_age = np.searchsorted(ages, own["age"], side="right")
    kinds: dict[str, tuple[NDArray[Any], Callable[[int], str]]] = {
        "age": (np.where(own["age"] == AGE_UNKNOWN, len(ages) + 1, by_age), age_names.__getitem__),
        "activity": (np.searchsorted(ACTIVITY, own[GAMES], side="right"), ACTIVITIES.__getitem__),
        "band": (rating // (BAND * POINT), lambda step: f"{BAND * step}-{BAND * (step + 1) - 1}"),
    }
    for kind, (groups, name) in kinds.items():
        for (speed, year, group), size, sums in _sums(own, own["speed"], own["year"], groups):
            parts = [sums[part] for part in PARTS]
            yield speed, year, kind, name(group), size, sums[GAMES], *parts, sum(parts), sums["left"]


def _years_of_players(tables: Tables) -> dict[str, NDArray[np.int64]]:
    """The years of players, with what those carry off who have left: their points, and what befalls these."""
    own = dict(zip(COLUMNS["points"], tables["points"].astype(np.int64).T, strict=True))
    years = tables["pools"].astype(np.int64)[:, COLUMNS["pools"].index("year")]
    first, last = int(years.min(initial=0)), int(years.max(initial=0))
    names, who = np.unique(np.stack([own["speed"], own["player"]]), axis=1, return_inverse=True)
    seen = np.full(names.shape[1], first - 1)
    np.maximum.at(seen, who[own[GAMES] > 0], own["year"][own[GAMES] > 0])
    seen = seen[who]
    gone = np.where(own["year"] == seen, own["after"], own["after"] - own["before"])
    own["left"] = np.where((seen <= last - YEARS_AWAY) & (own["year"] >= seen), -gone, 0)
    return own


def _sums(
    own: Mapping[str, NDArray[np.int64]], *keys: NDArray[Any]
) -> Iterator[tuple[list[int], int, dict[str, int]]]:
    """By each combination of the keys: these, how many rows, and the sums of parts, games and `left`."""
    names, at = np.unique(np.stack(keys), axis=1, return_inverse=True)
    sums = {name: np.zeros(names.shape[1], np.int64) for name in (*PARTS, GAMES, "left")}
    for name, column in sums.items():
        np.add.at(column, at, own[name])
    for place, (key, size) in enumerate(zip(names.T.tolist(), np.bincount(at).tolist(), strict=True)):
        yield key, size, {name: int(column[place]) for name, column in sums.items()}
