"""Synthetic pools played through rule books, where what must come out is known."""

from __future__ import annotations

import numpy as np
import pytest

from banzuke.core.fault import RefusedError
from banzuke.lab.chess_simulation import MEASUREMENT, measure
from banzuke.lab.simulation import Job, simulate
from banzuke.lab.synthetic_chess_pools import (
    GROUPS,
    JUNIOR,
    NEWCOMER,
    VETERAN,
    VISITOR,
    YEAR,
    ChessPool,
    games_of,
    people_of,
    play,
)
from banzuke.lab.true_expectation import TRUTHS, draw_chance, half_points, table
from banzuke.lab.variants import edition_of_variant, variants_alone
from banzuke.rulebooks.fide.tables import expected

STEADY = {"juniors": 0, "growth": 0, "drift": 0, "arriving": 0, "leaving": 0, "visiting": 0}
STILL = tuple(f"jcf-2024:{k}=0" for k in ("k_normal", "k_new", "k_junior", "k_reached"))


def standing_still():
    """JCF with every K at 0: no rating ever moves."""
    return variants_alone(["jcf-2024"], STILL)[-1]


def of(sheet, **chosen):
    """The rows of a sheet with those cells, as dicts."""
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    return [row for row in rows if all(row[name] == value for name, value in chosen.items())]


def test_the_table_as_truth_is_fides():
    gaps = np.arange(-800, 801)
    assert np.allclose(table(gaps.astype(float)), [expected(int(gap)) / 100 for gap in gaps])


@pytest.mark.parametrize("truth", TRUTHS)
def test_results_keep_the_expectation_and_the_share_of_draws(truth):
    rng, lead = np.random.default_rng(1), np.repeat([-300.0, 0.0, 150.0], 100_000)
    chance = TRUTHS[truth](lead)
    scores = half_points(rng, chance, 0.4).reshape(3, -1)
    assert np.allclose(scores.mean(axis=1) / 2, chance[::100_000], atol=0.006)
    drawn = (scores == 1).mean(axis=1)
    assert np.allclose(drawn, draw_chance(chance[::100_000], 0.4), atol=0.006)
    assert abs(drawn[1] - 0.4) < 0.006


def test_an_event_pairs_nobody_twice_and_nobody_is_in_two_events():
    pool = ChessPool(players=200, years=1)
    people = people_of(pool, np.random.default_rng(5))
    for month, played in enumerate(games_of(pool, people, np.random.default_rng(6)), 1):
        pairs = list(
            zip(
                played.event,
                np.minimum(played.white, played.black),
                np.maximum(played.white, played.black),
                strict=True,
            )
        )
        assert len(set(pairs)) == len(pairs) > 0
        of_player = {}
        for event, round_, white, black in zip(
            played.event, played.round, played.white, played.black, strict=True
        ):
            for player in (white, black):
                assert of_player.setdefault(player, event) == event
                assert people.present(month)[player]
            assert 1 <= round_ <= pool.rounds
        rows = list(zip(played.event, played.round, played.white, strict=True))
        assert rows == sorted(rows)


def test_people_grow_come_and_go_as_the_pool_says():
    pool = ChessPool(
        players=4000, years=2, growth=60, drift=0, juniors=0.25, arriving=0.5, visiting=0.1, leaving=0.2
    )
    people = people_of(pool, np.random.default_rng(2))
    assert abs((people.groups(0)[people.joins == 0] == JUNIOR).mean() - 0.25) < 0.03
    comes = (people.joins > 0) & ~people.visits
    assert abs(comes.sum() - 4000) < 4 * 4000**0.5
    assert abs(people.visits.sum() - 800) < 4 * 800**0.5
    assert (people.leaves - people.joins)[people.visits].tolist() == [2] * people.visits.sum()
    stayed = (people.leaves > YEAR)[(people.joins == 0)].mean()
    assert abs(stayed - (1 - 0.2 / YEAR) ** YEAR) < 0.03
    grew = people.strength[:, YEAR] - people.strength[:, 0]
    young = (people.joins == 0) & (people.age + YEAR < 18 * YEAR)
    assert np.allclose(grew[young], 60)
    assert np.allclose(grew[(people.joins == 0) & (people.age >= 18 * YEAR)], 0)
    assert (
        people.groups(6)[(people.joins == 3) & ~people.visits & (people.age >= 18 * YEAR)] == NEWCOMER
    ).all()


