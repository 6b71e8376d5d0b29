"""Every command, as text and as JSON, in both languages, with its exit status."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import time
from importlib.metadata import version

import pytest
from command_runs import EXAMPLES, banzuke, ledger

from banzuke.cli import last_list
from banzuke.cli.output import width_without_terminal
from banzuke.cli.rating import meaning
from banzuke.core.registry import BOOKS
from banzuke.explanations import rule_pages
from banzuke.explanations.chess_rating import explain
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES

JAPAN, CLUB, GO = EXAMPLES / "japan", EXAMPLES / "hakodate", EXAMPLES / "go-server"
BOTH = pytest.mark.parametrize("lang", LANGUAGES)


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


class TestRate:
    def test_text(self, tmp_path):
        ran = banzuke("rate", CLUB, "--out", tmp_path / "out")
        assert (ran.status, ran.err) == (0, "")
        assert ran.lines[0] == f"Hakodate club (example): 9 lists, 320 lines, written to {tmp_path / 'out'}"
        assert [line.split() for line in ran.lines[2:8]] == [
            ["verdict", "meaning", "lines"],
            ["─" * 43],
            ["rated", "rated", "276"],
            ["first", "counts", "for", "a", "first", "rating", "22"],
            ["unrated", "a", "side", "is", "unrated", "20"],
            ["forfeit", "not", "played", "2"],
        ]
        last = ran.lines.index("list 2025-12-evening (12 of 28 players)")
        assert ran.lines[last + 4].split() == ["1", "ISHIKAWA", "Mei", "H21", "1852", "0", "158"]

    def test_text_in_japanese(self, tmp_path):
        ran = banzuke("rate", CLUB, "--out", tmp_path / "out", lang="ja")
        assert ran.lines[0] == f"Hakodate club (example)：9リスト、320行を{tmp_path / 'out'}に書き出しました"
        assert ran.lines[2].split() == ["判定", "意味", "行数"]
        assert "2025-12-eveningリスト（28人中12人）" in ran.lines

    def test_json(self, tmp_path):
        ran = banzuke("rate", CLUB, "--out", tmp_path / "out", "--format", "json")
        assert ran.json == {
            "pool": "Hakodate club (example)",
            "engine": "reference",
            "out": str(tmp_path / "out"),
            "lists": [row["list"] for row in unique(rows(tmp_path / "out" / "lists.csv"))],
            "lines": 320,
            "verdicts": {"first": 22, "forfeit": 2, "rated": 276, "unrated": 20},
            "meanings": {
                "first": "counts for a first rating",
                "forfeit": "not played",
                "rated": "rated",
                "unrated": "a side is unrated",
            },
            "ignored_declarations": 0,
            "notes": [],
        }

    def test_go_says_whose_the_border_zone_is(self, tmp_path):
        ran = banzuke("rate", GO, "--out", tmp_path / "out")
        assert ran.lines[0] == f"Go server, January 2026: 810 lines, written to {tmp_path / 'out'}"
        assert ran.lines[-2:] == [
            "Border zone and certification: this project's own table and formula (the server's are not published).",
            "Declarations of a rank that were ignored (made after certification, or by a beginner or professional): 1",
        ]  # fmt: skip

    def test_the_operators_border_zone_is_named(self, tmp_path):
        folder = ledger(tmp_path / "go", "pandanet", players="player_id,name,declared", games=GO_GAMES)
        with (folder / "pool.toml").open("a") as stream:
            stream.write('border_zone = "lines.toml"\n')
        (folder / "lines.toml").write_text(zone_toml(), "utf-8")
        ran = banzuke("rate", folder, "--out", tmp_path / "out", "--format", "json")
        assert ran.json["notes"] == [
            "Border zone: the operator's table lines.toml. Certification: this project's own formula."
        ]

    def test_an_edition_that_stands_in_is_named(self, tmp_path):
        folder = tmp_path / "japan"
        folder.mkdir()
        for path in JAPAN.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        with (folder / "pool.toml").open("a") as stream:
            stream.write('stands_in = "JCF 2023-08-01"\n')
        ran = banzuke("rate", folder, "--out", tmp_path / "out")
        assert ran.lines[-1] == (
            "Lists from 2024-10-01: jcf-2024 is used in place of the edition JCF 2023-08-01."
        )

    def test_until_and_engine(self, tmp_path):
        ran = banzuke(
            "rate",
            JAPAN,
            "--out",
            tmp_path,
            "--until",
            "2024-07",
            "--engine",
            "reference",
            "--format",
            "json",
        )
        assert ran.json["lists"] == ["2024-06", "2024-07"]

    @pytest.mark.parametrize("engine", ["reference", "columnar"])
    def test_until_before_the_first_list(self, tmp_path, engine):
        if engine == "columnar":
            pytest.importorskip("numba", reason="the fast twins need the extra `bulk`")
        words = ("rate", JAPAN, "--out", tmp_path, "--until", "2023-01", "--engine", engine)
        ran = banzuke(*words, "--format", "json")
        assert (ran.status, ran.json["lists"]) == (0, [])
        assert ran.err == (
            "There is no list until 2023-01, so the tables are empty; the first list of this ledger is 2024-06.\n"
        )
        assert (tmp_path / "lists.csv").read_text("utf-8").startswith("list,speed,player_id,")
        assert len((tmp_path / "changes.csv").read_text("utf-8").splitlines()) == 1
        assert banzuke(*words, lang="ja").err == (
            "2023-01までのリストはないため、表は空です。この台帳の最初のリストは2024-06です。\n"
        )

    def test_until_of_a_ledger_without_events(self, tmp_path):
        folder = ledger(tmp_path / "empty", "jcf-2024", players="player_id,name", events=EVENTS, games=GAMES)
        ran = banzuke("rate", folder, "--out", tmp_path / "out", "--until", "2025-03")
        assert (ran.status, ran.err) == (0, "This ledger has no list yet, because it has no events.\n")

    def test_until_before_the_first_game_of_go(self, tmp_path):
        ran = banzuke("rate", GO, "--out", tmp_path, "--until", "2020-01-01T12:00:00+09:00")
        assert ran.status == 0
        assert ran.err.startswith(
            "No game had ended by 2020-01-01T12:00:00+09:00, so no game is rated; the first of this ledger ended at 2026-01-"
        )

    @pytest.mark.slow
    def test_parquet(self, tmp_path):
        pytest.importorskip("pyarrow", reason="Parquet needs the extra `bulk`")
        assert banzuke("rate", JAPAN, "--out", tmp_path, "--parquet").status == 0
        assert {path.name for path in tmp_path.iterdir()} == {"lists.parquet", "changes.parquet"}

    def test_parquet_without_its_package(self, tmp_path, monkeypatch):
        monkeypatch.setattr("banzuke.cli.rating.find_spec", lambda _: None)
        ran = banzuke("rate", JAPAN, "--out", tmp_path / "out", "--parquet")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == (
            "Parquet and the columnar engine need the extra `bulk` "
            "(in Banzuke's folder: pip install '.[bulk]').\n"
        )
        assert not (tmp_path / "out").exists()

    def test_a_cluster_without_its_packages(self, tmp_path, monkeypatch):
        """What is asked for is what Spark needs in all, the fast twins' packages included."""
        for module in ("rating", "spark_cluster"):
            monkeypatch.setattr(f"banzuke.cli.{module}.find_spec", lambda _: None)
        ran = banzuke("rate", JAPAN, "--out", tmp_path / "out", "--engine", "spark", "--parquet")
        assert (ran.status, ran.out) == (1, "")
        assert "the extra `spark` (in Banzuke's folder: pip install '.[spark]')" in ran.err
        assert "[bulk]" not in ran.err


