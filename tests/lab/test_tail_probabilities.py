"""Tails of sums of games: exact against enumeration, and what errors of ratings do to them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from banzuke.core.registry import BOOKS
from banzuke.lab.encounters import CHESS, go_scale
from banzuke.lab.tail_probabilities import (
    Odds,
    distribution,
    exact,
    false_discoveries,
    odds_of,
    tails,
    totals,
    with_error,
)
from banzuke.lab.true_expectation import draw_chance, half_points, logistic

CERTAIN = Odds(CHESS, 0, 0)


def test_five_even_games_all_won():
    assert exact(CERTAIN, np.zeros(5), 10) == (pytest.approx(1 / 32), 1)
    assert exact(CERTAIN, np.zeros(5), 0) == (1, pytest.approx(1 / 32))


def test_a_distribution_is_that_of_all_courses_of_three_games():
    odds, lead = Odds(CHESS, 0.4, 0), np.array([-120.0, 30.0, 350.0])
    expected = logistic(lead)
    drawn = draw_chance(expected, 0.4)
    chances = np.stack([1 - expected - drawn / 2, drawn, expected - drawn / 2], axis=1)
    sums = np.zeros(7)
    for course in product(range(3), repeat=3):
        sums[sum(course)] += np.prod([chances[game, points] for game, points in enumerate(course)])
    (found,) = distribution(odds, lead[None])
    assert found == pytest.approx(sums)
    assert (found * np.arange(7) / 2).sum() == pytest.approx(expected.sum())


def test_an_error_of_ratings_makes_far_scores_more_likely():
    plain, _ = exact(CERTAIN, np.zeros(10), 20)
    erring, _ = exact(CERTAIN._replace(error=100), np.zeros(10), 20)
    assert plain == pytest.approx(2**-10)
    by_sampling = (logistic(np.random.default_rng(1).normal(0, 100, 400_000)) ** 10).mean()
    assert erring == pytest.approx(by_sampling, rel=0.05)


@pytest.mark.parametrize(("error", "least", "most"), [(0, 0, 30), (80, 70, 90)])
def test_the_error_of_ratings_is_found_from_the_scores(error, least, most):
    """4,000 groups of six games whose leads are all off by one error, and 20 with impossible scores."""
    rng, count = np.random.default_rng(2), 4000
    lead = rng.normal(0, 150, (count, 6))
    true = lead + rng.normal(0, error, (count, 1)) if error else lead
    score = half_points(rng, logistic(true.ravel()), 0.3).reshape(count, 6)
    score[:20], lead[:20] = 2, -300
    odds = odds_of(CHESS, lead.ravel(), score.ravel())
    assert odds.draws == pytest.approx(0.3, abs=0.03)
    members = list(np.arange(count * 6).reshape(count, 6))
    sums = totals(odds, members, lead.ravel(), score.ravel())
    assert least <= with_error(odds, sums).error <= most


def test_chances_of_clean_scores_are_spread_evenly():
    """Of scores at chance, no more than a tenth has a chance of a tenth, and a hundredth of a hundredth."""
    rng, count = np.random.default_rng(3), 3000
    lead = rng.normal(0, 200, (count, 8))
    score = half_points(rng, logistic(lead.ravel()), 0.3)
    odds, members = Odds(CHESS, 0.3, 0), list(np.arange(count * 8).reshape(count, 8))
    sums = totals(odds, members, lead.ravel(), score)
    found = 2 * np.minimum(*tails(odds, sums, members, lead.ravel(), score))
    for level in (0.1, 0.01):
        assert level / 3 < (found <= level).mean() < level + 4 * (level / count) ** 0.5


def test_go_has_the_chances_of_its_points():
    assert distribution(Odds(go_scale(BOOKS["pandanet"]), 0, 0), np.array([[1.0]]))[
        0
    ].tolist() == pytest.approx([0.42, 0, 0.58])


def test_false_discoveries_are_adjusted_by_their_place():
    assert false_discoveries(np.array([0.01, 0.04, 0.5])).tolist() == pytest.approx([0.03, 0.06, 0.5])
    assert len(false_discoveries(np.zeros(0))) == 0
