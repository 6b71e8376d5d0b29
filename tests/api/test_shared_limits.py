"""The limits that the API prints hold for all processes of an office together."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from migrated_office import migrated

from banzuke.server.shared_cache import SharedCache

#: One process of an office: asks the API so often, all in one minute, and prints how often it was answered.
ASKING = """
import sys, time
time.time = lambda: 1_800_000_000.0
from banzuke.server.office_opening import open_office
open_office()
from django.contrib.auth import get_user_model
from django.test import Client
if not get_user_model().objects.exists():
    get_user_model().objects.create_user("keeper")
client = Client(SERVER_NAME="localhost")
answers = [client.get("/api/v1/pools").status_code for _ in range(int(sys.argv[1]))]
print(answers.count(200), answers.count(429))
"""
THREADS, EACH = 4, 50


@pytest.fixture
def counts(tmp_path):
    """A maker of caches on one file, as each process and thread has its own."""
    return lambda: SharedCache(str(tmp_path / "counts.db"), {})


def asked(home, times):
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return subprocess.Popen(
        [sys.executable, "-c", ASKING, str(times)],
        env=env | {"BANZUKE_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
def test_two_processes_have_one_limit(tmp_path):
    migrated(tmp_path)
    assert asked(tmp_path, 20).communicate(timeout=120)[0] == "20 0\n"
    both = [asked(tmp_path, 80), asked(tmp_path, 80)]
    said = [tuple(map(int, process.communicate(timeout=120)[0].split())) for process in both]
    assert tuple(map(sum, zip(*said, strict=True))) == (100, 60)


def test_nothing_is_lost_when_many_count_at_once(counts):
    counts().set("asked", 0)

    def count():
        mine = counts()
        for _ in range(EACH):
            mine.incr("asked")

    threads = [threading.Thread(target=count) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts().get("asked") == THREADS * EACH


def test_one_of_many_adds(counts):
    assert [counts().add("lock", 1) for _ in range(3)] == [True, False, False]
    assert counts().delete("lock")
    assert not counts().delete("lock")
    assert counts().add("lock", 1)


def test_what_has_ended_is_not_there_and_goes(counts, monkeypatch):
    cache = counts()
    cache.set("for-ever", [1.5, 2], None)
    cache.set("a-minute", 7, 60)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 61)
    assert (cache.get("for-ever"), cache.get("a-minute")) == ([1.5, 2], None)
    with pytest.raises(ValueError, match="a-minute"):
        cache.incr("a-minute")
    cache.add("new", 1)
    assert cache._counts.execute("SELECT count(*) FROM counts").fetchone() == (2,)
    cache.clear()
    assert cache.get("for-ever") is None


def test_where_nothing_can_be_counted_nobody_is_turned_away(tmp_path):
    cache = SharedCache(str(tmp_path / "missing" / "counts.db"), {})
    assert cache.add("lock", 1)
    cache.set("asked", 1)
    assert cache.get("asked", "nothing") == "nothing"
    with pytest.raises(ValueError, match="asked"):
        cache.incr("asked")


def test_nor_where_what_is_counted_cannot_be_written(counts, monkeypatch):
    """The disk is full: SQLite says so only when the rows of a change are fetched."""
    cache = counts()
    cache.add("asked", 0)

    class Full:
        rowcount = 1

        def execute(self, *_):
            return self

        def fetchall(self):
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setitem(vars(cache), "_counts", Full())
    with pytest.raises(ValueError, match="asked"):
        cache.incr("asked")
    assert cache.add("other", 0)
    assert cache.get("asked", 7) == 7