EVENTS = "event_id,name,starts,ends,reported"
GAMES = "event_id,round,white,black,result"
GO_GAMES = "game_id,ended,black,white,result,handicap,komi,board,moves"


def unique(found):
    return {row["list"]: row for row in found}.values()


def zone_toml():
    """Lines for every rank, as an operator writes them."""
    ranks = [f"{n}k{plus}" for n in range(17, 0, -1) for plus in ("", "+")]
    ranks += [f"{n}d{plus}" for n in range(1, 10) for plus in ("", "+")]
    lines = []
    for number, rank in enumerate(ranks):
        up = "" if rank == "9d+" else f"up = {100 * number + 100}\n"
        lines.append(
            f'[[rank]]\nrank = "{rank}"\n{up}down = {100 * number - 50}\nstart = {100 * number + 10}\n'
        )
    return "".join(lines)


@BOTH
@pytest.mark.parametrize("name", BOOKS)
def test_every_verdict_has_a_meaning(name, lang, monkeypatch):
    monkeypatch.setenv("BANZUKE_LANG", lang)
    book = BOOKS[name]
    for verdict in getattr(book, "verdicts", ()):
        assert meaning(verdict) != verdict or verdict == "rated"


class TestAFirstLedger:
    """Five players without ratings, as newcomers begin."""

    @pytest.fixture
    def first(self, tmp_path):
        return ledger(
            tmp_path / "first",
            "fide-2024",
            players="player_id,name\n" + "\n".join(f"P{n},Player {n}" for n in range(1, 6)),
            events="event_id,name,speed,starts,ends,reported\nE,Open,standard,2025-03-01,2025-03-02,2025-03-03",
            games=GAMES + "\nE,1,P1,P2,1-0\nE,1,P3,P4,1/2-1/2\nE,2,P5,P1,0-1",
        )

    SAID = (
        "standings.csv: Nobody is rated, and by fide-2024 nobody can get a rating without playing somebody who "
        "is. Give the ratings that players begin with in this table: player_id, speed, rating, games."
    )

    def test_check_says_what_is_missing(self, first):
        ran = banzuke("check", first)
        assert (ran.status, ran.lines[1:]) == (0, ["Warnings (they exclude nothing): 1", self.SAID])
        assert banzuke("check", first, "--format", "json").json["warnings"] == [self.SAID]

    def test_rate_says_it_too(self, first, tmp_path):
        ran = banzuke("rate", first, "--out", tmp_path / "out")
        assert (ran.status, ran.err) == (0, self.SAID + "\n")
        assert " unrated   a side is unrated       6" in ran.lines

    def test_neither_says_it_once_somebody_is_rated(self, first, tmp_path):
        (first / "standings.csv").write_text("player_id,speed,rating,games\nP1,standard,1800,40\n", "utf-8")
        assert banzuke("check", first).lines[1:] == []
        ran = banzuke("rate", first, "--out", tmp_path / "out")
        assert ran.err == ""
        assert "list 2025-04 (1 of 1 player) standard" in ran.lines

    def test_a_book_that_rates_from_nothing_asks_for_no_ratings(self, first):
        pool = first / "pool.toml"
        pool.write_text(pool.read_text("utf-8").replace("fide-2024", "hakodate"), "utf-8")
        events = (first / "events.csv").read_text("utf-8").replace("standard", "")
        (first / "events.csv").write_text(events, "utf-8")
        assert banzuke("check", first).lines[1:] == []

    def test_a_book_for_members_asks_for_memberships(self, first):
        pool = first / "pool.toml"
        pool.write_text(pool.read_text("utf-8").replace("fide-2024", "jcf-2024"), "utf-8")
        assert (
            "memberships.csv: There are no memberships, and by jcf-2024 only games between members count. "
            "Give them in this table: player_id, kind, valid_from, valid_to."
        ) in banzuke("check", first).lines

    def test_nobody_of_go_is_certified(self, tmp_path):
        folder = ledger(
            tmp_path / "go",
            "pandanet",
            players="player_id,name,declared\na,a,5k\nb,b,4k",
            games=GO_GAMES + "\ng1,2025-02-01T10:00:00+09:00,a,b,B,0,6.5,19,100",
        )
        said = (
            "standings.csv: Nobody is certified, and by pandanet games between players who are not do not count. "
            "Give those who are certified in this table: player_id, rank, points, rated_games."
        )
        assert said in banzuke("check", folder).lines
        assert banzuke("rate", folder, "--out", tmp_path / "out").err == said + "\n"
        (folder / "standings.csv").write_text("player_id,rank,points,rated_games\nb,4k,11000,30\n", "utf-8")
        assert len(banzuke("check", folder).lines) == 1
        assert banzuke("rate", folder, "--out", tmp_path / "out").err == ""

    def test_nothing_to_rate(self, tmp_path):
        folder = ledger(tmp_path / "a", "hakodate", players="player_id,name", events=EVENTS, games=GAMES)
        ran = banzuke("rate", folder, "--out", tmp_path / "out")
        assert (ran.status, ran.lines) == (0, [f"Pool: 0 lists, 0 lines, written to {tmp_path / 'out'}"])
        assert ran.err == "This ledger has no list yet, because it has no events.\n"
        go = ledger(tmp_path / "go", "pandanet", players="player_id,name,declared", games=GO_GAMES)
        assert banzuke("rate", go, "--out", tmp_path / "go-out").err == "This ledger has no games yet.\n"


