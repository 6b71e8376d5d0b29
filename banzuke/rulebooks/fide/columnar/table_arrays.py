"""What every fast twin of a chess book counts with: the rounding and FIDE's tables, for compiled kernels.

The tables are arrays made from `rulebooks.fide_tables`; kernels are handed them, so that what was compiled
and kept never holds a figure of its own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from banzuke.rulebooks.fide import tables as fide_tables

if TYPE_CHECKING:
    from banzuke.columnar.batch_columns import Int32s

#: Table 8.1.2: PD in hundredths for the differences -736 to 736; beyond, it is as at the ends.
_BEYOND = fide_tables.UPPER_BOUNDS[-1] + 1
PD = np.array([fide_tables.expected(own_less) for own_less in range(-_BEYOND, _BEYOND + 1)], np.int32)

#: Ratings differ by less than this, all but never.
_FAR = 3_000

#: Table 8.1.1: dp for a score of 0 to 100 hundredths.
DP = np.array([fide_tables.dp(percent) for percent in range(fide_tables.CERTAIN + 1)], np.int32)


@cache
def expected_within(limit: int) -> Int32s:
    """Table 8.1.2 for differences that count as at most `limit`, in the middle that of 0.

    So wide that a loop which keeps differences within it foresees, as good as always, that they are.
    """
    differences = range(-_FAR, _FAR + 1)
    return np.array([fide_tables.expected(min(max(each, -limit), limit)) for each in differences], np.int32)


@njit(cache=True)
def rounded(numerator: int, denominator: int) -> int:
    """As `core.rounding.rounded`: to the nearest whole number, halves away from zero."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


@njit(cache=True)
def place(number: int) -> int:
    """A place in an array, known not to be counted from its end: compiled loops need not look."""
    return np.uint64(number)  # type: ignore[return-value]  # an integer all the same


@njit(cache=True)
def limited(difference: int, limit: int) -> int:
    """As `fide_tables.limited`: a difference, counted as at most `limit` in size."""
    return min(max(difference, -limit), limit)


@njit(cache=True)
def expected(pd: Int32s, difference: int) -> int:
    """As `fide_tables.expected`, from a table with 0 in the middle: hundredths for own minus opponent."""
    beyond = len(pd) // 2
    return int(pd[place(beyond + limited(difference, beyond))])


@njit(cache=True)
def percentage(points: int, games: int) -> int:
    """As `fide_tables.percentage`: hundredths of half points in games, halves up."""
    return rounded(50 * points, games)
