"""A player's games, and the feed of what was rated."""

from __future__ import annotations

import pytest
from live_pool import KEY, NOW, game, go_pool, play

from banzuke.office.live import pool_events
from banzuke.office.live import rated_games as played_module
from banzuke.office.live.go_standing import find_standing
from banzuke.office.live.rated_games import changes_after, games_of_player, is_counted

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    """`one` and `two` play, of equal rank; `three` plays `one` once."""
    found = go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300), ("three", "4k"))
    play(
        found,
        game("G1", 1, "one", "two", "B"),
        game("G2", 2, "two", "one", "B"),
        game("G3", 3, "three", "one", "W"),
        game("G4a", 4, "two", "one", "draw"),
        game("G4b", 4, "one", "two", "W", board=9),
    )
    return found


def ids(page):
    return [one.game.game_id for one in page.games]


def test_the_newest_first_with_both_sides(pool):
    page = games_of_player(pool, "one")
    assert ids(page) == ["G4b", "G4a", "G3", "G2", "G1"]
    assert page.next == ""
    lines = [(one.line("one").verdict, one.line("one").points) for one in page.games]
    assert lines == [
        ("not:board", None),
        ("not:result", None),
        ("bonus", 50),
        ("rated", -100),
        ("rated", 100),
    ]
    third = page.games[2]
    assert (third.line("one").player, third.opponents_line("one").player) == ("one", "three")
    assert third.opponents_line("one").verdict == "rated"
    assert third.line("one").opponent_before == third.opponents_line("one").before
    assert [one.number for one in page.games] == [
        each.number for each in reversed(changes_after(pool, 0, 100))
    ]


def test_pages(pool):
    pages, after = [], ""
    while True:
        page = games_of_player(pool, "one", after, 2)
        pages.append(ids(page))
        after = page.next
        if not after:
            break
    assert pages == [["G4b", "G4a"], ["G3", "G2"], ["G1"]]
    assert ids(games_of_player(pool, "three")) == ["G3"]
    assert games_of_player(pool, "nobody") == ([], "")
    with pytest.raises(LookupError):
        games_of_player(pool, "one", "G9")


def test_games_of_one_moment_go_by_their_ids_whatever_the_database(pool):
    play(pool, *(game(name, 9, "one", "two", "draw") for name in ("b", "C", "a", "D", "é")))
    pages, after = [], ""
    for _ in range(3):
        page = games_of_player(pool, "one", after, 2)
        pages += ids(page)
        after = page.next
    assert pages == ["é", "b", "a", "D", "C", "G4b"]
    assert ids(games_of_player(pool, "one", limit=6)) == pages


def test_those_that_counted_and_those_that_did_not(pool):
    assert ids(games_of_player(pool, "one", counted=True)) == ["G3", "G2", "G1"]
    assert ids(games_of_player(pool, "one", counted=False)) == ["G4b", "G4a"]
    first = games_of_player(pool, "one", limit=1, counted=True)
    assert (ids(first), first.next) == (["G3"], "G3")
    assert ids(games_of_player(pool, "one", first.next, counted=True)) == ["G2", "G1"]


def test_of_many_games_a_page_ends_where_enough_were_looked_through(pool, monkeypatch):
    monkeypatch.setattr(played_module, "MOST_LOOKED_THROUGH", 3)
    page = games_of_player(pool, "one", counted=False)
    assert (ids(page), page.next) == (["G4b", "G4a"], "G3")
    assert games_of_player(pool, "one", page.next, counted=False) == ([], "")


def test_what_counts():
    pool = go_pool(("low", "BC"), ("one", "12k", 4200, 300), ("new", "12k"))
    play(
        pool,
        game("G1", 1, "low", "one", "B"),
        game("G2", 2, "low", "one", "W"),
        game("G3", 3, "new", "one", "B", moves=1, fault="white"),
    )
    sides = {one.game.game_id: one for one in games_of_player(pool, "one").games}
    assert [is_counted(sides["G1"].line(player)) for player in ("low", "one")] == [True, False]
    assert [is_counted(sides["G2"].line(player)) for player in ("low", "one")] == [False, True]
    assert [is_counted(sides["G3"].line(player)) for player in ("new", "one")] == [False, True]


class TestFeed:
    def test_in_the_order_of_rating(self, pool):
        every = changes_after(pool, 0, 100)
        assert [each.game_id for each in every] == ["G1", "G2", "G3", "G4a", "G4b"]
        assert not any(each.is_again for each in every)
        assert [each.number for each in every] == sorted(each.number for each in every)
        assert changes_after(pool, every[1].number, 2) == every[2:4]
        assert changes_after(pool, every[-1].number, 100) == []

    def test_what_is_rated_again_is_told_again(self, pool):
        last = changes_after(pool, 0, 100)[-1].number
        pool_events.void_game(pool, "G1", KEY, "played twice")
        again = changes_after(pool, last, 100)
        assert again[0].game_id == "G1"
        assert all(each.is_again for each in again)
        assert (again[0].black.verdict, again[0].black.points) == ("not:result", None)
        assert again[-1].black.after.points == find_standing(pool, again[-1].black.player, NOW).state.points
        first = games_of_player(pool, "one").games[-1]
        assert (first.game.result, first.number) == ("void", again[0].number)

    def test_a_late_game(self, pool):
        last = changes_after(pool, 0, 100)[-1].number
        play(pool, game("G0", 0, "two", "one", "B"))
        again = {each.game_id: each.is_again for each in changes_after(pool, last, 100)}
        assert again["G0"] is False
        assert again["G1"] is True
