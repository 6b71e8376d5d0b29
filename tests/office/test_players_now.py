"""Players of a Go pool as one statement reads them: who they are to the public, and that others' seats stay out."""

from __future__ import annotations

import pytest
from live_pool import go_pool

from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, GoPlayer, GoRobot, Merge
from banzuke.office.live.players_now import read_players
from banzuke.office.public_names import by_id_only, go_people, names_in_register

pytestmark = pytest.mark.django_db

PLAYERS = ("one", "two", "three", "four", "five")


@pytest.fixture
def pool():
    go_pool(*((player, "3k") for player in PLAYERS), slug="other")
    return go_pool(*((player, "5k") for player in PLAYERS))


def contact(pool, player, *, hidden):
    entry = open_entry(pool, Act("clerk", "contact"))
    Contact.objects.create(entry=entry, pool=pool, player_id=player, by_id_only=hidden)


def merge(pool, kept, merged, *, undone=False):
    entry = open_entry(pool, Act("clerk", "merge"))
    Merge.objects.create(entry=entry, pool=pool, kept=kept, merged=merged, undone=undone)


def named(pool):
    """The names of all, by whichever way."""
    there = read_players(pool, PLAYERS)
    hidden = by_id_only(pool)
    register = names_in_register(pool, PLAYERS)
    expected = {player: "" if player in hidden else known.name for player, known in register.items()}
    assert there.people == go_people(pool, PLAYERS)
    assert {player: known.name for player, known in there.people.items()} == expected
    return "".join("-" if not expected[player] else expected[player][0] for player in PLAYERS)


def test_names_are_the_newest(pool):
    assert named(pool) == "OTTFF"
    entry = open_entry(pool, Act("clerk", "rename-player"))
    for name in ("Zoe", "Ann"):
        GoPlayer.objects.create(
            entry=entry, pool=pool, player_id="one", name=name, declared="5k", professional=False
        )
    assert named(pool) == "ATTFF"


def test_whoever_is_shown_by_id_only_until_that_is_taken_back(pool):
    contact(pool, "one", hidden=True)
    contact(pool, "two", hidden=False)
    contact(pool, "three", hidden=True)
    assert named(pool) == "-T-FF"
    contact(pool, "three", hidden=False)
    assert named(pool) == "-TTFF"


def test_whoever_was_put_together_with_one_who_is(pool):
    contact(pool, "one", hidden=True)
    merge(pool, "one", "two")
    merge(pool, "two", "three")
    merge(pool, "five", "four")
    assert named(pool) == "---FF"
    merge(pool, "two", "three", undone=True)
    assert named(pool) == "--TFF"


def test_the_pool_alone_where_nobody_is_found(pool):
    GoRobot.objects.create(
        entry=open_entry(pool, Act("clerk", "robot")), pool=pool, player_id="one", robot=True
    )
    there = read_players(pool, ["nobody"], with_last_rows=True)
    assert (there.seats, there.people, there.robots.now) == ({}, {}, {"one"})
    assert len(there.last_rows) == 4
    assert there.rules.is_go


def test_seats_are_of_this_pool(pool):
    found = read_players(pool, ["one", "two", "nobody"])
    assert {player: seat.state.rank for player, seat in found.seats.items()} == {"one": "5k?", "two": "5k?"}
    assert found.last_rows == ()