def test_only_the_end_of_a_long_file_is_read(tmp_path, monkeypatch):
    """The last list is found however the steps fall; one that is far too long is not shown."""
    rows = [
        f"2025-{month:02},standard,P{n},{1500 + n},10,,1600,rated," for month in (1, 2) for n in range(50)
    ]
    text = "\n".join(["list,speed,player_id,rating,games,change,peak,status,qualified", *rows]) + "\n"
    (tmp_path / "lists.csv").write_text(text, "utf-8")
    for step in (1, 30, 47, 500, 3000, 10**6):
        monkeypatch.setattr(last_list, "STEP", step)
        (top,) = last_list.tops(tmp_path)
        assert (top.name, top.players, top.rows[0]["player_id"]) == ("2025-02", 50, "P49")
    monkeypatch.setattr(last_list, "STEP", 40)
    monkeypatch.setattr(last_list, "MOST", 500)
    assert last_list.tops(tmp_path) == []


def test_tables_are_as_wide_as_a_page_where_there_is_no_terminal(monkeypatch):
    lines = banzuke("rules", "jcf-2024", columns=60).lines[3:]
    assert 50 < max(map(len, lines)) <= 60
    assert all(line == line.rstrip() for line in lines)
    monkeypatch.delenv("COLUMNS", raising=False)
    assert width_without_terminal() == 80


