"""banzuke erase: the bytes of a person go from the database's files, and a restored backup erases again."""

from __future__ import annotations

import csv
import json
import os
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
    run(home, "publish", "japan", "2025-05", url=url)


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


@pytest.mark.slow
def test_a_role_that_does_not_own_the_tables_is_told_what_to_do(postgresql_server, tmp_path):
    postgresql_server.query("CREATE ROLE erasing_owner LOGIN CREATEROLE")
    postgresql_server.query("CREATE DATABASE erasing OWNER erasing_owner")
    at = postgresql_server.url("erasing")
    owner, url = (
        at.replace("//office@", "//erasing_owner@"),
        at.replace("//office@", "//erasing_worker:secret@"),
    )
    home = tmp_path / "office"
    home.mkdir(0o700)
    run(home, "database", "prepare", url=url, owner=owner)
    filled(home, tmp_path, url)
    said = run(home, "erase", "japan", PLAYER, "--yes", url=url, status=2)
    assert "BANZUKE_OWNER_URL" in said
    run(home, "erase", "japan", PLAYER, "--yes", url=url, owner=owner)
    run(home, "verify", "--all", url=url)
