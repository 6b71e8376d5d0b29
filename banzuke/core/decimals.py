"""How exact figures are written: hundredths as decimals, fractions with so many decimals."""

from fractions import Fraction
from functools import cache

from banzuke.core.rounding import rounded


@cache
def decimal(hundredths: int) -> str:
    """Hundredths as an exact decimal without trailing zeros: 1520 is `15.2`."""
    whole, rest = divmod(abs(hundredths), 100)
    fraction = f".{rest:02}".rstrip("0") if rest else ""
    return f"{'-' if hundredths < 0 else ''}{whole}{fraction}"


@cache
def two_decimals(hundredths: int) -> str:
    """An expectation as printed: 92 is `0.92`."""
    return f"{hundredths // 100}.{hundredths % 100:02}"


def all_decimals(number: int, places: int) -> str:
    """A figure counted in its last decimal, with all of them: -14545455 with 6 is `-14.545455`."""
    whole, rest = divmod(abs(number), 10**places)
    return f"{'-' if number < 0 else ''}{whole}{f'.{rest:0{places}}' if places else ''}"


def halves(number: int) -> str:
    """Halves as an exact decimal: 7 is `3.5`, -13 is `-6.5`."""
    return decimal(50 * number)


def half_sign(number: int) -> str:
    """Halves as people write them: 7 is `3½`."""
    whole, half = divmod(number, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def signed(hundredths: int) -> str:
    """A change with its sign: 1520 is `+15.2`."""
    return ("+" if hundredths > 0 else "") + decimal(hundredths)


def with_decimals(value: Fraction, places: int) -> str:
    """A value as text with so many decimals, halves away from zero."""
    return all_decimals(rounded(value.numerator * 10**places, value.denominator), places)
