"""FIDE's two tables, against a copy of the print of the JCF rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from banzuke.core.registry import BOOKS
from banzuke.rulebooks.fide.tables import DP, PD, UPPER_BOUNDS, dp, expected, limited, percentage

# Table 1 of JCF 2024 as printed: difference, H, L; four columns of print side by side.
TABLE_1 = """
0-3 .50 .50   92-98 .63 .37    198-206 .76 .24  345-357 .89 .11
4-10 .51 .49  99-106 .64 .36   207-215 .77 .23  358-374 .90 .10
11-17 .52 .48 107-113 .65 .35  216-225 .78 .22  375-391 .91 .09
18-25 .53 .47 114-121 .66 .34  226-235 .79 .21  392-411 .92 .08
26-32 .54 .46 122-129 .67 .33  236-245 .80 .20  412-432 .93 .07
33-39 .55 .45 130-137 .68 .32  246-256 .81 .19  433-456 .94 .06
40-46 .56 .44 138-145 .69 .31  257-267 .82 .18  457-484 .95 .05
47-53 .57 .43 146-153 .70 .30  268-278 .83 .17  485-517 .96 .04
54-61 .58 .42 154-162 .71 .29  279-290 .84 .16  518-559 .97 .03
62-68 .59 .41 163-170 .72 .28  291-302 .85 .15  560-619 .98 .02
69-76 .60 .40 171-179 .73 .27  303-315 .86 .14  620-735 .99 .01
77-83 .61 .39 180-188 .74 .26  316-328 .87 .13  736-9999 1.0 .00
84-91 .62 .38 189-197 .75 .25  329-344 .88 .12
"""

# Table 2 of JCF 2024 as printed: p, dp; six columns of print side by side.
TABLE_2 = """
1.0 800  .83 273  .66 117  .49 -7    .32 -133  .15 -296
.99 677  .82 262  .65 110  .48 -14   .31 -141  .14 -309
.98 589  .81 251  .64 102  .47 -21   .30 -149  .13 -322
.97 538  .80 240  .63 95   .46 -29   .29 -158  .12 -336
.96 501  .79 230  .62 87   .45 -36   .28 -166  .11 -351
.95 470  .78 220  .61 80   .44 -43   .27 -175  .10 -366
.94 444  .77 211  .60 72   .43 -50   .26 -184  .09 -383
.93 422  .76 202  .59 65   .42 -57   .25 -193  .08 -401
.92 401  .75 193  .58 57   .41 -65   .24 -202  .07 -422
.91 383  .74 184  .57 50   .40 -72   .23 -211  .06 -444
.90 366  .73 175  .56 43   .39 -80   .22 -220  .05 -470
.89 351  .72 166  .55 36   .38 -87   .21 -230  .04 -501
.88 336  .71 158  .54 29   .37 -95   .20 -240  .03 -538
.87 322  .70 149  .53 21   .36 -102  .19 -251  .02 -589
.86 309  .69 141  .52 14   .35 -110  .18 -262  .01 -677
.85 296  .68 133  .51 7    .34 -117  .17 -273  .00 -800
.84 284  .67 125  .50 0    .33 -125  .16 -284
"""


def hundredths(text: str) -> int:
    return int(Fraction(text) * 100)


def table_1() -> list[tuple[int, int, int, int]]:
    """Lowest and highest difference, H and L, row by row."""
    cells = TABLE_1.split()
    found = []
    for span, high, low in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
        first, last = span.split("-")
        found.append((int(first), int(last), hundredths(high), hundredths(low)))
    return sorted(found)


def table_2() -> dict[int, int]:
    cells = TABLE_2.split()
    return {hundredths(p): int(value) for p, value in zip(cells[::2], cells[1::2], strict=True)}


class TestTable812Expectation:
    def test_the_copy_has_every_difference_once(self):
        rows = table_1()
        assert len(rows) == 51
        assert rows[0][0] == 0
        assert all(after[0] == before[1] + 1 for before, after in pairwise(rows))

    @pytest.mark.parametrize(("first", "last", "high", "low"), table_1())
    def test_every_row_at_both_of_its_ends(self, first, last, high, low):
        assert (expected(first), expected(last)) == (high, high)
        if first:
            assert (expected(-first), expected(-last)) == (low, low)

    def test_every_difference_up_to_a_thousand(self):
        printed = {d: (high, low) for first, last, high, low in table_1() for d in range(first, last + 1)}
        for difference in range(1, 1001):
            assert (expected(difference), expected(-difference)) == printed[difference]
            assert (PD[difference], PD[-difference]) == printed[difference]

    def test_the_table_is_made_of_the_bounds(self):
        made = type(PD)()
        assert made == PD
        assert {d: made[d] for d in range(-735, 736)} == {
            sign * d: (high if sign > 0 or not d else low)
            for first, last, high, low in table_1()
            for d in range(first, min(last, 735) + 1)
            for sign in (-1, 1)
        }
        assert len(made) == 1471

    def test_the_bounds_as_the_rule_page_lists_them(self):
        assert tuple(last for _, last, _, _ in table_1()[:-1]) == UPPER_BOUNDS

    def test_beyond_the_table_all_is_certain(self):
        assert (expected(735), expected(736), expected(3000)) == (99, 100, 100)
        assert (expected(-735), expected(-736), expected(-3000)) == (1, 0, 0)

    def test_equal_players_share(self):
        assert (expected(-4), expected(-3), expected(0), expected(3), expected(4)) == (49, 50, 50, 50, 51)

    @pytest.mark.parametrize("book", ["ncs-2022", "jcf-2024", "fide-2024"])
    def test_the_limit_stands_in_the_row_of_92(self, book):
        limit = BOOKS[book].parameters.whole("limit")
        assert limit == 400
        assert (expected(limit), expected(-limit)) == (92, 8)

    @pytest.mark.parametrize(
        ("difference", "counted"),
        [(0, 0), (399, 399), (400, 400), (401, 400), (2000, 400), (-399, -399), (-400, -400), (-401, -400)],
    )
    def test_a_difference_counted_as_400_at_most(self, difference, counted):
        assert limited(difference, 400) == counted


class TestTable811PerformanceDifference:
    def test_every_percentage(self):
        printed = table_2()
        assert sorted(printed) == list(range(101))
        assert {percent: dp(percent) for percent in range(101)} == printed

    def test_the_figures_as_the_rule_page_lists_them(self):
        assert tuple(value for percent, value in sorted(table_2().items()) if percent >= 50) == DP

    def test_401_at_92_is_no_misprint(self):
        assert (dp(92), dp(8)) == (401, -401)

    def test_all_and_nothing(self):
        assert (dp(100), dp(0)) == (800, -800)


class TestScoreInHundredths:
    @pytest.mark.parametrize(
        ("half_points", "games", "percent"),
        [
            (3, 4, 38),  # 1.5/4 is .375: halves up
            (10, 8, 63),  # 5/8 is .625: halves up
            (5, 6, 42),  # 2.5/6
            (8, 7, 57),  # 4/7, FIDE's newcomer
            (0, 5, 0),
            (10, 5, 100),
            (5, 5, 50),
            (1, 8, 6),  # .0625: down
            (3, 8, 19),  # .1875: up
        ],
    )
    def test_halves_up(self, half_points, games, percent):
        assert percentage(half_points, games) == percent
