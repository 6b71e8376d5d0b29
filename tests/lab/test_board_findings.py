"""What a board is shown: at most eight plots, each under a sentence that is true of what is drawn."""

from __future__ import annotations

import io

import pytest

from banzuke.lab.board_findings import MOST_SHOWN, board_plots
from banzuke.lab.plots import PLOTS
from banzuke.lab.report_page import Report
from banzuke.lab.report_pdf import report_pdf
from banzuke.lab.sheets import note, sheet_of
from banzuke.words import LANGUAGES, catalogue

LOSS = ("variant", "log_loss", "log_loss_low", "log_loss_high")
AHEAD = (*LOSS, "chance")
CALIBRATION = ("variant", "gap_from", "gap_to", "table", "noise", "counted", "scored", "low", "high")
DRIFT = ("variant", "speed", "year", "drift", "drift_low", "drift_high")


def shown(name, header, *rows, lang="en"):
    return board_plots([sheet_of(name, name, header, rows)], lang)


def findings(*args, **words):
    return [each.finding for each in shown(*args, **words)]


def test_every_plot_has_a_sentence_in_both_languages():
    captions = {plan.caption.removeprefix("plot-") for plans in PLOTS.values() for plan in plans}
    for caption in captions:
        assert set(catalogue("lab")[f"found-{caption}"]) == set(LANGUAGES), caption


class TestScores:
    def test_log_loss_is_said_as_a_chance(self):
        header = (*LOSS, *(f"{name}{end}" for name in ("brier", "accuracy") for end in ("", "_low", "_high")))
        rows = [("pool", 0.6931, 0.6, 0.8, 0.2, 0.1, 0.3, 0.7, 0.6, 0.8)]
        rows += [
            ("elo", 0.2877, 0.2, 0.3, 0.1, 0.1, 0.1, 0.75, 0.7, 0.8),
            ("elo", 0.1, 0.1, 0.1, 0, 0, 0, 1, 1, 1),
        ]
        loss, brier, accuracy = findings("scores", header, *rows)
        assert "had given the later results a chance of 50.0% on average" in loss
        assert "plain Elo) 75.0%" in loss  # of its first row, which is the one that is drawn
        assert "plain Elo is best (0.100)" in brier
        assert "most often (75.0%); the pool's own rules do so in 70.0%" in accuracy

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            (
                ("elo", -0.2, -0.3, -0.1, 0.001),
                "plain Elo predicts better than the pool's own rules, more than chance",
            ),
            (
                ("elo", -0.2, -0.3, -0.1, 0.4),
                "plain Elo predicts better than the pool's own rules, which may be chance",
            ),
            (
                ("elo", 0.2, 0.1, 0.3, 0.001),
                "No other model predicts better than the pool's own rules; plain Elo",
            ),
        ],
    )
    def test_ahead_is_said_with_its_chance_among_all_that_were_tried(self, row, said):
        (finding,) = findings("score_differences", AHEAD, row)
        assert said in finding


