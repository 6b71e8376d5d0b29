"""A backup carries everything, from either database to either, whole or not at all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from migrated_office import migrated

from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.book_writer import Act, open_entry
from banzuke.office.administration import backup, backup_restore
from banzuke.office.journal import Actor
from banzuke.words import LANGUAGES, fault_line

HERE = Path(__file__).parent
CLERK = Actor("clerk")


def run(home, *words, url=""):
    """A command of the office in that folder or database."""
    env = os.environ | {"BANZUKE_HOME": str(home), "DATABASE_URL": url, "BANZUKE_LANG": "en"}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def office(home, *words, url=""):
    return run(home, "-m", "banzuke.cli.app", *words, url=url)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A backup of an office on SQLite with two rows in every table."""
    folder = migrated(tmp_path_factory.mktemp("office"))
    run(folder, HERE / "filled_office.py")
    office(folder, "backup", folder / "full.zip")
    return folder / "full.zip"


def lines_of(path):
    """The rows by table."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).splitlines() for name in archive.namelist() if name.endswith("l")}


def changed(path, target, change):
    """A copy of a backup; `change(name, bytes)` gives each file's new bytes, None to leave it out."""
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as copy:
        for name in archive.namelist():
            data = change(name, archive.read(name))
            if data is not None:
                copy.writestr(name, data)
    return target


def with_manifest(path, target, **said):
    def change(name, data):
        return json.dumps(json.loads(data) | said) if name == backup.MANIFEST else data

    return changed(path, target, change)


class TestWhatIsCarried:
    def test_every_table_is_carried_or_left_out_by_name(self):
        left = {model._meta.label_lower for model in apps.get_models()} - set(backup.tables())
        assert {
            name for name in left if name.partition(".")[0] not in backup.LEFT_OUT_APPS
        } <= backup.LEFT_OUT
        assert not {name for name in left if name.startswith("book.")}
        assert {"auth.user", "book.journalentry", "book.apikey"} <= set(backup.tables())

    def test_every_table_has_rows_and_all_their_columns(self, full):
        manifest = json.loads(zipfile.ZipFile(full).read(backup.MANIFEST))
        assert {table["name"]: table["rows"] for table in manifest["tables"]} == dict.fromkeys(
            backup.tables(), 2
        )
        for table in manifest["tables"]:
            model = backup.tables()[table["name"]]
            assert table["columns"] == [field.attname for field in model._meta.concrete_fields]

    def test_bytes_and_texts_are_as_they_were(self, full):
        first, second = (json.loads(line) for line in lines_of(full)["book.reportfile.jsonl"])
        assert (
            first[3]
            == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w=="
        )
        assert second[3] == ""


@pytest.mark.slow
class TestAcrossDatabases:
    PUBLISH = """
from datetime import date
from banzuke.server.office_opening import open_office
open_office()
from banzuke.database.models import Pool
from banzuke.database.book_reader import read_book
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
pool = Pool.objects.get()
publish(pool, names_of(read_book(pool))[-1], Actor("clerk"), date(2030, 1, 1))
"""
    VERIFY = """
from banzuke.server.office_opening import open_office
open_office()
from banzuke.database.models import Pool
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.verification import verify
pool = Pool.objects.get()
print([verify(pool, published.name).is_good for published in current_lists(pool)])
"""

    def test_published_lists_verify_after_it(self, database_url, tmp_path):
        home = migrated(tmp_path / "home")
        office(home, "import-ledger", HERE.parents[1] / "examples" / "japan", "--pool", "japan")
        run(home, "-c", self.PUBLISH)
        office(home, "backup", tmp_path / "b.zip")
        office(home, "restore", tmp_path / "b.zip", url=database_url)
        assert run(home, "-c", self.VERIFY, url=database_url) == f"{[True] * 12}\n"

    def test_there_and_back(self, full, database_url, tmp_path):
        home = tmp_path / "home"
        office(home, "restore", full, url=database_url)
        office(home, "backup", tmp_path / "second.zip", url=database_url)
        migrated(home / "third")
        office(home / "third", "restore", tmp_path / "second.zip")
        office(home / "third", "backup", tmp_path / "third.zip")
        first, second, third = (
            lines_of(path) for path in (full, tmp_path / "second.zip", tmp_path / "third.zip")
        )
        journals = [tables.pop("book.journalentry.jsonl") for tables in (first, second, third)]
        assert first == second == third
        assert [len(journal) for journal in journals] == [2, 3, 4]
        assert journals[2][:3] == journals[1]
        assert journals[1][:2] == journals[0]
        acts = [json.loads(line)[5] for line in journals[2][2:]]
        assert acts == ["restore", "restore"]

    def test_new_rows_come_after_the_restored_ones(self, full, database_url, tmp_path):
        home = tmp_path / "home"
        office(home, "restore", full, url=database_url)
        ledger = HERE.parents[1] / "examples" / "hakodate"
        assert (
            office(home, "import-ledger", ledger, "--pool", "club", url=database_url)
            == "club: entered (entry 3).\n"
        )


