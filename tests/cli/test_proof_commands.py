"""banzuke proof and witness: what is proved offline, and a log on loopback that is honest or is not."""

from __future__ import annotations

import re
import shlex
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from command_runs import banzuke, imported, no_traceback, outside
from made_log import KEY, NAME, OTHER, PUBLIC, growth_answer, log_note, made_list, made_log

from banzuke.transparency.checkpoints import Checkpoint, sign_checkpoint
from banzuke.transparency.log_entries import KeyEntry, RestartEntry, entry_body, read_entry
from banzuke.transparency.signed_notes import public_key

PLAYER = "J1002"
COMMANDS = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")


@pytest.fixture
def files(tmp_path):
    """A proof, checkpoints as a note and in a mail, an answer, and the key as a file."""
    log = made_log()
    mail = (
        b"Subject: March\nContent-Type: text/plain; charset=utf-8\n\nA list.\n\n" + log.note(2) + b"\nBye\n"
    )
    for name, data in {
        "proof": log.proof(2, PLAYER), "nameless": log.proof(2, PLAYER, named=False), "old": mail, "new": log.note(),
        "growth": growth_answer(log.bodies, 2, 5), "key": f"# the office's\n{PUBLIC}\n".encode(),
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(data)
    return tmp_path


class TestCheck:
    def test_each_game_and_rating_is_said(self, files):
        ran = banzuke("proof", "check", files / "proof", "--key", PUBLIC)
        assert ran.status == 0
        assert ran.lines[0].startswith("J1002 is Player ")
        end = "is in list 2025-03, revision 0, published 2025-03-24."
        assert sum(line.endswith(end) for line in ran.lines) == len(ran.lines) - 2
        assert any(
            line.startswith("Game ") and ", J1002 - J10" in line and ", 1-0, +10.00, " in line
            for line in ran.lines
        )
        assert any(line.startswith("The rating ") for line in ran.lines)
        assert ran.lines[-1] == (
            f"All of this is proved, for pool pool: the office signed it in its log {NAME}, "
            "which had 5 entries then."
        )

    def test_by_a_file_of_keys_in_japanese(self, files):
        ran = banzuke("proof", "check", files / "nameless", "--key", files / "key", lang="ja")
        assert ran.status == 0
        assert "2025年3月24日に公表されたリスト2025-03（改訂0）にあります。" in ran.out
        assert "だれかは、この証明には書かれていません" in ran.out

    def test_for_programs(self, files):
        ran = banzuke("proof", "check", files / "proof", "--key", PUBLIC, "--format", "json")
        assert (ran.json["is_good"], ran.json["player"], ran.json["entry"]["list"]) == (
            True,
            PLAYER,
            "2025-03",
        )
        assert ran.json["keys"] == [str(PUBLIC)]

    def test_without_django(self, files):
        assert "django" not in imported("proof", "check", files / "proof", "--key", PUBLIC)

    def test_what_was_changed_is_refused(self, files):
        data = (files / "proof").read_bytes()
        (files / "proof").write_bytes(data.replace(b"index 2", b"index 1"))
        ran = banzuke("proof", "check", files / "proof", "--key", PUBLIC)
        assert ran.status == 1
        assert "The path does not lead to the root" in no_traceback(ran)
        assert ran.out == ""

    def test_by_another_key(self, files):
        ran = banzuke("proof", "check", files / "proof", "--key", public_key(NAME, OTHER))
        assert (ran.status, "None of the signatures" in ran.err) == (1, True)

    @pytest.mark.parametrize("key", ["nothing", "a+b+c", "/"])
    def test_what_is_no_key(self, files, key):
        ran = banzuke("proof", "check", files / "proof", "--key", key)
        assert (ran.status, "no key of an office" in no_traceback(ran)) == (2, True)

    def test_a_file_that_is_not_there(self, tmp_path):
        assert outside("proof", "check", tmp_path / "x", "--key", PUBLIC).status == 2


class TestSince:
    def since(self, files, *more):
        return banzuke(
            "proof", "since", files / "old", files / "new", files / "growth", "--key", PUBLIC, *more
        )

    def test_what_was_added(self, files):
        ran = self.since(files)
        assert ran.status == 0
        assert ran.lines[0] == "Nothing published before was changed or taken out; 3 lists were added."
        assert ran.lines[1] == "  pool: list 2025-03, revision 0, published 2025-03-24"

    def test_for_programs(self, files):
        found = self.since(files, "--format", "json").json
        assert (found["old"], found["new"], found["added"]) == (2, 5, {"lists": 3})

    @pytest.mark.parametrize("entry", ["no JSON", "[" * 50_000, '{"kind":"x"}', "\x1b[2J"])
    def test_whatever_an_office_puts_in_its_log(self, files, entry):
        bodies = [*made_log().bodies, entry]
        (files / "new").write_bytes(log_note(bodies))
        (files / "growth").write_bytes(growth_answer(bodies, 2, 6))
        ran = self.since(files)
        assert (ran.status, "\x1b" in ran.out) == (0, False)
        assert len(self.since(files, "--format", "json").json["entries"]) == 4

    def test_nothing(self, files):
        (files / "growth").write_bytes(growth_answer(made_log().bodies, 2, 2))
        ran = banzuke("proof", "since", files / "old", files / "old", files / "growth", "--key", PUBLIC)
        assert ran.out == "Nothing published before was changed or taken out; nothing was added.\n"

    @pytest.mark.parametrize(
        ("more", "en", "ja"),
        [
            (["r1"], "1 revision was added.", "改訂版1件が加わりました。"),
            (["2025-09", "r1"], "1 list and 1 revision were added.", "リスト1件、改訂版1件が加わりました。"),
            (["2025-09", "2025-10", "2025-11", "r1"], "3 lists and 1 revision were added.", "リスト3件、改訂版1件が加わりました。"),
        ],
    )  # fmt: skip
    def test_lists_and_revisions(self, files, more, en, ja):
        log = made_log()
        bodies = [made_list(name).body if name != "r1" else revision_body("2025-05") for name in more]
        bodies = [*log.bodies, *bodies]
        (files / "old").write_bytes(log.note())
        (files / "new").write_bytes(log_note(bodies))
        (files / "growth").write_bytes(growth_answer(bodies, 5, len(bodies)))
        assert self.since(files).lines[0].endswith(f"taken out; {en}")
        ran = banzuke(
            "proof", "since", files / "old", files / "new", files / "growth", "--key", PUBLIC, lang="ja"
        )
        assert ran.lines[0].endswith(ja)

    def test_another_past_is_found(self, files):
        bodies = [made_list("2024-01").body, *made_log().bodies[1:]]
        (files / "new").write_bytes(log_note(bodies))
        (files / "growth").write_bytes(growth_answer(bodies, 2, 5))
        ran = self.since(files)
        assert (ran.status, "does not begin with that of the old one" in ran.err) == (1, True)

    def test_of_several_checkpoints_in_a_file_the_smaller_ones_are_named(self, files):
        log = made_log()
        (files / "old").write_bytes(log.note(1) + b"\n\n" + log.note(2))
        ran = self.since(files)
        assert (ran.status, ran.err) == (
            0, f"{files / 'old'} has 1 smaller checkpoint that was not compared with the log.\n",
        )  # fmt: skip
        (files / "old").write_bytes(log_note(["another"]) + b"\n\n" + log.note(1) + b"\n\n" + log.note(2))
        ran = self.since(files)
        assert (ran.status, "Two logs of 1 entry are signed" in no_traceback(ran)) == (1, True)

    def test_files_of_another_kind(self, files):
        (files / "growth").write_text("{}")
        assert self.since(files).status == 2
        (files / "old").write_text("Hello\n")
        ran = self.since(files)
        assert (ran.status, "This is no checkpoint" in no_traceback(ran)) == (2, True)


def revision_body(name):
    """The entry of a list's first revision."""
    return entry_body(read_entry(made_list(name).body.encode())._replace(revision=1))


class Log(BaseHTTPRequestHandler):
    """Serves the log that its server has, at the address /office/."""

    def do_GET(self):
        of, parts = self.server, urlsplit(self.path)
        self.server.asked.append(self.path)
        if of.broken:
            self.answer(503, b"The log was changed.\n")
            return
        match parts.path:
            case "/office/log/checkpoint":
                self.answer(200, log_note(of.bodies, keys=of.keys, name=of.name))
            case "/office/log/key":
                self.answer(200, "".join(f"{public_key(of.name, key)}\n" for key in of.keys).encode())
            case "/office/log/consistency":
                old, new = (int(parse_qs(parts.query)[name][0]) for name in ("old", "new"))
                self.answer(200, growth_answer(of.bodies, old, new))
            case _:
                self.answer(404, b"")

    def answer(self, status, data):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def office():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Log)
    server.bodies, server.keys, server.name = made_log().bodies[:2], [KEY], NAME
    server.broken, server.asked = False, []
    server.address = f"http://127.0.0.1:{server.server_port}/office"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class TestWitness:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path):
        self.folder = tmp_path / "kept"

    def witness(self, office, *more, **how):
        return banzuke("witness", office.address, "--folder", self.folder, *more, **how)

    def grow(self, office, *bodies):
        office.bodies = [*office.bodies, *(bodies or made_log().bodies[2:])]

    def test_the_first_time_then_more_then_the_same(self, office):
        first = self.witness(office)
        assert first.status == 0
        assert "the office's key is noted as the office itself gives it" in first.out
        assert str(PUBLIC) in first.out
        self.grow(office)
        ran = self.witness(office)
        assert (ran.status, "noted as the office itself gives it" in ran.out) == (0, False)
        assert ran.lines[:2] == [
            "The log has 5 entries now and had 2 when it was seen last. They agree.",
            "Nothing published before was changed or taken out; 3 lists were added.",
        ]
        assert "nothing was added." in self.witness(office).out
        (kept,) = self.folder.iterdir()
        assert sorted(path.name for path in kept.iterdir()) == [
            "000000000002.checkpoint",
            "000000000005.checkpoint",
            "keys.txt",
        ]
        assert office.asked.count("/office/log/key") == 1

    def test_for_programs(self, office):
        self.witness(office)
        self.grow(office)
        found = self.witness(office, "--format", "json").json
        assert (found["before"], found["size"], found["added"], found["is_good"]) == (
            2,
            5,
            {"lists": 3},
            True,
        )

    def test_a_changed_past_is_cried_out_and_kept(self, office):
        self.witness(office)
        office.bodies = [made_list("2024-01").body, office.bodies[1], made_list("2025-09").body]
        ran = self.witness(office)
        assert ran.status == 1
        assert "DOES NOT AGREE" in no_traceback(ran)
        assert "does not begin with that of the old one" in ran.err
        (kept,) = self.folder.iterdir()
        assert len(list(kept.glob("conflict-*.checkpoint"))) == 1
        assert not (kept / "000000000003.checkpoint").exists()

    def test_two_logs_of_one_size(self, office):
        self.witness(office)
        office.bodies = office.bodies[::-1]
        assert "Two logs of 2 entries" in self.witness(office).err

    def test_a_shorter_log(self, office):
        self.witness(office)
        office.bodies = office.bodies[:1]
        ran = self.witness(office, lang="ja")
        assert (ran.status, "ログが短くなっています" in ran.err) == (1, True)

    def test_an_old_mail_is_compared_too(self, office, tmp_path):
        mail = tmp_path / "march.eml"
        mail.write_bytes(b"Subject: x\n\nHello\n\n" + made_log().note(1))
        ran = self.witness(office, "--checkpoint", mail)
        assert (ran.status, "agrees with 1 other checkpoint, too" in ran.out) == (0, True)
        other = Checkpoint(NAME, 1, made_log().tree.root(2))
        mail.write_bytes(b"Subject: x\n\nHello\n\n" + sign_checkpoint(other, [KEY]))
        assert self.witness(office, "--checkpoint", mail).status == 1
        mail.write_bytes(b"Subject: x\n\nHello\n")
        assert self.witness(office, "--checkpoint", mail).status == 2

    def test_another_key_from_one_day_to_the_next(self, office):
        self.witness(office)
        office.keys = [OTHER]
        ran = self.witness(office)
        assert (ran.status, "None of the signatures" in ran.err) == (1, True)

    def test_a_rotation_that_the_log_tells_of(self, office):
        self.witness(office)
        new = public_key(NAME, OTHER)
        office.keys = [OTHER, KEY]
        self.grow(office, entry_body(KeyEntry((str(new), str(PUBLIC)), "2025-06-01T00:00:00Z")))
        assert str(new) in self.witness(office).out
        office.keys = [OTHER]
        self.grow(office)
        assert self.witness(office).status == 0

    def test_a_key_that_was_taken_out_signs_nothing_new_but_old_mails_stay_good(self, office, tmp_path):
        """Whoever stole the old key cannot sign another log for a witness who knows that it is out of use."""
        self.witness(office)
        mail = tmp_path / "old.eml"
        mail.write_bytes(made_log().note(2))
        both = (str(public_key(NAME, OTHER)), str(PUBLIC))
        office.keys = [OTHER, KEY]
        self.grow(office, entry_body(KeyEntry(both, "2025-06-01T00:00:00Z")))
        assert self.witness(office).status == 0
        office.keys = [OTHER]
        self.grow(office, entry_body(KeyEntry(both[:1], "2025-07-01T00:00:00Z")))
        assert self.witness(office, "--checkpoint", mail).status == 0
        (kept,) = self.folder.iterdir()
        assert (kept / "keys.txt").read_text() == f"{both[0]}\n"
        assert (kept / "former-keys.txt").read_text() == f"{both[1]}\n"
        office.keys = [KEY]
        self.grow(office)
        ran = self.witness(office)
        assert (ran.status, "None of the signatures" in ran.err) == (1, True)

    def test_who_begins_with_the_old_key_learns_the_new_one_that_is_in_the_log_already(self, office):
        new = public_key(NAME, OTHER)
        office.keys = [OTHER, KEY]
        self.grow(office, entry_body(KeyEntry((str(new), str(PUBLIC)), "2025-06-01T00:00:00Z")))
        first = self.witness(office, "--key", PUBLIC)
        assert (first.status, str(new) in first.out) == (0, True)
        office.keys = [OTHER]
        self.grow(office, entry_body(KeyEntry((str(new),), "2025-07-01T00:00:00Z")))
        assert self.witness(office).status == 0
        (kept,) = self.folder.iterdir()
        assert (kept / "keys.txt").read_text() == f"{new}\n"

    def test_who_comes_later_believes_a_mail_by_a_key_that_the_log_names(self, office, tmp_path):
        (tmp_path / "old.eml").write_bytes(made_log().note(2))
        office.keys = [OTHER]
        entries = [(str(public_key(NAME, OTHER)), str(PUBLIC)), (str(public_key(NAME, OTHER)),)]
        self.grow(office, *(entry_body(KeyEntry(keys, "2025-06-01T00:00:00Z")) for keys in entries))
        assert self.witness(office, "--checkpoint", tmp_path / "old.eml").status == 0

    def restart(self, office, left):
        """The log of an older backup, begun anew."""
        before = made_log().checkpoint(len(office.bodies))
        facts = (NAME, before.size, before.root.hex(), "The disk failed", "2025-06-01T00:00:00Z")
        office.bodies = [*office.bodies[:left], entry_body(RestartEntry(*facts))]
        office.name = f"{NAME}-2"

    def test_a_log_begun_anew_is_cried_out_with_the_reason_and_may_be_accepted(self, office):
        self.grow(office)
        self.witness(office)
        self.restart(office, 3)
        ran = self.witness(office)
        assert ran.status == 1
        assert f"let its log {NAME} go on as {NAME}-2, for this reason: The disk failed" in no_traceback(ran)
        assert "2 entries that you have seen went lost" in ran.err
        assert self.witness(office, lang="ja").err.count("理由：The disk failed") == 1
        assert self.witness(office, "--accept-restart").status == 0
        self.grow(office, made_list("2025-09").body)
        assert self.witness(office).status == 0
        (kept,) = self.folder.iterdir()
        assert (kept / NAME / "000000000005.checkpoint").exists()

    def test_a_lost_key_is_followed_by_one_that_the_reader_gives(self, office):
        self.grow(office)
        self.witness(office)
        self.restart(office, 3)
        office.keys = [OTHER]
        key = public_key(f"{NAME}-2", OTHER)
        assert self.witness(office, "--accept-restart").status == 1
        ran = self.witness(office, "--key", key)
        assert (ran.status, "for this reason: The disk failed" in ran.err) == (1, True)
        assert self.witness(office, "--key", key, "--accept-restart").status == 0
        self.grow(office, made_list("2025-09").body)
        assert self.witness(office).status == 0
        office.keys = [KEY]
        self.grow(office, made_list("2025-10").body)
        assert self.witness(office).status == 1

    def test_a_restart_is_not_accepted_with_a_mail_that_it_lost(self, office, tmp_path):
        self.grow(office)
        self.witness(office)
        self.restart(office, 3)
        lost = tmp_path / "lost.eml"
        lost.write_bytes(made_log().note(4))
        assert self.witness(office, "--accept-restart", "--checkpoint", lost).status == 1
        assert "2 entries that you have seen went lost" in self.witness(office).err

    def test_mails_of_before_a_log_began_anew(self, office, tmp_path):
        self.grow(office)
        self.restart(office, 3)
        old, lost = tmp_path / "old.eml", tmp_path / "lost.eml"
        old.write_bytes(made_log().note(3))
        lost.write_bytes(made_log().note(4))
        assert self.witness(office, "--checkpoint", old).status == 0
        ran = self.witness(office, "--checkpoint", lost)
        assert (ran.status, "the log kept 3 when" in ran.err) == (1, True)
        office.bodies[1] = made_list("2024-01").body
        assert self.witness(office, "--checkpoint", old).status == 1

    def test_another_name_without_a_reason(self, office):
        self.witness(office)
        office.name = f"{NAME}-2"
        ran = self.witness(office, "--accept-restart")
        assert (ran.status, "The checkpoints are of two logs" in ran.err) == (1, True)

    def test_a_key_beside_the_log_is_not_taken(self, office):
        """Somebody between adds his signature and his key; the log says nothing of it."""
        self.witness(office)
        office.keys = [OTHER, KEY]
        self.grow(office)
        assert self.witness(office).status == 0
        office.keys = [OTHER]
        assert self.witness(office).status == 1

    def test_a_given_key(self, office):
        assert self.witness(office, "--key", public_key(NAME, OTHER)).status == 1
        ran = self.witness(office, "--key", PUBLIC)
        assert (ran.status, "the first time" in ran.out.lower()) == (0, False)
        assert "/office/log/key" not in office.asked

    def test_kept_checkpoints_that_somebody_changed(self, office):
        self.witness(office)
        (kept,) = self.folder.iterdir()
        (kept / "000000000002.checkpoint").write_bytes(made_log().note(2).replace(b"\n2\n", b"\n1\n"))
        assert self.witness(office).status == 1

    def test_an_office_that_signs_nothing_says_why(self, office):
        office.broken = True
        ran = self.witness(office)
        assert (ran.status, "503: The log was changed." in ran.err) == (2, True)

    def test_nobody_there_and_no_address(self, office):
        assert banzuke("witness", "http://127.0.0.1:1/", "--folder", self.folder).status == 2
        ran = banzuke("witness", "office.example", "--folder", self.folder)
        assert (ran.status, "is not the address" in ran.err) == (2, True)
        office.address += "/nothing"
        assert self.witness(office).status == 2


def test_it_runs_as_printed(files, office, monkeypatch):
    monkeypatch.chdir(files)
    for printed, name in {
        "J0042-2025-03.tlog-proof": "proof", "march.eml": "old", "april.eml": "new", "consistency.json": "growth",
        "public-key.txt": "key",
    }.items():  # fmt: skip
        (files / name).rename(printed)
    (block,) = [one for one in re.findall("```sh\n(.*?)```", COMMANDS, re.DOTALL) if "proof check" in one]
    check, since, witness = (shlex.split(line)[1:] for line in block.splitlines())
    assert "is in list 2025-03, revision 0, published 2025-03-24." in banzuke(*check).out
    assert "Nothing published before was changed or taken out" in banzuke(*since).out
    at = witness.index("https://ratings.example")
    office.bodies = made_log().bodies
    ran = banzuke(*witness[:at], office.address, *witness[at + 1 :])
    assert (ran.status, "agrees with 1 other checkpoint, too" in ran.out) == (0, True)
