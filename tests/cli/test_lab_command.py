"""banzuke lab: what it says, what it writes, how it goes on, what it refuses."""

from __future__ import annotations

import csv
import signal
import subprocess
import time
from html import escape

import pytest
from command_runs import COMMAND, EXAMPLES, ROOT, banzuke
from pyarrow import parquet as pq

from banzuke.cli import lab
from banzuke.lab.plots import PLOTS
from banzuke.words import LANGUAGES, catalogue, say

JAPAN, CLUB, SERVER = (EXAMPLES / name for name in ("japan", "hakodate", "go-server"))
ASKED = {
    "compare": ("compare", JAPAN, "--books", "jcf-2024", "--set", "K.normal=30"),
    "compare_reform": ("compare", JAPAN, "--reform", "REFORM", "--books", "jcf-2024"),
    "compare_club": ("compare", CLUB, "--set", "equal_win=20"),
    "compare_go": ("compare", SERVER, "--set", "later.multiplier=12"),
    "predict": ("predict", JAPAN, "--books", "jcf-2024"),
    "predict_club": ("predict", CLUB),
    "predict_go": ("predict", SERVER, "--set", "lower.wins.1=120"),
    "simulate": ("simulate", "--books", "ncs-2022,jcf-2024", "--pools", 2, "--players", 60, "--years", 1),
    "simulate_reform": (
        "simulate", "--books", "jcf-2024", "--reform", "REFORM", "--pools", 2, "--players", 50, "--years", 1,
    ),
    "simulate_go": ("simulate", "--books", "pandanet", "--pools", 2, "--players", 50, "--years", 1),
    "simulate_go_set": (
        "simulate", "--books", "pandanet", "--set", "zone_slack=300", "--pools", 2, "--players", 50,
        "--years", 1,
    ),
    "fit": ("fit", JAPAN, "--set", "k_normal", "--set", "table_scale"),
    "account": ("account", JAPAN, "--set", "k_junior=20"),
    "soundness": ("soundness", JAPAN),
    "soundness_club": ("soundness", CLUB),
    "anomalies": ("anomalies", JAPAN),
    "anomalies_go": ("anomalies", SERVER),
}  # fmt: skip


REFORM = 'name = "K of 32"\nfrom = 2026-04-01\n[set]\njcf.k.new = 32\n'


#: A question of each kind; the others are asked in the slow tier.
FIRST_OF_A_KIND = ("predict", "account", "anomalies")
IN_TURN = [pytest.param(name, marks=[pytest.mark.slow] * (name not in FIRST_OF_A_KIND)) for name in ASKED]


@pytest.fixture(scope="module", params=IN_TURN)
def asked(request, tmp_path_factory):
    """What the command printed for programs, and the folder that it filled."""
    out = tmp_path_factory.mktemp("lab") / request.param
    words = [out.with_suffix(".toml") if word == "REFORM" else word for word in ASKED[request.param]]
    out.with_suffix(".toml").write_text(REFORM, "utf-8")
    ran = banzuke("lab", *words, "--out", out, "--format", "json")
    assert (ran.status, ran.err) == (0, ""), ran
    return ran.json, out