@pytest.mark.django_db
class TestRestoring:
    def test_everything_comes_back(self, full):
        told = []
        restored = backup_restore.restore(full, CLERK, lambda *step: told.append(step))
        assert restored.rows == 2 * len(backup.tables())
        assert bytes(models.ReportFile.objects.get(pk=1).data) == bytes(range(256))
        assert models.ReportSaid.objects.get(pk=1).fields["a"] == {"é": True}
        assert User.objects.get(pk=1).password.startswith("1五郎")
        note = models.JournalEntry.objects.get(act="restore")
        assert (note.pk, note.who, note.what["rows"]) == (3, "clerk", restored.rows)
        assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
        assert told[-1][0] == told[-1][1] == 2 * restored.rows

    def test_the_book_goes_on(self, full):
        backup_restore.restore(full, CLERK)
        assert open_entry(models.Pool.objects.get(pk=1), Act("clerk", "act")).pk == 3

    def test_a_second_time_is_refused(self, full):
        backup_restore.restore(full, CLERK)
        self.refuses(full, "backup-office-not-empty")

    def test_an_office_with_only_a_user_is_not_empty(self, full):
        User.objects.create(username="first")
        self.refuses(full, "backup-office-not-empty", ("tables", "auth.user"))

    @pytest.mark.parametrize("size", [0, 21, 4_000, -1])
    def test_a_file_cut_off(self, full, tmp_path, size):
        cut = tmp_path / "cut.zip"
        cut.write_bytes(full.read_bytes()[:size])
        self.refuses_into_empty(cut, "backup-damaged")

    def test_a_byte_changed(self, full, tmp_path):
        data = bytearray(full.read_bytes())
        with zipfile.ZipFile(full) as archive:
            at = archive.getinfo("book.entry.jsonl").header_offset + 80
        data[at] ^= 255
        (tmp_path / "bad.zip").write_bytes(data)
        self.refuses_into_empty(tmp_path / "bad.zip", "backup-damaged")

    def test_another_zip(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
            archive.writestr("x.txt", "x")
        self.refuses_into_empty(tmp_path / "other.zip", "backup-none")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{",
            '{"kind": 1}',
            '{"kind": 1, "version": "1", "at": "", "migrations": [], "tables": [{}]}',
        ],
    )
    def test_another_manifest(self, full, tmp_path, text):
        bad = changed(
            full, tmp_path / "bad.zip", lambda name, data: text if name == backup.MANIFEST else data
        )
        self.refuses_into_empty(bad, "backup-none")

    def test_a_row_changed_added_or_lost_and_a_table_missing_are_all_said(self, full, tmp_path):
        changes = {
            "book.entry.jsonl": lambda data: data.replace(b"1", b"2", 1),
            "book.pool.jsonl": lambda data: data + data,
            "book.game.jsonl": lambda data: data.splitlines(keepends=True)[0],
            "book.player.jsonl": lambda data: None,
        }
        bad = changed(full, tmp_path / "bad.zip", lambda name, data: changes.get(name, bytes)(data))
        with pytest.raises(RefusedError) as refused:
            backup_restore.restore(bad, CLERK)
        assert {fault.file: fault.code for fault in refused.value.faults} == {
            "book.entry.jsonl": "backup-table-changed",
            "book.pool.jsonl": "backup-table-changed",
            "book.game.jsonl": "backup-table-changed",
            "book.player.jsonl": "backup-table-missing",
        }
        assert not models.JournalEntry.objects.exists()

    def test_a_newer_kind_is_refused_kindly(self, full, tmp_path):
        later = with_manifest(full, tmp_path / "later.zip", kind=2, version="9.1", tables=[{"new": 1}])
        self.refuses_into_empty(later, "backup-newer", ("version", "9.1"))

    def test_newer_tables_are_refused_kindly(self, full, tmp_path):
        later = with_manifest(full, tmp_path / "later.zip", version="9.1", migrations=["book.9999_later"])
        self.refuses_into_empty(later, "backup-newer", ("version", "9.1"))

    def test_an_older_backup_lacks_a_column_and_a_table(self, full, tmp_path):
        manifest = json.loads(zipfile.ZipFile(full).read(backup.MANIFEST))
        left_out = {"book.contact": "by_id_only"}
        tables, rows = [], {}
        for table in manifest["tables"]:
            lines = lines_of(full)[f"{table['name']}.jsonl"]
            if table["name"] in left_out:
                at = table["columns"].index(left_out[table["name"]])
                lines = [
                    json.dumps([c for i, c in enumerate(json.loads(line)) if i != at]).encode()
                    for line in lines
                ]
                table["columns"].pop(at)
            if table["name"] != "book.nameword":
                data = b"".join(line + b"\n" for line in lines)
                rows[f"{table['name']}.jsonl"] = data
                tables.append(table | {"sha256": backup_restore.hashlib.sha256(data).hexdigest()})
        old = tmp_path / "old.zip"
        with zipfile.ZipFile(old, "w") as archive:
            archive.writestr(backup.MANIFEST, json.dumps(manifest | {"tables": tables}))
            for name, data in rows.items():
                archive.writestr(name, data)
        backup_restore.restore(old, CLERK)
        assert [contact.by_id_only for contact in models.Contact.objects.order_by("pk")] == [False, False]
        assert models.NameWord.objects.count() == 0

    def test_a_row_that_the_database_refuses_takes_all_back(self, full, tmp_path):
        line = lines_of(full)["book.report.jsonl"][0] + b"\n"
        manifest = json.loads(zipfile.ZipFile(full).read(backup.MANIFEST))
        for table in manifest["tables"]:
            if table["name"] == "book.report":
                table["sha256"] = backup_restore.hashlib.sha256(2 * line).hexdigest()
        new = {"book.report.jsonl": 2 * line, backup.MANIFEST: json.dumps(manifest)}
        bad = changed(full, tmp_path / "bad.zip", new.get)
        self.refuses_into_empty(bad, "backup-row-refused")

    def test_an_interrupt_takes_all_back(self, full):
        def interrupt(done, of, name):
            if done > of // 2 + 20:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            backup_restore.restore(full, CLERK, interrupt)
        self.is_empty()

    def is_empty(self):
        assert [name for name, model in backup.tables().items() if model._base_manager.exists()] == []

    def refuses(self, path, code, *facts):
        with pytest.raises(RefusedError) as refused:
            backup_restore.restore(path, CLERK)
        (fault,) = refused.value.faults
        assert fault.code == code
        assert set(facts) <= set(fault.facts)
        for lang in LANGUAGES:
            assert fault_line(fault, lang)

    def refuses_into_empty(self, path, code, *facts):
        self.refuses(path, code, *facts)
        self.is_empty()


