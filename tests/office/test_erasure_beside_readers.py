"""Erasing on PostgreSQL beside who reads or writes the same tables in another order."""

from __future__ import annotations

import random
import subprocess
import time

import psycopg
import pytest
from office import live_service
from postgresql_server import BINARIES

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not BINARIES, reason="no PostgreSQL here")]
WAITS = (
    "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype IN ('relation', 'tuple', 'transactionid')"
)
FIRST = {
    "a reader": "SELECT count(*) FROM book_goplayer",
    "a writer": "SELECT id FROM book_pool WHERE slug = 'go' FOR UPDATE",
}


@pytest.mark.parametrize("who", FIRST)
def test_nobody_ends_for_a_deadlock(who, tmp_path, database_url):
    (tmp_path / "office").mkdir(0o700)
    live_service.made_ledger(tmp_path / "opening", 5, random.Random(1))
    service = live_service.Service(tmp_path / "office", database_url)
    service.open(tmp_path / "opening")
    player = live_service.name_of(1)
    with psycopg.connect(database_url) as other, psycopg.connect(database_url, autocommit=True) as looking:
        other.execute(FIRST[who])
        erasing = subprocess.Popen(
            [*live_service.COMMAND, "erase", "go", player, "--yes"],
            env=service.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + live_service.PATIENCE
        while not looking.execute(WAITS).fetchone()[0]:
            assert time.monotonic() < until
            assert erasing.poll() is None, erasing.communicate()
            time.sleep(0.02)
        for table in ("book_contact", "book_entry", "book_goopening", "book_player"):
            other.execute(f"SELECT count(*) FROM {table}")
        other.commit()
    said, wrong = erasing.communicate(timeout=live_service.PATIENCE)
    assert erasing.returncode == 0, wrong
    assert "erased" in said
