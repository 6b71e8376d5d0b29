"""banzuke verify of a list by its public files: of every example, and what is found where something was changed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from command_runs import banzuke, imported, no_traceback
from made_log import NAME, OTHER, PUBLIC, log_note, made_list
from public_office import EXAMPLES, PublicFiles, names_of, public_files, serve

from banzuke.client import downloads
from banzuke.client.public_lists import PublicList
from banzuke.client.public_verification import verify_public
from banzuke.ledger.folder import read_ledger
from banzuke.transparency.list_records import FILES, read_record
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import public_key, read_keys

DOCS = Path(__file__).parents[2] / "docs"
COMMANDS = (DOCS / "commands.md").read_text("utf-8")


@pytest.fixture
def office():
    """A maker of servers."""
    servers = []

    def make(files):
        servers.append(serve(files))
        return servers[-1]

    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def changed(example="us-championship-2025", place=-1, **files):
    """The public files with others in their place (`content_csv`)."""
    found = public_files(example, place)
    given = {name.replace("_", "."): data for name, data in files.items()}
    return PublicFiles({**found, **given}, found.bodies)


def record_with(**facts):
    record = json.loads(public_files("us-championship-2025")["record.json"])
    return json.dumps(record | facts).encode()


class TestGood:
    @pytest.mark.parametrize(
        ("example", "place"),
        [("japan", -1), ("hakodate", 0), ("us-championship-2025", -1), ("go-server", -1)],
    )
    def test_a_list_of_each_example_from_its_address(self, office, example, place):
        server = office(public_files(example, place))
        ran = banzuke("verify", server.address, "--key", PUBLIC)
        assert (ran.status, ran.err) == (0, "")
        assert [line[0] for line in ran.lines[1:8]] == ["+"] * 7
        assert "the same, to the byte" in ran.out
        assert ran.lines[-1].startswith("All agrees: ")
        assert "the office itself gave" not in ran.out.lower()

    def test_saved_and_once_more_from_the_folder(self, office, tmp_path):
        files = public_files("us-championship-2025")
        mail = tmp_path / "old.eml"
        mail.write_bytes(b"Subject: x\n\nA list.\n\n" + log_note(files.bodies, 1))
        server = office(files)
        ran = banzuke("verify", server.address, "--save", tmp_path / "kept", "--checkpoint", mail)
        assert ran.status == 0
        assert "The log goes on from your checkpoint of 1 entry" in ran.out
        assert "The office itself gave the key by which its log was checked. Compare it" in ran.out
        assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [
            "consistency.json", "content.csv", "key.txt", "ledger.zip", "people.csv", "record.json", "table.csv",
        ]  # fmt: skip
        again = banzuke("verify", tmp_path / "kept", "--checkpoint", mail, "--key", PUBLIC, lang="ja")
        assert (again.status, "すべて一致しました" in again.out) == (0, True)

    def test_a_mail_of_before_the_office_took_another_key(self, office, tmp_path):
        """The office names its former key behind #; who trusts a key of his own is told by that alone."""
        files, mail, before = (
            public_files("us-championship-2025"),
            tmp_path / "old.eml",
            public_key(NAME, OTHER),
        )
        mail.write_bytes(log_note(files.bodies, 1, keys=[OTHER]))
        keys = f"{PUBLIC}\n# former: {before}\n".encode()
        address = office(PublicFiles({**files, "key.txt": keys}, files.bodies)).address
        ran = banzuke("verify", address, "--checkpoint", mail)
        assert (ran.status, "The log goes on from your checkpoint of 1 entry" in ran.out) == (0, True)
        assert banzuke("verify", address, "--checkpoint", mail, "--key", PUBLIC).status == 2
        (tmp_path / "keys").write_text(f"{PUBLIC}\n{before}\n")
        assert banzuke("verify", address, "--checkpoint", mail, "--key", tmp_path / "keys").status == 0

    def test_by_the_record_with_a_revision(self, office):
        server = office(public_files("us-championship-2025"))
        assert banzuke("verify", f"{server.address}record.json?revision=0").status == 0
        assert banzuke("verify", f"{server.address}?revision=0").status == 0
        assert server.asked[0] == server.asked[-6] == "/office/pool/lists/a%20list/record.json?revision=0"

    def test_for_programs(self, tmp_path):
        folder = public_files("us-championship-2025", late=True).write(tmp_path)
        found = banzuke("verify", folder, "--format", "json").json
        assert (found["is_good"], found["keys"]) == (True, [str(PUBLIC)])
        assert [each["code"] for each in found["findings"]] == [
            "files-good", "record-good", "content-good", "again-good", "tree-good", "log-good", "table-good",
        ]  # fmt: skip

    def test_what_to_know_beside_is_said(self, tmp_path):
        ran = banzuke("verify", public_files("us-championship-2025", late=True).write(tmp_path))
        assert "Licence: CC BY 4.0" in ran.lines
        assert "published before the office kept a log" in ran.out

    def test_without_django_or_a_database(self, tmp_path):
        folder = public_files("us-championship-2025").write(tmp_path)
        assert "django" not in imported("verify", folder)


