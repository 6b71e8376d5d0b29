"""The kernels that every twin counts with give what the readable functions give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.columnar import kernels
from banzuke.core.rounding import rounded
from banzuke.rulebooks.fide import tables as fide_tables
from banzuke.rulebooks.fide.columnar import table_arrays


@given(st.integers(-(2**40), 2**40), st.integers(1, 2**20))
def test_the_rounding_is_that_of_the_core(numerator, denominator):
    assert kernels.rounded(numerator, denominator) == rounded(numerator, denominator)


@pytest.mark.parametrize(
    ("numerator", "whole"), [(-5, -3), (-3, -2), (-1, -1), (1, 1), (5, 3), (0, 0), (4, 2)]
)
def test_halves_away_from_zero(numerator, whole):
    assert kernels.rounded(numerator, 2) == whole


def test_every_expectation_on_and_beyond_the_table():
    differences = [*range(-1000, 1001), -(2**30), 2**30]
    assert [table_arrays.expected(table_arrays.PD, d) for d in differences] == [
        fide_tables.expected(d) for d in differences
    ]


def test_differences_count_up_to_their_limit():
    limit = 400
    assert [kernels.limited(d, limit) for d in range(-500, 501)] == [
        fide_tables.limited(d, limit) for d in range(-500, 501)
    ]


def test_every_score_has_its_percentage_and_dp():
    for games in range(1, 60):
        for points in range(2 * games + 1):
            percent = table_arrays.percentage(points, games)
            assert percent == fide_tables.percentage(points, games)
            assert table_arrays.DP[percent] == fide_tables.dp(percent)
