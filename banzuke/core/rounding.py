"""The one way this program rounds."""


def rounded(numerator: int, denominator: int) -> int:
    """`numerator / denominator` to the nearest whole number, halves away from zero.

    -5/2 becomes -3, as the national rules print it and FIDE does. The denominator is positive.
    """
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size
