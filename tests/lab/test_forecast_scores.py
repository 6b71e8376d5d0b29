"""Losses and intervals against what can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from banzuke.lab.calibration import Calibration, scale_rows
from banzuke.lab.forecasts import Losses, choose_by_losses, loss_intervals, losses, parts_of
from banzuke.lab.intervals import clusters_of, each_alone


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


def test_a_pool_of_equals_has_no_scale():
    """The table says one half up to 3 points ahead: no gap makes odds of ten to one."""
    gap, half = np.array([1.0, 2, 3, 0]), np.full(4, 0.5)
    found = Calibration("pool", each_alone(4), gap, np.array([1, 0, 0.5, 1]), half, half, half, 0.0)
    (row,) = scale_rows([found])
    assert row[-3:] == (None, None, 0.0)


def test_even_expectations_pick_nobody():
    assert losses(np.array([0.5, 0.5]), np.array([1.0, 0.0])).right.tolist() == [0.5, 0.5]


def test_history_is_cut_between_lists_into_parts_of_about_as_many_games():
    place = np.repeat([0, 1, 2, 3, 5, 8], [20, 19, 2, 40, 10, 9])
    parts = parts_of(place)
    assert [np.unique(parts[place == each]).tolist() for each in np.unique(place)] == [
        [0],
        [1],
        [2],
        [3],
        [4],
        [4],
    ]
    assert parts_of(np.zeros(7)).tolist() == [2] * 7
    assert parts_of(np.zeros(0)).tolist() == []


def test_a_part_is_forecast_by_what_did_best_before_it():
    totals = np.array([[1.0, 1, 1, 9, 0], [0, 2, 1, 0, 0], [2, 0, 0.5, 0, 9]])
    assert choose_by_losses(totals).tolist() == [0, 1, 0, 2, 2]
    later = totals.copy()
    later[:, 4] = [0.1, 9.3, 0.7]
    assert choose_by_losses(later).tolist() == [0, 1, 0, 2, 2]


def test_all_three_measures_with_their_intervals():
    random = np.random.default_rng(2)
    expected = random.uniform(0.2, 0.9, 90)
    lost, groups = losses(expected, (random.random(90) < expected) * 1.0), np.arange(90) % 2
    found = loss_intervals(lost, clusters_of(np.arange(90) // 3, np.arange(90)), groups, 2)
    for row, values in enumerate(lost):
        assert found.mean[row] == pytest.approx([values[::2].mean(), values[1::2].mean()])
    assert (found.low < found.mean).all()
    sure = Losses(*(np.ones(30) for _ in range(3)))
    assert loss_intervals(sure, each_alone(30)).low[2, 0] < 0.95  # 30 of 30 is no certainty
