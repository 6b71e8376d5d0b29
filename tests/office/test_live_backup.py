"""The live standings through imports, and through a backup and what is restored of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from migrated_office import migrated

EXAMPLE = Path(__file__).parents[2] / "examples" / "go-server"
OPEN = """
import json
from datetime import UTC, datetime, timedelta
from banzuke.server.office_opening import open_office
open_office()
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_book
from banzuke.core.go_facts import GoGame
from banzuke.office.live import submission_queue as sendings, pool_events as taking
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.live_codec import line_text
from banzuke.engine.go_history import history, opening
pool = models.Pool.objects.get(slug="go")
NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)

def game(number, hours):
    at = NOON + timedelta(hours=hours)
    return GoGame(f"s{number}", at, "aosagi", "donguri", "B", 0, 13, 19, 99, pair=False)

def kept():
    rows = models.LiveGame.objects.filter(pool=pool).order_by("pk")
    seats = models.LiveStanding.objects.filter(pool=pool).order_by("player_id")
    return {
        "games": list(rows.values_list("pk", "game_id", "black_line", "white_line", "stands")),
        "seats": list(seats.values_list("player_id", "state", "strength", "at", "game_id")),
        "entry": models.LivePool.objects.get(pool=pool).entry,
    }

def is_batch():
    rated = history(ledger := read_book(pool), opening(ledger), None)
    must = {each.game.game_id: (line_text(each.black), line_text(each.white)) for each in rated}
    return must == {row[1]: row[2:4] for row in kept()["games"] if row[4]}
"""
FILL = """
assert models.LivePool.objects.get(pool=pool).entry == last_entry(pool) and is_batch()
sendings.send(pool, [game(n, n) for n in range(5)], "server")
sendings.send(pool, [game(9, -9000)], "server")
taking.void_game(pool, "s2", "server", "a mistake")
print(json.dumps(kept()))
"""
AFTER = """
print(json.dumps(kept()))
assert is_batch()
numbers = [row[0] for row in kept()["games"]]
sendings.send(pool, [game(20, 20), game(21, -8000)], "server")
assert is_batch()
assert [row[0] for row in kept()["games"]][: len(numbers)] == numbers
"""


def run(home, *words):
    env = os.environ | {"BANZUKE_HOME": str(home), "DATABASE_URL": "", "BANZUKE_LANG": "en"}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def office(home, *words):
    return run(home, "-m", "banzuke.cli.app", *words)


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """An office into which a ledger was imported, with games sent since; and what it keeps of them."""
    home = migrated(tmp_path_factory.mktemp("live"))
    office(home, "import-ledger", EXAMPLE, "--pool", "go")
    return home, json.loads(run(home, "-c", OPEN + FILL))


@pytest.mark.slow
def test_an_import_leaves_them_ready_and_a_backup_carries_them_with_their_numbers(served, tmp_path):
    home, kept = served
    assert len(kept["games"]) > len({row[1] for row in kept["games"]})
    office(home, "backup", tmp_path / "full.zip")
    office(migrated(tmp_path / "new"), "restore", "--foreign", tmp_path / "full.zip")
    assert json.loads(run(tmp_path / "new", "-c", OPEN + AFTER)) == kept
    for each in (home, tmp_path / "new"):
        office(each, "verify", "--all")


@pytest.mark.slow
def test_where_they_are_missing_they_are_made_again(served, tmp_path):
    """As in an office that is restored from before there were any."""
    home, kept = served
    office(home, "backup", tmp_path / "full.zip")
    office(migrated(tmp_path / "new"), "restore", "--foreign", tmp_path / "full.zip")
    without = """
for model in (models.LiveGame, models.LiveStanding, models.LivePool):
    model.objects.all().delete()
synchronise(pool)
assert is_batch()
print(json.dumps(kept()["seats"]))
"""
    assert json.loads(run(tmp_path / "new", "-c", OPEN + without)) == kept["seats"]
