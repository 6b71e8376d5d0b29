"""How sound ratings are: estimates against made pools whose truth is known."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from banzuke.engine.columnar.account_columns import COLUMNS
from banzuke.lab.account import AccountTables, find_account
from banzuke.lab.answers import report_soundness
from banzuke.lab.comparison import Question
from banzuke.lab.soundness import soundness_sheets
from banzuke.lab.true_expectation import logistic

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PLAYERS = [str(number) for number in range(1200)]
NO_FIDE = dict.fromkeys(PLAYERS, (None, None, None))


def rows(sheets, name):
    (sheet,) = (each for each in sheets if each.name == name)
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def history(points=(), sides=()):
    """The tables of a history with those rows, each a dictionary; what is not given is 0."""
    tables = {"points": points, "pools": (), "sides": sides}
    return {
        name: np.array([[row.get(column, 0) for column in COLUMNS[name]] for row in rows], float).reshape(
            -1, len(COLUMNS[name])
        )
        for name, rows in tables.items()
    }


def sheets_of(tables, fide=NO_FIDE):
    columns = SimpleNamespace(pool=SimpleNamespace(speeds=("standard", "rapid")), player_ids=PLAYERS)
    return soundness_sheets(AccountTables(columns, {"pool": tables}), fide)


class TestDrift:
    def year(self, player, year, change, **facts):
        before = 150_000
        return {
            "player": player, "year": year, "age": 30, "games": 5, "before": before,
            "after": before + change, **facts,
        }  # fmt: skip

    def test_counts_the_middle_aged_who_played_two_years_running(self):
        own = [self.year(player, year, 1000) for player in range(8) for year in (2024, 2025)]
        others = [
            *(self.year(10, year, 90_000, age=24) for year in (2024, 2025)),
            *(self.year(11, year, 90_000, age=51) for year in (2024, 2025)),
            *(self.year(12, year, 90_000, age=-1) for year in (2024, 2025)),
            self.year(13, 2025, 90_000),
            self.year(14, 2024, 90_000, games=0),
            self.year(14, 2025, 90_000),
            *(self.year(15, year, 90_000, before=0) for year in (2024, 2025)),
        ]
        found = rows(sheets_of(history([*own, *others])), "cohort_drift")
        assert [(row["year"], row["players"], row["drift"]) for row in found] == [(2025, 8, 10.0)]

    def test_what_the_cohort_wins_from_itself_leaves_no_doubt(self):
        """Players 0 and 1 of thirty meet in twenty events of two years: what one wins, the other loses."""
        own = [
            self.year(player, year, (2000, -2000)[player] if player < 2 else 0)
            for player in range(30)
            for year in (2024, 2025)
        ]
        games = [
            {"year": year, "event": event, "player": player, "opponent": 1 - player, "expected": 0.5,
             "change": (100, -100)[player]}
            for year in (2024, 2025) for event in range(20) for player in (0, 1)
        ]  # fmt: skip
        (closed,) = rows(sheets_of(history(own, games)), "cohort_drift")
        (apart,) = rows(sheets_of(history(own)), "cohort_drift")
        assert (closed["drift_low"], closed["drift"], closed["drift_high"]) == pytest.approx((0, 0, 0))
        assert apart["drift_low"] < -1

    def test_the_interval_holds_the_truth(self):
        rng, held = np.random.default_rng(5), 0
        for _ in range(200):
            changes = (1200 + rng.normal(0, 3000, 30)).astype(int).tolist()
            own = [
                self.year(player, year, change)
                for player, change in enumerate(changes)
                for year in (2024, 2025)
            ]
            (row,) = rows(sheets_of(history(own)), "cohort_drift")
            held += row["drift_low"] <= 12 <= row["drift_high"]
        assert 182 <= held <= 198


def played(rng, own, error, games, players, **facts):
    """Sides of games of players whose strength is off their rating by `error`, against sure opponents."""
    found = []
    for player in range(players):
        strength = own + rng.normal(0, error)
        others = rng.integers(own - 200, own + 200, games)
        scores = rng.random(games) < logistic(strength - others)
        found += [
            {"year": 2025, "event": player * 100 + at, "player": player, "opponent": 1000 + at, "own": own,
             "other": other, "score": score, "expected": float(logistic(np.float64(own - other))), **facts}
            for at, (other, score) in enumerate(zip(others.tolist(), scores.tolist(), strict=True))
        ]  # fmt: skip
    return found


class TestErrors:
    @pytest.mark.parametrize("error", [0, 40, 120])
    def test_the_standard_error_is_found(self, error):
        sides = played(np.random.default_rng(error), 1600, error, 25, 300, rests_on=25)
        (row,) = rows(sheets_of(history(sides=sides)), "rating_errors")
        assert (row["rests_on"], row["ratings"]) == (20, 300)
        assert row["error_low"] is None or row["error_low"] <= error <= row["error_high"]
        assert abs(row["error"] - error) < 25

    def test_ratings_on_fewer_games_stand_apart(self):
        rng = np.random.default_rng(3)
        few, many = played(rng, 1600, 150, 10, 200, rests_on=6), played(rng, 1600, 20, 10, 200, rests_on=400)
        sides = [*few, *({**side, "player": side["player"] + 500} for side in many)]
        found = {
            row["rests_on"]: row["error"] for row in rows(sheets_of(history(sides=sides)), "rating_errors")
        }
        assert list(found) == [1, 200]
        assert found[1] > 100 > found[200]


def test_residuals_are_what_was_scored_beyond_the_expectation():
    rng = np.random.default_rng(7)
    sides = [
        *played(rng, 1450, 0, 40, 60),
        *({**s, "own": 1650, "score": 1} for s in played(rng, 1450, 0, 5, 60)),
    ]
    found = {row["rating_from"]: row for row in rows(sheets_of(history(sides=sides)), "residuals")}
    assert found[1400]["sides"] == 2400
    assert found[1400]["residual_low"] < 0 < found[1400]["residual_high"]
    assert found[1600]["residual_low"] > 0.3
    by_year = rows(sheets_of(history(sides=sides)), "residual_years")
    assert [(row["year"], row["rating_from"]) for row in by_year] == [(2025, 1400), (2025, 1600)]


def test_two_ratings_of_the_same_persons():
    rng = np.random.default_rng(9)
    fide = rng.integers(1500, 2300, 200).astype(float)
    national = 300 + 0.8 * fide + rng.normal(0, 40, 200)
    points = [
        {"player": player, "year": 2025, "games": 3, "after": round(100 * value)}
        for player, value in enumerate(national.tolist())
    ]
    listed = NO_FIDE | {str(player): (int(value), None, None) for player, value in enumerate(fide.tolist())}
    (row,) = rows(sheets_of(history(points), listed), "same_persons")
    assert (row["speed"], row["beside"], row["players"]) == ("standard", "fide-standard", 200)
    assert row["slope_low"] < 0.8 < row["slope_high"] < 0.85
    assert row["difference_low"] < (national - fide).mean() < row["difference_high"]


def test_fide_ratings_of_the_example_are_compared():
    found = find_account(EXAMPLES / "japan", Question(), lambda *_: None)
    ratings = {
        each.player_id: (each.fide_standard, each.fide_rapid, each.fide_blitz)
        for each in found.columns.players
    }
    beside = {row["beside"] for row in rows(soundness_sheets(found, ratings), "same_persons")}
    assert beside == {"rapid", "fide-standard", "fide-rapid"}


def test_the_report_says_whether_the_ratings_drift():
    report = report_soundness(EXAMPLES / "japan", Question())
    assert report.lead.key == "lead-soundness"
    assert dict(report.lead.facts)["year"] == "2025"
    assert report_soundness(EXAMPLES / "hakodate", Question()).lead.key == "lead-soundness-none"
