"""Figures with 24 decimals in two whole numbers: the first twelve decimals, and the next twelve.

A figure is a pair (high, low): high / 10^12 + low / 10^24, where low is from 0 to 10^12 - 1.
"""

from numba import njit

#: A point in the high part, and one of the high part in the low one.
POINT = 10**12
#: Ratings have fewer points than that, so that sums of them are no larger than whole numbers can be.
MOST_POINTS = 10**6

#: A figure, and what is between two.
LongDecimal = tuple[int, int]


@njit(cache=True)
def long_decimal(high: int, low: int) -> LongDecimal:
    """The figure, of a low part of any size."""
    return high + low // POINT, low % POINT


@njit(cache=True)
def subtract(one: LongDecimal, other: LongDecimal) -> LongDecimal:
    """The difference of two figures."""
    return long_decimal(one[0] - other[0], one[1] - other[1])


@njit(cache=True)
def is_less(one: LongDecimal, other: LongDecimal) -> bool:
    """Whether a figure is less than another."""
    return one[0] < other[0] or (one[0] == other[0] and one[1] < other[1])


@njit(cache=True)
def clamp(figure: LongDecimal, most: int) -> LongDecimal:
    """The figure, but no less than 0, and no more than that high part."""
    if figure[0] < 0:
        return 0, 0
    return (most, 0) if figure[0] >= most else figure


@njit(cache=True)
def divide(figure: LongDecimal, divisor: int) -> LongDecimal:
    """A figure not below 0, divided; halves of the last decimal become one."""
    high, rest = figure[0] // divisor, figure[0] % divisor
    parts = rest * POINT + figure[1]
    low = parts // divisor
    if 2 * (parts - low * divisor) >= divisor:
        low += 1
    return long_decimal(high, low)


@njit(cache=True)
def in_floating_point(figure: LongDecimal) -> float:
    """The figure in parts of the high part."""
    return figure[0] + figure[1] / POINT
