"""Intervals against what can be worked out by hand, and against pools whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from banzuke.lab.intervals import adjust_chances, clusters_of, estimate, mean_intervals, share_intervals
from banzuke.lab.sheets import sheet_of


def apart(count):
    """Rows of which no two hang together."""
    return clusters_of(np.arange(count), np.arange(count))


def test_rows_that_do_not_hang_together_give_students_interval():
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    found = mean_intervals(values, apart(5))
    low, high = stats.t.interval(0.95, 4, values.mean(), stats.sem(values))
    assert (found.mean[0, 0], found.low[0, 0], found.high[0, 0]) == pytest.approx((6.2, low, high))
    assert found.clusters[0, 0] == pytest.approx(5)
    assert found.chance[0, 0] == pytest.approx(stats.ttest_1samp(values, 0).pvalue)


def test_events_of_one_size_count_once_each_however_many_games_they_have():
    values = np.repeat([0.0, 1.0, 0.0, 1.0, 1.0, 1.0], 50)
    found = mean_intervals(
        values, clusters_of(np.repeat(np.arange(6), 50), np.arange(300), np.arange(300, 600))
    )
    low, high = stats.t.interval(0.95, 5, 4 / 6, stats.sem([0, 1, 0, 1, 1, 1]))
    assert (found.low[0, 0], found.high[0, 0]) == pytest.approx((low, high))


def test_a_game_belongs_to_both_of_its_players():
    """Ten games in events of their own; the first two share a player, as White and as Black."""
    one, other = np.arange(10) * 2, np.arange(10) * 2 + 1
    other[1] = one[0]
    values = np.array([5.0, 5, 0, 0, 0, 0, 0, 0, 0, 0])
    found = mean_intervals(values, clusters_of(np.arange(10), one, other))
    off = values - 1
    singly = off**2 / 9**2
    shared = (off[0] + off[1]) ** 2 / 8**2
    others = off[0] ** 2 / 9**2 + off[1] ** 2 / 9**2 + 2 * singly[2:].sum()
    event = pair = singly.sum() * 9 / 10
    both = 2 * singly.sum() * 19 / 20 - pair
    player = (shared + others) * 18 / 19 - pair
    assert found.error[0, 0] == pytest.approx(math.sqrt(event + player - both))


def test_groups_and_kinds_of_values_are_as_by_themselves():
    random = np.random.default_rng(3)
    values, groups = random.normal(size=(2, 200)), random.integers(0, 3, 200)
    clusters = clusters_of(
        random.integers(0, 20, 200), random.integers(0, 30, 200), random.integers(30, 60, 200)
    )
    whole = mean_intervals(values, clusters, groups, 4)
    for group in range(3):
        rows = np.flatnonzero(groups == group)
        alone = mean_intervals(values[:, rows], clusters.take(rows))
        for mine, theirs in zip(whole, alone, strict=True):
            assert mine[:, group] == pytest.approx(theirs[:, 0])
    assert np.isnan(whole.mean[:, 3]).all()
    assert np.isnan(whole.low[:, 3]).all()


def test_too_few_clusters_have_no_interval_and_few_come_with_a_warning():
    three, ten, twenty = (mean_intervals(np.arange(n) * 1.0, apart(n)) for n in (3, 10, 20))
    assert math.isnan(three.low[0, 0])
    assert math.isnan(three.chance[0, 0])
    sheets = [
        sheet_of("a", "b", ("mean", "low", "high", "clusters"), [found.cells(0)]) for found in (ten, twenty)
    ]
    assert [[note.key for note in sheet.notes] for sheet in sheets] == [["thin"], []]
    assert mean_intervals(np.zeros(0), apart(0)).clusters[0, 0] != 5
    one_player = mean_intervals(np.arange(9.0), clusters_of(np.arange(9), np.zeros(9), np.arange(1, 10)))
    assert one_player.clusters[0, 0] < 4
    assert math.isnan(one_player.low[0, 0])


def test_thirty_of_thirty_is_no_certainty():
    found = share_intervals(np.ones(30), apart(30))
    reach = stats.t.ppf(0.975, 29) ** 2
    assert (found.mean[0, 0], found.high[0, 0]) == (1, pytest.approx(1))
    assert found.low[0, 0] == pytest.approx(30 / (30 + reach))


def test_a_share_of_independent_games_has_wilsons_interval():
    scores = np.repeat([1.0, 0.0], [60, 40])
    found = share_intervals(scores, apart(100))
    wilson = stats.binomtest(60, 100).proportion_ci(method="wilson")
    assert (found.low[0, 0], found.high[0, 0]) == pytest.approx((wilson.low, wilson.high), abs=0.002)


def test_games_that_hang_together_are_worth_less():
    scores = np.repeat([1.0, 0.0, 1.0, 1.0, 0.0] * 4, 5)
    apart_ends = share_intervals(scores, apart(100))
    events = share_intervals(scores, clusters_of(np.repeat(np.arange(20), 5), np.arange(100)))
    assert events.low[0, 0] < apart_ends.low[0, 0]
    assert (events.high - events.low)[0, 0] == pytest.approx(
        np.diff(stats.binomtest(12, 20).proportion_ci(method="wilson"))[0], rel=0.1
    )


def test_doubt_about_a_score_is_not_that_about_who_met_whom():
    """Scores are as expected to the last game; which games there are does not matter then."""
    expected = np.tile([0.25, 0.75], 50)
    found = share_intervals(expected, apart(100), expected=expected)
    assert found.high[0, 0] - found.low[0, 0] < 1e-9


def test_chances_among_several():
    found = adjust_chances(np.array([0.01, np.nan, 0.04, 0.03]))
    assert found[[0, 2, 3]] == pytest.approx([0.03, 0.06, 0.06])
    assert math.isnan(found[1])


@pytest.mark.parametrize(("of_events", "of_players"), [(0.0, 0.0), (0.4, 0.0), (0.0, 0.3), (0.3, 0.3)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(of_events, of_players):
    """Twenty events of sixteen out of fifty players; the whole measurement is in bench/laboratory_claims.py."""
    random, held = np.random.default_rng(6), 0
    for _ in range(200):
        seats = np.array([random.choice(50, 16, replace=False) for _ in range(20) for _ in range(5)])
        one, other, event = seats[:, :8].ravel(), seats[:, 8:].ravel(), np.repeat(np.arange(20), 40)
        strength = random.normal(0, of_players, 50)
        values = (
            random.normal(0, of_events, 20)[event] + strength[one] + strength[other] + random.normal(size=800)
        )
        found = mean_intervals(values, clusters_of(event, one, other))
        held += found.low[0, 0] <= 0 <= found.high[0, 0]
    assert 181 <= held <= 199  # 190 expected, three deviations


def test_students_interval_of_three():
    reach = 4.302653 / 3**0.5
    assert estimate(np.array([1.0, np.nan, 2.0, 3.0])) == pytest.approx((2, 2 - reach, 2 + reach))
    assert estimate(np.array([1.0, 2.0, 3.0]), 4) == (2, None, None)


def test_of_one_run_no_interval_and_of_none_nothing():
    assert estimate(np.array([5.0])) == (5, None, None)
    assert estimate(np.array([np.nan])) == (None, None, None)


def test_an_interval_holds_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(1)
    hits = [low <= 0 <= high for _, low, high in map(estimate, rng.normal(size=(4000, 5)))]
    assert abs(np.mean(hits) - 0.95) < 4 * (0.95 * 0.05 / 4000) ** 0.5
