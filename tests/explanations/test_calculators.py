"""The little calculators: the rule books' own figures for one game or one player."""

from __future__ import annotations

import pytest

from banzuke.core.derived_books import reform_book
from banzuke.core.go_facts import HALF_OF
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Calculator, Change, EventForecast
from banzuke.core.worked import games_against
from banzuke.explanations.calculators import (
    KOrGamesError,
    change_facts,
    chess_books,
    event_forecast,
    go_books,
    k_or_games,
    performance_books,
    terms_facts,
)


def change(book, *game):
    return BOOKS[book].calculator.change(*game)


def first_rating(book, opponents, points):
    return BOOKS[book].calculator.first(games_against(opponents, points))


class TestChange:
    @pytest.mark.parametrize(
        ("book", "clause"), [("ncs-2022", "NCS 5(1)"), ("jcf-2024", "JCF 5(1)"), ("fide-2024", "FIDE 8.3.2")]
    )
    @pytest.mark.parametrize(("score", "hundredths"), [(2, 1520), (1, 520), (0, -480)])
    def test_the_printed_example(self, book, clause, score, hundredths):
        """NCS 5(1): 1600 against 1800 at K = 20 gains 15.2 or loses 4.8."""
        assert change(book, 1600, 1800, score, 20) == (-200, 24, hundredths, clause)

    @pytest.mark.parametrize(
        ("book", "own", "opponent", "difference"),
        [
            ("ncs-2022", 2000, 1500, 400),
            ("jcf-2024", 1500, 2000, -400),
            ("fide-2024", 2649, 2200, 400),
            ("fide-2024", 2650, 2200, 450),
            ("fide-2024", 2200, 2650, -400),
            ("hakodate", 1500, 2000, -400),
        ],
    )
    def test_the_difference_as_counted(self, book, own, opponent, difference):
        assert change(book, own, opponent, 2, 20).difference == difference

    @pytest.mark.parametrize(
        ("book", "clause"),
        [("jcf-2024", "JCF 5(1)C-zero"), ("fide-2024", "FIDE 8.2.2"), ("hakodate", "HCC R12")],
    )
    def test_against_an_unrated_opponent_there_is_none(self, book, clause):
        assert change(book, 1600, None, 2, 20) == (None, None, None, clause)

    def test_but_by_ncs_there_is(self):
        """NCS 5(4): the difference counts as 400; .08, -.42 and -.92 times K."""
        assert [change("ncs-2022", 1600, None, score, 20).hundredths for score in (2, 1, 0)] == [
            160,
            -840,
            -1840,
        ]

    @pytest.mark.parametrize(("score", "hundredths"), [(2, 2400), (1, 800), (0, -800)])
    def test_the_club_knows_no_k(self, score, hundredths):
        """The page: 200 below, a win brings 24."""
        assert change("hakodate", 1500, 1700, score, 0) == (-200, None, hundredths, "HCC R9")

    def test_facts_are_decimals_as_text(self):
        assert change_facts(change("jcf-2024", 1600, 1800, 2, 20)) == {
            "difference": -200,
            "expected": "0.24",
            "change": "15.2",
            "clause": "JCF 5(1)",
        }
        assert change_facts(change("jcf-2024", 1600, None, 2, 20)) == {
            "difference": None,
            "expected": None,
            "change": None,
            "clause": "JCF 5(1)C-zero",
        }


