"""FIDE's published calculations, reproduced figure by figure.

The figures lie in ../shared/data/fide, beside the project; their sources are in SOURCES.md there.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from banzuke.core.rating import Coefficient, FirstGame
from banzuke.core.rounding import rounded
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.fide.tables import expected
from banzuke.rulebooks.jcf import ncs_2022

PROJECT = Path(__file__).parents[2]
DATA = PROJECT.parent / "shared" / "data" / "fide"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)

RULE = fide_2024.Settings()
CALCULATOR = fide_2024.Settings(cap_always=True)


def table(name: str) -> list[dict[str, str]]:
    if not DATA.is_dir():
        return []
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def hundredths(text: str) -> int:
    exact = Fraction(text) * 100
    assert exact.denominator == 1
    return int(exact)


def half_points(text: str) -> int:
    return int(2 * Fraction(text))


def computed(game: dict[str, str]) -> tuple[int, int]:
    """A published game's change before and after K, in hundredths."""
    starts = date.fromisoformat(game["start"])
    difference = fide_2024.difference_counted(
        int(game["Ro"]), int(game["opp_rating_used"]), "standard", starts, RULE
    )
    percent, score = expected(difference), half_points(game["score"])
    return 50 * score - percent, fide_2024.change(score, percent, int(game["event_K"]))


class TestPublishedCalculations:
    GAMES = table("published_calculations")
    TOTALS = table("published_period_totals")

    #: The list's figure where FIDE's own calculation of the month prints another rating.
    RATED_FROM = {"F-P04": 2053, "F-M01": 1708}  # noqa: RUF012 - a constant

    def test_125_of_125_games(self):
        assert len(self.GAMES) == 125
        for game in self.GAMES:
            assert computed(game) == (hundredths(game["chg"]), hundredths(game["K_chg"])), game

    def test_21_of_21_events(self):
        sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for game in self.GAMES:
            change, with_k = computed(game)
            of = sums[game["case"], game["event_id"]]
            for index, part in enumerate((half_points(game["score"]), 1, change, with_k)):
                of[index] += part
        events = table("published_event_summaries")
        assert len(events) == len(sums) == 21
        for event in events:
            assert sums[event["case"], event["event_id"]] == [
                half_points(event["w"]), int(event["n"]), hundredths(event["chg"]), hundredths(event["K_chg"]),
            ], event  # fmt: skip

    def test_k_of_every_event_is_the_lists_k_limited_by_700(self):
        """39 games at K 20 would make 780: K 17."""
        for total in self.TOTALS:
            k = fide_2024.limit_k(
                Coefficient(int(total["list_k_before"]), "", ""), int(total["games_in_period"])
            )
            assert {game["event_K"] for game in self.GAMES if game["case"] == total["case"]} == {str(k.value)}

    def test_8_of_8_totals(self):
        assert len(self.TOTALS) == 8
        for total in self.TOTALS:
            changes = [computed(game)[1] for game in self.GAMES if game["case"] == total["case"]]
            assert sum(changes) == hundredths(total["total_change_shown"]), total
            assert len(changes) == int(total["games_in_period"]), total

    def new_ratings(self):
        for total in self.TOTALS:
            before = self.RATED_FROM.get(total["case"], int(total["list_rating_before"]))
            shift = rounded(hundredths(total["total_change_shown"]), 100)
            yield total["case"], before + shift, int(total["list_rating_after"])

    def test_the_new_ratings_but_f_p02(self):
        for case, ours, published in self.new_ratings():
            if case != "F-P02":
                assert ours == published, case

    def test_f_p02_was_rounded_by_tournament(self):
        """+5.40 was published as +6: FIDE rounded -6.1, 3.7 and 7.8 each by itself."""
        ours = {case: (value, published) for case, value, published in self.new_ratings()}
        assert ours["F-P02"] == (2405, 2406)
        by_event: dict[str, int] = defaultdict(int)
        for game in self.GAMES:
            if game["case"] == "F-P02":
                by_event[game["event_id"]] += computed(game)[1]
        assert sorted(by_event.values()) == [-610, 370, 780]
        assert sum(rounded(part, 100) for part in by_event.values()) == 6

    def test_the_two_corrected_figures_are_those_that_fide_rated_on(self):
        for case, rating in self.RATED_FROM.items():
            assert str(rating) in {game["Ro"] for game in self.GAMES if game["case"] == case}


