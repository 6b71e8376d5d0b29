"""The book's arithmetic: exact fractions, roots and exponentials to 24 decimals, how they are written."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import partial
from math import isqrt, lcm

from banzuke.core.decimals import with_decimals
from banzuke.core.rounding import rounded

#: Figures within an event are reckoned to so many decimals.
WORKING_PLACES = 24
UNIT, LAST_PLACE = 10**WORKING_PLACES, Decimal(f"1e-{WORKING_PLACES}")
#: For exponentials: more digits than are kept.
FINER = Context(prec=WORKING_PLACES + 10, rounding=ROUND_HALF_EVEN)
LN_10 = FINER.ln(Decimal(10))


def to_places(value: Fraction, places: int) -> Fraction:
    """A value rounded to so many decimals, halves away from zero."""
    unit = 10**places
    return Fraction(rounded(value.numerator * unit, value.denominator), unit)


def square_root(value: Fraction) -> Fraction:
    """A square root to the decimals of the working, cut off."""
    return Fraction(isqrt(value.numerator * UNIT * UNIT // value.denominator), UNIT)


def logistic(difference: Fraction, scale: int) -> Fraction:
    """1 / (1 + 10^(difference / scale)) to the decimals of the working."""
    exponent = FINER.divide(
        FINER.multiply(Decimal(difference.numerator), LN_10), Decimal(difference.denominator * scale)
    )
    value = FINER.divide(Decimal(1), FINER.add(Decimal(1), FINER.exp(exponent)))
    return Fraction(FINER.quantize(value, LAST_PLACE))


def find_balance(
    near: Fraction, parts: Sequence[tuple[Fraction, Fraction]], points: Fraction, half_width: int
) -> Fraction:
    """USC 5: the rating at which the expectations of all parts, times their weights, make the points.

    Parts are (rating, weight). An expectation rises from 0 to 1 in a straight line, from `half_width` below
    the part's rating to `half_width` above it. Where several ratings make the points, it is the one nearest
    to `near`. All is reckoned in whole numbers: ratings and weights by the smallest fraction that they share.
    """
    rating_unit = lcm(near.denominator, *(centre.denominator for centre, _ in parts))
    weight_unit = lcm(points.denominator, *(weight.denominator for _, weight in parts))
    own, half = parts_in(near, rating_unit), half_width * rating_unit
    scaled = [(parts_in(centre, rating_unit), parts_in(weight, weight_unit)) for centre, weight in parts]
    wanted = parts_in(points, weight_unit) * 2 * half

    def excess(rating: int) -> int:
        sums = (weight * min(max(rating - centre + half, 0), 2 * half) for centre, weight in scaled)
        return sum(sums) - wanted

    own_excess = excess(own)
    if not own_excess:
        return near
    ends = sorted({centre + side * half for centre, _ in scaled for side in (-1, 1)})
    find = bisect_left if own_excess < 0 else bisect_right
    place = find(ends, 0, key=excess)
    low, high = ends[place - 1], ends[place]
    below, above = excess(low), excess(high)
    return Fraction(low * (above - below) - (high - low) * below, (above - below) * rating_unit)


def parts_in(value: Fraction, denominator: int) -> int:
    """How many parts of that size a value has: two quarters in a half."""
    return value.numerator * (denominator // value.denominator)


def hundredths(value: Fraction) -> int:
    """The value in hundredths, halves away from zero."""
    return rounded(100 * value.numerator, value.denominator)


with_two_decimals = partial(with_decimals, places=2)
