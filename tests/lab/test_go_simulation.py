"""Synthetic Go pools, where what must come out is known; certification against a count of its own."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.go_facts import CERTIFIED, HALF_OF, GoGame, GoOpening, GoPlayer
from banzuke.lab.go_simulation import MEASUREMENT, WITHIN, certify, flicker, measure
from banzuke.lab.simulation import Job, simulate
from banzuke.lab.synthetic_go_pools import (
    VALUES,
    GoPool,
    certified_halves,
    nearest_half,
    one_day,
    pair_neighbours,
    play,
    rules_of,
    seat_pairs,
    standing_halves,
    states_of,
)
from banzuke.lab.variants import Variant, variants_alone
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.ranks import default_zone, expectation, newcomer_state, opening_state, value

OWN = Variant("pandanet")
RULES = rules_of(OWN)
NO_POINTS = ("multipliers_0_tenths=0", "multipliers_1_tenths=0", "later_multiplier=0")
STILL = variants_alone(["pandanet"], NO_POINTS)[-1]
STEADY = {"improving": 0, "drift": 0, "arriving": 0}


def of(sheet, **chosen):
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    return [row for row in rows if all(row[name] == cell for name, cell in chosen.items())]


def test_values_are_those_of_ranks():
    assert [VALUES[HALF_OF[rank]] for rank in ("17k", "1k", "1k+", "1d", "9d+")] == [-16, 0, 0.5, 1, 9.5]
    assert nearest_half(np.array([-40, 0.2, 0.3, 40])).tolist() == [
        0, HALF_OF["1k"], HALF_OF["1k+"], HALF_OF["9d+"],
    ]  # fmt: skip


def test_truths_agree_at_even_strength_and_one_rank_ahead():
    for truth in ("table", "logistic"):
        assert RULES.chance(truth, np.array([0.0, 1.0, -1.0])).tolist() == pytest.approx([0.5, 0.58, 0.42])
    assert RULES.chance("table", np.array([1.5, 3.0])).tolist() == pytest.approx([0.61, 0.68])


def test_neighbours_play_and_the_upper_side_takes_white():
    rng, half = np.random.default_rng(1), np.array([10, 30, 11, 31, 50])
    pairs = pair_neighbours(rng, np.arange(5), half, 0)
    assert sorted(map(sorted, pairs.tolist())) == [[0, 2], [1, 3]]
    assert all(half[black] <= half[white] for black, white in pairs)
    colours = {tuple(seat_pairs(rng, np.array([[0, 1]]), np.array([7, 7]))[0].tolist()) for _ in range(30)}
    assert colours == {(0, 1), (1, 0)}


def test_a_day_is_rated_as_the_readable_rule_book_does():
    rng, rules = np.random.default_rng(2), RULES
    half = rng.integers(10, 40, 60)
    states = states_of(half, np.arange(60) % 4 > 0, rules)
    before = [_state(states, player) for player in range(60)]
    pairs = pair_neighbours(rng, np.arange(60), standing_halves(states), 1)
    one_day(states, pairs, VALUES[half], 1, "table", rules, np.random.default_rng(3))
    luck = np.random.default_rng(3).random(len(pairs))
    for (black, white), drawn in zip(pairs.tolist(), luck, strict=True):
        stones, komi = pandanet.regular_terms(int(half[white] - half[black]))
        lead = value(int(half[white])) - value(int(half[black])) - pandanet.worth(stones, komi)
        winner = "W" if drawn < expectation(lead) / 2400 else "B"
        game = GoGame("G", datetime(2026, 1, 1, tzinfo=UTC), "b", "w", winner, stones, komi, 19, 200)
        lines = pandanet.rate(game, before[black], before[white], default_zone())
        for player, line in zip((black, white), lines, strict=True):
            after = states.players[player]
            assert after["rated_games"] == line.after.rated_games
            if line.after.kind == CERTIFIED:
                assert (after["rank"], after["points"]) == (line.after.half, line.after.points)


def _state(states, player):
    row = states.players[player]
    rank = pandanet.rank_name(int(row["rank"] % 52))
    if row["rank"] < 52:
        return opening_state(GoOpening("p", rank, int(row["rated_games"]), int(row["points"])))
    return newcomer_state(GoPlayer("p", "p", rank))


def test_where_no_points_move_ranks_are_the_nearest_to_strength_for_ever():
    """Half ranks are half a rank apart: an error of a quarter at most, a mean square of 1/48."""
    pool = GoPool(players=150, years=1, **STEADY)
    ranks, years, moves, _ = simulate(MEASUREMENT, pool, [STILL], 2, processes=1)
    course = play(pool, rules_of(STILL), 0)
    assert np.array_equal(course.half[-1], nearest_half(course.strength[-1]))
    for row in of(years):
        assert abs(row["error"]) < 4 * (1 / 48 / 300) ** 0.5
        assert row["rmse"] == pytest.approx((1 / 48) ** 0.5, rel=0.1)
    assert {row["missed"] for row in of(ranks)} == {0}
    assert sum(row["players"] for row in of(ranks)) == pytest.approx(150)
    assert [(row["moves"], row["reversed"]) for row in of(moves)] == [(0, None)] * len(WITHIN)


def test_points_are_conserved_and_the_border_zone_lifts_ranks_by_an_eighth():
    """By the terms games are even and 100 points change hands: the mean of points stays.

    A half rank is held from 200 points below its lower line to 400 above it: on average at 100, where who
    starts in it has 200. So ranks settle a quarter of a half rank above what the points say.
    """
    pool = GoPool(players=200, years=2, strength=-4, spread=2, **STEADY)
    _, years, moves, _ = simulate(MEASUREMENT, pool, [OWN], 3, processes=1)
    opening, _, after = (of(years, year=year)[0] for year in range(3))
    assert abs(opening["error"]) < 0.05
    assert after["error"] - opening["error"] == pytest.approx(1 / 8, abs=0.03)
    assert after["rmse"] > 0.3
    shares = [row["reversed"] for row in of(moves)]
    assert 0 < shares[0] < shares[1] < shares[2] < 1


def test_who_comes_is_certified_and_who_grows_lags():
    pool = GoPool(players=100, years=1, improving=1, growth=3, arriving=0.5)
    course = play(pool, RULES, 5)
    late = course.joins > 30
    assert (course.half[-1, (course.joins > 0) & (course.joins < 200)] != MISSING).all()
    assert (course.half[0, late] == MISSING).all()
    old = course.joins == 0
    assert (VALUES[course.half[-1, old]] - course.strength[-1, old]).mean() < -0.5


def test_flicker_of_a_player_whose_moves_are_known():
    """Up after game 3, down after 6 (3 games later), up after 20 (14 later), and 30 games in all."""
    games = np.arange(31, dtype=np.int32)[:, None]
    half = np.full((31, 1), 5, np.int32)
    half[3:6], half[20:] = 6, 6
    found = flicker(half, games)
    assert found["flicker_moves"] == pytest.approx([100 * 3 / 30] * 3)
    assert found["flicker_reversed"].tolist() == [
        1 / 3,
        1 / 3,
        1.0,
    ]  # within 20 the last had no time to be reversed


def test_flicker_of_two_players_is_theirs_together():
    """Beside the same player one who moves down after game 10, with 20 to come, and never back."""
    games = np.repeat(np.arange(31, dtype=np.int32)[:, None], 2, axis=1)
    half = np.full((31, 2), 5, np.int32)
    half[3:6, 0], half[20:, 0], half[10:, 1] = 6, 6, 4
    found = flicker(half, games)
    assert found["flicker_moves"] == pytest.approx([100 * 4 / 60] * 3)
    assert found["flicker_reversed"].tolist() == [1 / 4, 1 / 4, 2 / 3]


def test_moves_on_in_the_same_direction_are_no_flicker():
    games = np.arange(101, dtype=np.int32)[:, None]
    half = (games // 10).astype(np.int32)
    found = flicker(half, games)
    assert found["flicker_reversed"].tolist() == [0, 0, 0]
    unranked = np.full((101, 1), MISSING, np.int32)
    assert np.isnan(flicker(unranked, games)["flicker_moves"]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("strength", "declared"), [(-3.0, "4k"), (2.0, "2k")])
def test_certification_misses_as_often_as_in_games_rated_one_by_one(strength, declared):
    """Against opponents of the newcomer's present rank; both are counts of chance, so 4 standard errors."""
    pool, many, few = GoPool(mixing=0), 3000, 1200
    half = HALF_OF[declared]
    found = certify(
        pool, RULES, np.full(many, strength), np.full(many, VALUES[half]), np.random.default_rng(1)
    )
    missed = (np.abs(VALUES[found] - strength) > 1).mean()
    rng = np.random.default_rng(2)
    ends = np.array([_certified_one_by_one(strength, declared, rng) for _ in range(few)])
    known = (np.abs(ends - strength) > 1).mean()
    assert 0.3 < known < 0.8
    assert abs(missed - known) < 4 * (known * (1 - known) * (1 / many + 1 / few)) ** 0.5
    assert abs(VALUES[found].mean() - ends.mean()) < 4 * ends.std() * (1 / many + 1 / few) ** 0.5


def _certified_one_by_one(strength, declared, rng):
    state = newcomer_state(GoPlayer("n", "n", declared))
    at, zone = datetime(2026, 1, 1, tzinfo=UTC), default_zone()
    while state.kind != CERTIFIED:
        rank = state.rank.rstrip("?")
        opponent = opening_state(GoOpening("o", rank, 200, zone.start[HALF_OF[rank]]))
        lead = round(24 * (strength - value(HALF_OF[rank]) / 24))
        result = "B" if rng.random() < expectation(lead) / 2400 else "W"
        game = GoGame("G", at, "n", "o", result, 0, 13, 19, 200)
        state = pandanet.rate(game, state, opponent, zone)[0].after
    return value(state.half) / 24


def test_a_seed_makes_one_go_pool():
    job = Job(GoPool(players=60, years=1), OWN, 3)
    first, again = measure(job), measure(job)
    assert all(np.array_equal(first[name], again[name], equal_nan=True) for name in first)


def test_certified_halves_are_missing_for_who_has_none():
    states = states_of(np.array([4, 5]), np.array([True, False]), RULES)
    assert certified_halves(states).tolist() == [4, MISSING]
    assert standing_halves(states).tolist() == [4, 5]
