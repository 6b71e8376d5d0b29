"""What help and the commands page say is so: each example of the help runs, nothing is named that is not."""

from __future__ import annotations

import re
import shlex
import shutil
import zipfile

import pytest
from command_runs import EXAMPLES, ROOT, banzuke
from machine_parts import needs_font
from made_log import PUBLIC, growth_answer, made_log
from typer.main import get_command

from banzuke.cli.app import app
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.words import LANGUAGES, catalogue

TRF = """012 Spring Open
042 2025/03/01
052 2025/03/01
001    1      HAYASHI Haruto                         JPN                         1.0    1     2 w 1
001    2      NEW Player                             JPN                         0.0    2     1 b 0
"""


CARLSEN = [FidePlayer("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "", "", "")]

EPILOGS = [
    command
    for key, said in catalogue("cli").items()
    if key.endswith("-epilog") and key != "app-epilog"
    for lang in LANGUAGES
    for command in re.findall(r"`(banzuke [^`]+)`", said[lang])
    if "--pool" not in command and "://" not in command  # of an office: tests/cli/test_office_clients.py
    if not command.startswith("banzuke log ")  # of an office: tests/cli/test_log_commands.py
    if not command.startswith("banzuke serve")  # it goes on: tests/server, tests/office/live_service.py
]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a ledger, a report and the examples, as the documents suppose them."""
    shutil.copytree(EXAMPLES / "japan", tmp_path / "ledger")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    (tmp_path / "open.trf").write_text(TRF, "utf-8")
    (tmp_path / "members.csv").write_text("会員番号,ローマ字\nJ900,ONO Aya\n", "cp932")
    with zipfile.ZipFile(tmp_path / "players_list.zip", "w") as packed:
        packed.writestr("players_list_foa.txt", b"".join(write_txt(CARLSEN, "x")))
    log = made_log()
    (tmp_path / "J0042-2025-03.tlog-proof").write_bytes(log.proof(2, "J1002"))
    (tmp_path / "march.eml").write_bytes(b"Subject: March\n\n" + log.note(3))
    (tmp_path / "april.eml").write_bytes(b"Subject: April\n\n" + log.note(5))
    (tmp_path / "consistency.json").write_bytes(growth_answer(log.bodies, 3, 5))
    (tmp_path / "public-key.txt").write_text(f"{PUBLIC}\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command):
    words = shlex.split(command)
    return banzuke(*words[1:], *(["--out", "demo-out"] if words[1] == "demo" else []))


class TestHelpExamples:
    def test_are_found(self):
        assert len(EPILOGS) >= 8

    @pytest.mark.parametrize(
        "command",
        [pytest.param(each, marks=[needs_font] * ("--format pdf" in each)) for each in sorted(set(EPILOGS))],
    )
    def test_run(self, desk, command):
        ran = run(command)
        assert (ran.status, ran.err) == (0, ""), command


def commands(command, words=()):
    below = getattr(command, "commands", {})
    if not below:
        yield " ".join(words), command
    for name, sub in below.items():
        yield from commands(sub, (*words, name))


COMMANDS = dict(commands(get_command(app)))
COMMON = {"--format", "--lang", "--help"}


class TestCommandsPage:
    TEXT = (ROOT / "docs" / "commands.md").read_text("utf-8")

    def test_names_no_command_and_no_option_that_is_not(self):
        known = {
            option for command in COMMANDS.values() for p in command.params for option in p.opts
        } | COMMON
        assert set(re.findall(r"--[a-z][a-z-]+", self.TEXT)) <= known
        named = {name.strip() for name in re.findall(r"`banzuke ((?:[a-z]+(?:-[a-z]+)? ?)+)", self.TEXT)}
        acts = (" diff", " new", " test")  # what the command `rules` is told to do
        assert {name.removesuffix(next((a for a in acts if name.endswith(a)), "")) for name in named} <= set(
            COMMANDS
        )
