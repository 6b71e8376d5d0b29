"""What is foretold one list ahead, where the truth is known by construction."""

from __future__ import annotations

import csv
import math
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from synthetic_pool import STANDING_STILL, made_pool

from banzuke.columnar.twin import twin_of
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.rating_run import rate_ledger
from banzuke.lab.chess_histories import rated_lists
from banzuke.lab.comparison import Question
from banzuke.lab.forecasts import Forecasts, ages, forecast_lists, no_games
from banzuke.lab.prediction import load_or_make, predict, score_sheets
from banzuke.lab.true_expectation import printed_table
from banzuke.lab.variants import Variant
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.fide.tables import expected, limited

EXAMPLES = Path(__file__).parents[2] / "examples"
STILL = "pool k_normal=0 k_new=0 k_junior=0 k_reached=0"
#: Deviations within which a mean must lie: once in 15,000 it would not.
WITHIN = 4


def rows_of(sheets, name):
    (sheet,) = [sheet for sheet in sheets if sheet.name == name]
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    return made_pool(tmp_path_factory.mktemp("made") / "pool")


@pytest.fixture(scope="module")
def sheets(pool):
    return predict(pool, Question(settings=STANDING_STILL))


@pytest.fixture(scope="module")
def chances(pool):
    """The true chance of White in every game: the table's, at the strengths that all opened with."""
    strength = {
        row["player_id"]: int(row["rating"]) for row in csv.DictReader((pool / "standings.csv").open())
    }
    games = csv.DictReader((pool / "games.csv").open())
    return np.array(
        [expected(limited(strength[g["white"]] - strength[g["black"]], 400)) / 100 for g in games]
    )


def within(found, values, variances):
    """Whether a mean lies as near to that of its expectations as luck allows."""
    return abs(found - values.mean()) <= WITHIN * math.sqrt(variances.sum()) / len(values)


@pytest.mark.slow
def test_losses_at_the_true_chances_are_those_that_chance_alone_costs(sheets, chances):
    (row,) = [row for row in rows_of(sheets, "scores") if row["variant"] == STILL]
    p, q = chances, 1 - chances
    assert row["games"] == row["foretold"] == len(p)
    assert within(row["log_loss"], -(p * np.log(p) + q * np.log(q)), p * q * np.log(p / q) ** 2)
    assert within(row["brier"], p * q, p * q * (1 - 2 * p) ** 2)
    best = np.maximum(p, q)
    assert within(row["accuracy"], best, np.where(p == 0.5, 0, best * (1 - best)))
    for measure in ("log_loss", "brier", "accuracy"):
        assert row[f"{measure}_low"] < row[measure] < row[f"{measure}_high"]


@pytest.mark.slow
def test_calibration_at_the_true_chances_is_even_in_every_gap(sheets):
    rows = [row for row in rows_of(sheets, "calibration") if row["variant"] == STILL]
    assert [row["gap_from"] for row in rows] == list(range(0, 1000, 100))
    for row in rows:
        assert row["wins"] + row["draws"] + row["losses"] == row["games"]
        side = WITHIN * math.sqrt(row["counted"] * (1 - row["counted"]) / row["games"])
        assert abs(row["scored"] - row["counted"]) <= side, row["gap_from"]
        assert row["scored"] == (row["wins"] + row["draws"] / 2) / row["games"]
    assert [row["counted"] for row in rows if row["gap_from"] >= 400] == pytest.approx([0.92] * 6)
    assert all(row["table"] > 0.92 for row in rows if row["gap_from"] >= 400)


@pytest.mark.slow
def test_whoever_knows_the_strengths_foretells_best(sheets):
    """The first variant lets ratings move away from strengths that do not change."""
    differences = {row["variant"]: row for row in rows_of(sheets, "score_differences")}
    assert differences[STILL]["log_loss_high"] < 0
    losses = {row["variant"]: row["log_loss"] for row in rows_of(sheets, "scores")}
    assert min(losses, key=losses.get) == STILL
    assert set(losses) == {"pool", STILL, "elo", "glicko", "whole-history"}
    assert differences["elo"]["log_loss"] == pytest.approx(losses["elo"] - losses["pool"])