class TestFirstRating:
    def test_by_ncs_with_an_unrated_opponent(self):
        working = first_rating("ncs-2022", [1400, None, 1500, 1600], 3)
        assert (working.mean, working.percent, working.dp) == ((5500, 4), 38, -87)
        assert (working.rating, working.why, working.clause) == (1288, "", "NCS 6(4)")

    def test_by_ncs_above_half_twenty_a_half_point(self):
        assert first_rating("ncs-2022", [1500] * 4, 6).rating == 1540

    def test_by_jcf_by_dp_and_only_rated_opponents(self):
        working = first_rating("jcf-2024", [1500] * 6 + [None], 9)
        assert (working.mean, working.percent, working.dp, working.rating) == ((9000, 6), 75, 193, 1693)

    @pytest.mark.parametrize(
        ("opponents", "points", "why"),
        [
            ([1500] * 5, 5, "too-few"),
            ([1500] * 6, 12, "one-sided"),
            ([1500] * 6, 0, "one-sided"),
            ([None] * 7, 4, "too-few"),
        ],
    )
    def test_none_by_jcf(self, opponents, points, why):
        working = first_rating("jcf-2024", opponents, points)
        assert (working.rating, working.why) == (None, why)

    def test_by_fide_with_two_draws_and_the_cap(self):
        assert first_rating("fide-2024", [1400, 1500, 1600, 1700, 1800], 5).rating == 1657
        assert first_rating("fide-2024", [2500] * 9, 18).rating == 2200
        assert first_rating("fide-2024", [1400] * 5, 1).why == "below-floor"

    def test_by_the_club(self):
        working = first_rating("hakodate", [1400, None, 1500], 3)
        assert (working.mean, working.rating, working.clause) == ((4400, 3), 1467, "HCC R6")
        assert first_rating("hakodate", [1500], 2).rating == 1900
        assert first_rating("hakodate", [1500], 0).rating == 1100

    def test_which_game_brought_the_points_changes_nothing(self):
        for book in ("ncs-2022", "jcf-2024", "fide-2024", "hakodate"):
            one = first_rating(book, [1300, 1500, 1700, 1900, 2100, 2300], 7)
            other = first_rating(book, [2300, 2100, 1900, 1700, 1500, 1300], 7)
            assert one.rating == other.rating


class TestPerformance:
    @pytest.mark.parametrize(
        ("opponents", "points", "rating"),
        [
            ([1400, 1500], 4, 2250),
            ([1400, 1500], 0, 650),
            ([1500], 1, 1500),
            ([1500, 1501], 2, 1501),
            ([0], 0, -800),
        ],
    )
    def test_mean_and_dp_rounded_once(self, opponents, points, rating):
        working = performance_books()[0].calculator.performance(opponents, points)
        assert (working.rating, working.clause) == (rating, "JCF 6(4)")


def of_an_event(own, games, played):
    """A point a game before and a point a result; a bonus of half a point."""
    total = 100 * (games + len(played)) + 50
    return EventForecast([Change(None, None, None, "X 1")] * len(played), total, 7, own + 7, 50)


BY_GAMES = Calculator(
    lambda own, opponent, score, games: Change(0, 50, 100 * games, "X 1"),
    BOOKS["hakodate"].calculator.first,
    BOOKS["hakodate"].calculator.new_rating,
    asks="games",
    event=of_an_event,
)


class TestWhatABookAsks:
    """K, how many games the own rating rests on, or nothing."""

    @pytest.mark.parametrize(
        ("book", "k", "games", "given"),
        [
            ("jcf-2024", 20, None, 20),
            ("hakodate", None, None, 0),
            (BY_GAMES, None, 0, 0),
            (BY_GAMES, None, 9, 9),
        ],
    )
    def test_is_given(self, book, k, games, given):
        calculator = BOOKS[book].calculator if isinstance(book, str) else book
        assert k_or_games(calculator, k, games) == given

    @pytest.mark.parametrize(
        ("book", "k", "games"),
        [
            *(("jcf-2024", k, games) for k, games in ((None, None), (None, 9), (20, 9))),
            *(("hakodate", k, games) for k, games in ((20, None), (None, 9))),
            *((BY_GAMES, k, games) for k, games in ((None, None), (20, None), (20, 9))),
        ],
    )
    def test_is_missing_or_out_of_place(self, book, k, games):
        calculator = BOOKS[book].calculator if isinstance(book, str) else book
        with pytest.raises(KOrGamesError) as said:
            k_or_games(calculator, k, games)
        assert said.value.asks == calculator.asks

    def test_a_book_that_rates_an_event_as_a_whole(self):
        found = event_forecast(BY_GAMES, 1500, 9, [(1600, 2), (None, 0)])
        assert (found.total, found.shift, found.new, found.bonus) == (1150, 7, 1507, 50)
        assert event_forecast(BOOKS["hakodate"].calculator, 1500, 0, [(1500, 2)]).bonus is None


