"""The book's arithmetic: decimals of 34 digits, the logistic curve, and halves rounded away from zero."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal

#: Every sum, quotient and power of this book; it is set while an event is rated.
CONTEXT = Context(prec=34, rounding=ROUND_HALF_EVEN)
#: Under the same digits on every machine: a power of ten is reckoned with more, then rounded.
_FINER = Context(prec=38, rounding=ROUND_HALF_EVEN)
_TEN, _ONE = Decimal(10), Decimal(1)
_NATURAL_LOGARITHM_OF_TEN = _FINER.ln(_TEN)

MILLIONTH = Decimal("0.000001")
#: Half points as decimals.
POINTS = (Decimal(0), Decimal("0.5"), Decimal(1))

#: A rating that counts: a whole number as published, or one with decimals.
Value = int | Decimal


def logistic(difference: Value, scale: int) -> Decimal:
    """1 / (1 + 10^(difference / scale)), in 34 digits."""
    exponent = _FINER.divide(_FINER.multiply(difference, _NATURAL_LOGARITHM_OF_TEN), Decimal(scale))
    return CONTEXT.divide(_ONE, _FINER.add(_ONE, _FINER.exp(exponent)))


def whole(value: Value) -> int:
    """The value as a whole number, halves away from zero."""
    return int(Decimal(value).to_integral_value(ROUND_HALF_UP))


def hundredths(value: Decimal) -> int:
    """The value in hundredths, halves away from zero."""
    return whole(value.scaleb(2))


def six_decimals(value: Value) -> str:
    """The value with six decimals, halves away from zero; a whole number as it is."""
    if isinstance(value, int):
        return str(value)
    return f"{value.quantize(MILLIONTH, ROUND_HALF_UP, CONTEXT) + 0:f}"
