"""A backup carries everything, from either database to either, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from migrated_office import migrated
from office.filled_office import ODD

from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.engine import output_file
from banzuke.office import office_key
from banzuke.office.administration import backup, backup_contents, backup_restore, hidden_pools
from banzuke.office.jobs import job_queue, planned_publications
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


def only(path, target, name, data):
    """A copy of a backup with those bytes for a table, and what the manifest says of them."""

    def change(file, old):
        if file == backup.MANIFEST:
            said = json.loads(old)
            table = next(table for table in said["tables"] if table["name"] == name)
            table |= {"rows": len(data.splitlines()), "sha256": hashlib.sha256(data).hexdigest()}
            return json.dumps(said)
        return data if file == f"{name}.jsonl" else old

    return changed(path, target, change)


def with_cells(path, target, name, **cells):
    """A copy of a backup with those cells in the first row of a table."""
    with zipfile.ZipFile(path) as archive:
        said = json.loads(archive.read(backup.MANIFEST))
    columns = next(table["columns"] for table in said["tables"] if table["name"] == name)
    first, *rest = lines_of(path)[f"{name}.jsonl"]
    row = json.loads(first)
    for column, cell in cells.items():
        row[columns.index(column)] = cell
    return only(path, target, name, b"".join(line + b"\n" for line in (json.dumps(row).encode(), *rest)))


def own_key():
    """The key of the office that tests of one process share; offices of their own that are one have it too."""
    office_key.office_key()
    return office_key.key_path()


def home_with_key(home):
    home.mkdir(0o700, parents=True, exist_ok=True)
    shutil.copyfile(own_key(), home / office_key.FILE)
    return home


def office(home, *words, url=""):
    return run(home, "-m", "banzuke.cli.app", *words, url=url)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A backup of an office on SQLite with two rows in every table."""
    folder = migrated(tmp_path_factory.mktemp("office"))
    shutil.copyfile(own_key(), folder / office_key.FILE)
    run(folder, HERE / "filled_office.py")
    office(folder, "backup", folder / "full.zip")
    return folder / "full.zip"


