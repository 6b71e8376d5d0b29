"""Pools into the book and out of it from the command line."""

from __future__ import annotations

import getpass

import pytest
from command_runs import EXAMPLES, banzuke, no_traceback, outside
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from repeated import entered_pool

from banzuke.database.models import Entry
from banzuke.ledger.folder import read_ledger
from banzuke.server.office_folder import make_files_private

pytestmark = pytest.mark.django_db


def test_in_and_out_again(tmp_path):
    entered = banzuke("import-ledger", EXAMPLES / "japan", "--pool", "japan")
    assert entered.out == f"japan: entered (entry {Entry.objects.get().pk}).\n"
    assert Entry.objects.get().author == getpass.getuser()
    written = banzuke("export-ledger", "japan", tmp_path / "out", lang="ja")
    assert written.out == f"japan：{tmp_path / 'out'}に書き出しました。\n"
    assert read_ledger(tmp_path / "out") == read_ledger(EXAMPLES / "japan")


def test_a_go_pool_as_it_opens(tmp_path):
    banzuke("import-ledger", EXAMPLES / "go-server", "--pool", "go", "--without-games")
    banzuke("export-ledger", "go", tmp_path / "out")
    found, whole = read_ledger(tmp_path / "out"), read_ledger(EXAMPLES / "go-server")
    assert (found.games, found.declarations) == ([], [])
    assert (found.pool, found.players, found.standings) == (whole.pool, whole.players, whole.standings)
    chess = banzuke("import-ledger", EXAMPLES / "japan", "--pool", "japan", "--without-games")
    assert (chess.status, "name that of a Go pool" in chess.err) == (2, True)


def test_as_json(tmp_path):
    entered = banzuke("import-ledger", EXAMPLES / "hakodate", "--pool", "club", "--format", "json").json
    assert (entered["pool"], entered["entry"]) == ("club", Entry.objects.get().pk)
    written = banzuke("export-ledger", "club", tmp_path / "out", "--format", "json").json
    assert written == {"pool": "club", "dir": str(tmp_path / "out")}


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("import-ledger", EXAMPLES / "japan", "--pool", "japan"), 2, "'japan' is already used by a pool"),
        (
            ("import-ledger", EXAMPLES / "japan", "--pool", "office"),
            2,
            "'office' is already used by a pool or by the",
        ),
        (("import-ledger", EXAMPLES / "japan", "--pool", "日本"), 2, "'日本' cannot be a pool's name"),
        (("import-ledger", EXAMPLES / "japan", "--pool", "a/b"), 2, "'a/b' cannot be a pool's name"),
        (("export-ledger", "nobody", "out"), 1, "There is no pool 'nobody'; there are: japan"),
        (("export-ledger", "japan", EXAMPLES), 2, f"{EXAMPLES} already exists"),
    ],
)
def test_what_is_refused(tmp_path, monkeypatch, words, status, said):
    monkeypatch.chdir(tmp_path)
    entered_pool("japan", EXAMPLES / "japan")
    ran = banzuke(*words)
    assert (ran.status, ran.out, list(tmp_path.iterdir())) == (status, "", [])
    assert ran.err.startswith(said)


def test_a_ledger_that_does_not_check(ledger_folder):
    folder = ledger_folder("japan")
    (folder / "players.csv").write_text("player_id,name\nJ1,\n", "utf-8")
    ran = banzuke("import-ledger", folder, "--pool", "japan")
    assert ran.status == 2
    assert ran.err.startswith("players.csv:2: name: ")
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("postgres://office@127.0.0.1:1/none", marks=pytest.mark.slow),
        "sqlite:////proc/none/office.db",
    ],
)
def test_a_database_that_cannot_be_opened(url, tmp_path):
    ran = outside(
        "export-ledger", "japan", "out", cwd=tmp_path, DATABASE_URL=url, BANZUKE_HOME=str(tmp_path / "home")
    )
    assert ran.status == 2
    assert no_traceback(ran).startswith("The office's database cannot be opened (")


def test_a_database_that_a_newer_version_has_had(tmp_path):
    MigrationRecorder.Migration.objects.create(app="book", name="0999_future")
    acts = [["export-ledger", "japan", tmp_path / "out"], ["verify", "--all"]]
    if connection.vendor == "sqlite":  # PostgreSQL's owner is asked for first
        acts.append(["database", "prepare"])
    for words in acts:
        ran = banzuke(*words)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(
            "A newer version of Banzuke has brought the office's database up to date (0999"
        )


def test_files_that_an_earlier_version_left_open_are_closed(tmp_path, settings):
    settings.HOME = home = tmp_path / "home"
    home.mkdir(0o700)
    database, elsewhere, other = home / "office.db", tmp_path / "a.db", tmp_path / "other"
    for path in (database, elsewhere, other):
        path.touch()
        path.chmod(0o644)
    (home / "link").symlink_to(other)
    banzuke("import-ledger", EXAMPLES / "hakodate", "--pool", "club")
    assert database.stat().st_mode & 0o777 == 0o600
    make_files_private(home, str(elsewhere))
    assert elsewhere.stat().st_mode & 0o777 == 0o600
    assert other.stat().st_mode & 0o777 == 0o644, "what a link leads to is not the office's"


@pytest.mark.slow
def test_the_first_use_makes_it(tmp_path):
    home = tmp_path / "office" / "home"
    ran = outside(
        "import-ledger", EXAMPLES / "japan", "--pool", "japan", BANZUKE_HOME=str(home), DATABASE_URL=""
    )
    assert (ran.status, ran.err) == (0, "")
    again = outside("export-ledger", "japan", tmp_path / "out", BANZUKE_HOME=str(home), DATABASE_URL="")
    written = [home, *home.rglob("*"), tmp_path / "out", *(tmp_path / "out").iterdir()]
    assert [path for path in written if path.stat().st_mode & 0o077] == [], "it is its owner's only"
    assert (again.status, (home / "office.db").is_file()) == (0, True)
    assert read_ledger(tmp_path / "out") == read_ledger(EXAMPLES / "japan")
