"""What rule books make of synthetic pools of known strength: bias, lag, inflation, spread, year by year.

Bias is rating less strength. The opening list anchors the scale, for it is made of strengths; how far behind
the veterans a group is (its lag) does not depend on that anchor. Every variant rates the same games, and what
is told of each is a mean over several pools with its interval.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from banzuke.lab.parallel_runs import Findings
from banzuke.lab.sheets import Cell, with_ends
from banzuke.lab.simulation import Job, Measurement, SheetPlan, estimates, mean
from banzuke.lab.synthetic_chess_play import PlayedPool, play
from banzuke.lab.synthetic_chess_pools import GROUPS, VETERAN, VISITOR, YEAR
from banzuke.lab.true_expectation import Floats

GROUP_COLUMNS = ("year", "group", "players", *with_ends("bias", "lag", "rmse"))
LIST_COLUMNS = ("year", "mean_rating", "mean_strength", *with_ends("inflation", "spread"))
VISITOR_COLUMNS = ("year", "visits", *with_ends("carried"))


def measure(job: Job) -> Findings:
    """The figures of one run, by year (0: the opening list) and, where they have them, by group."""
    course = play(job.pool, job.variant, job.seed)
    years = [np.array([0])] + [np.arange(YEAR) + YEAR * year + 1 for year in range(job.pool.years)]
    of_years = [_of_year(course, months) for months in years]
    return {name: np.array([figures[name] for figures in of_years]) for name in of_years[0]}


def _of_year(course: PlayedPool, months: NDArray[np.int64]) -> dict[str, Floats]:
    """The figures over all lists of those months, of everybody who is there and has a rating."""
    people, ratings, strength = course.people, course.ratings[:, months], course.people.strength[:, months]
    listed = np.stack([people.present(month) for month in months], axis=1) & ~np.isnan(ratings)
    groups = np.stack([people.groups(month) for month in months], axis=1)
    error = ratings - strength
    of_group = [error[listed & (groups == group)] for group in range(len(GROUPS))]
    members = listed & (groups != VISITOR)
    carried = _carried(course, months)
    return {
        "players": np.array([len(errors) / len(months) for errors in of_group]),
        "bias": np.array([mean(errors) for errors in of_group]),
        "rmse": np.array([mean(errors**2) ** 0.5 for errors in of_group]),
        "rating": np.array(mean(ratings[members])),
        "strength": np.array(mean(strength[members])),
        "spread": np.array(ratings[members].std() / strength[members].std() if members.any() else np.nan),
        "visits": np.array(float(len(carried))),
        "carried": np.array(mean(carried)),
    }


def _carried(course: PlayedPool, months: NDArray[np.int64]) -> Floats:
    """What visitors whose last month is one of these took away: their last rating less the one brought."""
    last = course.people.leaves - 1
    gone = np.flatnonzero(course.people.visits & np.isin(last, months) & ~np.isnan(course.brought))
    carried = course.ratings[gone, last[gone]] - course.brought[gone]
    played: Floats = carried[~np.isnan(carried)]
    return played


def _group_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    found = {**found, "lag": found["bias"][:, :, [VETERAN]] - found["bias"]}
    for year in range(found["bias"].shape[1]):
        for place, group in enumerate(GROUPS):
            players = float(found["players"][:, year, place].mean())
            if players:
                yield year, group, players, *estimates(found, ("bias", "lag", "rmse"), year, place)


def _list_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    """Inflation is what the veterans' bias gained on the year before."""
    of_veterans = found["bias"][:, :, VETERAN]
    found = {**found, "inflation": np.diff(of_veterans, prepend=np.nan)}
    for year in range(of_veterans.shape[1]):
        means = (float(found[name][:, year].mean()) for name in ("rating", "strength"))
        yield year, *means, *estimates(found, ("inflation", "spread"), year)


def _visitor_rows(found: Findings) -> Iterator[tuple[Cell, ...]]:
    for year in range(1, found["visits"].shape[1]):
        yield year, float(found["visits"][:, year].mean()), *estimates(found, ["carried"], year)


MEASUREMENT = Measurement(
    measure,
    (
        SheetPlan("groups", GROUP_COLUMNS, _group_rows),
        SheetPlan("lists", LIST_COLUMNS, _list_rows),
        SheetPlan("visitors", VISITOR_COLUMNS, _visitor_rows),
    ),
)
