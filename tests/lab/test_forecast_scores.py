"""Losses and intervals against what can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from banzuke.lab.forecast_scores import losses, means


def test_losses_of_a_win_a_draw_and_a_loss_foretold_at_three_quarters():
    found = losses(np.array([0.75, 0.75, 0.75]), np.array([1.0, 0.5, 0.0]))
    assert found.log == pytest.approx(
        [-math.log(0.75), -(math.log(0.75) + math.log(0.25)) / 2, -math.log(0.25)]
    )
    assert found.brier == pytest.approx([0.0625, 0.0625, 0.5625])
    assert found.right.tolist() == [1.0, 0.5, 0.0]


def test_losses_are_the_same_from_the_other_side():
    expected, score = np.array([0.1, 0.5, 0.92, 0.64]), np.array([0.5, 1.0, 1.0, 0.0])
    one, other = losses(expected, score), losses(1 - expected, 1 - score)
    for mine, theirs in zip(one, other, strict=True):
        assert mine == pytest.approx(theirs)


def test_a_certainty_that_fails_costs_what_half_a_hundredth_costs():
    found = losses(np.array([1.0]), np.array([0.0]))
    assert found.log == pytest.approx([-math.log(0.005)])
    assert found.brier.tolist() == [1.0]


def test_even_expectations_pick_nobody():
    assert losses(np.array([0.5, 0.5]), np.array([1.0, 0.0])).right.tolist() == [0.5, 0.5]


def test_means_by_group_and_a_group_without_games():
    found = means(np.array([1.0, 2.0, 6.0]), np.array([7, 7, 90]), np.array([0, 0, 2]), 3)
    assert found.mean[[0, 2]].tolist() == [1.5, 6.0]
    assert np.isnan(found.mean[1])
    assert np.isnan(found.low).all()  # two events are too few to draw from


def test_events_alike_leave_no_doubt_and_the_interval_holds_the_mean():
    events = np.repeat(np.arange(40), 5)
    alike = means(np.tile([0.0, 0.0, 1.0, 1.0, 1.0], 40), events, np.zeros(200, np.int64), 1)
    assert (alike.mean[0], alike.low[0], alike.high[0]) == pytest.approx((0.6, 0.6, 0.6))
    unlike = means(np.repeat([0.0, 1.0], 100), events, np.zeros(200, np.int64), 1)
    assert unlike.low[0] < 0.5 < unlike.high[0]
    # 40 events that are all 0 or all 1: the mean's deviation is sqrt(1/4/40), whatever games there are
    assert unlike.high[0] - unlike.low[0] == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 40), rel=0.15)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    random = np.random.default_rng(5)
    held = 0
    for _ in range(100):
        effect = np.repeat(random.normal(0, 1, 60), 4)
        found = means(effect + random.normal(0, 1, 240), np.repeat(np.arange(60), 4), np.zeros(240, int), 1)
        held += found.low[0] <= 0 <= found.high[0]
    assert 86 <= held <= 100  # 95 expected; three deviations of a share of a hundred, and the bootstrap's own