@pytest.mark.django_db
class TestBackingUp:
    def test_only_its_owner_may_read_it(self, tmp_path):
        backup.back_up(tmp_path / "b.zip", CLERK)
        assert (tmp_path / "b.zip").stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["b.zip"]

    def test_it_is_in_the_journal_but_not_in_itself(self, tmp_path):
        rows = backup.back_up(tmp_path / "b.zip", CLERK)
        assert lines_of(tmp_path / "b.zip")["book.journalentry.jsonl"] == []
        note = models.JournalEntry.objects.get()
        assert (note.who, note.act, note.what) == ("clerk", "backup", {"rows": rows})

    def test_a_file_that_is_there_stays(self, tmp_path):
        (tmp_path / "b.zip").write_text("older", "utf-8")
        with pytest.raises(FileExistsError):
            backup.back_up(tmp_path / "b.zip", CLERK)
        assert (tmp_path / "b.zip").read_text("utf-8") == "older"

    def test_an_interrupt_leaves_nothing(self, tmp_path, monkeypatch):
        User.objects.create(username="one")
        monkeypatch.setattr(backup, "CHUNK", 1)

        def interrupt(*_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            backup.back_up(tmp_path / "b.zip", CLERK, interrupt)
        assert list(tmp_path.iterdir()) == []
        assert not models.JournalEntry.objects.exists()

    def test_sessions_are_left_out(self, tmp_path, client):
        client.force_login(User.objects.create(username="one"))
        assert connection.introspection.table_names().count("django_session") == 1
        backup.back_up(tmp_path / "b.zip", CLERK)
        assert not [name for name in lines_of(tmp_path / "b.zip") if "session" in name]


class TestWhileTheOfficeWorks:
    """A backup is of one moment, and nobody waits for it."""

    SCRIPT = """
from pathlib import Path
from banzuke.server.office_opening import open_office
open_office()
import threading
from django.contrib.auth.models import User
from django.db import connection
from banzuke.office.administration import backup
from banzuke.office.journal import Actor
backup.CHUNK = 1
User.objects.create(username="before")
def add():
    User.objects.create(username="meanwhile")
    connection.close()
def told(done, of, name):
    if not User.objects.filter(username="meanwhile").exists() and not added:
        added.append(1)
        thread = threading.Thread(target=add)
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
added = []
backup.back_up(Path("out.zip"), Actor("clerk"), told)
assert added and User.objects.count() == 2
"""

    @pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
    def test_it_is_of_one_moment(self, kind, tmp_path, request, monkeypatch):
        url = "" if kind == "sqlite" else request.getfixturevalue("database_url")
        monkeypatch.chdir(tmp_path)
        run(migrated(tmp_path / "home"), "-c", self.SCRIPT, url=url)
        users = lines_of(tmp_path / "out.zip")["auth.user.jsonl"]
        assert [json.loads(line)[4] for line in users] == ["before"]