def test_the_version():
    assert banzuke("--version").out == f"banzuke {version('banzuke')}\n"


class TestCheck:
    def test_a_good_ledger(self):
        ran = banzuke("check", JAPAN)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == "Example Chess Federation: good. 17 events, 564 games, 35 players.\n"
        assert banzuke("check", JAPAN, lang="ja").out == (
            "Example Chess Federation：問題ありません。大会17、対局564、プレイヤー35。\n"
        )

    def test_warnings_exclude_nothing(self):
        ran = banzuke("check", GO)
        assert ran.status == 0
        assert ran.lines[:2] == [
            "Go server, January 2026: good. 405 games, 25 players.",
            "Warnings (they exclude nothing): 1",
        ]
        assert ran.lines[2].startswith("declarations.csv: aosagi: The declaration of 3k at ")

    def test_json(self):
        assert banzuke("check", JAPAN, "--format", "json").json == {
            "pool": "Example Chess Federation",
            "warnings": [],
        }
        (warning,) = banzuke("check", GO, "--format", "json", "--lang", "ja").json["warnings"]
        assert warning.startswith("declarations.csv: aosagi: 2026-01-15T20:10:00+09:00の申告3kは無視されます")

    def test_files_that_are_not_read(self, tmp_path):
        folder = shutil.copytree(CLUB, tmp_path / "club")
        (folder / "standings.csv").rename(folder / "standings.xlsx")
        assert "standings.xlsx: This file is not read; the table is read from standings.csv." in (
            banzuke("check", folder).lines
        )

    def test_a_ledger_with_faults(self, tmp_path):
        folder = ledger(
            tmp_path / "bad",
            "hakodate",
            players="player_id,name\nA,A A\nA,B B",
            events="event_id,name,starts,ends,reported\nE,Event,2024-01-06,2024-01-05,2024-01-07",
            games="event_id,round,white,black,result\nE,x,A,A,1-0",
        )
        ran = banzuke("check", folder)
        assert (ran.status, ran.out) == (2, "")
        lines = ran.err.splitlines()
        assert [line.split(": ")[:2] for line in lines[:-1]] == [
            ["players.csv:3", "player_id"],
            ["events.csv:2", "ends"],
            ["games.csv:2", "round"],
        ]
        assert lines[-1] == "Refused. Faults: 3."  # it never writes

    def test_its_faults_as_json(self, tmp_path):
        folder = ledger(
            tmp_path / "bad", "hakodate", players="player_id,name\n,A A", events=EVENTS, games=GAMES
        )
        ran = banzuke("check", folder, "--format", "json")
        assert (ran.status, ran.err) == (2, "")
        (fault,) = ran.json["refused"]
        assert [fault[key] for key in ("file", "line", "column", "code")] == [
            "players.csv",
            2,
            "player_id",
            "cell-blank",
        ]
        assert fault["message"].startswith("players.csv:2: player_id: ")

    def test_more_than_a_hundred_faults(self, tmp_path):
        players = "player_id,name\n" + "\n".join("A,A A" for _ in range(150))
        folder = ledger(tmp_path / "bad", "hakodate", players=players, events=EVENTS, games=GAMES)
        ran = banzuke("check", folder)
        assert len(ran.err.splitlines()) == 101
        assert ran.err.splitlines()[-1] == "Refused. Faults: 100 and perhaps more."


EVENTS = "event_id,name,starts,ends,reported"
GAMES = "event_id,round,white,black,result"