class TestOnlineCalculator:
    CHANGES = table("online_calculator_rating_change")

    @pytest.mark.parametrize(
        ("settings", "column"), [(CALCULATOR, "calculator_change"), (RULE, "rule_2025_10_change")]
    )
    def test_24_of_24_changes(self, settings, column):
        """The calculator caps everyone at 400; the rule of October 2025 does not from 2650 up."""
        assert len(self.CHANGES) == 24
        for row in self.CHANGES:
            difference = fide_2024.difference_counted(
                int(row["own"]), int(row["opp"]), "standard", date(2025, 10, 1), settings
            )
            change = fide_2024.change(half_points(row["score"]), expected(difference), int(row["K"]))
            assert change == hundredths(row[column]), row

    FIRST = table("online_calculator_initial_rating")

    def games(self, row: dict[str, str]) -> tuple[FirstGame, ...]:
        left, games = half_points(row["W"]), []
        for number in range(int(row["N"])):
            score = min(2, left)
            left -= score
            games.append(FirstGame("E", number, date(2025, 1, 1), "", int(row["Rc"]), score))
        return tuple(games)

    def test_8_of_8_first_ratings_by_the_old_rule_which_ncs_names(self):
        assert len(self.FIRST) == 8
        for row in self.FIRST:
            working = ncs_2022.first_rating(self.games(row), date(2025, 2, 1), ncs_2022.Settings())
            assert working.rating == int(row["calculator_initial_rating"]), row

    def test_and_by_the_rule_of_2024(self):
        for row in self.FIRST:
            working = fide_2024.first_rating(self.games(row), date(2025, 2, 1))
            assert working.rating == int(row["rule_2024_Ru"]), row


class TestPublishedFirstRating:
    def test_the_newcomers_1922(self):
        rows = table("published_initial_rating")
        games = tuple(
            FirstGame(
                row["event_id"],
                n,
                date(2025, 11, 7),
                "",
                int(row["opp_rating_used"]),
                half_points(row["score"]),
            )
            for n, row in enumerate(rows, 1)
        )
        working = fide_2024.first_rating(games, date(2025, 12, 1))
        assert {int(row["list_first_rating"]) for row in rows} == {working.rating} == {1922}
        assert working.mean == (sum(game.opponent_rating for game in games) + 3600, 7)


@pytest.fixture(scope="module")
def rated():
    ledger = read_ledger(PROJECT / "examples" / "us-championship-2025")
    (rated,) = history(ledger, list_names(ledger, None))
    return rated


class TestUSChampionship2025:
    """66 games by the example ledger, against FIDE's change of every game and the next list."""

    PLAYERS = table("us_championship_2025_players")

    def test_it_makes_the_list_of_november(self, rated):
        assert rated.batch.name == "2025-11"

    def test_132_of_132_changes(self, rated):
        published = {}
        for row in table("us_championship_2025_games"):
            for one, other, column in (
                ("white", "black", "fide_white_chg"),
                ("black", "white", "fide_black_chg"),
            ):
                published[int(row["round"]), row[one], row[other]] = 10 * hundredths(row[column])
        (event,) = rated.outcome.events
        ours = {(line.round, line.player, line.opponent): line.change for line in event.lines}
        assert len(ours) == 132
        assert ours == published
        assert {line.k.value for line in event.lines} == {10}

    def test_the_lists_before_and_after(self, rated):
        """Two of the twelve had another event in the month: they differ by it and nothing else."""
        with_another_event = []
        for row in self.PLAYERS:
            done = rated.outcome.calculations["standard"][row["fide_id"]]
            other = 0
            if row["other_event(id:start:Ro:n:K_chg)"] != "-":
                other = hundredths(row["other_event(id:start:Ro:n:K_chg)"].split(":")[-1])
                with_another_event.append(row["name"])
            assert done.before.value == int(row["list_2025_10"])
            assert done.total == hundredths(row["K_chg"])
            assert done.total + other == hundredths(row["total_change_shown"])
            assert done.before.value + rounded(done.total + other, 100) == int(row["list_2025_11"])
            if not other:
                assert done.after.value == int(row["list_2025_11"])
        assert with_another_event == ["Caruana, Fabiano", "Aronian, Levon"]
