"""An annulled game that is restored: everything is as if it had never been annulled; it may be annulled again."""

from __future__ import annotations

from datetime import date

import pytest
from office.live_pool import game, go_pool, play

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import read_book
from banzuke.database.models import Entry, GoVoid, JournalEntry, LiveStanding
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
from banzuke.office.live import live_verification, pool_events
from banzuke.office.live.live_pool import lock_current_pool
from banzuke.office.live.whole_standings import rebuild
from banzuke.office.refusals import AnnulmentPublishedError, NoReasonError, NotAnnulledError

pytestmark = pytest.mark.django_db
OFFICER = Actor("officer")


@pytest.fixture
def pool():
    made = go_pool(("ann", "2d", 50, 30), ("bob", "1d", 40, 30), ("cat", "1d", 60, 30))
    play(
        made,
        game("g1", 10, "bob", "ann", "B"),
        game("g2", 20, "cat", "bob", "W"),
        game("g3", 30, "cat", "ann", "B"),
    )
    return made


def standings(pool):
    rows = LiveStanding.objects.filter(pool=pool).order_by("player_id")
    return list(rows.values_list("player_id", "state", "rung", "strength"))


def games(pool):
    return [(each.game_id, each.result) for each in read_book(pool).games]


def annul(pool, game_id="g1"):
    pool_events.annul_game(pool, game_id, "a bot", OFFICER)


def restore(pool, game_id="g1", why="no bot"):
    return pool_events.restore_game(pool, game_id, why, OFFICER)


def test_all_is_as_if_it_had_never_been_annulled(pool):
    before, played = standings(pool), games(pool)
    annul(pool)
    assert standings(pool) != before
    restore(pool)
    assert (standings(pool), games(pool)) == (before, played)
    assert live_verification.differing_standings(pool) == []
    entry = Entry.objects.latest("pk")
    assert (entry.act, entry.author, entry.why) == ("game-restored", "officer", "no bot")
    assert JournalEntry.objects.get(act="game-restored").what["game"] == "g1"


def test_it_may_be_annulled_again_and_the_book_made_anew_says_the_same(pool):
    annul(pool)
    once = standings(pool)
    restore(pool)
    annul(pool)
    assert (standings(pool), GoVoid.objects.count()) == (once, 2)
    assert dict(games(pool))["g1"] == "void"
    with lock_current_pool(pool) as writer:
        rebuild(writer, Entry.objects.latest("pk").pk)
    assert standings(pool) == once
    assert live_verification.differing_standings(pool) == []


def test_as_of_an_entry_before_it_is_annulled_still(pool):
    annul(pool)
    position = Entry.objects.latest("pk").pk
    restore(pool)
    assert {each.result for each in read_book(pool, position).games if each.game_id == "g1"} == {"void"}


def test_only_what_is_annulled_and_with_a_reason(pool):
    with pytest.raises(NotAnnulledError):
        restore(pool)
    annul(pool)
    with pytest.raises(NoReasonError):
        restore(pool, why=" ")
    restore(pool)
    with pytest.raises(NotAnnulledError):
        restore(pool)
    with pytest.raises(RefusedError):
        annul(pool, "none")


def test_not_once_a_list_is_published_without_the_game(pool):
    annul(pool)
    (name, *_) = names_of(read_book(pool))
    publish(pool, name, OFFICER, date(2026, 3, 1))
    with pytest.raises(AnnulmentPublishedError) as told:
        restore(pool)
    assert told.value.facts["list"] == name
    assert pool_events.find_annulment(pool, "g1").why_not is not None