def lines_of(path):
    """The rows by table."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).splitlines() for name in archive.namelist() if name.endswith("l")}


def changed(path, target, change):
    """A copy of a backup; `change(name, bytes)` gives each file's new bytes, None to leave it out.

    A new manifest is signed anew, as by the office itself.
    """
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w") as copy:
        files = {name: change(name, archive.read(name)) for name in archive.namelist()}
        if files[backup.MANIFEST] != archive.read(backup.MANIFEST):
            files[backup.SIGNATURE] = signature_of(files[backup.MANIFEST])
        for name, data in files.items():
            if data is not None:
                copy.writestr(name, data)
    return target


def signature_of(manifest, by=None):
    data = manifest.encode() if isinstance(manifest, str) else manifest
    return json.dumps((by or office_key.office_key()).sign(backup.SIGNED_FOR, data)._asdict())


def with_manifest(path, target, **said):
    def change(name, data):
        return json.dumps(json.loads(data) | said) if name == backup.MANIFEST else data

    return changed(path, target, change)


class TestWhatIsCarried:
    def test_every_table_is_carried_or_left_out_by_name(self):
        left = {model._meta.label_lower for model in apps.get_models()} - set(backup.tables())
        assert {
            name for name in left if name.partition(".")[0] not in backup.LEFT_OUT_APPS
        } <= backup.LEFT_OUT | backup.DERIVED
        assert {name for name in left if name.startswith("book.")} == {*backup.DERIVED, "book.hiddenpool"}
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
        assert first[3] == base64.b64encode(bytes(range(256))).decode()
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
        home = home_with_key(tmp_path / "home")
        office(home, "restore", full, url=database_url)
        office(home, "backup", tmp_path / "second.zip", url=database_url)
        home_with_key(migrated(home / "third"))
        office(home / "third", "restore", tmp_path / "second.zip")
        office(home / "third", "backup", tmp_path / "third.zip")
        first, second, third = (
            lines_of(path) for path in (full, tmp_path / "second.zip", tmp_path / "third.zip")
        )
        journals = [tables.pop("book.journalentry.jsonl") for tables in (first, second, third)]
        waiting = [tables.pop("book.objectionmail.jsonl") for tables in (first, second, third)]
        assert [len(mails) for mails in waiting] == [
            2,
            0,
            0,
        ]  # a restored office sends nothing that was planned
        hooks = [
            [json.loads(line) for line in tables.pop("book.webhook.jsonl")]
            for tables in (first, second, third)
        ]
        is_on = [[hook[-1] is None for hook in each] for each in hooks]
        assert is_on == [[False, True], [False, False], [False, False]]  # nor does it post the feed
        assert len({json.dumps([hook[:-1] for hook in each]) for each in hooks}) == 1
        assert first == second == third
        assert [len(journal) for journal in journals] == [2, 3, 4]
        assert journals[2][:3] == journals[1]
        assert journals[1][:2] == journals[0]
        acts = [json.loads(line)[5] for line in journals[2][2:]]
        assert acts == ["restore", "restore"]

    def test_new_rows_come_after_the_restored_ones(self, full, database_url, tmp_path):
        home = home_with_key(tmp_path / "home")
        office(home, "restore", full, url=database_url)
        ledger = HERE.parents[1] / "examples" / "hakodate"
        assert (
            office(home, "import-ledger", ledger, "--pool", "club", url=database_url)
            == "club: entered (entry 3).\n"
        )


class Restoring:
    """What a restore that is refused leaves."""

    def is_empty(self):
        assert [name for name, model in backup.tables().items() if model._base_manager.exists()] == []

    def refuses(self, path, code, *facts, foreign=False):
        with pytest.raises(RefusedError) as refused:
            backup_restore.restore(path, CLERK, is_foreign=foreign)
        (fault,) = refused.value.faults
        assert fault.code == code
        assert set(facts) <= set(fault.facts)
        for lang in LANGUAGES:
            assert fault_line(fault, lang)

    def refuses_into_empty(self, path, code, *facts, foreign=False):
        self.refuses(path, code, *facts, foreign=foreign)
        self.is_empty()


@pytest.mark.django_db
class TestRestoring(Restoring):
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

    @pytest.mark.parametrize("state", ["waiting", "running"])
    def test_what_was_planned_does_not_go_off(self, full, tmp_path, state):
        due = with_cells(full, tmp_path / "1.zip", "book.plannedpublication", state=state, refused=None)
        due = with_cells(due, tmp_path / "2.zip", "book.job", state="waiting", kind="publish-planned")
        backup_restore.restore(due, CLERK)
        job_queue.interrupt_running()
        assert planned_publications.start_due_publications(datetime.now(UTC)) == 0
        assert job_queue.work_off() is None
        stopped = models.PlannedPublication.objects.get(pk=1)
        assert (stopped.state, stopped.refused.keys()) == ("stopped", set(LANGUAGES))
        assert "restored" in stopped.refused["en"]
        assert planned_publications.waiting_publication(stopped.pool) is None
        assert models.Job.objects.get(pk=1).state == models.Job.State.INTERRUPTED

    def test_the_book_goes_on(self, full):
        backup_restore.restore(full, CLERK)
        assert open_entry(models.Pool.objects.get(pk=1), Act("clerk", "act")).pk == 3

    def test_a_second_time_is_refused(self, full):
        backup_restore.restore(full, CLERK)
        self.refuses(full, "backup-office-not-empty")

    def test_what_a_killed_import_left_does_not_count(self, full, monkeypatch):
        monkeypatch.setattr(hidden_pools, "has_turns", lambda: True)
        left = enter_folder("left", HERE.parents[1] / "examples" / "go-server", "clerk")
        models.HiddenPool.objects.create(pool=left)
        backup_restore.restore(full, CLERK)
        assert not models.Pool.with_hidden.filter(slug="left").exists()

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
        later = with_manifest(full, tmp_path / "later.zip", kind=3, version="9.1", tables=[{"new": 1}])
        self.refuses_into_empty(later, "backup-newer", ("version", "9.1"))

    def test_newer_tables_are_refused_kindly(self, full, tmp_path):
        later = with_manifest(full, tmp_path / "later.zip", version="9.1", migrations=["book.9999_later"])
        self.refuses_into_empty(later, "backup-newer", ("version", "9.1"), ("newer", "book.9999_later"))

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
                tables.append(table | {"sha256": hashlib.sha256(data).hexdigest()})
        old = tmp_path / "old.zip"
        with zipfile.ZipFile(old, "w") as archive:
            text = json.dumps(manifest | {"tables": tables})
            archive.writestr(backup.MANIFEST, text)
            archive.writestr(backup.SIGNATURE, signature_of(text))
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
                table["sha256"] = hashlib.sha256(2 * line).hexdigest()
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

    BOMBS = (
        b"[" * 100_000, b'{"kind": 1e999}', b'{"kind": true}', b'{"kind": -1}', b'{"kind": ' + b"9" * 5_000 + b"}",
        b" " * (backup_contents.MOST_MANIFEST + 1), b'{"kind": 1, "version": ["x"], "at": "", "migrations": [], "tables": []}',
        b'{"kind": 1, "version": "\\u001b[2J", "at": "", "migrations": [], "tables": []}',
        b'{"kind": 1, "version": "1", "at": "", "migrations": [{}], "tables": []}',
        b'{"kind": 1, "version": "1", "at": "", "migrations": [], "tables": [{"name": "a", "columns": [[]], "rows": 0, "sha256": ""}]}',
        b'{"kind": 1, "version": "1", "at": "", "migrations": [], "tables": [{"name": "a", "columns": [], "rows": -1, "sha256": ""}]}',
        b"\xff", b'{"kind": 1, "version": "1", "at": "", "migrations": [], "tables": 5}',
    )  # fmt: skip

    def test_a_manifest_made_to_break_the_reader(self, full, tmp_path):
        for text in self.BOMBS:
            bad = changed(full, tmp_path / "bad.zip", {backup.MANIFEST: text}.get)
            self.refuses_into_empty(bad, "backup-none", foreign=True)

    @pytest.mark.parametrize(
        ("table", "line"),
        [
            ("book.entry", b"[" * 100_000),
            ("book.entry", b"{}"),
            ("book.entry", b"[]"),
            ("book.pool", b'[1,"../../tmp/evil"]'),
            ("book.poolfile", b'[1,1,"../../tmp/evil.toml","x"]'),
            ("book.poolfile", b'[1,1,5,"x"]'),
            ("book.reportfile", b'[1,1,"n",5]'),
        ],
    )
    def test_a_row_made_to_break_the_reader_or_to_name_a_file(self, full, tmp_path, table, line):
        bad = only(full, tmp_path / "bad.zip", table, line + b"\n")
        self.refuses_into_empty(bad, "backup-row-refused", foreign=True)

    def test_a_line_without_end(self, full, tmp_path, monkeypatch):
        monkeypatch.setattr(backup_contents, "MOST_LINE", 1_000)
        bad = only(full, tmp_path / "bad.zip", "book.entry", b" " * 2_000)
        self.refuses_into_empty(bad, "backup-damaged", foreign=True)


@pytest.mark.slow
def test_a_row_that_names_another_that_is_not_there(full, tmp_path):
    line = b'[1,99,"2025-01-01T00:00:00+00:00","a","a",""]\n'
    bad = only(full, tmp_path / "bad.zip", "book.entry", line)
    home = migrated(tmp_path / "home")
    command = [sys.executable, "-m", "banzuke.cli.app", "restore", "--foreign", bad]
    env = os.environ | {"BANZUKE_HOME": str(home), "DATABASE_URL": "", "BANZUKE_LANG": "en"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "does not take the table's rows" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.django_db
class TestWhoMadeIt(Restoring):
    """An office restores what it signed itself, and anything else only when it is told to."""

    def takes_as_foreign(self, path, lost=0):
        restored = backup_restore.restore(path, CLERK, is_foreign=True)
        assert restored.lost == lost
        assert models.JournalEntry.objects.get(act="restore").what["signed_by"] == ""

    def test_nobody(self, full, tmp_path):
        unsigned = changed(
            full, tmp_path / "a.zip", lambda name, data: None if name == backup.SIGNATURE else data
        )
        self.refuses_into_empty(unsigned, "backup-unsigned")
        self.takes_as_foreign(unsigned)

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"key": 1, "ed25519": "x"}', "[" * 100_000])
    def test_no_signature(self, full, tmp_path, text):
        bad = changed(full, tmp_path / "a.zip", lambda name, data: text if name == backup.SIGNATURE else data)
        self.refuses_into_empty(bad, "backup-unsigned")

    def test_another_office(self, full, tmp_path, settings):
        own = settings.HOME
        settings.HOME = tmp_path
        self.refuses_into_empty(full, "backup-foreign")
        assert not office_key.key_path().exists()
        theirs = office_key.office_key()
        self.refuses_into_empty(
            full, "backup-foreign", ("signer", office_key.read_key(own / office_key.FILE).ids[0])
        )
        as_ours = json.dumps({"key": theirs.ids[0], "ed25519": json.loads(signature_of(b""))["ed25519"]})
        bad = changed(
            full, tmp_path / "a.zip", lambda name, data: as_ours if name == backup.SIGNATURE else data
        )
        self.refuses_into_empty(bad, "backup-signature")
        self.takes_as_foreign(full, lost=2)

    def test_a_manifest_changed_after_it(self, full, tmp_path):
        signature = zipfile.ZipFile(full).read(backup.SIGNATURE)
        later = with_manifest(full, tmp_path / "a.zip", at="2000-01-01")
        bad = tmp_path / "b.zip"
        with zipfile.ZipFile(later) as archive, zipfile.ZipFile(bad, "w") as copy:
            for name in archive.namelist():
                copy.writestr(name, signature if name == backup.SIGNATURE else archive.read(name))
        self.refuses_into_empty(bad, "backup-signature")

    def test_a_signature_for_something_else(self, full, tmp_path):
        def otherwise(name, data):
            if name != backup.SIGNATURE:
                return data
            manifest = zipfile.ZipFile(full).read(backup.MANIFEST)
            return json.dumps(office_key.office_key().sign("list", manifest)._asdict())

        self.refuses_into_empty(changed(full, tmp_path / "a.zip", otherwise), "backup-signature")

    def test_a_key_that_came_after_it(self, full, tmp_path, settings):
        """A key is replaced by writing a new one above it; what the older one signed and sealed is still known."""
        older = office_key.key_path().read_bytes()
        settings.HOME = tmp_path
        office_key.office_key()
        path = office_key.key_path()
        path.write_bytes(path.read_bytes() + older)
        assert backup_restore.restore(full, CLERK).lost == 0
        assert office_key.office_key().ids[0] not in zipfile.ZipFile(full).read(backup.SIGNATURE).decode()

    def test_second_factors_are_sealed(self, full):
        lines = [json.loads(line) for line in lines_of(full)["mfa.authenticator.jsonl"]]
        at = [field.attname for field in Authenticator._meta.concrete_fields].index("data")
        assert [list(line[at]) for line in lines] == [["sealed"], ["sealed"]]
        backup_restore.restore(full, CLERK)
        assert [row.data for row in Authenticator.objects.order_by("pk")] == [
            {"b": [1, None, ODD], "a": {"é": True}},
            [],
        ]

    @pytest.mark.parametrize(
        "text", ["", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"]
    )
    def test_a_file_that_is_no_key(self, full, tmp_path, settings, text):
        settings.HOME = tmp_path
        office_key.key_path().write_text(text, "ascii")
        self.refuses_into_empty(full, "backup-key", foreign=True)
        with pytest.raises(RefusedError):
            backup.back_up(tmp_path / "b.zip", CLERK)

    def test_the_key_is_its_owners_alone(self, tmp_path, settings):
        settings.HOME = tmp_path
        ids = office_key.office_key().ids
        assert office_key.office_key().ids == ids
        assert office_key.key_path().stat().st_mode & 0o777 == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["office-key"]


@pytest.mark.django_db
class TestBackingUp:
    KILLED = """