def test_nobody_grows_and_all_open_right_so_that_no_book_biases():
    """Equal K: a game takes from one what it gives the other, and only the rounding of sums is left.

    A list rounds a player's sum by a standard deviation of at most 1/2; over `lists` of them and `players` the
    mean is off by less than 4 standard errors.
    """
    pool = ChessPool(players=300, years=2, strength=1900, spread=100, **STEADY)
    for variant in variants_alone(["ncs-2022", "jcf-2024", "hakodate", "fide-2024"]):
        course = play(pool, variant, 3)
        error = course.ratings[:, -1] - course.people.strength[:, -1]
        assert abs(error.mean()) < 4 * (0.5 * pool.months**0.5) / pool.players**0.5, variant.name
        assert error.std() > 20, variant.name


def test_a_first_list_is_as_far_off_as_the_results_scatter():
    """Results at the table's expectation: the mean square of a first change is K squared times the variance."""
    pool = ChessPool(players=3000, years=1, strength=1700, spread=150, truth="table", active=1, **STEADY)
    (variant,) = variants_alone(["ncs-2022"])
    course = play(pool, variant, 4)
    strength, moved = course.people.strength[:, 0], course.ratings[:, 1] - course.ratings[:, 0]
    played = next(games_of(pool, course.people, np.random.default_rng([4, 2])))
    chance = table(strength[played.white] - strength[played.black])
    variance = chance * (1 - chance) - draw_chance(chance, pool.draws) / 4
    of_player = np.bincount(np.append(played.white, played.black), np.tile(variance, 2), len(strength))
    foretold = (20**2 * of_player).mean()
    assert abs((moved**2).mean() / foretold - 1) < 4 * (2 / pool.players) ** 0.5


def test_ratings_that_stand_still_lag_by_what_juniors_grew():
    """No rating moves, so that bias is strength gained: 10 a month by whoever is still below 18."""
    pool = ChessPool(
        players=400, years=2, spread=100, growth=120, drift=0, arriving=0, leaving=0, visiting=0, behind=0
    )
    groups, lists, visitors = simulate(MEASUREMENT, pool, [standing_still()], 3, processes=1)
    (junior,) = of(groups, year=1, group="juniors")
    months = np.arange(1, YEAR + 1)
    grown = []
    for seed in range(3):
        people = people_of(pool, np.random.default_rng([seed, 0]))
        there = np.array([(people.groups(month) == JUNIOR).sum() for month in months])
        grown.append((10 * months * there).sum() / there.sum())
    assert junior["bias"] == pytest.approx(-np.mean(grown), abs=0.1)
    assert junior["bias_low"] <= junior["bias"] <= junior["bias_high"]
    (veteran,) = of(groups, year=1, group="veterans")
    assert junior["lag"] == pytest.approx(veteran["bias"] - junior["bias"])
    (opening,) = of(groups, year=0, group="veterans")
    assert abs(opening["bias"]) < 0.1
    assert abs(opening["rmse"] - 1 / 12**0.5) < 0.03
    assert [row["inflation"] for row in of(lists, year=0)] == [None]
    assert [row["visits"] for row in of(visitors)] == [0, 0]