class TestSetsOfRules:
    def test_the_first_and_those_that_differ_most_stand_in_one_plot(self):
        rows = [
            (name, "", 2025, drift, None, None)
            for name, drift in zip("abcdef", (0, 1, 9, 2, -8, 7), strict=True)
        ]
        (one,) = shown("inflation", DRIFT, *rows)
        assert [name for _, name, _ in one.plot.keys] == ["a", "c", "e", "f"]
        assert "from −8 (“e”) to 9 (“c”)" in one.finding

    def test_what_is_said_of_several_is_of_those_in_the_plot(self):
        first = [
            (name, "", 2024, drift, None, None) for name, drift in zip("abcde", (0, 9, 8, 7, 1), strict=True)
        ]
        last = [
            (name, "", 2025, drift, None, None) for name, drift in zip("abcde", (0, 1, 1, 1, 5), strict=True)
        ]
        (one,) = shown("inflation", DRIFT, *first, *last)
        assert [name for _, name, _ in one.plot.keys] == ["a", "b", "c", "d"]
        assert one.finding.endswith("by the rules shown from 0 (“a”) to 1 (“b”).")

    def test_one_alone_is_not_compared(self):
        rows = [("pool", "", 2024, 1.0, 0.5, 1.5), ("pool", "", 2025, 4.0, -1.0, 9.0)]
        assert findings("inflation", DRIFT, *rows) == [
            "In 2025 the same players changed by 4.00 points on average, which may be chance (−1.00 to 9.00)."
        ]

    def test_the_speed_with_most_to_show_is_shown(self):
        rows = [("pool", "blitz", 2025, 1.0, None, None)]
        rows += [("pool", "rapid", year, 2.0, None, None) for year in (2024, 2025)]
        (one,) = shown("inflation", DRIFT, *rows)
        assert "(rapid)" in one.plot.caption

    def test_of_plots_of_one_set_the_first_and_the_most_different_are_shown(self):
        rows = [
            (name, 0, 100, 0.6, 0.6, 0.6, scored, 0.5, 0.7)
            for name, scored in (("pool", 0.6), ("b", 0.61), ("c", 0.69))
        ]
        own, other = shown("calibration", CALIBRATION, *rows)
        assert own.finding.startswith("By the pool's own rules, results agree")
        assert "(c)" in other.plot.caption


class TestExpectations:
    def test_the_gap_that_chance_does_not_explain(self):
        rows = [
            ("pool", 0, 100, 0.55, 0.55, 0.55, 0.60, 0.5, 0.7),
            ("pool", 100, 200, 0.70, 0.7, 0.7, 0.60, 0.55, 0.65),
        ]
        assert findings("calibration", CALIBRATION, *rows) == [
            "By the pool's own rules, the higher rated should score 0.700 at a gap of 100–200 points; they scored 0.600."
        ]

    def test_a_gap_of_too_few_games_for_an_interval_is_no_finding(self):
        """Two games at a gap of 900 points say nothing, however far they are from the expectation."""
        rows = [
            ("pool", 300, 400, 0.87, 0.87, 0.87, 0.81, 0.79, 0.82),
            ("pool", 900, 1000, 0.98, 0.98, 0.98, 0.75, None, None),
        ]
        (finding,) = findings("calibration", CALIBRATION, *rows)
        assert "at a gap of 300–400 points" in finding

    def test_no_departure_is_seen_where_both_are_read_alike(self):
        header = ("variant", "group", "expected", "scored", "low", "high")
        (finding,) = findings("by_age", header, ("pool", "unknown", 0.4999999, 0.5, 0.5, 0.5))
        assert finding.startswith("By the pool's own rules, results agree")

    @pytest.mark.parametrize(("scored", "side"), [(0.7, "low"), (0.3, "high")])
    def test_a_group_that_is_rated_wrongly(self, scored, side):
        header = ("variant", "group", "expected", "scored", "low", "high")
        (finding,) = findings("by_age", header, ("pool", "0-12", 0.5, scored, scored - 0.1, scored + 0.1))
        assert finding.endswith(f"they are rated too {side}.")


class TestSides:
    """A figure below zero is said with its side, not with a minus."""

    @pytest.mark.parametrize(
        ("lag", "bias", "said"),
        [(30.0, -40.0, "too low"), (-30.0, 40.0, "too high")],
    )
    def test_of_invented_players(self, lag, bias, said):
        header = ("variant", "year", "group", "lag", "lag_low", "lag_high", "bias", "bias_low", "bias_high")
        row = ("jcf-2024", 2, "juniors", lag, lag - 5, lag + 5, bias, bias - 5, bias + 5)
        behind, above = findings("simulated_groups", header, row)
        assert f"juniors are rated 30.0 points {said} under" in behind
        assert f"juniors are rated 40.0 points {said} under" in above

    @pytest.mark.parametrize(
        ("scored", "said"), [(0.1, "0.100 points a game more"), (-0.1, "0.100 points a game fewer")]
    )
    def test_of_the_highest_rated(self, scored, said):
        header = ("variant", "speed", "rating_from", "residual", "residual_low", "residual_high")
        (finding,) = findings("residuals", header, ("pool", "", 2300, scored, None, None))
        assert (
            finding
            == f"The highest rated (from 2300 on) scored {said} than expected (too few to say whether this is chance)."
        )