class TestEveryQuestion:
    def test_fills_its_folder_with_a_page_and_every_table_twice(self, asked):
        told, out = asked
        names = {"report.html", *(f"{name}.{kind}" for name in told["tables"] for kind in ("csv", "parquet"))}
        is_for_a_board = bool(PLOTS.keys() & {name for name, rows in told["tables"].items() if rows})
        names |= {"report.pdf"} if is_for_a_board else set()
        assert {path.name for path in out.iterdir()} - {"finished"} == names
        assert told["report"] == str(out / "report.html")

    def test_its_files_hold_what_it_tells(self, asked):
        told, out = asked
        for name, rows in told["tables"].items():
            with (out / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
                written = list(csv.DictReader(stream))
            assert pq.read_table(out / f"{name}.parquet").to_pylist() == rows
            assert len(written) == len(rows)
            assert not rows or list(written[0]) == list(rows[0])

    def test_its_words_are_there_in_both_languages(self, asked):
        told, _ = asked
        words = catalogue("lab")
        for name, rows in told["tables"].items():
            own = words["column-of"].get(name, {})
            for column in rows[0] if rows else ():
                stem = column.removesuffix("_low").removesuffix("_high")
                assert column in own or column in words["column"] or stem in words["column"], (name, column)

    def test_codes_in_its_tables_have_words(self, asked):
        told, _ = asked
        words = catalogue("lab")["value"]
        for name, rows in told["tables"].items():
            for row in rows:
                for column in {"speed", "verdict", "kind", "severity", "part", "beside"} & set(row):
                    assert not row[column] or row[column] in words[column], (name, row[column])

    def test_its_page_says_what_one_asks_first(self, asked):
        told, out = asked
        text = (out / "report.html").read_text("utf-8")
        assert f"<h1>{escape(told['title'])}</h1>" in text
        assert escape(told["lead"]) in text
        assert set(told["figures"]) <= set(catalogue("lab"))


def test_the_figures_are_those_of_the_tables(tmp_path):
    told = banzuke("lab", "compare", JAPAN, "--books", "jcf-2024", "--format", "json").json
    first = told["tables"]["moved"][0]
    assert told["figures"]["figure-mean-size"] == first["mean_size"]
    assert told["figures"]["figure-moved"] == f"{first['share']:.0%}"
    assert told["lead"].startswith(f"Under “jcf-2024”, {first['moved']} of {first['players']} players")
    assert told["report"] is None


@pytest.mark.slow
def test_a_seed_makes_the_same_pools_again_and_another_one_others():
    asked = (
        "simulate",
        "--books",
        "ncs-2022",
        "--pools",
        2,
        "--players",
        60,
        "--years",
        1,
        "--format",
        "json",
    )
    same, again, other = (banzuke("lab", *asked, "--seed", seed).json["tables"] for seed in (7, 7, 70))
    assert same == again
    assert same["simulated_groups"] != other["simulated_groups"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_for_people_it_says_what_one_asks_first_and_how_to_get_the_rest(lang, tmp_path):
    short = banzuke("lab", "compare", CLUB, "--set", "equal_win=20", lang=lang)
    assert short.lines[0] == say("lab", "title-compare", lang, pool="Hakodate club (example)")
    assert short.lines[-1] == say("cli", "lab-not-written", lang)
    assert say("lab", "figure-mean-size", lang) in short.out
    whole = banzuke("lab", "compare", CLUB, "--set", "equal_win=20", "--out", tmp_path / "out", lang=lang)
    assert whole.lines[-1] == say(
        "cli", "lab-written", lang, page=tmp_path / "out" / "report.html", out=tmp_path / "out"
    )
    assert f'<html lang="{lang}">' in (tmp_path / "out" / "report.html").read_text("utf-8")


class TestReforms:
    def compared(self, tmp_path, *texts, books=""):
        words = []
        for number, reform in enumerate(texts):
            (tmp_path / f"{number}.toml").write_text(reform, "utf-8")
            words += ["--reform", tmp_path / f"{number}.toml"]
        return banzuke("lab", "compare", JAPAN, *words, "--books", books, "--format", "json")

    def test_a_reform_gives_what_its_settings_give(self, tmp_path):
        ran = self.compared(tmp_path, REFORM, REFORM.replace("32", "30"), books="jcf-2024")
        by_set = banzuke(
            "lab", "compare", JAPAN, "--books", "jcf-2024", "--set", "k_new=32", "--format", "json"
        )
        rows, others = (
            {row.pop("variant"): row for row in reversed(each.json["tables"]["spread"])}
            for each in (ran, by_set)
        )
        assert list(rows)[::-1] == ["pool", "jcf-2024", "jcf-2024 K of 32", "jcf-2024 K of 30"]
        assert rows["jcf-2024 K of 32"] == others["jcf-2024 k_new=32"] != rows["jcf-2024"]

    def test_the_report_says_from_when_a_reform_is_tried(self, tmp_path):
        out = tmp_path / "out"
        (tmp_path / "k.toml").write_text(REFORM, "utf-8")
        banzuke("lab", "compare", JAPAN, "--reform", tmp_path / "k.toml", "--out", out)
        said = say("lab", "said-reform", "en", name="K of 32", day="2026-04-01")
        assert escape(said) in (out / "report.html").read_text("utf-8")

    @pytest.mark.parametrize(
        ("reform", "said"),
        [
            (REFORM.replace("jcf", "fide"), ("0.toml", "set", "begin with one of: ncs, jcf")),
            (REFORM.replace("k.new", "k.old"), ("0.toml", "set: jcf.k.old", "correct it to one of")),
            (REFORM.replace("32", "'32'"), ("0.toml", "set: jcf.k.new", "which is 40 today")),
            (REFORM.replace("2026-04-01", "'spring'"), ("0.toml", "from", "spring")),
            (REFORM.replace("= 32", "32"), ("0.toml",)),
        ],
    )
    def test_a_fault_has_its_file_its_key_and_what_would_be_right(self, reform, said, tmp_path):
        ran = self.compared(tmp_path, reform)
        assert ran.status == 2
        for each in said:
            assert each in ran.out + ran.err

    def test_two_reforms_have_two_names(self, tmp_path):
        ran = self.compared(tmp_path, REFORM, REFORM.replace("32\n", "31\n").replace("K of 31", "K of 32"))
        assert ran.status == 2
        assert "K of 32" in ran.out + ran.err


class TestEffect:
    SETS = ("--set", "k_normal=30", "--set", "limit=350")

    def test_the_shares_add_up_to_what_changes(self):
        found = banzuke("lab", "effect", JAPAN, "J003", *self.SETS, "--format", "json").json
        assert [each["speed"] for each in found] == ["standard", "rapid"]
        for each in found:
            total = sum(round(100 * share["share"]) for share in each["shares"])
            assert total == 100 * (each["after"] - each["before"])
        assert found[0]["shares"][0] | {"share": None} == {
            "number": "k_normal", "label": "K, normal", "clause": "JCF 5(1)K", "present": 20, "tried": 30,
            "share": None, "error": None,
        }  # fmt: skip

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_for_people_it_has_a_table_for_each_speed(self, lang):
        ran = banzuke("lab", "effect", JAPAN, "J003", *self.SETS, lang=lang)
        assert ran.out.count("k_normal") == 2
        assert say("cli", "lab-changed", lang, before=2083, after=2087) in ran.out

    def test_a_reform_gives_what_its_settings_give(self, tmp_path):
        (tmp_path / "k.toml").write_text(REFORM, "utf-8")
        words = ("lab", "effect", JAPAN, "J003", "--format", "json")
        by_set = banzuke(*words, "--set", "jcf-2024:k_new=32").json
        assert banzuke(*words, "--reform", tmp_path / "k.toml").json == by_set

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("J003",), "No number is changed"),
            (("nobody", *SETS), "No player of this ledger has this id"),
            (("J003", "--set", "k_normal=10..40:10"), "given several values"),
            (("J003", "--set", "k_old=3"), "No constant or setting"),
        ],
    )
    def test_what_it_refuses(self, words, said):
        ran = banzuke("lab", "effect", JAPAN, *words)
        assert ran.status == 2
        assert said in ran.out + ran.err