class TestExplain:
    @BOTH
    def test_text_is_the_offices_explanation(self, lang):
        ran = banzuke("explain", JAPAN, "J004", "--list", "2025-02", "--lang", lang)
        found = explain(read_ledger(JAPAN), "J004", "2025-02", lang)
        page = []
        for section in found.sections:
            page += [section.heading, *(f"  {s.text}  [{s.clause}]" for s in section.sentences), ""]
        assert (ran.status, ran.err) == (0, "")
        assert ran.lines == page

    @BOTH
    def test_json_is_the_same(self, lang):
        ran = banzuke("explain", JAPAN, "J004", "--list", "2025-02", "--format", "json", lang=lang)
        found = explain(read_ledger(JAPAN), "J004", "2025-02", lang)
        assert ran.json == {
            "player": "J004",
            "list_name": "2025-02",
            "book": "jcf-2024",
            "sections": [
                {"heading": section.heading, "sentences": [s._asdict() for s in section.sentences]}
                for section in found.sections
            ],
        }

    def test_by_name_in_either_script(self):
        assert banzuke("explain", JAPAN, "林 陽翔").out == banzuke("explain", JAPAN, "HAYASHI Haruto").out
        assert banzuke("explain", JAPAN, "J004").out == banzuke("explain", JAPAN, "HAYASHI Haruto").out

    def test_go_shows_twenty_games_or_as_many_as_are_asked_for(self):
        assert "  The last 20 of 40 games:" in banzuke("explain", GO, "harukaze").lines
        assert "  The last 3 of 40 games:" in banzuke("explain", GO, "harukaze", "--games", 3).lines
        every = banzuke("explain", GO, "harukaze", "--games", 0)
        assert "games:" not in every.out
        assert len([line for line in every.lines if line.startswith("  2026-")]) == 40

    def test_go_at_a_time(self):
        ran = banzuke("explain", GO, "harukaze", "--list", "2026-01-02T00:00:00+09:00", "--format", "json")
        assert ran.json["list_name"] == "2026-01-02T00:00:00+09:00"

    def test_by_name_however_it_is_written(self):
        wanted = banzuke("explain", JAPAN, "J004").out
        for name in ("Haruto HAYASHI", "hayashi haruto", "Hayashi, Haruto"):
            assert banzuke("explain", JAPAN, name).out == wanted

    def test_a_player_with_nothing_to_tell(self, tmp_path):
        folder = ledger(
            tmp_path / "club",
            "hakodate",
            players="player_id,name\nA,A A\nB,B B\nC,C C",
            events=EVENTS + "\nE,Event,2024-01-06,2024-01-06,2024-01-07",
            games=GAMES + "\nE,1,A,B,1-0",
        )
        ran = banzuke("explain", folder, "C")
        said = (
            "C C (C)",
            "  Before this list: unrated (UR). Games so far: 0.  [HCC R1]",
            "  No game in this list, and none in an earlier one.  [HCC R1]",
        )
        assert (ran.status, ran.out, ran.err) == (0, "\n".join(said) + "\n\n", "")