class TestChanged:
    """Each thing that does not agree is said, and which rows."""

    def verify(self, tmp_path, files, *more):
        ran = banzuke("verify", files.write(tmp_path), "--key", PUBLIC, *more)
        assert (ran.status, no_traceback(ran)) == (1, "")
        assert "is not verified" in ran.lines[-1]
        return ran.out

    def test_a_figure_of_the_content(self, tmp_path):
        content = public_files("us-championship-2025")["content.csv"]
        line = next(
            line for line in content.decode().splitlines()[3:] if ",standard," in line or ",," in line
        )
        other = line.replace(line.split(",")[3], "9999", 1)
        out = self.verify(tmp_path, changed(content_csv=content.replace(line.encode(), other.encode())))
        assert "! content.csv is not the file of the record" in out
        assert "! The content of the list has another hash than the log" in out
        assert f"    - {other}\n" in out
        assert f"    + {line}\n" in out
        assert "! The tree of its players has the root" in out
        assert "! The public table of" in out

    def test_a_result_in_the_ledger(self, tmp_path):
        out = self.verify(tmp_path, changed(ledger_zip=self.ledger(b",1-0,", b",0-1,")))
        assert "! Rated anew from the public ledger it comes out otherwise" in out
        assert "\n    + " in out
        assert "+ The content of the list has the hash" in out

    def ledger(self, old, new, names=()):
        data = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(public_files("us-championship-2025")["ledger.zip"])) as before,
            zipfile.ZipFile(data, "w") as now,
        ):
            for name in before.namelist():
                found = before.read(name)
                now.writestr(name, found.replace(old, new, 1) if name == "games.csv" else found)
            for name in names:
                now.writestr(name, "x")
        return data.getvalue()

    @pytest.mark.parametrize("name", ["../evil", "/evil", "a/b", "C:evil", "..", ".hidden", "a\\b"])
    def test_a_ledger_that_leaves_its_folder(self, tmp_path, name):
        out = self.verify(tmp_path / "x", changed(ledger_zip=self.ledger(b"-", b"-", [name])))
        assert "! The public ledger cannot be unpacked" in out
        assert sorted(path.name for path in tmp_path.iterdir()) == ["x"]

    def test_a_ledger_without_end(self, tmp_path, monkeypatch):
        from banzuke.client import public_lists

        monkeypatch.setattr(public_lists, "MOST_LEDGER", 100)
        assert "! The public ledger cannot be unpacked" in self.verify(tmp_path, changed())
        monkeypatch.undo()
        many = self.ledger(b"-", b"-", [f"n{at}" for at in range(300)])
        assert "! The public ledger cannot be unpacked" in self.verify(tmp_path, changed(ledger_zip=many))

    @pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06" + b"\0" * 18])
    def test_no_ledger(self, tmp_path, data):
        assert "! The public ledger cannot be" in self.verify(tmp_path, changed(ledger_zip=data))

    def test_a_ledger_that_unpacks_to_what_no_ledger_can_be(self, tmp_path, monkeypatch):
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("games.csv", bytes(64 * 2**20))
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        out = self.verify(tmp_path / "x", changed(ledger_zip=bomb.getvalue()))
        assert "! The public ledger cannot be unpacked" in out
        assert [path.name for path in tmp_path.iterdir()] == ["x"]

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_a_ledger_packed_in_another_way(self, tmp_path, method):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", method) as archive:
            archive.writestr("games.csv", "x")
        out = self.verify(tmp_path, changed(ledger_zip=packed.getvalue()))
        assert "! The public ledger cannot be unpacked" in out

    @pytest.mark.parametrize("part", [0.3, 0.9, 0.999])
    def test_a_ledger_cut_short(self, tmp_path, part):
        whole = public_files("us-championship-2025")["ledger.zip"]
        out = self.verify(tmp_path, changed(ledger_zip=whole[: int(len(whole) * part)]))
        assert "! ledger.zip is not the file of the record" in out
        assert "! The public ledger cannot be unpacked" in out

    @pytest.mark.slow
    def test_whatever_was_damaged_is_said(self):
        files, dice, key = public_files("us-championship-2025"), Random(5), read_keys(str(PUBLIC))
        record = read_record(files["record.json"])
        for number in range(400):
            name = list(FILES)[number % len(FILES)]
            parts = {each: files[file] for each, file in FILES.items()}
            parts[name] = damaged(parts[name], dice)
            found = list(verify_public(PublicList(record, b"", parts, b"", None), key))
            assert parts[name] == files[FILES[name]] or not all(each.is_good for each in found)
            with suppress(ProofError):
                read_record(damaged(files["record.json"], dice))

    def test_another_name_of_an_event(self, tmp_path):
        events = json.loads(public_files("us-championship-2025")["record.json"])["events"]
        out = self.verify(tmp_path, changed(record_json=record_with(events=dict.fromkeys(events, "Another"))))
        assert "! The tree of its players has the root" in out
        out = self.verify(tmp_path, changed(record_json=record_with(events={})))
        assert "! The tree of its players cannot be made: The record does not say" in out

    def test_another_commitment(self, tmp_path):
        people = public_files("us-championship-2025")["people.csv"].decode().splitlines()
        people[1] = people[1][:-4] + "0000"
        out = self.verify(tmp_path, changed(people_csv=("\n".join(people) + "\n").encode()))
        assert "! The tree of its players has the root" in out
        for data in (b"", b"x", b"\xff", b"player_id,person\na\n", b'"'):
            assert "! The tree of its players cannot be made" in self.verify(
                tmp_path, changed(people_csv=data)
            )

    @pytest.mark.parametrize("fact", ["revision", "number", "entry"])
    def test_a_record_that_says_otherwise(self, tmp_path, fact):
        out = self.verify(tmp_path, changed(record_json=record_with(**{fact: 99})))
        assert f"! The record does not say the same as the office's log: {fact}." in out

    def test_a_record_that_names_another_rule_book(self, tmp_path):
        out = self.verify(tmp_path, changed(record_json=record_with(rulebook="another")))
        assert "! The record does not say the same as the office's log: rulebook." in out

    def test_a_log_that_is_another(self, tmp_path):
        log = json.loads(public_files("us-championship-2025")["record.json"])["log"]
        for other in (
            log | {"index": 1}, log | {"path": log["path"][::-1]}, log | {"body": made_list("2025-03").body},
            log | {"checkpoint": log_note([made_list("2024-02").body]).decode()}, log | {"checkpoint": "nothing"},
            log | {"body": "{}"},
        ):  # fmt: skip
            out = self.verify(tmp_path, changed(record_json=record_with(log=other)))
            assert "! That it is in the office's log is not proved: " in out

    def test_a_table_that_says_otherwise(self, tmp_path):
        table = public_files("us-championship-2025")["table.csv"].decode()
        first = table.splitlines()[1]
        rating = next(csv.DictReader(io.StringIO(table)))["standard_rating"]
        other = table.replace(first, first.replace(f",{rating},", ",9999,", 1), 1).encode()
        assert f": {rating} / 9999\n" in self.verify(tmp_path, changed(table_csv=other))
        less = table.replace(first + "\r\n", "", 1).replace(first + "\n", "", 1).encode()
        assert " / -\n" in self.verify(tmp_path, changed(table_csv=less))
        more = (table + first.replace(first.split(",")[0], "NOBODY", 1) + "\r\n").encode()
        assert "    NOBODY: - / +\n" in self.verify(tmp_path, changed(table_csv=more))
        assert " / -\n" in self.verify(tmp_path, changed(table_csv=b"player_id\nNOBODY\n"))
        for data in (b"", b"x", b"\xff\xfe\xff"):
            assert "! The public table cannot be compared" in self.verify(tmp_path, changed(table_csv=data))

    def test_an_old_checkpoint_of_another_past(self, office, tmp_path):
        files, mail = public_files("us-championship-2025"), tmp_path / "mail"
        mail.write_bytes(log_note(["another"]))
        ran = banzuke("verify", office(files).address, "--key", PUBLIC, "--checkpoint", mail)
        assert ran.status == 1
        assert (
            "! The log does not go on from your checkpoint: The log of the new checkpoint does not begin"
            in ran.out
        )
        mail.write_bytes(log_note([*files.bodies, "more"]))
        ran = banzuke("verify", office(files).address, "--key", PUBLIC, "--checkpoint", mail)
        assert "has become shorter" in ran.out

    def test_an_old_checkpoint_that_the_folder_cannot_answer(self, tmp_path):
        files, mail = public_files("us-championship-2025"), tmp_path / "mail"
        mail.write_bytes(log_note(files.bodies, 1))
        out = self.verify(tmp_path / "x", files, "--checkpoint", mail)
        assert "! Whether the log goes on from your checkpoint of 1 entry is not in the folder." in out
        mail.write_bytes(log_note([*files.bodies, "more"]))
        out = self.verify(tmp_path / "y", files, "--checkpoint", mail)
        assert "is not in the folder" in out
        assert "has become shorter" not in out

    def test_a_mail_with_several_checkpoints(self, office, tmp_path):
        files, mail = public_files("us-championship-2025"), tmp_path / "mail"
        ran = ("verify", office(files).address, "--key", PUBLIC, "--checkpoint", mail)
        notes = [log_note(files.bodies, size) for size in (1, 2, 3)]
        mail.write_bytes(b"\n\n".join([*notes, notes[0]]))
        found = banzuke(*ran)
        assert found.status == 0
        assert found.err == f"{mail} has 2 smaller checkpoints that were not compared with the log.\n"
        mail.write_bytes(b"\n\n".join([log_note(["another"]), *notes]))
        found = banzuke(*ran)
        assert (found.status, "Two logs of 1 entry are signed" in no_traceback(found)) == (1, True)

    def test_a_folder_that_was_kept_with_another_checkpoint(self, office, tmp_path):
        """How the log grew since one checkpoint says nothing of another."""
        files, mail, kept = public_files("us-championship-2025"), tmp_path / "mail", tmp_path / "kept"
        mail.write_bytes(log_note(files.bodies, 1))
        saved = ("verify", office(files).address, "--key", PUBLIC, "--save", kept)
        assert banzuke(*saved, "--checkpoint", mail).status == 0
        mail.write_bytes(log_note(files.bodies, 2))
        ran = banzuke("verify", kept, "--key", PUBLIC, "--checkpoint", mail)
        assert (ran.status, "does not go on" in ran.out) == (1, False)
        assert "! Whether the log goes on from your checkpoint of 2 entries is not in the folder." in ran.out
        assert banzuke(*saved).status == 0
        assert not (kept / "consistency.json").exists()


