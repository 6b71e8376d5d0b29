"""Names, ids and paths that try to break what is printed, and pools at the edge of what is a pool."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest
from command_runs import EXAMPLES, banzuke, ledger, no_traceback

from banzuke.words import LANGUAGES

NAMES = (
    "[red]x[/red]",
    "[/]",
    "\\[bold]",
    "=1+1",
    "@SUM(A1)",
    "שלום עולם",
    "😀👨👩👧" * 20,
    "x" * 5000,
    "{opponent}",
    "%s{0}",
    ":heart:",
    "ﾊﾝｶｸ ｶﾅ",
    "Ｆｕｌｌ　Ｗｉｄｔｈ",
    "O'Neil; DROP TABLE",
    '"quoted", name',
)
EVENTS = "event_id,name,starts,ends,reported"
GAMES = "event_id,round,white,black,result"


def as_csv(*rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


@pytest.fixture
def hostile(tmp_path):
    """A club of such names, ids and events, in a folder with blanks and Japanese in its name."""
    ids = [f"{number} {name[:50]}" for number, name in enumerate(NAMES)]
    return ledger(
        tmp_path / "台帳 [1] {x}",
        "hakodate",
        players=as_csv(["player_id", "name"], *zip(ids, NAMES, strict=True)),
        events=as_csv(EVENTS.split(","), ["[/red] E", NAMES[0], *["2024-01-06"] * 3]),
        games=as_csv(
            GAMES.split(","),
            *(["[/red] E", number, ids[0], other, "1-0"] for number, other in enumerate(ids[1:], 1)),
            ["[/red] E", 999999, ids[0], ids[1], "+/-"],
        ),
    )


def shown(name):
    return name.replace("\u202e", r"\u202e")


class TestNames:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_in_explanations(self, hostile, lang):
        for number, name in enumerate(NAMES):
            ran = banzuke("explain", hostile, f"{number} {name[:50]}", lang=lang)
            assert (ran.status, ran.err) == (0, "")
            assert ran.lines[0].startswith(shown(name))
            as_json = banzuke("explain", hostile, f"{number} {name[:50]}", "--format", "json", lang=lang)
            assert as_json.json["sections"][0]["heading"].startswith(name)

    def test_no_control_reaches_the_terminal(self, hostile):
        for number, name in enumerate(NAMES):
            out = banzuke("explain", hostile, f"{number} {name[:50]}").out
            assert not any(c < " " or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in out.replace("\n", ""))

    def test_in_lists(self, hostile, tmp_path):
        assert banzuke("rate", hostile, "--out", tmp_path / "出 力").status == 0
        with (tmp_path / "出 力" / "lists.csv").open(encoding="utf-8", newline="") as stream:
            assert {row["player_id"] for row in csv.DictReader(stream)} == {
                f"{number} {name[:50]}" for number, name in enumerate(NAMES)
            }

    def test_in_suggestions(self, hostile):
        ran = banzuke("explain", hostile, "heart")
        assert (ran.status, ran.err) == (
            1,
            "No player 'heart' in this ledger. Did you mean: 10 :heart: (:heart:)?\n",
        )

    def test_in_lists_of_events(self, hostile):
        ran = banzuke("explain", hostile, "0 [red]x[/red]", "--list", "none")
        assert ran.err == "'none' is not a list of this ledger. Write it like these: [/red] E\n"

    @pytest.mark.parametrize("control", ["\x1b[2J", "\x07", "\x9b31m", "\t", "\x00"])
    def test_controls_are_refused(self, tmp_path, control):
        folder = ledger(
            tmp_path / "club",
            "hakodate",
            players=f"player_id,name\nA,x{control}y",
            events=EVENTS,
            games=GAMES,
        )
        ran = banzuke("check", folder)
        assert ran.status == 2
        assert no_traceback(ran).startswith("players.csv:2: ")

    def test_in_the_demos_lists(self, tmp_path, monkeypatch):
        """Brackets of a name are no markup, colons no picture, and a long name folds."""
        examples = shutil.copytree(EXAMPLES, tmp_path / "examples")
        players = examples / "us-championship-2025" / "players.csv"
        text = players.read_text("utf-8")
        for real, other in (("Caruana, Fabiano", "[red]:heart:[/]"), ("So, Wesley", "z" * 300)):
            assert real in text
            text = text.replace(real, other)
        players.write_text(text, "utf-8")
        monkeypatch.setattr("banzuke.cli.demo.examples_folder", lambda: examples)
        ran = banzuke("demo", "--out", tmp_path / "out")
        assert (ran.status, ran.err) == (0, "")
        assert "[red]:heart:[/]" in ran.out
        assert ran.out.count("z") >= 300


class TestPools:
    """Pools at the edge: the commands answer, and never with a traceback."""

    MEMBERSHIPS = "player_id,kind,valid_from,valid_to"
    BOOKS = ("ncs-2022", "jcf-2024", "fide-2024", "hakodate")

    def pool(self, folder, book, players="player_id,name", events=EVENTS, games=GAMES):
        return ledger(folder, book, players=players, events=events, games=games, memberships=self.MEMBERSHIPS)

    @pytest.mark.parametrize("book", BOOKS)
    def test_nobody_and_nothing(self, book, tmp_path):
        folder = self.pool(tmp_path / "ledger", book)
        assert banzuke("check", folder).out == "Pool: good. 0 events, 0 games, 0 players.\n"
        ran = banzuke("rate", folder, "--out", tmp_path / "out", "--format", "json")
        assert (ran.json["lists"], ran.json["lines"], ran.json["verdicts"]) == ([], 0, {})
        assert len((tmp_path / "out" / "lists.csv").read_text("utf-8").splitlines()) == 1
        assert banzuke("explain", folder, "A").status == 1

    @pytest.mark.parametrize("book", BOOKS)
    def test_one_player_and_an_event_without_games(self, book, tmp_path):
        events = "event_id,name,starts,ends,reported,speed\nE,Event,2025-01-04,2025-01-04,2025-01-05,standard"
        folder = self.pool(tmp_path / "ledger", book, "player_id,name\nA,A A", events)
        assert banzuke("rate", folder, "--out", tmp_path / "out", "--format", "json").json["lines"] == 0
        ran = banzuke("explain", folder, "A", "--format", "json")
        (section,) = ran.json["sections"]
        assert ran.status == 0
        assert [sentence["key"] for sentence in section["sentences"]] == ["before-unrated", "no-line-ever"]

    @pytest.mark.parametrize("book", BOOKS)
    def test_huge_rounds(self, book, tmp_path):
        folder = self.pool(
            tmp_path / "ledger",
            book,
            "player_id,name\nA,A A\nB,B B",
            "event_id,name,starts,ends,reported,speed\nE,Event,2025-01-04,2025-01-04,2025-01-05,standard",
            GAMES + "\nE,999999,A,B,1-0\nE,10,B,A,1-0\nE,9,B,A,1-0",
        )
        assert banzuke("rate", folder, "--out", tmp_path / "out").status == 0
        rows = (tmp_path / "out" / "changes.csv").read_text("utf-8").splitlines()[1:]
        assert [row.split(",")[3] for row in rows] == ["9", "9", "10", "10", "999999", "999999"]
        assert banzuke("explain", folder, "A").status == 0

    def test_a_go_pool_without_games(self, tmp_path):
        folder = ledger(
            tmp_path / "go",
            "pandanet",
            players="player_id,name,declared\na,A,5k\nb,B,BC\nc,C,3p",
            games="game_id,ended,black,white,result,handicap,komi,board,moves",
        )
        assert banzuke("check", folder).out == "Pool: good. 0 games, 3 players.\n"
        assert banzuke("rate", folder, "--out", tmp_path / "out").status == 0
        assert (tmp_path / "out" / "standings.csv").read_text("utf-8") == (
            "player_id,rank,points,rated_games,wins_in_bc\na,5k?,,0,0\nb,BC,,0,0\nc,3p,,0,0\n"
        )
        for player, words in (
            ("a", "(provisional)"),
            ("b", "beginners' class"),
            ("c", "A professional (3p)"),
        ):
            assert words in banzuke("explain", folder, player).out

    def test_lists_as_far_as_the_calendar_goes(self, tmp_path):
        ran = banzuke(
            "rate",
            EXAMPLES / "us-championship-2025",
            "--out",
            tmp_path,
            "--until",
            "2199-12",
            "--format",
            "json",
        )
        assert ran.json["lists"][-1] == "2199-12"
        assert banzuke("rate", EXAMPLES / "japan", "--out", tmp_path, "--until", "2200-01").status == 2

    def test_the_ledger_through_a_link_and_with_a_dot(self, tmp_path, monkeypatch):
        (tmp_path / "link").symlink_to(EXAMPLES / "hakodate")
        assert banzuke("check", tmp_path / "link").status == 0
        monkeypatch.chdir(EXAMPLES / "hakodate")
        assert banzuke("check", ".").status == 0
        assert json.loads(banzuke("explain", ".", "H26", "--format", "json").out)["player"] == "H26"
