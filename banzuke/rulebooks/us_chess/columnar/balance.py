"""USC 5 over arrays: the rating at which the expectations of all parts make the points.

As `arithmetic.find_balance`, in whole numbers of twelve and of 24 decimals. Only effective games that are no
whole number are reckoned in floating point, with a doubt: more than the rating can be off by.
"""

from typing import NamedTuple

from numba import njit

from banzuke.columnar.batch_columns import Int64s
from banzuke.columnar.kernels import nearest
from banzuke.rulebooks.us_chess.columnar.long_decimals import (
    POINT,
    LongDecimal,
    clamp,
    divide,
    in_floating_point,
    is_less,
    long_decimal,
    subtract,
)

#: More than a sum in floating point is off by, as a part of the largest that it can be.
OF_SUM = 4e-15
#: What is reckoned with must be less than this, in parts of the high part.
LARGEST = 4e18
#: Effective games that are no whole number.
NOT_WHOLE = -1


class OwnPart(NamedTuple):
    """The own part: the rating before the event, R0', and the effective games, whole or not.

    `not_expected` is how much of its weight is not expected but added to the points: 0, half or all of the
    width.
    """

    near: int
    centre: int
    not_expected: int
    whole: int
    weight: float


class OpponentParts(NamedTuple):
    """The opponents' figures, in two columns, how many they are, half the width, and half points by it."""

    high: Int64s
    low: Int64s
    met: int
    half: int
    wanted: int


class Balance(NamedTuple):
    """A rating in the high and the low part, how far off it may be, in points, and whether that is sure."""

    high: int
    low: int
    doubt: float
    is_sure: bool


@njit(cache=True)
def _excess(at: LongDecimal, own: OwnPart, parts: OpponentParts) -> tuple[LongDecimal, float]:
    """By how much the expectations exceed the points; what is not whole besides."""
    high, low, width = -parts.wanted, 0, 2 * parts.half
    for number in range(parts.met):
        lead = long_decimal(at[0] - parts.high[number] + parts.half, at[1] - parts.low[number])
        part = clamp(lead, width)
        high, low = high + part[0], low + part[1]
    part = clamp(long_decimal(at[0] - own.centre + parts.half, at[1]), width)
    part = part[0] - own.not_expected, part[1]
    if own.whole == NOT_WHOLE:
        return long_decimal(high, low), own.weight * in_floating_point(part)
    return long_decimal(high + own.whole * part[0], low + own.whole * part[1]), 0.0


@njit(cache=True)
def _sign(excess: tuple[LongDecimal, float]) -> int:
    """Whether it is below 0 (-1), or above it (1)."""
    (high, low), more = excess
    if more == 0:
        return -1 if high < 0 else int(high > 0 or low > 0)
    figure = in_floating_point((high, low)) + more
    return -1 if figure < 0 else int(figure > 0)


@njit(cache=True)
def _enclose(sign: int, own: OwnPart, parts: OpponentParts) -> tuple[LongDecimal, LongDecimal]:
    """The ends of parts' lines, or the own rating, between which the expectations come to make the points.

    At the one beside the balance they may make them already. `sign` is that of the excess at the own rating.
    """
    near = own.near, 0
    low, high, is_high_known = near, near, sign > 0
    is_low_known = sign < 0
    for number in range(-1, parts.met):
        centre = (own.centre, 0) if number < 0 else (parts.high[number], parts.low[number])
        for end in ((centre[0] - parts.half, centre[1]), (centre[0] + parts.half, centre[1])):
            if (is_low_known and not is_less(low, end)) or (is_high_known and not is_less(end, high)):
                continue
            found = _sign(_excess(end, own, parts))
            if found < 0 or (sign > 0 and found == 0):
                low, is_low_known = end, True
            else:
                high, is_high_known = end, True
    return low, high


@njit(cache=True)
def find_balance(own: OwnPart, parts: OpponentParts) -> Balance:
    """USC 5: the rating at which they make the points; where several do, the one nearest to the own."""
    weight = own.weight if own.whole == NOT_WHOLE else float(own.whole)
    if 2.0 * parts.half * (parts.met + weight + 1) > LARGEST:
        return Balance(0, 0, 0.0, False)
    of_near = _excess((own.near, 0), own, parts)
    sign = _sign(of_near)
    if sign == 0:
        return Balance(own.near, 0, 0.0, of_near[1] == 0)
    low, high = _enclose(sign, own, parts)
    reached = high if sign < 0 else low
    at_end, more = _excess(reached, own, parts)
    if at_end == (0, 0) and more == 0:
        return Balance(*reached, 0.0, True)
    is_own_active = 0 <= low[0] - own.centre + parts.half < 2 * parts.half
    active = 0
    for number in range(parts.met):
        lead = long_decimal(low[0] - parts.high[number] + parts.half, low[1] - parts.low[number])
        active += int(0 <= lead[0] < 2 * parts.half)
    missing, more = _excess(low, own, parts)
    if own.whole != NOT_WHOLE:
        slope = active + (own.whole if is_own_active else 0)
        if slope == 0:
            return Balance(0, 0, 0.0, False)
        step = divide(subtract((0, 0), missing), slope)
        return Balance(*long_decimal(low[0] + step[0], low[1] + step[1]), 0.0, True)
    rise = active + (own.weight if is_own_active else 0.0)
    if rise <= 0:
        return Balance(0, 0, 0.0, False)
    rating = low[0] + nearest(low[1] / POINT - (in_floating_point(missing) + more) / rise)
    return _with_doubt(rating, rise, own, parts)


@njit(cache=True)
def _with_doubt(rating: int, rise: float, own: OwnPart, parts: OpponentParts) -> Balance:
    """A rating in floating point, with the doubt within which the expectations cross the points."""
    off_by = OF_SUM * 2 * parts.half * (parts.met + own.weight + 1)
    doubt = 10 + int(4 * off_by / rise)
    is_sure = True
    for side in (-1, 1):
        excess, more = _excess((rating + side * doubt, 0), own, parts)
        is_sure &= side * (in_floating_point(excess) + more) > off_by
    return Balance(rating, 0, doubt / POINT, is_sure)
