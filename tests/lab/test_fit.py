"""Which numbers predict best: what is tried, what is found of made losses, what a ledger's report says."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.history import list_names
from banzuke.lab.answers import report_fit, rows_of
from banzuke.lab.comparison import Question
from banzuke.lab.fit import (
    BETTER,
    HARDLY,
    NOTHING,
    OPEN,
    RIGHT,
    History,
    Tried,
    choose_nearest,
    finding_of,
    fit,
    judge_all,
)
from banzuke.lab.fit_values import TABLE_SCALE, grid_of, shown, subject_of
from banzuke.lab.forecasts import PARTS, losses, no_games, parts_of
from banzuke.lab.intervals import adjust_chances, clusters_of
from banzuke.lab.prediction import forecasts_of
from banzuke.lab.report_page import page, sentence
from banzuke.lab.variants import variants_of
from banzuke.words import LANGUAGES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
JAPAN, CLUB, SERVER = (EXAMPLES / name for name in ("japan", "hakodate", "go-server"))
VALUES = (10, 20, 30)


@pytest.fixture(scope="module")
def japan():
    return read_any(JAPAN)


@pytest.fixture
def history():
    """Ten thousand games of a hundred events."""
    random = np.random.default_rng(3)
    event = np.repeat(np.arange(100), 100)
    players = random.integers(0, 100, 10_000), random.integers(100, 200, 10_000)
    return History(no_games(), clusters_of(event, *players), parts_of(event))


def tried(history, gains, noise=0.02, name="k"):
    """A number whose values lose so much less than 20, its own, in each part of the history."""
    random = np.random.default_rng(5)
    size = len(history.parts)
    rows = [random.normal(0, noise, size) - np.asarray(each)[history.parts] for each in gains]
    return Tried(name, VALUES, 1, np.stack([rows[0], np.zeros(size), rows[1]]) + 0.6)


def found(history, *numbers):
    """What is found of each number."""
    judged = judge_all(numbers, history)
    chances = adjust_chances(np.concatenate([each.less.chance[:, 0] for each in judged]))
    later = adjust_chances(np.array([each.later.chance[0, 0] for each in judged]))
    split = np.split(chances, len(numbers))
    return [finding_of(*each) for each in zip(judged, split, later, strict=True)]


def test_what_is_found_of_a_number(history):
    always, never = [[0.01] * 5, [0.0] * 5], [[0.0] * 5, [0.0] * 5]
    worse = [[-0.01] * 5, [-0.02] * 5]
    assert found(history, tried(history, always)) == [BETTER]
    assert found(history, tried(history, never)) == [HARDLY]
    assert found(history, tried(history, worse)) == [RIGHT]
    assert found(history, tried(history, never, noise=1)) == [OPEN]
    assert found(history, Tried("k", VALUES, 1, np.full((3, len(history.parts)), 0.6))) == [NOTHING]


def test_what_was_good_late_alone_is_no_finding(history):
    """In the last fifth 10 is better by a lot; nobody could have chosen it before."""
    (judged,) = judge_all([tried(history, [[0, 0, 0, 0, 0.1], [0.0] * 5])], history)
    assert judged.best == 0
    assert judged.chosen == {1: 1, 2: 1, 3: 1, 4: 1, PARTS: 0}
    assert found(history, judged.tried) == [OPEN]


def test_of_values_that_are_as_good_the_nearest_is_chosen(history):
    rows = np.arange(len(history.parts))
    for gains, row, good in (
        (([0.0005] * 5, [0.0] * 5), 1, [True, True, True]),
        (([0.01] * 5, [0.0] * 5), 0, [True, False, False]),
    ):
        chosen, as_good = choose_nearest(tried(history, gains, noise=0), rows, history.clusters)
        assert (chosen, list(as_good)) == (row, good)


class TestWhatIsTried:
    def test_every_number_that_games_may_depend_on(self, japan):
        subject = subject_of(japan.pool, [])
        grid = grid_of(subject, [])
        assert subject.book.name == "jcf-2024"
        assert grid["k_normal"] == [10, 15, 30, 40]
        assert grid["most_change"] == [30, 60, 100]
        assert grid["calendar"] == ["weekly"]
        assert TABLE_SCALE in grid
        assert not {"standard_minutes", "window_closes", "correction_days"} & set(grid)

    def test_what_is_asked_for_alone(self, japan):
        grid = grid_of(
            subject_of(japan.pool, []), ["K.normal=10..30:10", "limit", "table_scale=400..600:100"]
        )
        assert grid == {"k_normal": [10, 30], "limit": [200, 300, 600, 800], TABLE_SCALE: [400, 500, 600]}

    @pytest.mark.parametrize(
        "setting",
        ["k_enormous=3", "k_enormous", "k_normal=x", "window_closes=40", "table_scale=0", "table_scale=x"],
    )
    def test_what_no_book_has_is_refused(self, setting, japan):
        with pytest.raises(RefusedError):
            grid_of(subject_of(japan.pool, []), [setting])

    def test_a_server_has_no_table_to_scale(self):
        with pytest.raises(RefusedError):
            grid_of(subject_of(read_any(SERVER).pool, []), ["table_scale"])

    def test_one_book_at_a_time(self, japan):
        assert subject_of(japan.pool, ["ncs-2022"]).book.name == "ncs-2022"
        with pytest.raises(RefusedError):
            subject_of(japan.pool, ["ncs-2022", "jcf-2024"])

    def test_numbers_have_names_in_both_languages(self, japan):
        subject = subject_of(japan.pool, [])
        for name in grid_of(subject, []):
            for lang in LANGUAGES:
                assert subject.label(name, lang) != name
        assert shown("most_change", 0) == "–"
        assert shown("k_new", 0) == "0"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A report on two numbers and the scale, and the folder with its finished parts."""
    kept = tmp_path_factory.mktemp("fit")
    asked = Question(settings=["k_normal=10..40:10", "first_games=3", "table_scale"], kept=kept)
    return report_fit(JAPAN, asked), kept, asked