def test_without_growth_nothing_inflates_and_the_spread_stays():
    groups, lists, _ = simulate(
        MEASUREMENT, ChessPool(players=200, years=2, spread=100, **STEADY), [standing_still()], 2, processes=1
    )
    assert {row["group"] for row in of(groups)} == {"veterans"}
    for row in of(lists):
        assert row["spread"] == pytest.approx(1, abs=0.002)
        assert row["mean_rating"] == pytest.approx(row["mean_strength"], abs=0.1)
    assert [row["inflation"] for row in of(lists)][1:] == [0, 0]


def test_visitors_keep_what_they_brought_where_nothing_moves():
    pool = ChessPool(players=100, years=1, visiting=1, visitor_lead=80, drift=0)
    groups, _, visitors = simulate(MEASUREMENT, pool, [standing_still()], 2, processes=1)
    (row,) = of(visitors)
    assert row["visits"] > 50
    assert (row["carried"], row["carried_low"], row["carried_high"]) == (0, 0, 0)
    (visitor,) = of(groups, year=1, group="visitors")
    assert visitor["bias"] == pytest.approx(-80, abs=0.2)


def test_visitors_who_are_stronger_than_their_rating_carry_points_away():
    pool = ChessPool(players=200, years=1, visiting=1, visitor_lead=150, drift=0, growth=0, juniors=0)
    _, _, visitors = simulate(MEASUREMENT, pool, variants_alone(["jcf-2024"]), 3, processes=1)
    (row,) = of(visitors)
    assert 0 < row["carried_low"] < row["carried"] < 150


def test_at_a_club_visitors_bring_nothing():
    _, _, visitors = simulate(
        MEASUREMENT, ChessPool(players=100, years=1, visiting=1), variants_alone(["hakodate"]), 2, processes=1
    )
    assert [(row["visits"], row["carried"]) for row in of(visitors)] == [(0, None)]


def test_every_variant_rates_the_same_games():
    pool = ChessPool(players=100, years=1)
    one, other = (measure(Job(pool, variant, 7)) for variant in variants_alone(["jcf-2024", "ncs-2022"]))
    assert np.array_equal(one["visitors_visits"], other["visitors_visits"])
    assert not np.array_equal(one["groups_bias"], other["groups_bias"])
    assert one["groups_bias"].shape == (2, len(GROUPS))
    assert (
        one["groups_players"][0, VISITOR]
        == one["groups_players"][0, NEWCOMER]
        == 0
        < one["groups_players"][0, VETERAN]
    )


def test_a_seed_makes_one_pool():
    job = Job(ChessPool(players=80, years=1), variants_alone(["jcf-2024"])[0], 9)
    first, again, other = measure(job), measure(job), measure(job._replace(seed=10))
    assert all(np.array_equal(first[name], again[name], equal_nan=True) for name in first)
    assert not np.array_equal(first["groups_bias"], other["groups_bias"], equal_nan=True)


def test_overrides_are_for_the_books_that_they_name():
    found = variants_alone(["ncs-2022", "hakodate"], ["ncs-2022:K.normal=30"])
    assert [variant.name for variant in found] == ["ncs-2022", "ncs-2022 k_normal=30", "hakodate"]
    books = [edition_of_variant(variant).book for variant in found[:2]]
    assert [book.parameters.whole("k_normal") for book in books] == [20, 30]


@pytest.mark.parametrize(
    ("books", "settings", "said"),
    [
        ([], [], ("lab-no-book", "")),
        (["jcf-2024"], ["ncs-2022:K.normal=30"], ("lab-constant", "ncs-2022:K.normal=30")),
    ],
)
def test_no_book_and_a_book_that_is_not_played_are_refused(books, settings, said):
    with pytest.raises(RefusedError) as error:
        variants_alone(books, settings)
    assert [(fault.code, fault.column) for fault in error.value.faults] == [said]


def test_a_book_that_is_none_is_refused():
    with pytest.raises(RefusedError) as error:
        variants_alone(["jcf-2024", "chess"])
    assert [(fault.code, fault.column) for fault in error.value.faults] == [("lab-book", "chess")]
