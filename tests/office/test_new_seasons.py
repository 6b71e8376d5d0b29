"""A new season of a Go pool: its rules, its players, and their standing as it is now."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from live_pool import KEY, game, go_pool, play
from published_office import erase, example

from banzuke.core.go_facts import GoPlayer
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.models import JournalEntry, LiveStanding
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.office.administration.new_seasons import open_season
from banzuke.office.administration.pools import TakenError
from banzuke.office.journal import Actor
from banzuke.office.live import accounts
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_verification import differing_standings
from banzuke.office.live.submission_queue import send

pytestmark = pytest.mark.django_db
CLERK, NEW_YEAR = Actor("clerk"), date(2026, 2, 1)


def states(pool):
    rows = LiveStanding.objects.filter(pool=pool).values_list("player_id", "state")
    return {player: state_from(state) for player, state in rows}


@pytest.fixture
def old():
    made = go_pool(
        ("sure", "1d+", 14_250, 300),
        ("fallen", "BC", None, 30),
        ("new", "3k"),
        ("bc", "BC"),
        ("pro", "3p"),
        ("bot", "1k"),
    )
    accounts.mark_robot(made, "bot", True, "", CLERK)
    play(made, game("g1", 1, "new", "sure", "B"), game("g2", 2, "sure", "bc", "B"))
    return made


def test_certified_players_keep_what_they_have_and_others_begin(old):
    before = states(old)
    opened = open_season(old, "go-2026", "Go 2026", NEW_YEAR, CLERK)
    now = states(opened.pool)
    assert (opened.players, opened.standings) == (6, 2)
    assert now["sure"]._replace(last_two=()) == before["sure"]._replace(last_two=())
    assert (now["fallen"].rank, now["fallen"].rated_games) == ("BC", 30)
    assert (now["new"].rank, now["new"].rated_games, now["new"].record) == ("3k?", 0, ())
    assert (now["bc"].rank, now["bc"].wins_in_bc, now["pro"].rank) == ("BC", 0, "3p")
    assert states(old) == before
    assert JournalEntry.objects.get(act="new-pool").what["source"] == "go"
    assert opened.pool.name == "Go 2026"


def test_its_ledger_checks_and_games_are_rated_as_by_rate(old, tmp_path):
    opened = open_season(old, "go-2026", "Go 2026", NEW_YEAR, CLERK)
    write_ledger(read_book(opened.pool), files_of(opened.pool), tmp_path / "out")
    assert len(read_ledger(tmp_path / "out").players) == 6
    late = game("n1", 0, "new", "sure", "B")._replace(ended=datetime(2026, 2, 2, tzinfo=UTC))
    send(opened.pool, [late, late._replace(game_id="n2", white="bot")], KEY)
    assert differing_standings(opened.pool) == []
    assert {each.robot for each in read_book(opened.pool).games} == {"", "white"}


def test_who_is_erased_does_not_come_over(old, settings, tmp_path):
    settings.HOME = tmp_path
    erase(old, "new")
    accounts.rename_player(old, "sure", "Another", "", CLERK)
    players = read_book(open_season(old, "go-2026", "Go", NEW_YEAR, CLERK).pool).players
    assert [each.player_id for each in players] == ["bc", "bot", "fallen", "pro", "sure"]
    assert players[-1] == GoPlayer("sure", "Another", "1d")


def test_not_of_chess_and_not_under_a_name_that_is_taken(old):
    with pytest.raises(NotLiveError):
        open_season(example("japan"), "japan-2026", "Japan", NEW_YEAR, CLERK)
    with pytest.raises(TakenError):
        open_season(old, "GO", "Go", NEW_YEAR, CLERK)
