"""What rule books make of synthetic pools of known strength: bias, lag, inflation, spread, year by year.

Bias is rating less strength. The opening list anchors the scale, for it is made of strengths; how far behind
the veterans a group is (its lag) does not depend on that anchor. Every variant rates the same games, and what
is told of each is a mean over several pools with its interval.
"""

import numpy as np
from numpy.typing import NDArray

from banzuke.engine.parallel_runs import Findings
from banzuke.lab.simulation import YEARS, Job, Measurement, mean
from banzuke.lab.synthetic_chess_pools import GROUPS, VETERAN, VISITOR, YEAR, PlayedPool, play


def measure(job: Job) -> Findings:
    """The figures of one run, by year (0: the opening list; for visitors from 1 on) and by group.

    Inflation is what the veterans' bias gained on the year before.
    """
    course = play(job.pool, job.variant, job.seed)
    years = [np.array([0])] + [np.arange(YEAR) + YEAR * year + 1 for year in range(job.pool.years)]
    of_years = [_of_year(course, months) for months in years]
    found = {name: np.array([figures[name] for figures in of_years], np.float64) for name in of_years[0]}
    bias = found["groups_bias"]
    found |= {name: found[name][1:] for name in ("visitors_visits", "visitors_carried")}
    inflation = np.diff(bias[:, VETERAN], prepend=np.nan)
    return {**found, "groups_lag": bias[:, [VETERAN]] - bias, "lists_inflation": inflation}


def _of_year(course: PlayedPool, months: NDArray[np.int64]) -> dict[str, float | list[float]]:
    """The figures over all lists of those months, of everybody who is there and has a rating.

    Visitors whose last month is one of these `carried` away: their last rating less the one brought.
    """
    people, ratings, strength = course.people, course.ratings[:, months], course.people.strength[:, months]
    listed = np.stack([people.present(month) for month in months], axis=1) & ~np.isnan(ratings)
    groups = np.stack([people.groups(month) for month in months], axis=1)
    error, members = ratings - strength, listed & (groups != VISITOR)
    of_group = [error[listed & (groups == group)] for group in range(len(GROUPS))]
    gone = np.flatnonzero(people.visits & np.isin(people.leaves - 1, months) & ~np.isnan(course.brought))
    carried = course.ratings[gone, people.leaves[gone] - 1] - course.brought[gone]
    carried = carried[~np.isnan(carried)]
    return {
        "groups_players": [len(errors) / len(months) for errors in of_group],
        "groups_bias": [mean(errors) for errors in of_group],
        "groups_rmse": [mean(errors**2) ** 0.5 for errors in of_group],
        "lists_mean_rating": mean(ratings[members]),
        "lists_mean_strength": mean(strength[members]),
        "lists_spread": ratings[members].std() / strength[members].std() if members.any() else np.nan,
        "visitors_visits": len(carried),
        "visitors_carried": mean(carried),
    }


MEASUREMENT: Measurement = measure, {"groups": (YEARS, GROUPS), "lists": (YEARS,), "visitors": (YEARS[1:],)}
