"""banzuke register: asked on a terminal, refused with the way out elsewhere, seen before it is written."""

from __future__ import annotations

import os
import pty
import select
import time

import pytest
from command_runs import COMMAND, banzuke, no_traceback
from machine_parts import needs_terminal

from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES

TEXT = "会員番号,氏名,ローマ字,電話,有効期限\nA,阿部 一郎,ABE Ichiro,1,2026-03-31\nN,新 人,NEW One,2,2026-03-31\n"
SAID = ["--column", "id=会員番号", "--column", "name=ローマ字", "--column", "name_native=氏名"]


@pytest.fixture
def japan(ledger_folder):
    return ledger_folder("japan")


@pytest.fixture
def members(tmp_path):
    path = tmp_path / "members.csv"
    path.write_bytes(TEXT.encode("cp932"))
    return path


def on_a_terminal(answers, *arguments):
    """Exit status and screen of the command in a terminal where each prompt gets the next answer."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ |= {"BANZUKE_LANG": "en", "TERM": "dumb", "LC_ALL": "C.UTF-8", "COLUMNS": "200"}
        os.execv(COMMAND[0], [*COMMAND, *map(str, arguments)])
    screen, waiting, until = b"", list(answers), time.monotonic() + 60
    while time.monotonic() < until:
        ready, _, _ = select.select([master], [], [], 1)
        try:
            part = os.read(master, 65536) if ready else b""
        except OSError:  # the terminal is gone with the process
            break
        screen += part
        if waiting and screen.rstrip(b" ").endswith(b":"):
            os.write(master, f"{waiting.pop(0)}\n".encode())
            screen += b"\n"
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), screen.decode("utf-8"), waiting


class TestWithoutATerminal:
    def test_unknown_columns_are_refused_with_the_options_to_give(self, japan, members):
        ran = banzuke("register", members, "--into", japan)
        assert ran.status == 2
        assert no_traceback(ran) == (
            "Which column of members.csv is what? Its headings: 会員番号, 氏名, ローマ字, 電話, 有効期限. "
            "Our fields: id, name, name_native, birth_date, sex, club_id, fide_id, valid_from, valid_to, kind, "
            "title, title_from, fide_standard, fide_rapid, fide_blitz. "
            "Tell `banzuke register` once, for example with: --column id=会員番号 --column name=ローマ字 "
            "--column name_native=氏名 --column valid_to=有効期限. Nothing was written.\n"
        )

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_shows_and_writes_nothing_without_a_yes(self, japan, members, lang):
        before = {path.name: path.read_bytes() for path in japan.iterdir()}
        ran = banzuke("register", members, "--into", japan, *SAID, lang=lang)
        assert ran.status == 1
        assert "--yes" in no_traceback(ran)
        assert "ABE, Ichiro" in ran.out
        assert {path.name: path.read_bytes() for path in japan.iterdir()} == before

    def test_a_new_member_of_a_name_that_another_has(self, japan, tmp_path):
        path = tmp_path / "new.csv"
        path.write_text("player_id,name,name_native\nN,SATO Hana,佐藤 花\nO,BABA  Jirō,馬場　次郎\n", "utf-8")
        ran = banzuke("register", path, "--into", japan, "--yes")
        line = "new.csv: O: The name 'BABA  Jirō' stands under more than one id: B (2010-01-02), O. "
        assert (ran.status, ran.err.startswith(line)) == (0, True)
        assert line in banzuke("check", japan).out.replace("players.csv", "new.csv")

    def test_preview(self, japan, members):
        ran = banzuke("register", members, "--into", japan, *SAID)
        assert ran.lines[0] == "members.csv: 2 members; 1 new, 1 changed, 0 the same; 0 memberships to add."
        assert ran.lines[1] == "Columns not read: 電話, 有効期限"
        assert [line.split() for line in ran.lines[2:] if "ABE" in line] == [
            ["A", "name", "ABE,", "Ichiro", "ABE", "Ichiro"]
        ]

    def test_yes_writes_and_the_columns_are_remembered(self, japan, members):
        ran = banzuke("register", members, "--into", japan, *SAID, "--yes")
        assert (ran.status, ran.lines[-1]) == (0, "Written.")
        assert [p.name for p in read_ledger(japan).players if p.player_id in "AN"] == [
            "ABE Ichiro",
            "NEW One",
        ]
        again = banzuke("register", members, "--into", japan)
        assert (again.status, again.lines[-1]) == (0, "Nothing to write: the ledger already has all this.")

    def test_memberships_need_a_first_day(self, japan, members):
        words = ["register", members, "--into", japan, *SAID, "--column", "valid_to=有効期限", "--yes"]
        ran = banzuke(*words)
        assert ran.status == 2
        assert "members.csv:2: valid_from: The membership ends on 2026-03-31" in ran.err
        ran = banzuke(*words, "--valid-from", "2025-04-01", "--format", "json")
        assert (ran.status, ran.json["memberships"], ran.json["written"]) == (0, ["A", "N"], True)

    def test_json(self, japan, members):
        ran = banzuke("register", members, "--into", japan, *SAID, "--format", "json")
        assert ran.status == 1
        assert ran.json == {
            "file": "members.csv",
            "columns": {"id": "会員番号", "name": "ローマ字", "name_native": "氏名"},
            "new": ["N"],
            "changes": [{"player_id": "A", "field": "name", "old": "ABE, Ichiro", "new": "ABE Ichiro"}],
            "memberships": [],
            "same": 0,
            "lapsed": 0,
            "ratings_kept": 0,
            "remarks": [],
            "written": False,
        }

    def test_a_dated_change(self, japan, members):
        assert (
            banzuke("register", members, "--into", japan, *SAID, "--asked", "2025-04-01", "--yes").status == 0
        )
        rows = [player for player in read_ledger(japan).players if player.player_id == "A"]
        assert [str(row.struck or row.added) for row in rows] == ["2025-04-01"] * 2

    def test_the_ledgers_own_layout_needs_no_saying(self, japan, tmp_path):
        path = tmp_path / "players.csv"
        path.write_text("player_id,name\nN,NEW One\n", "utf-8")
        assert banzuke("register", path, "--into", japan, "--yes").status == 0
        assert "N" in {player.player_id for player in read_ledger(japan).players}

    def test_only_the_first_changes_are_shown(self, japan, tmp_path):
        path = tmp_path / "players.csv"
        path.write_text("player_id,name\n" + "".join(f"N{n},NEW One\n" for n in range(30)), "utf-8")
        assert banzuke("register", path, "--into", japan, "--yes").status == 0
        path.write_text("player_id,name\n" + "".join(f"N{n},OLD One\n" for n in range(30)), "utf-8")
        ran = banzuke("register", path, "--into", japan)
        assert "changes (20 of 30)" in ran.out
        assert sum("OLD One" in line for line in ran.lines) == 20

    @pytest.mark.parametrize("option", ["name", "phone=電話", "=x", ""])
    def test_a_column_that_is_none_of_ours(self, japan, members, option):
        ran = banzuke("register", members, "--into", japan, "--column", option)
        assert ran.status == 2
        assert "Fields: id, name" in no_traceback(ran)

    def test_faults_of_the_register_with_their_rows(self, japan, members):
        ran = banzuke("register", members, "--into", japan, "--column", "id=会員番号", "--column", "sex=電話")
        assert ran.status == 2
        assert ran.err.startswith("members.csv:2: D: “1” is not known as a sex")

    def test_no_register_and_no_ledger(self, japan, members, tmp_path):
        (tmp_path / "empty.csv").write_bytes(b"")
        for words in ([tmp_path / "empty.csv", "--into", japan], [members, "--into", tmp_path / "no", *SAID]):
            ran = banzuke("register", *words)
            assert ran.status == 2
            no_traceback(ran)


@needs_terminal
class TestOnATerminal:
    def test_each_field_is_asked_for_and_the_proposal_is_the_default(self, japan, members):
        answers = ["", "3", "nothing", "氏名", *["-"] * 12, "y"]
        status, screen, left = on_a_terminal(answers, "register", members, "--into", japan)
        assert (status, left) == (0, [])
        assert "id (member's id) [会員番号]:" in screen
        assert "Please answer with a number or a heading" in screen
        assert "Written." in screen
        assert "N" in {player.player_id for player in read_ledger(japan).players}
        columns = (japan / "register.toml").read_text("utf-8")
        assert 'columns = {id = "会員番号", name = "ローマ字", name_native = "氏名"}' in columns

    def test_a_no_writes_nothing(self, japan, members):
        before = (japan / "players.csv").read_bytes()
        status, screen, left = on_a_terminal(["n"], "register", members, "--into", japan, *SAID)
        assert (status, left) == (1, [])
        assert "Nothing was written." in screen
        assert (japan / "players.csv").read_bytes() == before
        assert not (japan / "register.toml").exists()

    @pytest.mark.parametrize("key", ["\x03", "\x04"])
    def test_an_interrupt_at_a_question(self, japan, members, key):
        before = {path.name: path.read_bytes() for path in japan.iterdir()}
        status, screen, _ = on_a_terminal(["", key], "register", members, "--into", japan)
        assert status == 130
        assert screen.rstrip().endswith("Interrupted. Nothing was left half written.")
        assert {path.name: path.read_bytes() for path in japan.iterdir()} == before
