"""The book's arithmetic: exact fractions, roots and exponentials to 24 decimals, and how they are written."""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import partial
from math import isqrt

from banzuke.core.rounding import rounded

#: To so many decimals the figures within an event are reckoned.
WORKING_PLACES = 24
UNIT, LAST_PLACE = 10**WORKING_PLACES, Decimal(f"1e-{WORKING_PLACES}")
#: In which exponentials are taken: more digits than are kept.
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
    share = FINER.divide(Decimal(1), FINER.add(Decimal(1), FINER.exp(exponent)))
    return Fraction(FINER.quantize(share, LAST_PLACE))


def parts_in(value: Fraction, denominator: int) -> int:
    """How many parts of that size a value has: two quarters in a half."""
    return value.numerator * (denominator // value.denominator)


def hundredths(value: Fraction) -> int:
    """The value in hundredths, halves away from zero."""
    return rounded(100 * value.numerator, value.denominator)


def decimals(value: Fraction, places: int) -> str:
    """A value with so many decimals."""
    size, unit = rounded(value.numerator * 10**places, value.denominator), 10**places
    whole, rest = divmod(abs(size), unit)
    return f"{'-' if size < 0 else ''}{whole}.{rest:0{places}}"


two_places = partial(decimals, places=2)