import os, signal, sys
from pathlib import Path
from banzuke.engine.output_file import replacing_file
with replacing_file(Path(sys.argv[1]), 0o600) as stream:
    stream.write(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""

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

    def test_there_is_none_that_the_journal_does_not_have(self, tmp_path, monkeypatch):
        """Killed before it has its name, it is in the journal and nowhere else; never the other way round."""

        def noted(*_, **__):
            assert not (tmp_path / "b.zip").exists()
            raise OperationalError

        monkeypatch.setattr(backup, "note", noted)
        with pytest.raises(OperationalError):
            backup.back_up(tmp_path / "b.zip", CLERK)
        assert list(tmp_path.iterdir()) == []

    def test_parts_of_backups_that_were_killed_are_removed(self, tmp_path):
        """Those that a living process is still writing stay; and so does whatever only looks like one."""
        (tmp_path / ".banzuke.abcdefgh.part").write_text("left", "utf-8")
        (tmp_path / ".banzuke.ijklmnop.part").symlink_to(tmp_path / "elsewhere")
        (tmp_path / "elsewhere").write_text("not ours", "utf-8")
        with output_file.replacing_file(tmp_path / "other.zip", 0o600) as stream:
            stream.write(b"other")
            backup.back_up(tmp_path / "b.zip", CLERK)
        assert (tmp_path / "other.zip").read_bytes() == b"other"
        left = {".banzuke.ijklmnop.part", "elsewhere", "other.zip", "b.zip"}
        assert {path.name for path in tmp_path.iterdir()} == left

    @pytest.mark.slow
    def test_killed_while_it_is_written(self, tmp_path):
        subprocess.run([sys.executable, "-c", self.KILLED, tmp_path / "a.zip"], check=False, timeout=60)
        (left,) = tmp_path.iterdir()
        assert left.name.startswith(".banzuke.")
        backup.back_up(tmp_path / "b.zip", CLERK)
        assert [path.name for path in tmp_path.iterdir()] == ["b.zip"]

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
from django.db import OperationalError, connection
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