class TestRules:
    def test_the_books(self):
        ran = banzuke("rules")
        assert [line.split()[0] for line in ran.lines if line.strip()][2:] == list(BOOKS)
        assert banzuke("rules", "--format", "json").json == [
            {"book": name, "title": rule_pages.title(book, "en"), "clauses": len(book.register)}
            for name, book in BOOKS.items()
        ]

    @BOTH
    @pytest.mark.parametrize("name", BOOKS)
    def test_a_book(self, name, lang):
        book = BOOKS[name]
        found = banzuke("rules", name, "--format", "json", lang=lang).json
        assert list(found) == ["book", "title", "document", "clauses", "numbers", "settings", "readings"]
        assert [clause["clause"] for clause in found["clauses"]] == list(book.register)
        assert [(c["clause"], c["says"]) for c in found["clauses"]] == rule_pages.clauses(book, lang)
        assert found["readings"] == [reading._asdict() for reading in rule_pages.readings(book, lang)]
        numbers = rule_pages.numbers(book, lang)
        assert [(n["name"], n["label"], n["unit"], n["clause"]) for n in found["numbers"]] == [
            (n.name, n.label, n.unit, n.clause) for n in numbers
        ]
        for number in found["numbers"]:
            value = book.parameters[number["name"]].value
            assert number["value"] == json.loads(json.dumps(value, default=str))
        ran = banzuke("rules", name, lang=lang)
        for number in numbers:
            assert any(number.label in line and number.value in line for line in ran.lines)
        assert ran.lines[:2] == [rule_pages.title(book, lang), rule_pages.document(book, lang)]
        for clause in book.register:
            assert any(line.startswith(f" {clause} ") for line in ran.lines)

    def test_settings_with_their_defaults(self):
        assert banzuke("rules", "hakodate", "--format", "json").json["settings"] == {
            "unrated_opponent": "1500"
        }
        assert banzuke("rules", "jcf-2024", "--format", "json").json["settings"] == {}
        assert banzuke("rules", "ncs-2022", "--format", "json").json["settings"] == dict.fromkeys(
            (
                "rate_against_unrated",
                "k_shared",
                "undeclared_by_time",
                "unrated_games_fill_first",
                "fee_required",
            ),
            "true",
        )

    @BOTH
    def test_two_editions(self, lang):
        found = banzuke("rules", "diff", "ncs-2022", "jcf-2024", "--format", "json", lang=lang).json
        difference = rule_pages.difference(BOOKS["ncs-2022"], BOOKS["jcf-2024"], lang)
        assert found == {
            "figures": [figure._asdict() for figure in difference.figures],
            "subjects": [subject._asdict() for subject in difference.subjects],
        }
        text = banzuke("rules", "diff", "ncs-2022", "jcf-2024", lang=lang)
        for figure in difference.figures:
            words = f"{figure.one} {figure.one_clause} {figure.other} {figure.other_clause}".split()
            told = [line for line in text.lines if line.startswith(f" {figure.name} ")]
            assert words in [line.removeprefix(f" {figure.name} ").split() for line in told]

    def test_headings_of_the_difference(self):
        lines = [line.strip() for line in banzuke("rules", "diff", "ncs-2022", "jcf-2024").lines]
        for heading in ("Figures that changed", "Figures that stayed", "Clauses side by side"):
            assert heading in lines

    @pytest.mark.parametrize(
        "words",
        [
            ["foo"],
            ["diff"],
            ["diff", "ncs-2022"],
            ["jcf-2024", "ncs-2022"],
            [""],
        ],
    )
    def test_what_is_none(self, words):
        ran = banzuke("rules", *words)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == (
            "Write `banzuke rules`, `banzuke rules BOOK`, `banzuke rules diff BOOK BOOK`, "
            "`banzuke rules new NAME [--like BOOK]` or `banzuke rules test BOOK`. "
            f"Books: {', '.join(BOOKS)}.\n"
        )

    def test_a_difference_to_a_book_that_is_not_installed(self):
        ran = banzuke("rules", "diff", "ncs-2022", "foo")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(f"No rule book foo is installed. Installed: {', '.join(BOOKS)}. ")
        assert ran.err.endswith("pip install -e ./foo\n")

    def test_books_that_are_no_editions_of_one(self):
        ran = banzuke("rules", "diff", "ncs-2022", "pandanet")
        assert (ran.status, ran.out) == (2, "")
        editions = "; ".join(", ".join(names) for names in rule_pages.editions_of_one_book())
        assert ran.err == (
            "ncs-2022 and pandanet are not editions of the same rule book, so their clauses cannot be compared. "
            f"Editions: {editions}.\n"
        )


