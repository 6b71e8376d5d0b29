"""Terms that were regular by the ranks of shortly before a game ended: told, and nothing else."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from office.live_pool import KEY, START, game, go_pool, play, ranks_before_of_ledger

from banzuke.core.go_facts import Declaration
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import read_book
from banzuke.explanations import go_rank
from banzuke.office.live import pool_events
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.live_tables import LiveTables

DAY = 24 * 60
REVERSE, HALF, EVEN = -11, 1, 13
#: A win is enough for a promotion of the first, a loss for a demotion of the second.
RISING, FALLING = ("aoi", "2d", 14_750, 300), ("kei", "3d+", 15_450, 300)
CERTIFIED = (RISING, FALLING, ("mio", "3d", 15_400, 300), ("ren", "2d", 14_500, 300))


def told(pool, *ids):
    """The earlier ranks of those games as the live tables tell them."""
    stored = LiveTables(pool).games_by_id(ids)
    found = find_ranks_before(pool, [GameWithLines(stored[each].game, stored[each].lines) for each in ids])
    return [found[each]._asdict() if each in found else None for each in ids]


def points(pool, game_id):
    return tuple(line.points for line in LiveTables(pool).games_by_id([game_id])[game_id].lines)


@pytest.fixture
def pool(db):
    return go_pool(*CERTIFIED)


def rise(minute=0):
    """Black goes up from 2d to 2d+."""
    return game("up", minute, "aoi", "ren", "B")


def test_black_went_up_while_the_game_was_played(pool):
    """At a difference of one rank White gives 5.5: then d is 0; half a rank later Black is the stronger."""
    play(pool, rise(), game("G", 30, "aoi", "mio", "B", 0, REVERSE))
    assert told(pool, "up", "G") == [None, {"black": "2d", "white": "3d"}]
    assert points(pool, "G") == (92, -92)


def test_white_went_down_while_the_game_was_played(pool):
    """At a difference of 1½ ranks Black takes two stones and gives half a point: half a rank later too many."""
    play(pool, game("down", 0, "mio", "kei", "B"), game("G", 30, "ren", "kei", "W", 2, HALF))
    assert told(pool, "G") == [{"black": "2d", "white": "3d+"}]
    assert points(pool, "G") == (-108, 108), "White is the lower side now"


def test_both_changed(pool):
    play(
        pool,
        rise(),
        game("down", 1, "mio", "kei", "B"),
        game("G", 30, "aoi", "kei", "B", 2, HALF),  # by 2d and 3d+
    )
    assert told(pool, "G") == [{"black": "2d", "white": "3d+"}]


@pytest.mark.parametrize(
    ("minute", "stones", "komi"),
    [
        (DAY, 0, REVERSE),  # the change came a day before, not within one
        (30, 0, HALF),  # regular by the ranks at the end
        (30, 1, HALF),  # one stone is none
        (30, 0, EVEN),  # regular by no ranks that the two had
        (30, 0, 0),  # regular by no ranks at all
    ],
)
def test_nothing_is_told(pool, minute, stones, komi):
    play(pool, rise(), game("G", minute, "aoi", "mio", "B", stones, komi))
    assert told(pool, "G") == [None]


def test_a_moment_less_than_a_day_counts(pool):
    play(pool, rise(), game("G", DAY - 1, "aoi", "mio", "B", 0, REVERSE))
    assert told(pool, "G") == [{"black": "2d", "white": "3d"}]


@pytest.mark.parametrize(("others", "is_told"), [(4, True), (5, False)])
def test_a_change_many_games_ago_is_none_of_this_game(pool, others, is_told):
    """Nobody ends five games while one is played."""
    draws = [game(f"D{number}", 1 + number, "aoi", "kei", "draw") for number in range(others)]
    play(pool, rise(), *draws, game("G", 30, "aoi", "mio", "B", 0, REVERSE))
    assert (told(pool, "G") != [None]) == is_told


def test_the_weaker_takes_black(pool):
    """With the colours the other way round no terms are regular."""
    play(pool, rise(), game("G", 30, "mio", "aoi", "B", 0, REVERSE))
    assert told(pool, "G") == [None]


def test_a_rank_that_was_declared_meanwhile(db):
    pool = go_pool(("mio", "3d", 15_400, 300), ("sho", "1d"))
    ended = game("G", 60, "sho", "mio", "B", 2, REVERSE)
    for minute, rank in ((-30, "3k"), (10, "2d")):
        declared = Declaration("sho", START + timedelta(minutes=minute), rank)
        pool_events.add_declaration(pool, declared, KEY)
    play(pool, ended)
    assert told(pool, "G") == [None], "1d was before the last change but one"
    other = game("H", 61, "sho", "mio", "B", 5, REVERSE)
    play(pool, other)
    assert told(pool, "H") == [{"black": "3k?", "white": "3d"}]


def test_the_first_declaration_leads_back_to_the_rank_on_joining(db):
    pool = go_pool(("mio", "3d", 15_400, 300), ("sho", "1d"))
    pool_events.add_declaration(pool, Declaration("sho", START, "2d"), KEY)
    play(pool, game("G", 60, "sho", "mio", "B", 2, REVERSE))
    assert told(pool, "G") == [{"black": "1d?", "white": "3d"}]


def test_a_late_game_may_bring_the_change(pool):
    play(pool, game("G", 30, "aoi", "mio", "B", 0, REVERSE))
    assert told(pool, "G") == [None]
    play(pool, rise())
    assert told(pool, "G") == [{"black": "2d", "white": "3d"}]


@pytest.mark.parametrize("same_moment", [20, 30])
def test_many_games_of_one_moment(pool, same_moment):
    """Those that come after the game by their ids take no place of those before it."""
    after = [game(f"a{number}", same_moment, "aoi", "kei", "draw") for number in range(8)]
    play(pool, rise(), game("G", 30, "aoi", "mio", "B", 0, REVERSE), *after)
    assert (told(pool, "G") == [None]) == (same_moment == 20)
    assert told(pool, "a7") == [None]


@pytest.mark.parametrize("change", ["É", "é", "Z", "a", "b"])
def test_of_one_moment_the_ids_order_is_the_same_everywhere(pool, change):
    """Capitals come before small letters, and both before others, as in a ledger; locales say otherwise."""
    up = rise(30)._replace(game_id=change)
    play(pool, up, *[game(f"C{number}", 30, "aoi", "kei", "draw") for number in range(3)])
    many = [game(f"x{number}", 30, "aoi", "kei", "draw") for number in range(7)]
    play(pool, *many, game("c", 30, "aoi", "mio", "B", 0, REVERSE))
    assert (told(pool, "c") != [None]) == (change in ("Z", "a", "b"))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_working_says_it(pool, lang):
    play(pool, rise(), game("G", 30, "aoi", "mio", "B", 0, REVERSE))
    found = go_rank.explain(read_book(pool), "aoi", None, lang, None)
    texts = [sentence.text for section in found.sections for sentence in section.sentences]
    said = [text for text in texts if ("正規の手合割だった" if lang == "ja" else "regular terms by") in text]
    assert len(said) == 1
    assert " G" in texts[texts.index(said[0]) - 1], "it comes after the game"
    assert all(rank in said[0] for rank in ("2d", "3d"))


@pytest.mark.parametrize("apart", [20, 0.02])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_the_live_tables_and_the_ledger_tell_the_same(db, seed, apart):
    """`apart`: minutes between two games; where it is small, many end in the same second."""
    rng, book = random.Random(seed), BOOKS["pandanet"]
    pool = go_pool(*CERTIFIED, ("sho", "1d"), ("uta", "2d"), ("yui", "BC"), ("zen", "3p"))
    players = ["aoi", "kei", "mio", "sho", "uta", "yui"]
    games = []
    for number in range(100):
        minute = int(60 * apart * number) / 60
        if rng.random() < 0.5:
            player, rank = rng.choice(["sho", "uta", "yui", "aoi"]), rng.choice(["3d", "2d", "1d", "1k"])
            at = START + timedelta(minutes=minute - rng.choice([0, 10]))
            pool_events.add_declaration(pool, Declaration(player, at, rank), KEY)
        black, white = rng.sample(players, 2)
        terms = book.regular_terms(rng.randrange(5))
        games.append(game(f"G{number}", minute, black, white, rng.choice("BW"), *terms))
    play(pool, *games[:60], *games[70:], *games[60:70])
    expected = ranks_before_of_ledger(pool)
    ids = [each.game_id for each in games]
    assert told(pool, *ids) == [expected[each]._asdict() if each in expected else None for each in ids]
    assert [told(pool, each)[0] for each in ids] == told(pool, *ids), "one by one as together"
    assert expected
