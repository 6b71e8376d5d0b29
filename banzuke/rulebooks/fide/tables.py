"""FIDE's tables 8.1.1 and 8.1.2, which NCS and JCF print as their tables 2 and 1.

The figures stand in the order of the print: score probability from .50 up, half a table a row.
"""

from banzuke.core.rounding import rounded

# Table 8.1.2: the largest difference for which H is .50, .51, ... .99; beyond the last, 1.00.
# fmt: off
UPPER_BOUNDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)

# Table 8.1.1: dp for p = .50, .51, ... 1.00; dp(1 - p) = -dp(p).
DP = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
# fmt: on

#: A score probability of one half, in hundredths, where both tables begin.
HALF = 50

#: A certain win, beyond the last difference of table 8.1.2.
CERTAIN = 100


class _Expectations(dict[int, int]):
    """PD in hundredths for own minus opponent: column H when higher or equal, L when lower."""

    def __init__(self) -> None:
        for difference in range(UPPER_BOUNDS[-1] + 1):
            high = HALF + sum(bound < difference for bound in UPPER_BOUNDS)
            self[-difference] = CERTAIN - high
            self[difference] = high

    def __missing__(self, difference: int) -> int:
        return CERTAIN if difference > 0 else 0


#: Table 8.1.2 both ways, as a table: looked up twice a game.
PD = _Expectations()


def expected(difference: int) -> int:
    """PD in hundredths for own minus opponent (table 8.1.2)."""
    return PD[difference]


def limited(difference: int, limit: int) -> int:
    """A difference, counted as at most `limit` in size."""
    if difference > limit:
        return limit
    return difference if difference > -limit else -limit  # noqa: FURB136 - max() takes twice as long


def percentage(points: int, games: int) -> int:
    """The score p = W/N in hundredths, halves up; `points` are half points."""
    return rounded(50 * points, games)


def dp(percent: int) -> int:
    """The rating difference for a score of so many hundredths (table 8.1.1)."""
    return DP[percent - HALF] if percent >= HALF else -DP[HALF - percent]