@pytest.mark.slow
def test_groups_by_k_are_those_of_the_lines(sheets, pool):
    rows = [row for row in rows_of(sheets, "by_k") if row["variant"] == "pool"]
    lists = read_columns(pool)
    assert [row["group"] for row in rows] == ["20"]  # 100 games each, nobody young, nobody of 2400
    assert rows[0]["sides"] == 2 * len(lists.games.round)
    assert (rows[0]["expected"], rows[0]["scored"]) == (pytest.approx(0.5), pytest.approx(0.5))
    assert [row["group"] for row in rows_of(sheets, "by_k") if row["variant"] == STILL] == ["0"]
    assert {row["group"] for row in rows_of(sheets, "by_age")} == {"unknown"}


def foretold_of(folder):
    columns = read_columns(folder)
    return forecast_lists(
        rated_lists(columns, Variant()), columns.pool.speeds, len(columns.player_ids)
    ), columns


@pytest.mark.parametrize("example", ["japan", "us-championship-2025"])
def test_what_is_foretold_stands_in_the_readable_engines_lines(example, tmp_path):
    """White's rating less Black's, White's expectation and score, of all games played by two who were rated."""
    games, columns = foretold_of(EXAMPLES / example)
    rate_ledger(read_ledger(EXAMPLES / example), tmp_path / "out")
    lines = list(csv.DictReader((tmp_path / "out" / "changes.csv").open(encoding="utf-8")))
    pairs = zip(lines[0::2], lines[1::2], strict=True)
    played = [(white, black) for white, black in pairs if white["score"] and white["speed"]]
    assert [columns.event_ids[event] for event in games.event] == [white["event_id"] for white, _ in played]
    assert [columns.player_ids[player] for player in games.white] == [
        white["player_id"] for white, _ in played
    ]
    assert games.score.tolist() == [float(white["score"]) for white, _ in played]
    for gap, expectation, (white, black) in zip(games.gap, games.expected, played, strict=True):
        if white["own"] and white["opponent"]:
            assert gap == int(white["own"]) - int(white["opponent"])
        else:
            assert math.isnan(gap)
            assert 0 <= expectation <= 1
        if white["expected"] and black["expected"] and white["opponent"]:
            assert expectation == pytest.approx((float(white["expected"]) + 1 - float(black["expected"])) / 2)


def test_a_clubs_formula_expects_what_changes_no_games():
    games, _ = foretold_of(EXAMPLES / "hakodate")
    known = ~np.isnan(games.gap)
    assert games.expected[known] == pytest.approx(0.5 + np.clip(games.gap[known], -400, 400) / 800)
    assert known.any()


def test_a_clubs_formula_with_other_figures_expects_otherwise():
    rows = rows_of(predict(EXAMPLES / "hakodate", Question(settings=["per_cent=0..4:4"])), "calibration")
    flat = [row["counted"] for row in rows if row["variant"] == "pool per_cent=0"]
    assert set(flat) == {0.5}
    assert [row["counted"] for row in rows if row["variant"] == "pool per_cent=4"] == [
        row["counted"] for row in rows if row["variant"] == "pool"
    ]
    worthless = predict(EXAMPLES / "hakodate", Question(settings=["equal_win=0"]))
    assert {row["games"] for row in rows_of(worthless, "scores")} == {0}


def test_ages_are_those_on_new_year():
    born = [[date(1, 1, 1).toordinal(), 0], [date(2000, 1, 2).toordinal(), date(2000, 1, 1).toordinal()]]
    blank = Forecasts(*(np.zeros(2) for _ in Forecasts._fields))
    found = ages(blank._replace(year=np.array([2018, 2018]), born=np.array(born, np.int32)))
    assert found[0, 0] == 2017
    assert math.isnan(found[0, 1])
    assert found[1].tolist() == [17, 18]


