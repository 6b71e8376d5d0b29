"""`banzuke consume`: the queue at the command line."""

from __future__ import annotations

import getpass
import json

import pytest
from command_runs import banzuke
from office.live_pool import go_pool
from office.test_game_queue import duel, put
from web.small_office import small_pool

from banzuke.database.models import GoGame, JournalEntry, QueuedGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300))


def test_what_waits_is_taken(pool):
    put(duel("G1", 1), duel("G1", 1), duel("G2", 2))
    ran = banzuke("consume", "go", "--once")
    assert (ran.status, ran.lines[-1]) == (0, "In all: 2 games taken, 1 that were there already, 0 refused.")
    assert GoGame.objects.count() == 2
    assert banzuke("consume", "--once", "--format", "json").json == {
        "total": True,
        "taken": 0,
        "there": 0,
        "refused": 0,
    }


@pytest.mark.parametrize(
    ("lang", "end", "why"),
    [("en", "says why", "nobody"), pytest.param("ja", "理由は", "nobody", marks=pytest.mark.slow)],
)
def test_what_is_refused_is_shown_put_again_and_dropped(pool, lang, end, why):
    put(duel("G1\u202e", 1), duel("G2", 1, white="nobody"), pool="go")
    ran = banzuke("consume", "--once", lang=lang)
    assert (ran.status, end in ran.lines[-1]) == (1, True)
    shown = banzuke("consume", "--refused", lang=lang)
    assert (shown.status, why in shown.out, "\u202e" in shown.out) == (0, True, False)
    facts = banzuke("consume", "--refused", "go", "--format", "json", lang=lang).json
    assert {row["fault"] for row in facts} >= {"unknown-player"}
    (row,) = [row["number"] for row in facts if row["fault"] == "unknown-player"]
    assert banzuke("consume", "--again", "--row", row, "--format", "json").json == {"rows": 1}
    assert banzuke("consume", "--once").status == 1
    assert banzuke("consume", "--drop").status == 0
    assert not QueuedGame.objects.exists()
    assert set(JournalEntry.objects.values_list("who", flat=True)) == {getpass.getuser()}
    assert len(banzuke("consume", "--refused", lang=lang).lines) == 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("--once", "--drop"), 2, "not several"),
        (("--row", "1"), 2, "--again or --drop"),
        (("goo",), 1, "there are: chess, go"),
        (("chess",), 2, "pool of chess"),
    ],
)
def test_errors_say_what_would_be_right(pool, words, status, said):
    small_pool("japan", "chess")
    ran = banzuke("consume", *words)
    assert (ran.status, said in ran.err) == (status, True), ran.err


def test_figures_come_from_time_to_time(pool, monkeypatch):
    from banzuke.cli import consume

    monkeypatch.setattr(consume, "EVERY", 0)
    put(duel("G1", 1))
    first, last = map(json.loads, banzuke("consume", "--once", "--format", "json").lines)
    assert (first["taken"], first["longest_wait"] < 60, last["total"]) == (1, True, True)
    put(duel("G2", 1))
    assert "1 game taken" in banzuke("consume", "--once").out
