"""A new pool whose rows come in by turns on SQLite: nobody sees it before the last, and nothing of it stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.urls import reverse
from migrated_office import migrated

from banzuke.database import book_writer
from banzuke.database.guards import gaps
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import (
    Entry,
    GoGame,
    GoPlayer,
    HiddenPool,
    LiveGame,
    LiveStanding,
    NameWord,
    Pool,
    PoolFile,
    Role,
)
from banzuke.office.administration import hidden_pools, pools
from banzuke.office.administration.api_keys import find_access, make_key
from banzuke.office.administration.backup import back_up
from banzuke.office.administration.pools import TakenError, check_free, open_from_folder
from banzuke.office.journal import Actor
from banzuke.office.live import pool_writer, whole_standings
from banzuke.office.live.live_verification import differing_standings
from banzuke.office.transparency.logged_rows import changed_rows, log_new_rows

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = EXAMPLES / "go-server"
PROGRAM = Path(__file__).with_name("killed_import.py")
WRITTEN = (
    Pool.with_hidden,
    *(each.objects for each in (Entry, PoolFile, GoGame, GoPlayer, LiveGame, LiveStanding)),
)


class _PowerCutError(Exception):
    pass


@pytest.fixture
def by_small_turns(transactional_db, monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("rows come in one transaction")
    monkeypatch.setattr(book_writer, "CHUNK", 50)
    monkeypatch.setattr(whole_standings, "GAMES_AT_ONCE", 50)
    monkeypatch.setattr(hidden_pools, "OUT_AT_A_TURN", 50)
    yield
    NameWord.objects.all().delete()  # no table that is closed can be emptied after a test
    for pool in Pool.objects.all():
        HiddenPool.objects.create(pool=pool)
    hidden_pools.remove_abandoned_pools()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")  # in other tests numbers begin with 1


def cut_off(monkeypatch, *, killed):
    """An import that stops before its last turn; one that is killed takes nothing out."""

    def fail(*_):
        raise _PowerCutError

    with monkeypatch.context() as patch:
        patch.setattr(pool_writer.PoolWriter, "retire_struck", fail)
        if killed:
            patch.setattr(hidden_pools, "_take_out", lambda _: None)
        with pytest.raises(_PowerCutError):
            open_from_folder("go", FOLDER, "clerk")


@pytest.mark.slow
@pytest.mark.usefixtures("by_small_turns")
class TestTurns:
    def test_nobody_sees_it_before_its_last_turn(self, monkeypatch):
        seen, opened = [], pools.open_standings

        def look(pool, *given):
            opened(pool, *given)
            has_games = LiveGame.objects.filter(pool=pool).exists()
            seen.append((Pool.objects.count(), Pool.with_hidden.count(), has_games))

        monkeypatch.setattr(pools, "open_standings", look)
        pool = open_from_folder("go", FOLDER, "clerk")
        assert seen == [(0, 1, True)]
        assert Pool.objects.get() == pool
        assert not HiddenPool.objects.exists()
        assert differing_standings(pool) == []
        assert [(entry.author, entry.act) for entry in pool.entries.all()] == [("clerk", "import-ledger")]

    def test_nothing_stays_of_one_that_fails(self, monkeypatch):
        cut_off(monkeypatch, killed=False)
        assert [rows.count() for rows in WRITTEN] == [0] * len(WRITTEN)
        assert not gaps()

    def test_what_a_killed_one_left_is_taken_out_by_the_next(self, monkeypatch):
        cut_off(monkeypatch, killed=True)
        assert not Pool.objects.exists()
        assert all(rows.exists() for rows in WRITTEN)
        pool = open_from_folder("go", FOLDER, "clerk")
        assert Pool.with_hidden.get() == pool
        assert {entry.pool for entry in Entry.objects.all()} == {pool}
        assert differing_standings(pool) == []
        assert not gaps()

    def test_another_word_leaves_it_to_the_worker_which_takes_it_out_little_by_little(self, monkeypatch):
        cut_off(monkeypatch, killed=True)
        before = GoGame.objects.count()
        check_free("other")
        assert GoGame.objects.count() == before
        looks = 0
        while HiddenPool.objects.exists():
            hidden_pools.remove_abandoned_pools(0)
            looks += 1
        assert looks > 5
        assert [rows.count() for rows in WRITTEN] == [0] * len(WRITTEN)

    def test_what_is_seen_is_never_taken_out(self):
        pool = open_from_folder("go", FOLDER, "clerk")
        before = [rows.count() for rows in WRITTEN]
        hidden_pools._take_out(pool.pk)
        hidden_pools.remove_abandoned_pools()
        assert [rows.count() for rows in WRITTEN] == before


@pytest.mark.django_db
class TestHiding:
    @pytest.fixture
    def hidden(self):
        pool = enter_folder("go", FOLDER, "clerk")
        HiddenPool.objects.create(pool=pool)
        return pool

    def test_its_word_is_taken(self, hidden):
        for word in ("go", "GO"):
            with pytest.raises(TakenError):
                check_free(word)

    def test_no_key_opens_it(self, hidden):
        user = User.objects.create(username="officer")
        Role.objects.create(user=user, kind=Role.Kind.ADMINISTRATOR)
        key = make_key("all", user, None, ["read", "games"], None, Actor("clerk")).text
        assert find_access(key, "go").pool is None
        hidden_pools.show_pool(hidden)
        assert find_access(key, "go").pool == hidden

    def test_no_page_names_it(self, hidden, client):
        assert client.get("/go/").status_code == 404
        first = client.get(reverse("public-pools"))
        assert "/go/" not in first.text
        hidden_pools.show_pool(hidden)
        assert client.get("/go/").status_code == 200
        after = client.get(reverse("public-pools"), headers={"If-None-Match": first["ETag"]})
        assert "/go/" in after.text
        assert "Last-Modified" not in first

    def test_the_log_waits(self, hidden):
        enter_folder("hakodate", EXAMPLES / "hakodate", "clerk")
        assert log_new_rows() is None
        hidden_pools.show_pool(hidden)
        assert log_new_rows() is not None
        assert list(changed_rows()) == []

    def test_a_backup_is_without_it(self, hidden, tmp_path):
        enter_folder("hakodate", EXAMPLES / "hakodate", "clerk")
        back_up(tmp_path / "hidden.zip", Actor("clerk"))
        with zipfile.ZipFile(tmp_path / "hidden.zip") as archive:
            rows = {name: archive.read(f"book.{name}.jsonl").splitlines() for name in ("pool", "poolfile")}
            assert [json.loads(row)[1] for row in rows["pool"]] == ["hakodate"]
            assert len(rows["poolfile"]) == 1
            assert archive.read("book.gogame.jsonl") == b""
            assert "book.hiddenpool.jsonl" not in archive.namelist()


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_killed_at_every_turn_and_again_while_taken_out(request, tmp_path, database):
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env["BANZUKE_HOME"] = str(migrated(tmp_path))
    if database == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("database_url")
    done = subprocess.run(
        [sys.executable, PROGRAM, "200"], env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
