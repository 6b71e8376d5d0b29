"""What the operator of a Go server is told of how the service does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from live_pool import KEY, game, go_pool, play

from banzuke.core.fault import fault
from banzuke.core.go_facts import GoGame
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.office.fact_rows import TABLES
from banzuke.office.live import pool_events, service_figures
from banzuke.office.live import service_figures as module
from banzuke.office.live.service_figures import figures

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 1, 3, 12, tzinfo=UTC)


def ended(pool, game_id, ago, **more):
    one = game(game_id, 0, "one", "two", "B", **more)
    play(pool, one._replace(ended=NOW - ago))


@pytest.fixture
def pool():
    return go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300), ("three", "4k"))


def test_recent_games(pool):
    for number, seconds in enumerate((90_000, 80_000, 3_000, 130, 70, 30, 10)):
        ended(pool, f"G{number}", timedelta(seconds=seconds))
    found = figures(pool, NOW).recent
    assert (found.minute, found.hour, found.day) == (2, 5, 6)
    assert len(found.minutes) == 60
    assert found.minutes[0][0] == NOW - timedelta(hours=1)
    assert [count for _, count in found.minutes[-3:]] == [1, 1, 2]
    assert sum(count for _, count in found.minutes) == 5


def test_games_rated_again_count_once(pool):
    for number in range(3):
        ended(pool, f"G{number}", timedelta(seconds=30 - number))
    pool_events.void_game(pool, "G0", KEY, "")
    assert figures(pool, NOW).recent.hour == 3


def test_no_more_are_counted_than_the_most(pool, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    for number in range(3):
        ended(pool, f"G{number}", timedelta(seconds=30 - number))
    assert figures(pool, NOW).recent[:3] == (2, 2, 2)


def test_delays(pool):
    assert figures(pool, NOW).delays is None
    now = datetime.now(UTC)
    for number in range(3):
        play(
            pool,
            game(f"G{number}", 0, "one", "two", "B")._replace(
                ended=now - timedelta(seconds=60 - 10 * number)
            ),
        )
    found = figures(pool, now).delays
    assert found.games == 3
    assert timedelta(seconds=50) <= found.middle < timedelta(seconds=55)
    assert timedelta(seconds=60) <= found.longest < timedelta(seconds=65)


def test_what_waits_and_what_there_is(pool):
    ended(pool, "G1", timedelta(seconds=30))
    entry = open_entry(pool, Act("officer", "report"))
    add_facts(entry, TABLES[GoGame], [game("G2", 1, "one", "two", "B")])
    found = figures(pool, NOW)
    assert (found.waiting, found.players, found.games) == (1, 3, 2)
    assert found.edition.zone.source == ""


def test_refusals_the_last_first(pool):
    for number in range(25):
        service_figures.note_refusal(
            pool, KEY, 422, fault("games", number, "black", "unknown-player", id="x")
        )
    found = figures(pool, NOW).refusals
    assert [each.fault.line for each in found][:2] == [24, 23]
    assert len(found) == 20
