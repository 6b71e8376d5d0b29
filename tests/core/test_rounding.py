"""The one way this program rounds: to the nearest whole number, halves away from zero."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from banzuke.core.rounding import rounded


@pytest.mark.parametrize(
    ("numerator", "denominator", "whole"),
    [
        (-250, 100, -3),  # NCS 5(2), printed
        (250, 100, 3),
        (-249, 100, -2),
        (249, 100, 2),
        (-251, 100, -3),
        (251, 100, 3),
        (-50, 100, -1),
        (50, 100, 1),
        (49, 100, 0),
        (-49, 100, 0),
        (0, 7, 0),
        (1, 3, 0),
        (2, 3, 1),
        (-1, 3, 0),
        (-2, 3, -1),
        (6205, 4, 1551),  # Hakodate, printed: 1551.25
        (12234, 8, 1529),  # Hakodate, printed: 1529.25
        (7, 1, 7),
        (-7, 1, -7),
    ],
)
def test_rounded(numerator, denominator, whole):
    assert rounded(numerator, denominator) == whole


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
@example(5, 2)
@example(-5, 2)
def test_agrees_with_exact_fractions(numerator, denominator):
    exact = Fraction(numerator, denominator)
    size = floor(abs(exact) + Fraction(1, 2))
    assert rounded(numerator, denominator) == (size if exact >= 0 else -size)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**4))
def test_both_signs_round_alike(numerator, denominator):
    assert rounded(-numerator, denominator) == -rounded(numerator, denominator)
