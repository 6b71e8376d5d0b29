"""Where a Go player stands now: lines and how far, what comes next, and from what the book says."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from live_pool import KEY, NOW, POOL_TOML, START, game, go_pool, play
from repeated import entered_pool

from banzuke.core import go_facts
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import Contact, GoGame, LiveGame, LivePool
from banzuke.office.fact_rows import TABLES, strike
from banzuke.office.live import go_rules, live_pool, pool_events
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.go_standing import Thresholds, find_standing, has_player

pytestmark = pytest.mark.django_db

#: A table of the operator's own: lines 1,000 points apart.
ZONE = "\n".join(
    f'[[rank]]\nrank = "{rank}"\ndown = {1000 * half - 500}\nstart = {1000 * half + 100}\n'
    + (f"up = {1000 * half + 1000}\n" if rank != "9d+" else "")
    for half, rank in enumerate(go_facts.RANK_NAMES)
)

OWN_TABLE = {"pool.toml": POOL_TOML + 'border_zone = "zone.toml"\n', "zone.toml": ZONE}


def line_of(pool, player):
    found = find_standing(pool, player, NOW)
    return found.state.rank, found.state.points, found.lines


def test_example_7_points_between_the_lines_and_across_them(db):
    pool = go_pool(("one", "14k+", 2790, 150), ("two", "14k+", 2990, 150))
    assert line_of(pool, "one") == ("14k+", 2790, Thresholds(3200, 410, 2600, 190, ""))
    play(pool, game("G1", 1, "one", "two", "W"))
    assert line_of(pool, "one") == ("14k+", 2690, Thresholds(3200, 510, 2600, 90, ""))
    play(pool, game("G2", 2, "one", "two", "W"))
    assert line_of(pool, "one") == ("14k", 2590, Thresholds(2800, 210, 2200, 390, ""))
    play(pool, game("G3", 3, "two", "one", "W", 0, 1))
    rank, points, lines = line_of(pool, "one")
    assert (rank, lines.up, lines.to_up) == ("14k", 2800, 2800 - points)


@pytest.mark.parametrize(
    ("games", "number", "tenths"), [(20, 21, 15), (49, 50, 15), (50, 51, 12), (99, 100, 12), (100, 101, 10)]
)
def test_the_multiplier_of_the_next_rated_game(games, number, tenths):
    found = find_standing(go_pool(("one", "5k", 9700, games)), "one", NOW)
    assert found.prospects[:2] == (number, tenths)
    assert found.prospects[2:] == (None, None)


def test_the_highest_rank_has_no_promotion_line():
    found = find_standing(go_pool(("one", "9d+", 20_500, 300)), "one", NOW)
    assert found.lines == Thresholds(None, None, 20_200, 300, "")


def test_who_is_not_certified():
    pool = go_pool(("new", "4k"), ("low", "BC"), ("pro", "3p"), ("old", "4k", 10_500, 300))
    new, low, pro = (find_standing(pool, player, NOW) for player in ("new", "low", "pro"))
    assert (new.lines, *new.prospects) == (None, None, None, 20, None)
    assert (low.lines, *low.prospects) == (None, None, None, None, 5)
    assert (pro.lines, *pro.prospects) == (None,) * 5
    play(
        pool,
        game("G1", 1, "new", "old", "B"),
        game("G2", 2, "low", "old", "B"),
    )
    assert find_standing(pool, "new", NOW).prospects.to_certification == 19
    assert find_standing(pool, "low", NOW).prospects.to_lowest_rank == 4


def test_when_somebody_played_or_declared_last():
    pool = go_pool(("new", "4k"), ("old", "4k", 10_500, 300), ("away", "4k"))
    play(pool, game("G1", 7, "new", "old", "B"))
    assert find_standing(pool, "old", NOW).last_at == game("", 7, "", "", "B").ended
    assert find_standing(pool, "away", NOW).last_at is None
    pool_events.add_declaration(pool, go_facts.Declaration("away", START, "3k"), KEY)
    assert find_standing(pool, "away", NOW).last_at == START


def test_places_are_shared_by_who_is_equal():
    pool = go_pool(
        ("a", "5k", 9700, 30), ("b", "4k", 10_500, 30), ("c", "5k", 9700, 90), ("d", "5k"), ("e", "BC")
    )
    places = [find_standing(pool, player, NOW).place for player in "abcde"]
    assert places == [2, 1, 2, 4, 5]


def test_a_member_who_is_shown_by_id_only():
    pool = go_pool(("one", "5k", 9700, 30))
    assert find_standing(pool, "one", NOW).person.name == "One"
    entry = open_entry(pool, Act("clerk", "contact"))
    Contact.objects.create(entry=entry, pool=pool, player_id="one", by_id_only=True)
    assert find_standing(pool, "one", NOW).person == ("one", "", "")


def test_the_operators_own_table_is_named():
    found = find_standing(go_pool(("one", "5k", 24_200, 30), more=OWN_TABLE), "one", NOW)
    assert found.lines == Thresholds(25_000, 800, 23_500, 700, "zone.toml")


def test_nobody():
    pool = go_pool(("one", "5k", 9700, 30))
    assert find_standing(pool, "nobody", NOW) is None
    assert has_player(pool, "one")
    assert not has_player(pool, "nobody")


class TestUpToDate:
    """Facts that others enter are taken in by who reads next."""

    def test_games_of_a_report(self):
        pool = go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300))
        assert find_standing(pool, "one", NOW).state.points == 9700
        entry = open_entry(pool, Act("officer", "report"))
        add_facts(entry, TABLES[go_facts.GoGame], [game("G1", 1, "one", "two", "B")])
        assert find_standing(pool, "one", NOW).state.points == 9800
        assert LivePool.objects.get(pool=pool).entry == entry.pk

    def test_what_is_up_to_date_is_not_taken_in_again(self, monkeypatch, django_assert_num_queries):
        pool = go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300))
        play(pool, game("G1", 1, "one", "two", "B"))

        def never(_pool):
            raise AssertionError

        monkeypatch.setattr(live_pool, "lock_current_pool", never)
        assert find_standing(pool, "one", NOW).state.points == 9800
        with django_assert_num_queries(1):  # the rules, which are not kept within a transaction
            live_pool.synchronise(pool)

    def test_a_struck_game_is_gone(self):
        pool = go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300))
        play(pool, game("G1", 1, "one", "two", "B"))
        strike(
            open_entry(pool, Act("officer", "correction")),
            go_facts.GoGame,
            GoGame.objects.get().pk,
            date(2026, 1, 1),
        )
        assert find_standing(pool, "one", NOW).state.points == 9700
        assert not LiveGame.objects.filter(stands=True).exists()

    def test_other_rules_count_from_then_on(self):
        pool = go_pool(("one", "5k", 9700, 300))
        assert find_standing(pool, "one", NOW).lines.source == ""
        entry = open_entry(pool, Act("clerk", "rules-changed"))
        for name, text in OWN_TABLE.items():
            entry.files.create(name=name, text=text)
        assert find_standing(pool, "one", NOW).lines.source == "zone.toml"

    def test_a_pool_of_chess(self, chess_pool):
        assert not go_rules.is_live(chess_pool)
        with pytest.raises(NotLiveError):
            find_standing(chess_pool, "J004", NOW)


@pytest.fixture
def chess_pool(db):
    return entered_pool("hakodate", Path(__file__).parents[2] / "examples" / "hakodate", "clerk")
