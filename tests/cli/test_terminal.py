"""The command from outside: pipes, encodings, terminals, languages, in a process of its own."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from pathlib import Path

import pytest
from command_runs import COMMAND, EXAMPLES, ledger, outside
from machine_parts import needs_terminal

from banzuke.words import LANGUAGES, catalogue

JAPAN, CLUB = EXAMPLES / "japan", EXAMPLES / "hakodate"
EVENTS = "event_id,name,starts,ends,reported"
GAMES = "event_id,round,white,black,result"


def on_a_terminal(*arguments, columns=80, **environment):
    """The command on a terminal of that width: its exit status and all that came to the screen."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    env |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "BANZUKE_LANG": "en"} | environment
    words = [*COMMAND, *map(str, arguments)]
    process = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=env)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the terminal is gone with the process
            break
        if not part:
            break
        seen += part
    os.close(master)
    return process.wait(timeout=60), seen.decode("utf-8")


def plain(screen):
    """What stands on the screen, without colours and movements."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen).replace("\r\n", "\n")


def width(line):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


class TestPipes:
    @pytest.mark.parametrize(
        "words",
        [
            ["rules", "ncs-2022"],
            ["rules", "ncs-2022", "--format", "json"],
            ["explain", str(JAPAN), "J004", "--format", "text"],
        ],
    )
    def test_a_reader_who_has_gone_is_no_error(self, words):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*COMMAND, *words], check=False, stdout=writer, stderr=subprocess.PIPE, timeout=60
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    @pytest.mark.parametrize("words", [["rules", "ncs-2022", "--lang", "en"], ["rules", "--help"]])
    def test_a_full_disk_is_one_line(self, words, monkeypatch):
        monkeypatch.setenv("BANZUKE_LANG", "en")
        with open("/dev/full", "wb") as full:  # noqa: PTH123
            words = [*COMMAND, *words]
            done = subprocess.run(words, check=False, stdout=full, stderr=subprocess.PIPE, timeout=60)
        assert (done.returncode, done.stderr) == (2, b"Cannot read or write -: No space left on device\n")

    @pytest.mark.parametrize("words", [["rules"], ["rules", "--format", "json"], ["check", str(CLUB)]])
    @pytest.mark.slow
    def test_without_any_output_the_work_is_done_all_the_same(self, words):
        script = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *COMMAND, *words]
        assert subprocess.run(script, check=False, timeout=60).returncode == 0

    def test_a_rating_without_any_output(self, tmp_path):
        words = [*COMMAND, "rate", str(CLUB), "--out", str(tmp_path / "out")]
        done = subprocess.run(["sh", "-c", 'exec "$@" >&- 2>&-', "sh", *words], check=False, timeout=60)
        assert done.returncode == 0
        assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.slow
class TestEncodings:
    @pytest.mark.parametrize(
        "environment",
        [
            {"LC_ALL": "C"},
            pytest.param({"LANG": "C"}, marks=pytest.mark.slow),
            pytest.param(
                {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, marks=pytest.mark.slow
            ),
            pytest.param({"LC_ALL": "POSIX"}, marks=pytest.mark.slow),
        ],
    )
    def test_a_plain_locale(self, environment):
        ran = outside("explain", JAPAN, "J004", "--lang", "ja", **environment)
        assert (ran.status, ran.err) == (0, "")
        assert ran.lines[0].startswith("林 陽翔（J004）：")

    @pytest.mark.parametrize(
        "encoding", ["cp932", *(pytest.param(name, marks=pytest.mark.slow) for name in ("latin-1", "ascii"))]
    )
    def test_what_the_output_cannot_hold_does_no_harm(self, encoding):
        for words in (["rules", "ncs-2022", "--lang", "ja"], ["explain", JAPAN, "J004", "--lang", "ja"]):
            ran = outside(*words, PYTHONIOENCODING=encoding)
            assert ran.status == 0
            assert "Traceback" not in ran.err

    def test_json_can_be_read_in_any(self):
        utf8, latin = (
            outside("explain", JAPAN, "J004", "--lang", "ja", "--format", "json", PYTHONIOENCODING=encoding)
            for encoding in ("utf-8", "latin-1")
        )
        assert utf8.json == latin.json
        assert "林 陽翔" in utf8.out
        assert latin.out.isascii()

    def test_the_readers_language(self):
        assert outside("check", CLUB, LANG="ja_JP.UTF-8").out.startswith(
            "Hakodate club (example)：問題ありません。"
        )
        assert outside("check", CLUB, LANG="ja_JP.UTF-8", BANZUKE_LANG="en").out.startswith(
            "Hakodate club (example): good."
        )
        assert outside("check", CLUB, "--lang", "en", BANZUKE_LANG="ja").out.startswith(
            "Hakodate club (example): good."
        )


@needs_terminal
class TestTerminal:
    def test_headings_and_clauses_stand_out_only_there(self):
        status, screen = on_a_terminal("explain", JAPAN, "J004", "--list", "2025-02", columns=300)
        assert status == 0
        assert "\x1b[1mHAYASHI Haruto (J004): standard rating, list 2025-02 (jcf-2024)\x1b[0m" in screen
        assert "\x1b[36m  [JCF 5(1)]\x1b[0m" in screen
        ran = outside("explain", JAPAN, "J004", "--list", "2025-02", "--lang", "en")
        assert plain(screen) == ran.out

    @pytest.mark.parametrize(
        "columns", [20, *(pytest.param(wide, marks=pytest.mark.slow) for wide in (1, 60))]
    )
    def test_tables_fit_a_narrow_one(self, columns):
        status, screen = on_a_terminal("rules", "jcf-2024", columns=columns, BANZUKE_LANG="ja")
        assert status == 0
        table = plain(screen).splitlines()[3:]
        assert table
        if columns > 1:
            assert max(map(width, table)) <= columns

    @pytest.mark.slow
    def test_progress_is_shown_there_alone(self, tmp_path):
        status, screen = on_a_terminal("rate", CLUB, "--out", tmp_path / "out")
        assert status == 0
        assert "9/9" in screen
        assert "\x1b[?25l" in screen
        ran = outside("rate", CLUB, "--out", tmp_path / "out", "--lang", "en")
        assert ran.err == ""
        assert "\x1b" not in ran.out

    def test_progress_shows_ids_as_they_are(self, tmp_path):
        ids = ["[/red]", "[bold]", "{0}", ":heart:", "日本語" * 60]
        folder = ledger(
            tmp_path / "club",
            "hakodate",
            players="player_id,name\nA,A A\nB,B B",
            events="\n".join([EVENTS, *(f"{e},{e},2024-01-06,2024-01-06,2024-01-07" for e in ids)]),
            games="\n".join([GAMES, *(f"{e},1,A,B,1-0" for e in ids)]),
        )
        status, screen = on_a_terminal("rate", folder, "--out", tmp_path / "out")
        assert status == 0
        assert "Traceback" not in screen
        assert "5/5" in screen


#: Prints the help of every command, in the language of its environment, as JSON.
HELP = """
import json
from typer.main import get_command
from typer.testing import CliRunner
from banzuke.cli.app import app

