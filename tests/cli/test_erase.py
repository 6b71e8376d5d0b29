"""banzuke erase: the bytes of a person go from the database's files, and a restored backup erases again."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from migrated_office import migrated

EXAMPLES = Path(__file__).parents[2] / "examples"
PLAYER = "J004"


def run(home, *words, url="", owner="", status=0, typed=""):
    env = os.environ | {"BANZUKE_HOME": str(home), "DATABASE_URL": url, "BANZUKE_OWNER_URL": owner}
    command = [sys.executable, "-m", "banzuke.cli.app", *map(str, words)]
    done = subprocess.run(
        command, env=env, input=typed, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def marked(folder):
    """The example's ledger, in which the player has a name and a birth date that occur nowhere else."""
    folder.mkdir()
    for path in (EXAMPLES / "japan").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    with (folder / "players.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows, columns = list(reader), reader.fieldnames
    for row in rows:
        if row["player_id"] == PLAYER:
            row |= {"name": "KAKUREMI Himitsu", "name_native": "隠見 秘密", "birth_date": "1977-03-19"}
    with (folder / "players.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return folder


MARKS = [text.encode() for text in ("KAKUREMI", "Himitsu", "隠見", "1977-03-19", "kakuremi")]


def files_with_marks(home):
    """The files of the office in which the person still is."""
    paths = [path for path in home.rglob("*") if path.is_file()]
    return sorted({path.name for path in paths for mark in MARKS if mark in path.read_bytes()})


def filled(home, tmp_path, url=""):
    run(home, "import-ledger", marked(tmp_path / "ledger"), "--pool", "japan", url=url)
    run(home, "publish", "japan", "2024-07", url=url)


@pytest.mark.slow
def test_no_byte_is_left_and_a_restored_backup_erases_again(tmp_path):
    home = migrated(tmp_path / "office")
    filled(home, tmp_path)
    run(home, "backup", tmp_path / "before.zip")
    assert files_with_marks(home) == ["office.db"]
    assert "not the id" in run(home, "erase", "japan", PLAYER, status=1, typed="J005\n")
    told = json.loads(run(home, "erase", "japan", PLAYER, "--yes", "--format", "json"))
    assert told | {"rows": 0} == {
        "pool": "japan",
        "ids": [PLAYER],
        "rows": 0,
        "files": 0,
        "bytes_gone": True,
    }
    assert files_with_marks(home) == []
    run(home, "verify", "--all")
    assert "erased already" in run(home, "erase", "japan", PLAYER, "--yes", status=1)
    again = migrated(tmp_path / "again")
    for name in ("office-key", "erased-ids"):
        (again / name).write_bytes((home / name).read_bytes())
        (again / name).chmod(0o600)
    run(again, "restore", tmp_path / "before.zip")
    assert files_with_marks(again) == []
    run(again, "verify", "--all")


def as_text(server, database):
    """Every row of every table of a database, as PostgreSQL writes them; bytes as the texts that they are."""
    psycopg = pytest.importorskip("psycopg")
    tables = "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'"
    with psycopg.connect(server.url(database)) as connected:
        found = [
            str(row)
            for table in connected.execute(tables).fetchone()[0].split()
            for row in connected.execute(f'SELECT "{table}"::text FROM "{table}"').fetchall()
        ]
    return re.sub(
        r"\\x([0-9a-f]+)", lambda hexed: bytes.fromhex(hexed[1]).decode("latin-1"), "\n".join(found)
    )


def office_on(server, database, home, *kept, like="template1"):
    """An office on a database whose tables another role owns: the addresses of its role and of the owner."""
    server.query(f"CREATE DATABASE {database} OWNER erasing_owner TEMPLATE {like}")
    at = server.url(database)
    owner = at.replace("//office@", "//erasing_owner@")
    url = at.replace("//office@", "//erasing_worker:secret@")
    home.mkdir(0o700)
    for path in kept:
        (home / path.name).write_bytes(path.read_bytes())
        (home / path.name).chmod(0o600)
    run(home, "database", "prepare", url=url, owner=owner)
    return url, owner


@pytest.mark.slow
def test_on_postgresql_the_owner_of_the_tables_erases(postgresql_server, tmp_path):
    postgresql_server.query("CREATE ROLE erasing_owner LOGIN CREATEROLE")
    home, again = tmp_path / "office", tmp_path / "again"
    url, owner = office_on(postgresql_server, "erasing", home)
    postgresql_server.query("CREATE DATABASE empty OWNER erasing_owner TEMPLATE erasing")
    filled(home, tmp_path, url)
    run(home, "backup", tmp_path / "before.zip", url=url)
    said = run(home, "erase", "japan", PLAYER, "--yes", url=url, status=2)
    assert "BANZUKE_OWNER_URL" in said
    marks = [mark.decode() for mark in MARKS]
    assert [mark for mark in marks if mark in as_text(postgresql_server, "erasing")] == marks
    run(home, "erase", "japan", PLAYER, "--yes", url=url, owner=owner)
    assert [mark for mark in marks if mark in as_text(postgresql_server, "erasing")] == []
    run(home, "verify", "--all", url=url)
    url, owner = office_on(
        postgresql_server, "again", again, home / "office-key", home / "erased-ids", like="empty"
    )
    said = run(again, "restore", tmp_path / "before.zip", url=url, status=2)
    assert "was erased since" in said
    assert "KAKUREMI" not in as_text(postgresql_server, "again")
    run(again, "restore", tmp_path / "before.zip", url=url, owner=owner)
    assert [mark for mark in marks if mark in as_text(postgresql_server, "again")] == []
    run(again, "verify", "--all", url=url)