def test_the_numbers_of_a_book_are_listed_with_what_they_are():
    rows = {row["number"]: row for row in banzuke("lab", "numbers", "jcf-2024", "--format", "json").json}
    assert rows["k_new"] == {
        "number": "k_new",
        "value": 40,
        "least": 0,
        "most": 9999,
        "unit": "points",
        "label": "K of new players",
        "clause": "JCF 5(1)K-new",
    }
    table = banzuke("lab", "numbers", "pandanet")
    assert "lower_wins_6" in table.out
    assert "multipliers_0_until" in table.out
    assert "bonus_below" in table.out
    assert banzuke("lab", "numbers", "jcf-1999").status == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_settings_and_policies_are_listed_behind_the_numbers(lang):
    rows = {r["number"]: r for r in banzuke("lab", "numbers", "ncs-2022", "--format", "json", lang=lang).json}
    assert list(rows)[-3:] == ["calendar", "most_change", "adjustment"]
    assert (rows["k_shared"]["value"], rows["most_change"]["value"], rows["calendar"]["value"]) == (
        True,
        0,
        "",
    )
    assert rows["k_shared"]["clause"].startswith("NCS ")
    assert rows["k_shared"]["label"]
    for name in ("calendar", "most-change", "adjustment"):
        assert rows[name.replace("-", "_")]["label"] == say("cli", f"lab-policy-{name}", lang)
    (row,) = (r for r in map(str.split, banzuke("lab", "numbers", "ncs-2022").lines) if r[:1] == ["k_shared"])
    assert row[1] == "true"


def test_only_what_a_book_can_be_tried_with_is_listed():
    """A book that rates event by event makes its lists by itself; no policy is tried on one of Go."""
    listed = {
        book: {row["number"] for row in banzuke("lab", "numbers", book, "--format", "json").json}
        for book in ("hakodate", "icu", "pandanet")
    }
    assert "calendar" not in listed["hakodate"]
    assert {"most_change", "version", "bonus_halves"} <= listed["icu"]
    assert not {"calendar", "most_change", "adjustment"} & listed["pandanet"]


