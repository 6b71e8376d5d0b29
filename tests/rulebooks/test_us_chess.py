"""US Chess, clause by clause, with the examples and borders of the rule's page."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from making import day, event
from us_chess_naive import effective, pw, special

from banzuke.core.facts import More, Player
from banzuke.core.rating import UNRATED, Rating
from banzuke.core.registry import BOOKS
from banzuke.rulebooks.us_chess import us_chess as rules
from banzuke.rulebooks.us_chess.arithmetic import FINER, find_balance, with_decimals
from banzuke.testing import book_checks

F = Fraction
NAMES = ("us-chess", "us-chess-2017", "us-chess-2023", "us-chess-2025")


def two(value):
    return round(float(value), 2)


def test_the_numbers_as_printed():
    assert {name: each.value for name, each in BOOKS["us-chess"].parameters.items()} == {
        "fide_limit": 2000, "fide_low_factor": "1.02", "fide_low_added": 20, "fide_low_games": 5,
        "fide_high_factor": "0.94", "fide_high_added": 180, "fide_high_games": 10,
        "age_from": 2, "age_to": 26, "age_points": 50,
        "first_youngest": 100, "first_adult": 1300, "first_unknown": 750,
        "most_effective": 50, "effective_to": 2355, "effective_centre": 2569,
        "effective_constant": "0.662", "effective_square": "0.00000739",
        "step_1_games": 1, "lowest": 100, "carried": "0.0001",
        "special_games": 8, "half_width": 400, "one_sided_shift": 400, "special_most": 2700,
        "logistic": 400, "k_sum": 800, "dual_minutes": 65, "dual_above": 2200,
        "dual_constant": "6.5", "dual_slope": "0.0025", "dual_top": 2500, "dual_top_sum": 200,
        "bonus_games": 3, "bonus_meetings": 2, "bonus_least_games": 4,
        "bonus": [[date(2017, 5, 1), 14], [date(2023, 2, 1), 12], [date(2025, 1, 1), 10]],
        "provisional_games": 25, "floor_base": 100, "floor_won": 4, "floor_drawn": 2, "floor_event": 1,
        "floor_event_games": 3, "floor_most": 150, "peak_less": 200, "floor_step": 100,
        "personal_lowest": 1200, "personal_highest": 2100, "regular_minutes": 30,
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_from_the_book_alone(name):
    for check in book_checks.CHECKS.values():
        assert list(check(BOOKS[name])) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("check", book_checks.ON_LEDGERS.values(), ids=book_checks.ON_LEDGERS)
def test_what_must_hold_on_made_up_ledgers(check, seed):
    book = BOOKS["us-chess"]
    assert list(check(book, book_checks.chess_ledger(book, seed))) == []


class TestUSC1FirstRatings:
    @pytest.mark.parametrize(
        ("born", "on", "age"),
        [
            ("2000-02-29", "2024-02-28", 23), ("2000-02-29", "2024-02-29", 24),
            ("2000-02-29", "2025-02-28", 24), ("2000-06-15", "2024-06-14", 23),
            ("2000-06-15", "2024-06-15", 24), ("2000-06-15", "2024-07-01", 24),
            ("2000-06-15", "2024-05-30", 23),
        ],
    )  # fmt: skip
    def test_age(self, born, on, age):
        assert rules.age_on(day(born), day(on)) == age

    @pytest.mark.parametrize(
        ("age", "rating"), [(0, 100), (1, 100), (2, 100), (3, 150), (15, 750), (26, 1300), (27, 1300)]
    )
    def test_by_age(self, age, rating):
        assert rules.rating_by_age(age) == rating

    @pytest.mark.parametrize(
        ("fide", "rating", "games"),
        [(1779, F("1834.58"), 5), (2000, F(2060), 5), (2001, F("2060.94"), 10), (2235, F("2280.9"), 10)],
    )
    def test_from_fide(self, fide, rating, games):
        assert rules.rating_from_fide(fide) == (rating, games, "fide")

    @pytest.mark.parametrize(
        ("facts", "first"),
        [
            ({}, (750, 0, "unknown")),
            ({"more": More(adult=False)}, (750, 0, "unknown")),
            ({"more": More(adult=True)}, (1300, 0, "adult")),
            ({"more": More(adult=True), "birth_date": date(2012, 6, 1)}, (600, 0, "age")),
            ({"birth_date": date(2012, 6, 2)}, (550, 0, "age")),
            ({"birth_date": date(2012, 6, 1), "fide_standard": 1500}, (1550, 5, "fide")),
        ],
    )
    def test_what_decides_first(self, facts, first):
        assert rules.first_rating(Player("A", "A", **facts), date(2024, 6, 1)) == first

    def test_nobody_known(self):
        assert rules.first_rating(None, date(2024, 6, 1)) == (750, 0, "unknown")


class TestUSC2EffectiveGames:
    @pytest.mark.parametrize(
        ("rating", "games", "found"),
        [
            (1700, 30, 20.01), (1700, 20, 20), (1700, 21, 20.01), (1300, 45, 14.11), (100, 50, 7.4),
            (2355, 90, 49.99), (2355, 49, 49), (2356, 49, 49), (2356, 50, 50), (2356, 51, 50), (2700, 80, 50),
            (2355, 5, 5), (2300, 60, 45.71),
        ],
    )  # fmt: skip
    def test_borders(self, rating, games, found):
        assert two(rules.effective_games(F(rating), games)) == found

    def test_at_2355_the_formula_still_holds(self):
        assert rules.effective_games(F(2355), 60) != 50 == rules.effective_games(F("2355.0001"), 60)

    @given(st.integers(1_000_000, 28_000_000), st.integers(0, 90))
    def test_as_the_page_says(self, rating, games):
        found = rules.effective_games(F(rating, 10_000), games)
        assert float(found) == pytest.approx(effective(rating / 10_000, games), abs=1e-9)

    def test_a_root_is_cut_off_at_the_24th_decimal(self):
        assert rules.square_root(F(2)) == F(1_414213562373095048801688, 10**24)
        assert rules.square_root(F(9, 4)) == F(3, 2)
        assert FINER.prec == 34


class TestUSC5SpecialFormula:
    @pytest.mark.parametrize(
        ("rating", "opponent", "share"),
        [(1500, 1500, F(1, 2)), (1900, 1500, 1), (1899, 1500, F(799, 800)), (1100, 1500, 0), (1000, 1500, 0),
         (2000, 1500, 1), (1101, 1500, F(1, 800)), (1600, 1500, F(5, 8))],
    )  # fmt: skip
    def test_expectancy(self, rating, opponent, share):
        assert rules.winning_expectancy(F(rating), F(opponent)) == share

    def balance(self, near, parts, points):
        return find_balance(F(near), [(F(centre), F(weight)) for centre, weight in parts], F(points), 400)

    def test_the_point_of_an_interval_nearest_to_the_own_rating(self):
        """Two opponents far apart and one point: any rating from 1400 to 1600 solves it."""
        parts = [(1000, 1), (2000, 1)]
        assert [self.balance(near, parts, 1) for near in (1300, 1400, 1500, 1600, 1700)] == [
            1400, 1400, 1500, 1600, 1600,
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("near", "points", "found"), [(1500, 0, 1100), (1000, 0, 1000), (1500, 1, 1900), (2000, 1, 2000)]
    )
    def test_all_won_or_lost(self, near, points, found):
        assert self.balance(near, [(1500, 1)], points) == found

    def test_example_1(self):
        games = [(F(1400), 2), (F(1550), 0), (F(1650), 1)]
        done = rules.special_step(F(1500), F(6), games)
        assert done.figure == rules.to_places(F(13600, 9), 24)
        assert (done.points, done.k) == (F(9, 2), None)
        assert [two(each) for each in done.expectations] == [0.64, 0.45, 0.33]

    @given(
        st.integers(100, 2700),
        st.integers(0, 12),
        st.lists(st.tuples(st.integers(100, 2900), st.integers(0, 2)), min_size=1, max_size=7),
        st.sampled_from(["", "won", "lost"]),
    )
    def test_as_the_page_says(self, rating, weight, games, sided):
        exact = [(F(opponent), score) for opponent, score in games]
        found = rules.special_step(F(rating), F(weight), exact, sided).figure
        wanted = special(rating, weight, [(opponent, score / 2) for opponent, score in games], sided)
        assert float(found) == pytest.approx(wanted, abs=1e-6)
        for opponent, _ in games:
            assert float(rules.winning_expectancy(found, F(opponent))) == pytest.approx(pw(found, opponent))

    @pytest.mark.parametrize(
        ("games", "sided", "is_special"),
        [(8, "", True), (9, "", False), (0, "", True), (30, "won", True), (30, "lost", True)],
    )
    def test_who_is_rated_by_it(self, games, sided, is_special):
        assert rules.is_special(rules.Entrant(F(1500), games, sided, "")) is is_special

    @pytest.mark.parametrize(("sided", "own"), [("", (1500, 3)), ("won", (1100, 6)), ("lost", (1900, 0))])
    def test_what_the_own_rating_counts_as(self, sided, own):
        assert rules.own_part(F(1500), F(6), sided) == own

    def test_one_sided_means_nothing_before_the_first_game(self):
        games = [(F(1600), 1)]
        for one_sided in ("", "won", "lost"):
            entrant = rules.Entrant(F(1300), 0, one_sided, "")
            assert rules.take_step(entrant, games, is_dual=False, constant=None).figure == 1600

    def test_at_most_2700_and_at_least_100(self):
        assert rules.special_step(F(2600), F(0), [(F(2500), 2)]).figure == 2700
        assert rules.special_step(F(2300), F(0), [(F(2299), 2)]).figure == 2699
        assert rules.special_step(F(300), F(0), [(F(450), 0)]).figure == 100
        assert rules.special_step(F(300), F(0), [(F(501), 0)]).figure == 101

    def test_step_1_has_one_effective_game(self):
        assert rules.step_1(F(1300), [(F(1500), 1)]) == 1400


class TestUSC6StandardFormula:
    @pytest.mark.parametrize(
        ("rating", "opponent", "share"),
        [(1500, 1500, F(1, 2)), (1900, 1500, F(10, 11)), (1500, 1900, F(1, 11)), (2300, 1500, F(100, 101))],
    )
    def test_expectancy_has_no_limit(self, rating, opponent, share):
        assert rules.expectancy(F(rating), F(opponent)) == rules.to_places(share, 24)

    @pytest.mark.parametrize(
        ("rating", "is_dual", "k"),
        [
            (2199, True, 80), (2200, True, 80), (2201, True, F(7980, 100)), (2300, True, 60),
            (2499, True, F(2020, 100)), (2500, True, 20), (2501, True, 20), (2700, True, 20),
            (2300, False, 80), (2600, False, 80),
        ],
    )  # fmt: skip
    def test_k(self, rating, is_dual, k):
        assert rules.coefficient(F(rating), F(6), 4, is_dual=is_dual) == k

    @pytest.mark.parametrize(
        ("minutes", "seconds", "is_dual"),
        [(60, 5, True), (60, 6, False), (65, 0, True), (30, 0, True), (90, 30, False), (None, None, False)],
    )
    def test_dual(self, minutes, seconds, is_dual):
        assert rules.is_dual(event(base_minutes=minutes, increment_seconds=seconds)) is is_dual

    def test_no_step_below_100(self):
        done = rules.standard_step(F(120), F(7), [(F(110), 0)] * 3, is_dual=False, constant=10)
        assert done.figure == 100
        assert done.surplus < -100


class TestUSC7Bonus:
    @pytest.mark.parametrize(
        ("on", "constant"),
        [
            ("2017-04-30", None), ("2017-05-01", 14), ("2023-01-31", 14), ("2023-02-01", 12),
            ("2024-12-31", 12), ("2025-01-01", 10), ("2030-01-01", 10),
        ],
    )  # fmt: skip
    def test_by_the_last_day(self, on, constant):
        assert rules.bonus_constant(day(on)) == constant

    @pytest.mark.parametrize(
        ("met", "may"),
        [("AB", False), ("ABC", True), ("AAB", True), ("AAA", False), ("AABBA", False), ("AABB", True)],
    )
    def test_who_may_have_one(self, met, may):
        assert rules.may_have_bonus(list(met)) is may

    @pytest.mark.parametrize(("games", "square"), [(3, 400), (4, 400), (5, 500), (9, 900)])
    def test_threshold(self, games, square):
        assert float(rules.bonus_threshold(10, games)) ** 2 == pytest.approx(square)

    def test_there_is_none_for_a_bad_event(self):
        done = rules.standard_step(F(1500), F(20), [(F(1500), 0)] * 3, is_dual=False, constant=10)
        assert done.bonus == 0
        assert (
            rules.standard_step(F(1500), F(20), [(F(1500), 2)] * 3, is_dual=False, constant=None).bonus == 0
        )


def rating(value=1500, games=30, peak=1500, **more):
    return Rating(value, games, peak, False, More(more))


class TestUSC8And9Floors:
    @pytest.mark.parametrize(("games", "provisional"), [(0, True), (25, True), (26, False)])
    def test_provisional(self, games, provisional):
        assert rules.is_provisional(games) is provisional
        assert BOOKS["us-chess"].columns.status(rating(games=games)) == (
            "provisional" if provisional else "established"
        )

    @pytest.mark.parametrize(
        ("counts", "floor"),
        [((0, 0, 0), 100), ((3, 2, 5), 121), ((12, 0, 2), 150), ((12, 1, 1), 150), ((11, 1, 2), 148)],
    )
    def test_absolute(self, counts, floor):
        assert rules.absolute_floor(*counts) == floor

    @pytest.mark.parametrize(
        ("peak", "games", "floor"),
        [
            (1941, 30, 1700), (1588, 30, 1300), (1400, 26, 1200), (1399, 26, 0), (2299, 26, 2000),
            (2300, 26, 2100), (2600, 26, 2100), (1941, 25, 0), (None, 30, 0),
        ],
    )  # fmt: skip
    def test_personal(self, peak, games, floor):
        assert rules.personal_floor(rating(games=games, peak=peak)) == floor

    def test_each_by_its_kind(self):
        before = rating(peak=1941, floor=1650, won=1)
        career = rating(peak=2500, won=2, drawn=1, events3=1)
        assert rules.floors(before, career) == {"absolute": 111, "personal": 1700, "office": 1650}
        assert rules.floors(rating(), rating()) == {"absolute": 100, "personal": 1300, "office": 0}

    def test_columns_of_the_list(self):
        exact, floor = (column.cell for column in BOOKS["us-chess"].columns.lists)
        assert exact(rating(rating=Decimal("1512.5")), None) == "1512.5000"
        assert exact(rating(), None) == "1500.0000"
        assert floor(rating(peak=1941), None) == 1700


class TestUSC10WhatIsNotRated:
    @pytest.mark.parametrize(
        ("minutes", "score", "excluded", "has_rating", "verdict"),
        [
            (30, 2, False, True, "rated"), (30, 0, False, False, "first"), (29, 2, False, True, "speed"),
            (29, None, False, True, "speed"), (90, None, False, True, "forfeit"), (29, 2, True, True, "ruling"),
            (None, 2, False, True, "rated"),
        ],
    )  # fmt: skip
    def test_verdicts(self, minutes, score, excluded, has_rating, verdict):
        of = event(base_minutes=minutes)
        assert rules.verdict(of, score, is_excluded=excluded, has_rating=has_rating) == verdict


@pytest.mark.parametrize(("value", "shown"), [("1500.4999", 1500), ("1500.5", 1501), ("99.5", 100)])
def test_shown_whole(value, shown):
    assert rules.shown_rating(F(value)) == shown


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [
        (F(-1, 10_000), 4, "-0.0001"), (F(0), 4, "0.0000"), (F(1, 10_000), 4, "0.0001"),
        (F(-4, 100_000), 4, "0.0000"), (F("-1512.345"), 2, "-1512.35"), (F("1512.005"), 2, "1512.01"),
    ],
)  # fmt: skip
def test_written_with_decimals(value, places, written):
    assert with_decimals(value, places) == written


def test_who_has_no_rating_counts_nothing_in_a_list():
    assert rules.exact_rating(UNRATED) == 0


def test_what_the_book_says_of_itself():
    book = BOOKS["us-chess"]
    assert (book.peak_from_games, book.needs_colours, book.starts_from_fide) == (26, False, True)
    assert (book.calculator.asks, book.calculator.shows_percent) == ("games", False)
    with pytest.raises((FrozenInstanceError, TypeError)):  # the latter where there are no fields
        rules.Settings().version = 1
    assert not hasattr(rules.Settings(), "__dict__")