class TestCalc:
    @pytest.mark.parametrize(
        ("words", "line"),
        [
            (
                "change --rulebook ncs-2022 --own 1600 --opponent 1800 --score 1 --k 20",
                "1600 against 1800, score 1: difference as counted -200, expectation 0.24, K 20: +15.2 [NCS 5(1)]",
            ),
            (
                "change --rulebook jcf-2024 --own 1600 --opponent 1800 --score 0 --k 20",
                "1600 against 1800, score 0: difference as counted -200, expectation 0.24, K 20: -4.8 [JCF 5(1)]",
            ),
            (
                "change --rulebook ncs-2022 --own 1600 --opponent ur --score 0.5 --k 40",
                "1600 against ur, score 0.5: difference as counted +400, expectation 0.92, K 40: -16.8 [NCS 5(1)]",
            ),
            (
                "change --rulebook hakodate --own 1500 --opponent 1700 --score 1",
                "1500 against 1700, score 1: difference as counted -200: +24 [HCC R9]",
            ),
            (
                "first --rulebook ncs-2022 --opponents 1400,UR,1500,1600 --points 1.5",
                "4 games, 1.5 points: mean 1375, p 0.38, -87 is added: 1288 [NCS 6(4)]",
            ),
            (
                "first --rulebook hakodate --opponents 1400,UR,1500 --points 1.5",
                "3 games, 1.5 points: the opponents' ratings, 400 more for a win and 400 less for a loss, have the mean 1466.67: 1467 [HCC R6]",
            ),
            (
                "performance --opponents 1400,1500 --points 2",
                "2 games, 2 points: mean 1450, p 1.00, +800 is added: 2250 [JCF 6(4)]",
            ),
        ],
    )
    def test_one_line(self, words, line):
        ran = banzuke("calc", *words.split())
        assert (ran.status, ran.out, ran.err) == (0, line + "\n", "")

    def test_in_japanese(self):
        words = "change --rulebook ncs-2022 --own 1600 --opponent 1800 --score 1 --k 20 --lang ja"
        assert banzuke("calc", *words.split()).out == (
            "1600対1800、得点1：算入する差-200、期待値0.24、K＝20、増減+15.2［NCS 5(1)］\n"
        )

    def test_go(self):
        ran = banzuke("calc", "go", "--white", "2d+", "--black", "2k", "--handicap", 0, "--komi", "-5.5")
        assert ran.lines == [
            "Regular terms: 4 stones, komi 0.5 (White is the stronger) [PN 2(2)]",
            "Given terms: 0 stones, komi White gives 5.5 (reverse komi): difference 5/2, upper side: White [PN 3(2)]",
            "White: a win +68, a loss -132 [PN 3(1)]",
            "Black: a win +132, a loss -68 [PN 3(1)]",
        ]

    def test_go_beyond_three_ranks(self):
        ran = banzuke("calc", "go", "--white", "2k", "--black", "9d", "--komi", "6.5")
        assert (ran.status, ran.lines[-1]) == (
            0,
            "A difference in ranks of more than three: not a rated game [PN 1(5)e]",
        )

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            (
                "change --rulebook jcf-2024 --own 1600 --opponent 1800 --score 1 --k 20",
                {
                    "book": "jcf-2024",
                    "own": 1600,
                    "opponent": 1800,
                    "score": "1",
                    "k": 20,
                    "difference": -200,
                    "expected": "0.24",
                    "change": "15.2",
                    "clause": "JCF 5(1)",
                },
            ),
            (
                "first --rulebook jcf-2024 --opponents 1500,1500,1500,1500,1500,1500,UR --points 4.5",
                {
                    "rating": 1693,
                    "why": "",
                    "games": 6,
                    "mean": "1500",
                    "p": "0.75",
                    "added": 193,
                    "clause": "JCF 6(3)",
                },
            ),
            (
                "performance --opponents 1500,1501 --points 1",
                {
                    "rating": 1501,
                    "why": "",
                    "games": 2,
                    "mean": "1500.5",
                    "p": "0.50",
                    "added": 0,
                    "clause": "JCF 6(4)",
                },
            ),
            (
                "go --white 2d+ --black 2k --game-number 60",
                {
                    "white": {"win": 120, "loss": -120},
                    "black": {"win": 120, "loss": -120},
                    "game_number": 60,
                    "regular": {"stones": 4, "komi": "0.5"},
                    "given": {"stones": 4, "komi": "0.5"},
                    "difference": "0",
                    "upper": None,
                },
            ),
        ],
    )
    def test_json(self, words, found):
        assert banzuke("calc", *words.split(), "--format", "json").json == found

    @pytest.mark.parametrize(
        ("words", "line"),
        [
            ("change --rulebook jcf-2024 --own 1500 --opponent UR --score 1 --k 20", "Against an unrated opponent jcf-2024 rates no game [JCF 5(1)C-zero]"),
            ("change --rulebook hakodate --own 1500 --opponent UR --score 1", "Against an unrated opponent hakodate rates no game [HCC R12]"),
            ("first --rulebook jcf-2024 --opponents UR --points 1", "No first rating: too few games [JCF 6(3)]"),
            ("first --rulebook jcf-2024 --opponents 1,2,3,4,5,6 --points 6", "No first rating: all won or all lost [JCF 6(3)]"),
            ("first --rulebook fide-2024 --opponents 1400,1400,1400,1400,1400 --points 0.5", "No first rating: below the floor [FIDE 8.2.3]"),
        ],
    )  # fmt: skip
    def test_the_answer_is_no(self, words, line):
        ran = banzuke("calc", *words.split())
        assert (ran.status, ran.out, ran.err) == (1, line + "\n", "")
        as_json = banzuke("calc", *words.split(), "--format", "json")
        assert as_json.status == 1
        assert as_json.json.get("rating", as_json.json.get("change")) is None

    @pytest.mark.parametrize(
        ("words", "line"),
        [
            ("change --rulebook jcf-2024 --own 1500 --opponent 12x --score 1 --k 20", "'12x' is no rating."),
            ("change --rulebook jcf-2024 --own 1500 --opponent -5 --score 1 --k 20", "'-5' is no rating."),
            ("change --rulebook jcf-2024 --own 1500 --opponent 10000 --score 1 --k 20", "'10000' is no rating."),
            ("change --rulebook jcf-2024 --own 1500 --opponent １５００ --score 1 --k 20", "'１５００' is no rating."),
            ("change --rulebook jcf-2024 --own 1500 --opponent 1500 --score 1", "jcf-2024 rates by K: say --k (10, 20, 40 ...)."),
            ("change --rulebook hakodate --own 1500 --opponent 1500 --score 1 --k 20", "hakodate has no K: leave --k out."),
            ("change --rulebook jcf-2024 --own 1500 --opponent 1500 --score 1 --own-games 9", "jcf-2024 does not ask for a number of games: leave --own-games out."),
            ("first --rulebook jcf-2024 --opponents , --points 1", "'' is no rating."),
            ("first --rulebook jcf-2024 --opponents 1500 --points 1.25", "'1.25' is no points."),
            ("first --rulebook jcf-2024 --opponents 1500 --points 1.5", "A score of 1.5 is not possible; games given: 1."),
            ("first --rulebook jcf-2024 --opponents 1500 --points -1", "A score of -1 is not possible; games given: 1."),
            ("performance --opponents UR --points 0", "'UR' is no rating."),
            ("performance --opponents 1500,1600 --points 3", "A score of 3 is not possible; games given: 2."),
            ("go --white BC --black 2k", "'BC' is no rank."),
            ("go --white 2k --black 2K", "'2K' is no rank."),
            ("go --white 2k --black 3k --komi 6.25", "'6.25' is no komi."),
        ],
    )  # fmt: skip
    def test_what_cannot_be_read(self, words, line):
        ran = banzuke("calc", *words.split())
        assert (ran.status, ran.out, ran.err) == (2, "", line + "\n")