def test_the_table_for_differences_as_they_are_and_as_counted():
    gap = np.array([-1000.0, -400, 0, 3, 4, 400, 735, 736, np.nan])
    twin = twin_of(BOOKS["jcf-2024"])
    figures, table = twin.figures(BOOKS["jcf-2024"]), printed_table()
    assert table(gap)[:-1].tolist() == [expected(int(d)) / 100 for d in gap[:-1]]
    assert twin.expected(figures, gap)[:-1].tolist() == [
        expected(limited(int(d), 400)) / 100 for d in gap[:-1]
    ]
    assert math.isnan(table(gap)[-1])


#: The twin of a book that prints a table of its own.
FLAT = replace(twin_of(BOOKS["fide-2024"]), table=lambda gap: np.full_like(gap, 0.5))


def test_the_table_is_that_of_the_book_that_asks():
    flat = replace(BOOKS["fide-2024"], twin=f"{__name__}:FLAT")
    none = BOOKS["hakodate"]
    assert printed_table([none, flat])(np.array([300.0])).tolist() == [0.5]
    assert printed_table([none]) is printed_table()


def test_models_are_judged_on_the_games_that_all_foretell():
    games, columns = foretold_of(EXAMPLES / "japan")
    half = games._replace(expected=np.where(np.arange(len(games.of)) % 2, np.nan, games.expected))
    shuffled = half.take(np.random.default_rng(1).permutation(len(games.of)))
    rows = rows_of(score_sheets(columns, {"whole": games, "half": shuffled}), "scores")
    one, other = (row for row in rows if row["among"] == "all")
    assert one["games"] == other["games"] == other["foretold"] < one["foretold"]
    assert [one[m] for m in ("log_loss", "brier")] == pytest.approx([other[m] for m in ("log_loss", "brier")])


@pytest.mark.parametrize("left", [0, 1, 300, -40])
def test_what_was_kept_and_is_damaged_is_made_again(left, tmp_path):
    def make():
        return no_games()._replace(score=np.ones(50))

    load_or_make(tmp_path, "key", Forecasts, "one", make)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:left])
    assert load_or_make(tmp_path, "key", Forecasts, "one", make).score.sum() == 50
    assert path.stat().st_size == len(whole)


@pytest.mark.slow
def test_a_model_that_is_finished_is_kept_and_read(pool, sheets, tmp_path):
    kept = tmp_path / "kept"
    assert predict(pool, Question(settings=STANDING_STILL, kept=kept)) == sheets
    files = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert len(files) == 5
    min(kept.iterdir()).unlink()  # one was not finished when the run broke off
    assert predict(pool, Question(settings=STANDING_STILL, kept=kept)) == sheets
    assert set(files) == {path.name for path in kept.iterdir()}
    assert sum(path.stat().st_mtime_ns != files[path.name] for path in kept.iterdir()) == 1


def test_where_nothing_is_asked_every_book_of_the_pools_kind_foretells():
    japan = list(
        dict.fromkeys(row["variant"] for row in rows_of(predict(EXAMPLES / "japan", Question()), "scores"))
    )
    assert japan == ["pool", "ncs-2022", "jcf-2024", "elo", "glicko", "whole-history"]
    found = rows_of(predict(EXAMPLES / "hakodate", Question()), "scores")
    club = [row["variant"] for row in found if row["among"] == "all"]
    assert club == ["pool", "elo", "glicko", "whole-history"]


def test_a_ledger_without_games_foretells_nothing(pool, tmp_path):
    empty = tmp_path / "empty"
    shutil.copytree(pool, empty)
    header = (empty / "games.csv").read_text("utf-8").splitlines()[0]
    (empty / "games.csv").write_text(header + "\n", "utf-8")
    sheets = predict(empty, Question(books=["jcf-2024"]))
    assert [row["games"] for row in rows_of(sheets, "scores")] == [0] * 5
    assert rows_of(sheets, "calibration") == []