class TestReport:
    def test_has_a_row_for_each_number_and_each_value(self, report):
        sheets = report[0].sheets
        assert {row["number"] for row in rows_of(sheets, "fit")} == {"k_normal", "first_games", TABLE_SCALE}
        values = rows_of(sheets, "fit_values")
        assert [row["tried"] for row in values if row["number"] == "k_normal"] == ["10", "20", "30", "40"]
        for row in values:
            if row["is_own"]:
                assert row["log_loss"] == 0
        assert [row["fifth"] for row in rows_of(sheets, "fit_together")] == [
            "2",
            "3",
            "4",
            "5",
            "later",
            "from-now",
        ]
        assert len(rows_of(sheets, "scales")) == 1

    def test_agrees_with_the_forecasts_of_the_same_values(self, report, japan):
        own, other = (
            forecasts_of(japan, None, variant)
            for variant in variants_of(japan.pool, ["jcf-2024"], ["k_normal=30"])[1:]
        )
        (fitted,) = (
            row["log_loss"]
            for row in rows_of(report[0].sheets, "fit_values")
            if (row["number"], row["tried"]) == ("k_normal", "30")
        )
        known = ~np.isnan(own.expected)
        less = losses(other.expected, other.score).log - losses(own.expected, own.score).log
        assert (own.of == other.of).all()
        assert fitted == pytest.approx(less[known].mean(), abs=1e-12)

    def test_goes_on_where_it_was(self, report):
        first, kept, asked = report
        files = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
        next(iter(files)).unlink()
        assert report_fit(JAPAN, asked).sheets == first.sheets
        again = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
        assert again.keys() == files.keys()
        assert sum(again[path] != files[path] for path in files) == 1

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_says_what_was_found_in_words(self, lang, report):
        assert "jcf-2024" in sentence(report[0].lead, lang)
        text = page(report[0], lang).decode()
        assert "{" not in text.partition("<main")[2].partition("<script")[0]
        assert text.count("<svg") >= 3


def test_a_pool_of_which_nobody_was_rated_forecasts_nothing(tmp_path):
    folder = tmp_path / "empty"
    shutil.copytree(JAPAN, folder)
    for name in ("games", "standings"):
        head, *_ = (folder / f"{name}.csv").read_text("utf-8").splitlines()
        (folder / f"{name}.csv").write_text(head + "\n", "utf-8")
    assert report_fit(folder, Question(settings=["k_normal"])).lead.key == "lead-predict-nothing"


def test_of_two_lists_nothing_is_settled():
    lists = list_names(read_any(JAPAN), None)
    _, sheets = fit(JAPAN, Question(settings=["k_normal"], until=lists[1]))
    assert {row["finding"] for row in rows_of(sheets, "fit")} <= {OPEN, NOTHING}


@pytest.mark.slow
@pytest.mark.parametrize("folder", [CLUB, SERVER])
def test_other_kinds_of_books_are_fitted_too(folder):
    subject, sheets = fit(folder, Question())
    assert len(rows_of(sheets, "fit")) > 3
    assert subject.book.name in ("hakodate", "pandanet")