def helps(command, words):
    yield words, CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "400"}).stdout
    for name, below in getattr(command, "commands", {}).items():
        yield from helps(below, [*words, name])

print(json.dumps({" ".join(words): text for words, text in helps(get_command(app), [])}))
"""


@pytest.fixture(scope="module")
def helps():
    """The help of every command by language."""
    found = {}
    for lang in LANGUAGES:
        env = os.environ | {"BANZUKE_LANG": lang, "COLUMNS": "400", "TERMINAL_WIDTH": "400"}
        done = subprocess.run(
            [sys.executable, "-c", HELP], check=True, capture_output=True, env=env, timeout=60
        )
        found[lang] = json.loads(done.stdout)
    return found


class TestHelp:
    COMMANDS = (
        "", "demo", "new", "key", "consume", "webhook", "webhook add", "webhook list", "webhook on", "webhook remove", "rate", "check", "explain", "rules", "import", "register", "form", "who", "export", "standings",
        "import-ledger", "export-ledger", "publish", "verify", "serve", "push", "replay", "tail", "backup", "restore", "erase",
        "proof", "proof check", "proof since", "witness", "log", "log compare", "log new-key", "log restart",
        "database", "database prepare",
        "fide", "fide find", "fide take-over",
        "calc", "calc change", "calc first", "calc performance", "calc go",
        "lab", "lab compare", "lab predict", "lab simulate", "lab anomalies", "lab numbers",
        "lab account", "lab soundness", "lab effect", "lab fit",
    )  # fmt: skip

    def test_every_command_has_it_in_both_languages(self, helps):
        for lang in LANGUAGES:
            assert set(helps[lang]) == set(self.COMMANDS)
            assert all("Usage: " in text for text in helps[lang].values())

    @pytest.mark.parametrize("command", COMMANDS)
    def test_it_says_what_the_command_does(self, helps, command):
        key = command.replace(" ", "-") or "app"
        for lang in LANGUAGES:
            words = " ".join(helps[lang][command].split())
            assert " ".join(catalogue("cli")[key][lang].split()).replace(" ", "") in words.replace(" ", "")

    @pytest.mark.parametrize(
        "command",
        [c for c in COMMANDS if c not in ("", "calc", "database", "fide", "lab", "log", "proof", "webhook")],
    )
    def test_every_command_takes_format_and_lang(self, helps, command):
        for option in ("--format", "--lang"):
            assert option in helps["en"][command]

    def test_no_english_is_left_in_the_japanese(self, helps):
        for command, text in helps["ja"].items():
            for said in catalogue("cli").values():
                if said["en"] != said["ja"] and len(said["en"]) > 25:
                    assert said["en"] not in text, command

    def test_no_traceback_where_a_command_is_wrong(self):
        ran = outside("nonsense")
        assert ran.status == 2
        assert "Traceback" not in ran.err