class TestDemo:
    def test_ends_soon_and_prints_lists_and_explanations(self, tmp_path):
        begun = time.monotonic()
        ran = banzuke("demo", "--out", tmp_path / "out")
        assert time.monotonic() - begun < 10
        assert (ran.status, ran.err) == (0, "")
        assert {path.name for path in (tmp_path / "out").iterdir()} == {
            "us-championship-2025",
            "japan",
            "hakodate",
            "go-server",
        }
        for line in (
            "list 2025-11 (12 of 12 players) standard",
            "list 2025-05 (12 of 34 players) standard",
            "list 2025-12-evening (12 of 28 players)",
            "HAYASHI Haruto (J004): standard rating, list 2025-02 (jcf-2024)",
            "YAMAGUCHI Shota (H26): rating after 2025-06-five (hakodate)",
            "harukaze (harukaze): 13k",
        ):
            assert line in [printed.strip() for printed in ran.lines]
        said, _, command = ran.lines[-2].partition(" Next: banzuke ")
        assert said == f"All results are in {tmp_path / 'out'}."
        explained = banzuke(*shlex.split(command))
        assert (explained.status, explained.lines[0][:21]) == (0, "SUZUKI Daiki (J002): ")

    def test_lists_are_those_of_the_files(self, tmp_path):
        ran = banzuke("demo", "--out", tmp_path)
        top = max(
            (
                r
                for r in rows(tmp_path / "japan" / "lists.csv")
                if (r["list"], r["speed"]) == ("2025-05", "standard")
            ),
            key=lambda row: int(row["rating"]),
        )
        start = ran.lines.index(next(line for line in ran.lines if line.startswith("list 2025-05 (12 of")))
        first = next(line for line in ran.lines[start:] if line.startswith(" 1 "))
        assert top["player_id"] in first
        assert top["rating"] in first.split()

    def test_in_japanese(self, tmp_path):
        ran = banzuke("demo", "--out", tmp_path, "--lang", "ja")
        assert "藤原 悠斗" in ran.out
        assert ran.lines[-2].startswith(f"結果は{tmp_path}にあります。")

    def test_json(self, tmp_path):
        found = banzuke("demo", "--out", tmp_path, "--format", "json").json
        assert [example["pool"] for example in found] == [
            "U.S. Championship 2025",
            "Example Chess Federation",
            "Hakodate club (example)",
            "Go server, January 2026",
        ]
        assert [example["lines"] for example in found] == [132, 1128, 320, 810]
        assert [example["explanation"]["player"] for example in found] == [
            "30953499",
            "J004",
            "H26",
            "harukaze",
        ]

    def test_without_a_folder_it_makes_one(self, tmp_path, monkeypatch):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        assert banzuke("demo").status == 0
        (made,) = tmp_path.iterdir()
        assert made.name.startswith("banzuke-demo-")

    def test_never_into_the_examples(self, tmp_path, monkeypatch):
        """The Go example's standings.csv would be lost."""
        examples = shutil.copytree(EXAMPLES, tmp_path / "examples")
        monkeypatch.setattr("banzuke.cli.demo.examples_folder", lambda: examples)
        ran = banzuke("demo", "--out", examples)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.splitlines()[0].startswith(f"{examples / 'us-championship-2025'}: This is a ledger; ")
        assert not list(examples.rglob("changes.csv"))

    def test_examples_that_are_not_there(self, monkeypatch):
        monkeypatch.setattr("banzuke.cli.demo.examples_folder", lambda: None)
        ran = banzuke("demo")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.startswith("The example ledgers are not installed")