def test_no_error_that_is_seen_is_no_error_of_nought():
    header = ("variant", "speed", "rests_on", "error", "error_low", "error_high")
    (finding,) = findings("rating_errors", header, ("pool", "", 200, 0.0, 0.0, 120.0))
    assert finding.endswith("are too small to be seen in these games (0 to 120).")


def test_of_values_that_were_tried_the_best_is_named():
    header = (
        "number",
        "label_en",
        "label_ja",
        "tried",
        "log_loss",
        "log_loss_low",
        "log_loss_high",
        "chance",
    )
    rows = [
        ("k", "K", "K", at, loss, -1, 1, 0.5) for at, loss in ((10, 0.02), (20, 0.0), (30, -0.01), (40, 0.03))
    ]
    (finding,) = findings("fit_values", header, *rows)
    assert finding.startswith(
        "“K” predicts best at 30 (difference in mean forecast error −0.0100; 0.01 is a lot), which may be"
    )
    (finding,) = findings("fit_values", header, *rows[:2])
    assert finding == "“K”: no value that was tried predicts better than the present one."


class TestMovers:
    HEADER = ("variant", "speed", "player_id", "name", "rating_before", "rating")

    def test_two_of_one_name_have_labels_that_differ(self):
        rows = [("k", "", "J1", "SATO Aoi", 1500, 1600), ("k", "", "J2", "SATO Aoi", 1500, 1450)]
        (one,) = shown("movers", self.HEADER, *rows)
        assert "SATO Aoi J1" in one.plot.svg
        assert "SATO Aoi J2" in one.plot.svg
        assert one.finding == (
            "By “k”, of the 2 shown 1 rise and 1 fall; SATO Aoi goes furthest, from 1500 to 1600."
        )

    def test_long_names_that_begin_alike_keep_their_ends(self):
        header = ("variant", "speed", "mean_size", "mean_size_low", "mean_size_high")
        names = [f"jcf-2024 k_normal=20, k_new={k}" for k in (30, 40)]
        (one,) = shown("moved", header, *((name, "", 1.0, None, None) for name in names))
        assert ">…normal=20, k_new=30<" in one.plot.svg
        assert ">…normal=20, k_new=40<" in one.plot.svg


def test_there_are_eight_at_most_and_none_of_nothing():
    sheets = [
        sheet_of(name, name, ("variant", "speed", "year", "drift", "list", "mean"), rows)
        for name, rows in (
            *(
                (name, [("pool", "", 2025, 1.0, "2025-01", 1.0)])
                for name in ("inflation", "list_means", "first_ratings") * 4
            ),
            ("moved", []),
        )
    ]
    assert len(board_plots(sheets[:9], "en")) <= MOST_SHOWN
    assert shown("inflation", DRIFT) == []
    assert shown("inflation", DRIFT, ("pool", "", 2025, None, None, None)) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_paper(lang):
    pypdf = pytest.importorskip("pypdf")
    rows = [("pool", "", year, 1.0 * year, None, None) for year in (2024, 2025)]
    report = Report(
        note("title-compare", pool="#show: *Club*"),
        note("lead-compare-alone"),
        [("figure-moved", "97%")],
        [note("said-compare", sets=2)],
        [sheet_of("inflation", "compared-inflation", DRIFT, rows)],
    )
    printed = "".join(
        page.extract_text() for page in pypdf.PdfReader(io.BytesIO(report_pdf(report, lang))).pages
    )
    assert "#show: *Club*" in printed
    assert "2025" in printed
    assert report_pdf(report, lang) == report_pdf(report, lang)
