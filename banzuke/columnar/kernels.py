"""Compiled functions that the loops of every chess twin call."""

import math

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import Lines

#: More than a sum or a quotient in floating point is off by, as a part of it.
OF_FIGURE = 2.5e-16


@njit(cache=True, nogil=True)
def rounded(numerator: int, denominator: int) -> int:
    """As `core.rounding.rounded`: to the nearest whole number, halves away from zero."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


@njit(cache=True)
def nearest(value: float) -> int:
    """The nearest whole number, halves away from zero."""
    size = math.floor(abs(value) + 0.5)
    return size if value >= 0 else -size


@njit(cache=True)
def may_be_half(value: float, doubt: float) -> bool:
    """Whether a figure that is off by `doubt` at most may be rounded either way."""
    return abs(abs(value) - math.floor(abs(value)) - 0.5) <= doubt + OF_FIGURE * abs(value)


@njit(cache=True, nogil=True)
def place(number: int) -> int:
    """A place in an array, known not to be counted from its end: compiled loops need not look."""
    return np.uint64(number)  # type: ignore[return-value]  # an integer all the same


@njit(cache=True, nogil=True)
def limited(difference: int, limit: int) -> int:
    """A difference, counted as at most `limit` in size."""
    return min(max(difference, -limit), limit)


@njit(cache=True, nogil=True)
def write_line(
    lines: Lines,
    row: int,
    round_: int,
    who: tuple[int, int, int, int],
    score: int,
    line: tuple[int, int, int, int],
    verdict: int,
    clause: int,
) -> None:
    """A side's line: who plays and their ratings; difference, PD, K and change; the codes of why."""
    here = place(row)
    lines.round[here], lines.score[here] = round_, score
    lines.player[here], lines.opponent[here], lines.own[here], lines.opponent_rating[here] = who
    lines.difference[here], lines.expected[here], lines.k[here], lines.change[here] = line
    lines.verdict[here], lines.clause[here] = verdict, clause
