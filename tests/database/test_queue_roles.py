"""The queue of games on PostgreSQL: who may insert, as docs/large-servers.md prints it, and how a consumer is woken."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from office import live_service

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "go-server"
ROLE, GAME = re.findall(
    r"```sql\n(.*?)```", (ROOT / "docs" / "large-servers.md").read_text("utf-8"), re.DOTALL
)
#: On the page she has joined before.
GAME = GAME.replace("mizuho", "tetsubin")


NAMES = iter(range(1, 99))


@pytest.fixture
def office(database_url, tmp_path):
    """An office on PostgreSQL with a pool of Go, and the address by which a program inserts."""
    import psycopg

    service = live_service.Service(tmp_path / "office", database_url)
    service.home.mkdir(0o700)
    service.run("import-ledger", EXAMPLE, "--pool", "go", "--without-games")
    role = f"goserver{next(NAMES)}"
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(ROLE.replace("goserver", role))
    return service, database_url.replace("//office@", f"//{role}:...@")


def test_a_program_may_insert_and_no_more(office):
    import psycopg

    service, address = office
    role = address.partition("//")[2].partition(":")[0]
    with psycopg.connect(address, autocommit=True) as program:
        program.execute(GAME)
        with program.cursor().copy("COPY book_queuedgame (pool, game) FROM STDIN") as copy:
            copy.write_row(("go", re.search(r"'(\{.*\})'", GAME, re.DOTALL)[1].replace("8817", "8818")))
        for forbidden in (
            "SELECT game FROM book_queuedgame",
            "DELETE FROM book_queuedgame",
            "UPDATE book_queuedgame SET pool = 'other'",
            "INSERT INTO book_queuedgame (pool, game, author) VALUES ('go', '{}', 'officer')",
            "INSERT INTO book_queuedgame (id, pool, game) VALUES (1, 'go', '{}')",
            "SELECT * FROM book_pool",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                program.execute(forbidden)
        for wrong in (f"('go', '{'x' * 4_001}')", "(NULL, '{}')", "('go', NULL)", f"('{'x' * 51}', '{{}}')"):
            with pytest.raises((psycopg.DataError, psycopg.IntegrityError)):
                program.execute(f"INSERT INTO book_queuedgame (pool, game) VALUES {wrong}")
    assert "2 games taken" in service.run("consume", "--once")
    service.run("export-ledger", "go", service.home / "ledger")
    assert (service.home / "ledger" / "games.csv").read_text().count("\n8817,") == 1
    with psycopg.connect(service.environment["DATABASE_URL"]) as owner:
        entry = owner.execute("SELECT author, act FROM book_entry ORDER BY id DESC LIMIT 1").fetchone()
    assert entry == (f"queue:{role}", "games")
    assert "gap" not in service.run("verify", "--all")


def test_whoever_waits_is_woken(office):
    """Not by the look that comes every second: a game stands sooner, each time."""
    import psycopg

    service, address = office
    command = [sys.executable, "-m", "banzuke.cli.app", "consume"]
    consumer = subprocess.Popen(
        command, env=service.environment | {"BANZUKE_LANG": "en"}, stdout=subprocess.PIPE
    )
    try:
        assert b"Taking games" in consumer.stdout.readline()
        took = []
        with (
            psycopg.connect(address, autocommit=True) as program,
            psycopg.connect(service.environment["DATABASE_URL"], autocommit=True) as owner,
        ):
            for number in range(6):
                time.sleep(0.3)
                program.execute(GAME.replace("8817", f"W{number}"))
                begun = time.monotonic()
                while not owner.execute(
                    "SELECT 1 FROM book_livegame WHERE game_id = %s", [f"W{number}"]
                ).fetchone():
                    assert time.monotonic() - begun < 30
                    time.sleep(0.005)
                took.append(time.monotonic() - begun)
            assert sorted(took)[2] < 0.5, took
            time.sleep(0.2)
            held = owner.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        assert held == (1,)
    finally:
        consumer.terminate()
        assert consumer.wait(30) == 0
    assert b"In all: 6 games taken" in consumer.stdout.read()


def test_a_pool_that_is_written_holds_no_other_up(office):
    import psycopg

    service, address = office
    service.run("import-ledger", EXAMPLE, "--pool", "other", "--without-games")
    url = service.environment["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as program, psycopg.connect(url) as writer:
        program.execute(GAME)
        program.execute(GAME.replace("'go'", "'other'"))
        writer.execute("SELECT 1 FROM book_pool WHERE slug = 'go' FOR UPDATE")
        command = [sys.executable, "-m", "banzuke.cli.app", "consume"]
        consumer = subprocess.Popen(command, env=service.environment)
        try:
            assert _stands(url, "other")
            assert not _stands(url, "go", 0)
            writer.rollback()
            assert _stands(url, "go")
        finally:
            consumer.terminate()
            assert consumer.wait(30) == 0


def _stands(url, pool, seconds=60):
    """Whether a game of a pool stands within some seconds."""
    import psycopg

    until = time.monotonic() + seconds
    with psycopg.connect(url, autocommit=True) as database:
        while True:
            found = database.execute(
                "SELECT 1 FROM book_livegame JOIN book_pool ON book_pool.id = pool_id WHERE slug = %s", [pool]
            ).fetchone()
            if found or time.monotonic() > until:
                return bool(found)
            time.sleep(0.05)
