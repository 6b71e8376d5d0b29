"""FIDE's tables 8.1.1 and 8.1.2 as arrays, for compiled loops.

They are made from `rulebooks.fide.tables`; loops are handed them, so that what was compiled and kept never
holds a figure of its own.
"""

from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import Int32s
from banzuke.columnar.kernels import limited, place, rounded
from banzuke.rulebooks.fide import tables

Floats = NDArray[np.float64]


#: Table 8.1.2: PD in hundredths for the differences -736 to 736; beyond, it is as at the ends.
_BEYOND = tables.UPPER_BOUNDS[-1] + 1
PD = np.array([tables.expected(own_less) for own_less in range(-_BEYOND, _BEYOND + 1)], np.int32)

#: Ratings differ by less than this, all but never.
_FAR = 3_000

#: Table 8.1.1: dp for a score of 0 to 100 hundredths.
DP = np.array([tables.dp(percent) for percent in range(tables.CERTAIN + 1)], np.int32)


@cache
def expected_within(limit: int) -> Int32s:
    """Table 8.1.2 for differences that count as at most `limit`, in the middle that of 0.

    So wide that a loop which keeps differences within it foresees, as good as always, that they are.
    """
    differences = range(-_FAR, _FAR + 1)
    return np.array([tables.expected(min(max(each, -limit), limit)) for each in differences], np.int32)


def expected_share(gap: Floats, limit: int = _BEYOND) -> Floats:
    """Table 8.1.2 for many differences, counted as at most `limit` in size: a share of 1; NaN for NaN."""
    reach = min(limit, _BEYOND)
    whole = np.clip(np.nan_to_num(gap), -reach, reach).astype(np.int64)
    return np.where(np.isnan(gap), np.nan, PD[_BEYOND + whole] / tables.CERTAIN)


@njit(cache=True)
def expected(pd: Int32s, difference: int) -> int:
    """As `tables.expected`, from a table with 0 in the middle: hundredths for own minus opponent."""
    beyond = len(pd) // 2
    return int(pd[place(beyond + limited(difference, beyond))])


@njit(cache=True)
def percentage(points: int, games: int) -> int:
    """As `tables.percentage`: hundredths of half points in games, halves up."""
    return rounded(50 * points, games)