def terms(white, black, **given):
    known = {"stones": None, "komi": None, "game_number": 101} | given
    return go_books()[0].terms(
        HALF_OF[white], HALF_OF[black], known["stones"], known["komi"], known["game_number"]
    )


class TestGoTerms:
    def test_regular_terms_are_even(self):
        found = terms("2d+", "2k")
        assert (found.regular, found.stronger, found.given) == ((4, 1), 1, (4, 1))
        assert (found.difference, found.upper) == (0, 0)
        assert found.white == found.black == (100, -100)

    def test_given_terms_make_a_difference(self):
        found = terms("2d+", "2k", stones=0, komi=-11)
        assert (found.difference, found.upper) == (60, 1)
        assert (found.white, found.black) == ((68, -132), (132, -68))

    def test_where_black_is_the_stronger_regular_is_even(self):
        found = terms("2k", "1d")
        assert (found.regular, found.stronger, found.given) == ((2, -11), -1, (0, 13))
        assert (found.difference, found.upper) == (48, -1)

    @pytest.mark.parametrize(("number", "win"), [(21, 150), (50, 150), (51, 120), (100, 120), (101, 100)])
    def test_the_multiplier_of_the_game(self, number, win):
        assert terms("5k", "5k", game_number=number).white == (win, -win)

    def test_beyond_three_ranks_nothing_is_rated(self):
        found = terms("9d", "9k")
        assert terms("9d", "9k", stones=9, komi=-11).white is None
        assert found.given == (9, -11)
        assert terms_facts(found)["white"] is None

    def test_the_sum_of_both_sides_is_nothing(self):
        for stones in (0, 2, 3):
            for komi in (-12, 0, 1, 13, 14):
                found = terms("3d", "1d+", stones=stones, komi=komi)
                if found.white is not None:
                    assert found.white[0] == -found.black[1]
                    assert found.white[1] == -found.black[0]

    def test_facts(self):
        assert terms_facts(terms("2d+", "2k", stones=0, komi=-11)) == {
            "regular": {"stones": 4, "komi": "0.5"},
            "given": {"stones": 0, "komi": "-5.5"},
            "difference": "5/2",
            "upper": "white",
            "white": {"win": 68, "loss": -132},
            "black": {"win": 132, "loss": -68},
        }


def test_a_first_fide_event_without_points_is_dropped():
    working = first_rating("fide-2024", [2500] * 5, 0)
    assert (working.rating, working.why) == (None, "no-points")
    assert first_rating("fide-2024", [2500] * 5, 1).rating is not None


class TestBooks:
    """No book answers for another one."""

    def test_by_what_they_answer(self):
        chess = {"fide-2024", "hakodate", "jcf-2024", "ncs-2022"}
        assert {book.name for book in chess_books()} >= chess
        assert not {book.name for book in chess_books()} & {book.name for book in go_books()}
        assert {book.name for book in performance_books()} & chess == {"jcf-2024"}
        assert "pandanet" in {book.name for book in go_books()}

    def test_a_reformed_book_answers_with_its_own_numbers(self):
        book = reform_book(BOOKS["jcf-2024"], {"limit": 100, "floor": 1200})
        assert book.calculator.change(1600, 1800, 2, 20).difference == -100
        assert event_forecast(book.calculator, 1210, 40, [(1200, 0)]).new == 1200
        assert event_forecast(BOOKS["jcf-2024"].calculator, 1210, 40, [(1200, 0)]).new < 1200