def test_it_runs_as_printed(office, tmp_path, monkeypatch):
    files = public_files("us-championship-2025")
    monkeypatch.chdir(tmp_path)
    Path("march.eml").write_bytes(log_note(files.bodies, 1))
    Path("public-key.txt").write_text(f"{PUBLIC}\n", "utf-8")
    (block,) = [one for one in re.findall("```sh\n(.*?)```", COMMANDS, re.DOTALL) if "--save march" in one]
    (_, verify, address, *rest), again = (shlex.split(line) for line in block.splitlines())
    assert address == "https://ratings.example/japan/lists/2025-03/"
    assert banzuke(verify, office(files).address, *rest).lines[-1].startswith("All agrees: ")
    assert banzuke(*again[1:]).lines[-1].startswith("All agrees: ")


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")
@pytest.mark.slow
@pytest.mark.parametrize("is_adjusted", [False, True])
def test_by_hand_as_printed(office, tmp_path, is_adjusted):
    """The commands find nothing to say of a list as it is, and say what differs of another."""
    ledger = tmp_path / "ledger"
    shutil.copytree(EXAMPLES / "japan", ledger)
    if is_adjusted:
        adjusted = "adjustment_id,list,points,decision\nA1,2025-03,1000:1100 2000:2000,The board\n"
        (ledger / "adjustments.csv").write_text(adjusted, "utf-8")
    place = names_of(read_ledger(EXAMPLES / "japan")).index("2025-03")
    pages = [(DOCS / page).read_text("utf-8") for page in ("record.md", "ja/record.md")]
    (block,) = {each for page in pages for each in re.findall("```sh\n(.*?)```", page, re.DOTALL)}
    printed, good = "https://ratings.example.org/japan/lists/2025-03", public_files(str(ledger), place)
    assert printed in block
    assert (b"adjustment_id" in good["content.csv"]) == is_adjusted
    other = good["content.csv"].replace(b",1-0,", b",0-1,").replace(b",J001,", b",J002,", 1)
    for content, status in ((good["content.csv"], 0), (other, 1)):
        folder = tmp_path / str(status)
        folder.mkdir()
        (folder / "banzuke").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m banzuke.cli.app "$@"\n')
        (folder / "banzuke").chmod(0o755)
        address = office(PublicFiles({**good, "content.csv": content}, good.bodies)).address.rstrip("/")
        done = subprocess.run(
            ["bash", "-e", "-c", block.replace(printed, address)],
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
        )
        assert done.returncode == status, done.stderr
        assert hashlib.sha256(content).hexdigest() in done.stdout
        assert ("differ" in done.stdout) == bool(status)


