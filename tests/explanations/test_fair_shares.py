"""Shares of several changes: exact ones against the definition, drawn ones within their errors, sums to the last part."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.explanations.fair_shares import hundredths_of, shares_of

FIGURES = st.integers(1, 4).flatmap(
    lambda count: st.tuples(
        st.just(count), st.lists(st.integers(-500, 3000), min_size=2**count, max_size=2**count)
    )
)


def figure_of(figures):
    """The figure of each combination, by the places of its changes as bits."""
    return lambda chosen: figures[sum(1 << at for at in chosen)]


def by_all_orders(count, figure):
    """The definition: what each change adds, over all orders."""
    added = [Fraction()] * count
    orders = list(permutations(range(count)))
    for order in orders:
        for place, at in enumerate(order):
            added[at] += figure(frozenset(order[: place + 1])) - figure(frozenset(order[:place]))
    return tuple(each / len(orders) for each in added)


@given(FIGURES)
def test_the_shares_are_what_all_orders_give_and_add_up(case):
    count, figures = case
    found = shares_of(count, figure_of(figures))
    assert found.shares == by_all_orders(count, figure_of(figures))
    assert found.variances == ()
    assert sum(found.shares) == figures[-1] - figures[0]
    assert sum(hundredths_of(found.shares)) == 100 * (figures[-1] - figures[0])


def test_a_change_that_adds_nothing_has_no_share_and_equals_have_the_same():
    found = shares_of(3, lambda chosen: 60 if {0, 1} <= chosen else 0)
    assert found.shares == (30, 30, 0)


def test_thirds_are_shown_so_that_they_add_up():
    assert hundredths_of([Fraction(1, 3)] * 3) == [33, 34, 33]
    assert hundredths_of([Fraction(-1, 3)] * 3) == [-33, -34, -33]


def test_each_figure_is_asked_for_once():
    asked = []
    shares_of(3, lambda chosen: asked.append(chosen) or 0)
    assert len(asked) == len(set(asked)) == 8


class TestOfManyChanges:
    COUNT = 9

    def figure(self, chosen):
        """Each change by itself, and some more for pairs that go together."""
        return sum(10 * at for at in chosen) + 7 * len([at for at in chosen if at + 1 in chosen])

    def test_orders_are_drawn_and_the_shares_still_add_up(self):
        asked = set()
        found = shares_of(self.COUNT, lambda chosen: asked.add(chosen) or self.figure(chosen), 64)
        assert sum(found.shares) == self.figure(frozenset(range(self.COUNT)))
        assert 64 <= len(asked) <= 64 + 2 * self.COUNT

    def test_the_same_is_drawn_again(self):
        assert shares_of(self.COUNT, self.figure, 64) == shares_of(self.COUNT, self.figure, 64)

    @pytest.mark.parametrize("seed", range(3))
    def test_exact_shares_are_within_three_errors_of_the_drawn_ones(self, seed):
        figures = [random.Random(seed * 1000 + at).randrange(1000) for at in range(2**7)]
        exact, drawn = (shares_of(7, figure_of(figures), most) for most in (2**7, 100))
        for true, share, variance in zip(exact.shares, drawn.shares, drawn.variances, strict=True):
            assert (true - share) ** 2 <= 9 * variance + 1
