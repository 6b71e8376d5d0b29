"""Terms before a game of two Go players, by the worked examples of the rule page and beyond them."""

from __future__ import annotations

import pytest
from live_pool import NOW, game, go_pool, play

from banzuke.core.go_facts import BEGINNER
from banzuke.office.live.game_terms import GameTerms, NoSuchPlayerError, SamePlayerError, find_terms
from banzuke.office.live.players_now import read_players

pytestmark = pytest.mark.django_db

#: 24ths in a rank.
RANK = 24


def terms_now(pool, black, white, *rest):
    return find_terms(read_players(pool, {black, white}), black, white, *rest)


def moved(found):
    """What White's win moves, Black's side and White's, and what Black's does."""
    return tuple(
        side.points
        for outcome in (found.if_white_wins, found.if_black_wins)
        for side in (outcome.black, outcome.white)
    )


def verdicts(found):
    return tuple(
        side.verdict
        for outcome in (found.if_white_wins, found.if_black_wins)
        for side in (outcome.black, outcome.white)
    )


@pytest.fixture
def certified(db):
    """A maker of a pool of two certified players, Black and White, by rank; with as many rated games."""

    def make(black, white, of_black=300, of_white=300):
        halves = {"2k": 30, "1k": 32, "1d": 34, "1d+": 35, "2d+": 37, "3d": 38}
        return go_pool(
            ("black", black, 400 * halves[black] + 100, of_black),
            ("white", white, 400 * halves[white] + 100, of_white),
        )

    return make


@pytest.mark.parametrize(
    ("white", "stones", "komi", "size", "verdict"),
    [
        ("1d", 0, 1, 36, "rated"),
        ("1d", 2, 1, 12, "rated"),
        ("2d+", 0, 1, 72, "rated"),
        ("2d+", 0, 13, 84, "not:difference"),
    ],
)
def test_example_1_of_the_document(certified, white, stones, komi, size, verdict):
    found = terms_now(certified("2k", white), "black", "white", NOW, stones, komi)
    assert (found.difference, found.upper) == (size, "white")
    assert set(verdicts(found)) == {verdict}


def test_example_2_even_ranks_and_each_sides_own_multiplier(certified):
    found = terms_now(certified("1d+", "1d+", of_black=30), "black", "white", NOW)
    assert found.regular == found.given == GameTerms("black", "white", 0, 13)
    assert (found.difference, found.upper) == (0, "")
    assert moved(found) == (-150, 100, 150, -100)


def test_example_3_half_a_rank(certified):
    found = terms_now(certified("2d+", "3d"), "black", "white", NOW, 0, 13)
    assert (found.difference, found.upper) == (RANK // 2, "white")
    assert moved(found) == (-92, 92, 108, -108)
    assert found.regular == GameTerms("black", "white", 0, 1)


def test_example_4_the_komi_slide(certified):
    found = terms_now(certified("2d+", "3d", of_white=59), "black", "white", NOW, 0, 7)
    assert found.difference == RANK // 4
    assert moved(found) == (-96, 115, 104, -125)


def test_example_5_too_much_of_a_handicap_makes_black_the_upper_side(certified):
    found = terms_now(certified("2k", "1k"), "black", "white", NOW, 3, 1)
    assert (found.difference, found.upper) == (36, "black")
    assert moved(found) == (-122, 122, 78, -78)


class TestExample6:
    """Against who is not certified: bonus for a win, nothing for a loss."""

    def test_a_provisional_opponent(self, db):
        found = terms_now(go_pool(("black", "5k", 9700, 200), ("white", "4k")), "black", "white", NOW)
        assert found.if_black_wins.black.points == 50
        assert found.if_black_wins.black.verdict == "bonus"
        assert found.if_white_wins.black.points is None
        assert found.if_white_wins.black.verdict == "not:provisional"
        assert found.if_white_wins.white.verdict == "rated"
        assert found.if_white_wins.white.after.rated_games == 1

    @pytest.mark.parametrize(("rank", "points", "moves"), [("9k+", 6900, None), ("9k", 6500, 50)])
    def test_the_beginners_class(self, db, rank, points, moves):
        found = terms_now(go_pool(("black", rank, points, 200), ("white", "BC")), "black", "white", NOW)
        assert found.if_black_wins.black.points == moves
        assert (found.regular, found.difference, found.upper) == (None, None, "")
        assert found.white.kind == BEGINNER

    def test_no_bonus_after_two_games_that_were_not_rated(self, db):
        pool = go_pool(("black", "9k", 6500, 200), ("white", "BC"))
        play(pool, *(game(f"G{number}", number, "black", "white", "W") for number in range(2)))
        assert terms_now(pool, "black", "white", NOW).if_black_wins.black.points is None


def test_a_professional(db):
    found = terms_now(go_pool(("black", "5k", 9700, 200), ("white", "3p")), "black", "white", NOW)
    assert set(verdicts(found)) == {"not:professional"}
    assert found.given == GameTerms("black", "white", 0, 13)
    assert found.regular is None


def test_reverse_komi_and_who_takes_white(certified):
    pool = certified("1d", "3d")
    found = terms_now(pool, "black", "white", NOW)
    assert found.regular == found.given == GameTerms("black", "white", 2, -11)
    assert found.given.is_reverse
    turned = terms_now(pool, "white", "black", NOW)
    assert turned.regular == GameTerms("black", "white", 2, -11)
    assert turned.given == GameTerms("white", "black", 0, 13)
    assert (turned.difference, turned.upper) == (48, "white")


def test_the_rank_after(certified):
    """1d+ at 14,390 points rises with 100 more."""
    pool = go_pool(("black", "1d+", 14_390, 300), ("white", "1d+", 14_100, 300))
    found = terms_now(pool, "black", "white", NOW)
    assert found.if_black_wins.black.after.rank == "2d"
    assert found.if_white_wins.black.after.rank == "1d+"


def test_nothing_is_written(certified):
    pool = certified("1d", "3d")
    terms_now(pool, "black", "white", NOW)
    again = terms_now(pool, "black", "white", NOW)
    assert again.black.points == 13_700


def test_who_is_not_there(certified):
    pool = certified("1d", "3d")
    with pytest.raises(NoSuchPlayerError) as refused:
        terms_now(pool, "black", "nobody", NOW)
    assert refused.value.player == "nobody"
    with pytest.raises(SamePlayerError):
        terms_now(pool, "black", "black", NOW)