def damaged(data, dice):
    """The bytes with some changed, left out, doubled or put in."""
    at = dice.randrange(len(data))
    till = at + dice.randint(1, 40)
    middle = dice.choice([b"", bytes([dice.randrange(256)]), data[at:till] * 2, data[:30]])
    return data[:at] + middle + data[dice.choice([at, till, len(data)]) :]


class TestRefused:
    def test_what_an_office_says_moves_no_screen(self, tmp_path):
        sign = "\x1b[2J\x9b\u202e"
        ran = banzuke(
            "verify", changed(record_json=record_with(licence=f"CC{sign}", rulebook=sign)).write(tmp_path)
        )
        assert not set("\x1b\x9b\u202e") & set(ran.out)
        assert "Licence: CC\\x1b[2J" in ran.out

    def test_half_a_sign_is_no_text(self, tmp_path):
        ran = banzuke("verify", changed(record_json=record_with(licence="\ud800")).write(tmp_path))
        assert (ran.status, "This is no record of a list" in no_traceback(ran)) == (2, True)

    @pytest.mark.parametrize("given", ["ratings.example/japan/lists/2025-03/", "{folder}"])
    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_what_is_neither_an_address_nor_a_folder_with_a_record(self, tmp_path, given, lang):
        ran = banzuke("verify", given.format(folder=tmp_path), lang=lang)
        assert (ran.status, "record.json" in no_traceback(ran)) == (2, True)
        assert "https://ratings.example/japan/lists/2025-03/" in ran.err

    def test_what_the_office_is_making_is_waited_for(self, office, monkeypatch):
        waits = []
        monkeypatch.setattr(downloads.time, "sleep", waits.append)
        server = office(changed())
        server.unfinished = 3
        ran = banzuke("verify", server.address)
        assert (ran.status, waits) == (0, [15, 15, 15])
        assert ran.err.count("The office is making a file; asking again in 15 seconds.") == 3

    def test_by_another_key(self, tmp_path):
        ran = banzuke("verify", changed().write(tmp_path), "--key", public_key(NAME, OTHER))
        assert (ran.status, "None of the signatures" in ran.out) == (1, True)

    def test_nobody_no_record_and_a_newer_one(self, office, tmp_path):
        server = office(changed(record_json=b"<html>"))
        ran = banzuke("verify", server.address)
        assert (ran.status, "This is no record of a list" in no_traceback(ran)) == (2, True)
        ran = banzuke("verify", server.address.replace("a%20list", "nothing"))
        assert (ran.status, "404" in no_traceback(ran)) == (2, True)
        ran = banzuke("verify", "ftp://a.example/")
        assert (ran.status, "is not the address" in no_traceback(ran)) == (2, True)
        ran = banzuke("verify", changed(record_json=record_with(version=2)).write(tmp_path))
        assert (ran.status, "Install a newer one" in no_traceback(ran)) == (2, True)

    def test_files_of_another_host_are_not_fetched(self, office):
        files = json.loads(public_files("us-championship-2025")["record.json"])["files"]
        for address in ("http://127.0.0.2:9/x", "//other.example/x", "file:///etc/passwd"):
            elsewhere = files | {"table": files["table"] | {"address": address}}
            ran = banzuke("verify", office(changed(record_json=record_with(files=elsewhere))).address)
            assert (ran.status, "is not the address" in no_traceback(ran)) == (2, True)

    def test_more_than_the_record_says_is_not_read(self, office):
        server = office(changed(table_csv=b"x" * 10_000_000))
        ran = banzuke("verify", server.address)
        assert (ran.status, "sends more than" in no_traceback(ran)) == (2, True)

    def test_options_of_public_lists_alone(self, tmp_path):
        ran = banzuke("verify", "pool", "2025-03", "--key", PUBLIC)
        assert (ran.status, "go with the address of a list alone" in ran.err) == (2, True)

    def test_a_file_that_is_missing(self, tmp_path):
        folder = changed().write(tmp_path)
        (folder / "people.csv").unlink()
        ran = banzuke("verify", folder)
        assert (ran.status, "people.csv" in no_traceback(ran)) == (2, True)
