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
from banzuke.words import LANGUAGES, catalogue, say

JAPAN, CLUB, SERVER = (EXAMPLES / name for name in ("japan", "hakodate", "go-server"))
ASKED = {
    "compare": ("compare", JAPAN, "--books", "jcf-2024", "--set", "K.normal=30"),
    "compare_club": ("compare", CLUB, "--set", "equal_win=20"),
    "compare_go": ("compare", SERVER, "--set", "later.multiplier=12"),
    "predict": ("predict", JAPAN, "--books", "jcf-2024"),
    "predict_club": ("predict", CLUB),
    "predict_go": ("predict", SERVER, "--set", "lower.wins.1=120"),
    "simulate": ("simulate", "--books", "ncs-2022,jcf-2024", "--pools", 2, "--players", 60, "--years", 1),
    "simulate_go": ("simulate", "--books", "pandanet", "--pools", 2, "--players", 50, "--years", 1),
    "simulate_go_set": (
        "simulate", "--books", "pandanet", "--set", "zone_slack=300", "--pools", 2, "--players", 50,
        "--years", 1,
    ),
    "anomalies": ("anomalies", JAPAN),
    "anomalies_go": ("anomalies", SERVER),
}  # fmt: skip


@pytest.fixture(scope="module", params=ASKED)
def asked(request, tmp_path_factory):
    """What the command printed for programs, and the folder that it filled."""
    out = tmp_path_factory.mktemp("lab") / request.param
    ran = banzuke("lab", *ASKED[request.param], "--out", out, "--format", "json")
    assert (ran.status, ran.err) == (0, ""), ran
    return ran.json, out


class TestEveryQuestion:
    def test_fills_its_folder_with_a_page_and_every_table_twice(self, asked):
        told, out = asked
        names = {"report.html", *(f"{name}.{kind}" for name in told["tables"] for kind in ("csv", "parquet"))}
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
                for column in {"speed", "verdict", "kind", "severity"} & set(row):
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
    assert told["lead"].startswith(f"By “jcf-2024”, {first['moved']} of {first['players']} players")
    assert told["report"] is None


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


def test_a_pool_by_itself(tmp_path):
    assert banzuke("lab", "compare", CLUB).lines[1] == say("lab", "lead-compare-alone", "en")


def test_results_that_a_federation_published_come_first(tmp_path):
    (tmp_path / "gaps.csv").write_text("gap,won,drawn,lost\n0~100,50,20,30\n100~200,70,10,20\n", "utf-8")
    ran = banzuke("lab", "predict", CLUB, "--published", tmp_path / "gaps.csv", "--format", "json")
    assert next(iter(ran.json["tables"])) == "published"
    assert [row["scored"] for row in ran.json["tables"]["published"]] == [0.6, 0.75]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", CLUB, "--books", "jcf-2024"), "No rule book that can rate this ledger"),
        (("compare", CLUB, "--set", "K.normal=30"), "No constant or setting of these rule books"),
        (("compare", SERVER, "--set", "widest=73"), "widest can be tried from 0 to 72."),
        (("compare", SERVER, "--set", "zone_width=200"), "set zone_start below zone_width"),
        (("compare", SERVER, "--until", "spring"), "spring"),
        (("predict", SERVER, "--set", "K.normal=30"), "No constant or setting of these rule books"),
        (("compare", CLUB, "--until", "2099"), "2099"),
        (("simulate", "--books", "fide-1999"), "No rule book"),
        (("simulate", "--books", "pandanet,jcf-2024"), "The Go server's rules are played alone"),
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
    assert "pip install 'banzuke[lab]'" in ran.err


@pytest.mark.slow
def test_who_interrupts_is_told_how_to_go_on(tmp_path):
    command = ["lab", "simulate", "--books", "ncs-2022", "--pools", "1000", "--players", "60", "--years", "1"]
    out = tmp_path / "out"
    started = subprocess.Popen(
        [*COMMAND, *command, "--out", str(out), "--lang", "en"], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while not list((out / "finished").glob("*.json")) and time.monotonic() < until:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 130
    assert err.splitlines()[-1] == say("cli", "lab-interrupted", "en", out=out)
    assert list((out / "finished").glob("*.json"))
    assert not (out / "report.html").exists()