def test_the_units_of_numbers_are_in_the_readers_language():
    rows = map(str.split, banzuke("lab", "numbers", "jcf-2024", lang="ja").lines)
    (row,) = (row for row in rows if row[:1] == ["k_new"])
    assert "points" not in row
    assert say("units", "points", "ja") in row
    rows = {r["number"]: r for r in banzuke("lab", "numbers", "jcf-2024", "--format", "json", lang="ja").json}
    assert rows["k_new"]["unit"] == "points"


@pytest.mark.parametrize("group", [[], ["lab"], ["calc"], ["fide"]])
def test_every_command_has_a_short_help_in_japanese(group):
    assert "  ..." not in banzuke(*group, "--help", lang="ja").out


def test_a_pool_by_itself(tmp_path):
    assert banzuke("lab", "compare", CLUB).lines[1] == say("lab", "lead-compare-alone", "en")


def test_a_pool_in_which_nobody_is_rated(tmp_path):
    """Other rules were asked for, so it is not said that there are none."""
    for name in ("pool.toml", "players.csv", "events.csv", "games.csv"):
        header, *rows = (CLUB / name).read_text("utf-8").splitlines(keepends=True)
        (tmp_path / name).write_text("".join([header, *rows] if name != "games.csv" else [header]), "utf-8")
    lines = banzuke("lab", "compare", tmp_path, "--set", "limit=300").lines
    assert lines[1] == say("lab", "lead-compare-nobody", "en")


def test_results_that_a_federation_published_come_first(tmp_path):
    (tmp_path / "gaps.csv").write_text("gap,won,drawn,lost\n0~100,50,20,30\n100~200,70,10,20\n", "utf-8")
    ran = banzuke("lab", "predict", CLUB, "--published", tmp_path / "gaps.csv", "--format", "json")
    assert next(iter(ran.json["tables"])) == "published"
    assert [row["scored"] for row in ran.json["tables"]["published"]] == [0.6, 0.75]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", CLUB, "--books", "pandanet"), "No rule book that can rate this ledger"),
        (("compare", CLUB, "--set", "K.normal=30"), "No constant or setting of these rule books"),
        (("compare", SERVER, "--set", "widest_ranks=4"), "widest_ranks can be tried from 0 to 3."),
        (("compare", SERVER, "--set", "zone_width=200"), "zone_start = 200 >= zone_width = 200"),
        (("compare", SERVER, "--until", "spring"), "spring"),
        (("predict", SERVER, "--set", "K.normal=30"), "No constant or setting of these rule books"),
        (("compare", CLUB, "--until", "2099"), "2099"),
        (("simulate", "--books", "fide-1999"), "No rule book"),
        (("simulate", "--books", "pandanet,jcf-2024"), "simulated alone"),
    ],
)
def test_what_is_refused_is_said(words, said, tmp_path):
    ran = banzuke("lab", *words, "--out", tmp_path / "out")
    assert ran.status == 2
    assert said in ran.err
    assert not (tmp_path / "out" / "report.html").exists()


def test_a_ledgers_folder_is_not_written_into(tmp_path):
    (tmp_path / "pool.toml").write_text("")
    ran = banzuke("lab", "anomalies", CLUB, "--out", tmp_path)
    assert ran.status == 2
    assert [path.name for path in tmp_path.iterdir()] == ["pool.toml"]


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(lab, "is_installed", lambda: False)
    ran = banzuke("lab", "anomalies", CLUB)
    assert (ran.status, ran.out) == (1, "")
    assert "pip install '.[lab]'" in ran.err


@pytest.mark.slow
def test_who_interrupts_is_told_how_to_go_on(tmp_path):
    command = ["lab", "simulate", "--books", "ncs-2022", "--pools", "1000", "--players", "60", "--years", "1"]
    out = tmp_path / "out"
    started = subprocess.Popen(
        [*COMMAND, *command, "--out", str(out), "--lang", "en"], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while not list((out / "finished").glob("*.npz")) and time.monotonic() < until:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 130
    assert err.splitlines()[-1] == say("cli", "lab-interrupted", "en", out=out)
    assert list((out / "finished").glob("*.npz"))
    assert not (out / "report.html").exists()
