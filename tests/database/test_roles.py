"""The office works in a database that belongs to another role, and cannot open what is closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from banzuke.database.append_only import CLOSED

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = iter(range(1, 99))


def office(home, *words, url, owner="", status=0):
    env = os.environ | {"BANZUKE_HOME": str(home), "DATABASE_URL": url, "BANZUKE_LANG": "en"}
    env["BANZUKE_OWNER_URL"] = owner
    command = [sys.executable, "-m", "banzuke.cli.app", *map(str, words)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def two_roles(postgresql_server):
    """The address of an empty database as its owner, and as a role that is not there yet."""
    number = next(NAMES)
    owner, worker, database = (f"{name}{number}" for name in ("owner", "worker", "two_roles"))
    postgresql_server.query(f"CREATE ROLE {owner} LOGIN CREATEROLE")
    postgresql_server.query(f"CREATE DATABASE {database} OWNER {owner}")
    at = postgresql_server.url(database)
    return at.replace("//office@", f"//{owner}@"), at.replace("//office@", f"//{worker}:secret@")


def test_the_office_works_and_cannot_open_what_is_closed(two_roles, tmp_path):
    import psycopg

    owner, url = two_roles
    assert "may not bring the database up to date" not in office(
        tmp_path, "database", "prepare", url=url, owner=owner
    )
    assert not any(tmp_path.iterdir()), "it needs no signing key, and makes none"
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("INSERT INTO django_migrations VALUES (DEFAULT, 'book', '0999_future', now())")
        for words in (["database", "prepare"], ["verify", "--all"]):
            assert "0999_future" in office(tmp_path, *words, url=url, owner=owner, status=2)
        connection.execute("DELETE FROM django_migrations WHERE name = '0999_future'")
    office(tmp_path, "database", "prepare", url=url, owner=owner)  # as after an upgrade
    office(tmp_path, "import-ledger", EXAMPLES / "hakodate", "--pool", "club", url=url)
    office(tmp_path, "import-ledger", EXAMPLES / "go-server", "--pool", "go", url=url)
    office(tmp_path, "backup", tmp_path / "b.zip", url=url)
    with psycopg.connect(url, autocommit=True) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM book_game").fetchone()
        tables = [f"book_{table}" for table in CLOSED]
        statements = [
            statement
            for table in tables
            for statement in (
                f"UPDATE {table} SET id = id",
                f"DELETE FROM {table}",
                f"TRUNCATE {table} CASCADE",
                f"ALTER TABLE {table} DISABLE TRIGGER ALL",
                f"DROP TRIGGER {table}_stays ON {table}",
                f"CREATE TRIGGER mine BEFORE INSERT ON {table} EXECUTE FUNCTION book_refuse()",
                f"CREATE RULE mine AS ON INSERT TO {table} DO INSTEAD NOTHING",
                f"DROP TABLE {table} CASCADE",
                f"ALTER TABLE {table} RENAME TO mine",
                f"ALTER TABLE {table} OWNER TO current_user",
                f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
                f"CREATE INDEX mine ON {table} (id)",
            )
        ]
        owner_name = owner.partition("//")[2].partition("@")[0]
        statements += [
            "SET session_replication_role = replica",
            f"SET ROLE {owner_name}",
            f"GRANT {owner_name} TO current_user",
            "CREATE OR REPLACE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "DROP FUNCTION book_refuse() CASCADE",
            "DROP SCHEMA public CASCADE",
            "CREATE TABLE public.mine (id int)",
            "CREATE EXTENSION dblink",
            "COPY book_pool TO PROGRAM 'true'",
            "UPDATE pg_trigger SET tgenabled = 'D'",
            "ALTER ROLE current_user SUPERUSER",
            "DELETE FROM django_migrations",
            "INSERT INTO django_migrations (app, name, applied) VALUES ('book', 'x', now())",
        ]
        for statement in statements:
            with pytest.raises(psycopg.errors.Error):
                connection.execute(statement)
        assert connection.execute("SELECT count(*) FROM book_game").fetchone() == (rows,)


def test_an_office_of_one_role_becomes_one_of_two(postgresql_server, two_roles, tmp_path):
    owner, url = two_roles
    worker = url.partition("//")[2].partition(":")[0]
    database = url.rpartition("/")[2]
    postgresql_server.query(f"CREATE ROLE {worker} LOGIN")
    postgresql_server.query(f"ALTER DATABASE {database} OWNER TO {worker}")
    office(tmp_path, "import-ledger", EXAMPLES / "hakodate", "--pool", "club", url=url)
    told = office(tmp_path, "database", "prepare", url=url, owner=owner, status=2)
    assert f'run: GRANT "{worker}" TO ' in told
    postgresql_server.query(told.partition("run: ")[2].partition(";")[0])
    office(tmp_path, "database", "prepare", url=url, owner=owner)
    office(tmp_path, "import-ledger", EXAMPLES / "hakodate", "--pool", "again", url=url)


def test_a_changed_password_reaches_the_role(postgresql_server, two_roles, tmp_path):
    import psycopg

    owner, url = two_roles
    worker = url.partition("//")[2].partition(":")[0]

    def prepared(password):
        office(tmp_path, "database", "prepare", url=url.replace(":secret@", f"{password}@"), owner=owner)
        with psycopg.connect(postgresql_server.url()) as connection:
            kept = "SELECT rolpassword FROM pg_authid WHERE rolname = %s"
            return connection.execute(kept, [worker]).fetchone()

    before = prepared(":secret")
    assert before[0].startswith("SCRAM-SHA-256$")
    assert prepared("") == before
    assert prepared(":it's%20new") != before


def test_a_password_that_the_owner_may_not_change_is_for_a_superuser(
    postgresql_server, two_roles, monkeypatch
):
    from django.db import ProgrammingError

    from banzuke.database import roles

    class ForbiddenError(Exception):
        sqlstate = roles.FORBIDDEN

    def refuse(*_args, **_words):
        raise ProgrammingError from ForbiddenError

    monkeypatch.setattr(roles, "_run", refuse)
    monkeypatch.setattr(roles, "_signs_in", lambda *_: True)
    roles._change_password("worker", "right")
    monkeypatch.setattr(roles, "_signs_in", lambda *_: False)
    with pytest.raises(roles.NotAllowedError) as refused:
        roles._change_password("worker", "wrong")
    assert str(refused.value) == """ALTER ROLE "worker" PASSWORD '...'"""


def test_what_cannot_be_prepared_is_said(postgresql_server, two_roles, tmp_path):
    owner, url = two_roles
    assert "BANZUKE_OWNER_URL" in office(tmp_path, "database", "prepare", url=url, status=2)
    assert "two databases" in office(tmp_path, "database", "prepare", url=url, owner=f"{owner}x", status=2)
    assert "the same role" in office(tmp_path, "database", "prepare", url=owner, owner=owner, status=2)
    worker = url.partition("//")[2].partition(":")[0]
    postgresql_server.query(f"CREATE ROLE {worker} LOGIN CREATEROLE")
    assert "could still take" in office(tmp_path, "database", "prepare", url=url, owner=owner, status=2)
    postgresql_server.query(f"ALTER ROLE {worker} NOCREATEROLE")
    office(tmp_path, "database", "prepare", url=url, owner=owner)
    postgresql_server.query(f"DROP DATABASE {url.rpartition('/')[2]}")
    name = owner.partition("//")[2].partition("@")[0]
    postgresql_server.query(f"CREATE DATABASE {url.rpartition('/')[2]} OWNER {name}")
    told = office(tmp_path, "backup", tmp_path / "b.zip", url=url, status=2)
    assert (
        "permission denied for schema public). Its owner does: run `banzuke database prepare` with " in told
    )
    assert "BANZUKE_OWNER_URL" in told


def test_on_sqlite_triggers_are_put_back(tmp_path):
    import sqlite3

    from migrated_office import migrated

    home = migrated(tmp_path / "home")
    with sqlite3.connect(home / "office.db") as database:
        database.execute("DROP TRIGGER book_game_no_update")
    office(home, "database", "prepare", url="")
    with sqlite3.connect(home / "office.db") as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'book_game_no_%'").fetchall()
    assert len(names) == 3
