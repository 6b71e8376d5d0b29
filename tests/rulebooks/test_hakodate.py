"""Hakodate Chess Club's old USCF rules, in the order of the club's page; examples 1-4 are its own."""
# ruff: noqa: N801, RUF012 - a class is named after its paragraph; its constants are never changed

from __future__ import annotations

from datetime import date

import pytest
from making import day, event, games, lines

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry
from banzuke.core.rating import (
    UNRATED,
    Calculation,
    EventLines,
    FirstGame,
    FirstWorking,
    Line,
    Rating,
    Standings,
)
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.hakodate.hakodate import Settings

NOBODY = Register({}, {}, {})


def played(*texts, **facts):
    made = event(**facts)
    return Entry(made, games(made.event_id, texts))


def rate(before, entry, **settings):
    batch = Batch(entry.event.event_id, entry.event.ends, entry.event.ends, [entry], NOBODY, False, {})
    return hakodate.rate(Standings({"": dict(before)}), batch, Settings(**settings))


def established(value, games=20, peak=None):
    return Rating(value, games, value if peak is None else peak, earned=False)


def provisional(value, games, peak=None):
    return established(value, games, peak)


def after(before, *texts, player="A", **settings):
    """The player's rating after an event of these games."""
    return rate(before, played(*texts), **settings).standings.of("", player)


class TestHCC_R1_WhoGetsARating:
    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_forfeits_never_count(self, result):
        before = {"A": established(1500), "B": provisional(1600, 4)}
        outcome = rate(before, played(f"A {result} B"))
        assert lines(outcome) == [
            Line(1, "A", "B", None, 1500, 1600, *[None] * 4, "forfeit", "HCC R1"),
            Line(1, "B", "A", None, 1600, 1500, *[None] * 4, "forfeit", "HCC R1"),
        ]
        assert outcome.standings == Standings({"": before})
        assert outcome.calculations == {"": {}}

    def test_everyone_who_plays_gets_one(self):
        outcome = rate({}, played("A 1-0 B"))
        assert set(outcome.standings.ratings[""]) == {"A", "B"}


class TestHCC_R2_ProvisionalRatings:
    """Example 1: six games against an average of 1500 with 3 points give 1500/6."""

    OPPONENTS = dict(zip("BCDEFG", (1400, 1450, 1500, 1500, 1550, 1600), strict=True))
    BEFORE = {name: established(value) for name, value in OPPONENTS.items()}

    @pytest.mark.parametrize(
        "results", [["1-0"] * 3 + ["0-1"] * 3, ["1/2-1/2"] * 6, ["1-0", "0-1"] + ["1/2-1/2"] * 4]
    )
    def test_three_points_of_six(self, results):
        texts = [f"A {result} {name}" for name, result in zip("BCDEFG", results, strict=True)]
        assert after(self.BEFORE, *texts) == Rating(1500, 6, 1500, earned=False)


class TestHCC_R4_400PointsAGame:
    def test_example_2(self):
        """1212 beaten, 1815 won, 1340 beaten, 1438 drawn: 6205/4 = 1551.25."""
        before = {
            name: established(value) for name, value in zip("BCDE", (1212, 1815, 1340, 1438), strict=True)
        }
        outcome = rate(before, played("A 1-0 B", "C 1-0 A", "A 1-0 D", "E 1/2-1/2 A"))
        done = outcome.calculations[""]["A"]
        assert done.after == Rating(1551, 4, 1551, earned=False)
        first_day = date(2024, 6, 1)
        used = (
            FirstGame("E", 1, first_day, "B", 1212, 2),
            FirstGame("E", 2, first_day, "C", 1815, 0),
            FirstGame("E", 3, first_day, "D", 1340, 2),
            FirstGame("E", 4, first_day, "E", 1438, 1),
        )
        working = FirstWorking(used, (6205, 4), 5, 0, 0, 1551, "", "HCC R6")
        assert done == Calculation("A", UNRATED, UNRATED, "", 0, 0, False, working, done.after)

    def test_the_lines(self):
        entry = played("A 1-0 B")
        outcome = rate({"B": established(1212)}, entry)
        assert outcome.events == [
            EventLines(
                entry.event,
                "",
                [
                    Line(1, "A", "B", 2, None, 1212, *[None] * 4, "first", "HCC R4"),
                    Line(1, "B", "A", 0, 1212, None, *[None] * 4, "unrated", "HCC R12"),
                ],
            )
        ]
        assert list(outcome.calculations[""]) == ["A"]

    def test_all_wins_and_all_losses_by_the_same_formula(self):
        before = {"B": established(1500), "C": established(1501)}
        assert after(before, "A 1-0 B", "A 1-0 B").value == 1900
        assert after(before, "A 0-1 B", "A 0-1 C").value == 1101  # 1100.5
        assert after({"B": established(300)}, "A 0-1 B").value == -100  # no floor

    def test_there_is_no_floor_a_rating_may_be_nought(self):
        assert after({"B": established(0)}, "A 1/2-1/2 B") == Rating(0, 1, 0, earned=False)
        assert after({"A": provisional(0, 5), "B": established(0)}, "A 1/2-1/2 B").value == 0
        assert after({"A": provisional(0, 5), "B": established(3)}, "A 1/2-1/2 B").value == 1  # .5
        assert after({"A": provisional(0, 5), "B": established(2)}, "A 1/2-1/2 B").value == 0  # .33

    def test_the_sum_and_the_count(self):
        assert hakodate.provisional_mean(UNRATED, [(1212, 2), (1815, 0), (1340, 2), (1438, 1)]) == (6205, 4)
        assert hakodate.provisional_mean(provisional(1551, 4), [(1500, 1)]) == (7704, 5)


class TestHCC_R5_Notation:
    @pytest.mark.parametrize(
        ("rating", "games", "written"),
        [(1551, 4, "1551/4"), (1500, 19, "1500/19"), (1500, 20, "1500"), (1500, 21, "1500")],
    )
    def test_a_provisional_rating_shows_its_games(self, rating, games, written):
        assert hakodate.notation(rating, games) == written


class TestHCC_R6_TheOldRatingCountsForItsGames:
    BEFORE = {
        "A": provisional(1551, 4),
        **{name: established(value) for name, value in zip("BCDE", (1472, 1726, 1637, 1595), strict=True)},
    }

    def test_example_3(self):
        """1551/4: 1472 beaten, 1726 and 1637 won, 1595 drawn: 12234/8 = 1529.25."""
        outcome = rate(self.BEFORE, played("A 1-0 B", "A 0-1 C", "A 0-1 D", "A 1/2-1/2 E"))
        done = outcome.calculations[""]["A"]
        assert done.first[1:] == ((12234, 8), 3, 0, 0, 1529, "", "HCC R6")
        assert (done.before, done.entered) == (provisional(1551, 4), provisional(1551, 4))
        assert done.after == Rating(1529, 8, 1551, earned=False)

    def test_the_line_shows_no_change(self):
        outcome = rate(self.BEFORE, played("A 1-0 B"))
        assert lines(outcome)[0] == Line(1, "A", "B", 2, 1551, 1472, *[None] * 4, "rated", "HCC R6")

    def test_the_rounded_figure_is_carried_on(self):
        """1551, not 1551.25, stands for the four games."""
        assert after(self.BEFORE, "A 1/2-1/2 E") == Rating(1560, 5, 1560, earned=False)  # 7799/5 = 1559.8

    def test_the_peak_grows_with_the_rating(self):
        assert after({"A": provisional(1500, 1, 1700), "B": established(1300)}, "A 1/2-1/2 B").peak == 1700
        assert after({"A": provisional(1500, 1), "B": established(1700)}, "A 1-0 B").peak == 1800
        no_peak = Rating(1500, 1, None, earned=True)
        assert after({"A": no_peak, "B": established(1300)}, "A 1/2-1/2 B") == Rating(
            1400, 2, 1400, earned=True
        )


class TestHCC_R7_TheFormula:
    @pytest.mark.parametrize(
        ("wins", "losses", "rating"), [(6, 0, 1900), (3, 1, 1633), (0, 6, 1100), (1, 2, 1433)]
    )
    def test_mean_and_400_times_wins_less_losses_over_games(self, wins, losses, rating):
        """Rp = Rc + 400(W - L)/N."""
        draws = 6 - wins - losses
        texts = ["A 1-0 B"] * wins + ["A 0-1 B"] * losses + ["A 1/2-1/2 B"] * draws
        assert after({"B": established(1500)}, *texts).value == rating


class TestHCC_R8_EstablishedFrom20Games:
    @pytest.mark.parametrize(("games", "is_established"), [(0, False), (19, False), (20, True), (21, True)])
    def test_borders(self, games, is_established):
        assert hakodate.is_established(games) is is_established

    def test_19_games_are_rated_by_the_provisional_formula(self):
        before = {"A": provisional(1500, 19), "B": established(1500)}
        assert after(before, "A 1-0 B") == Rating(1520, 20, 1520, earned=False)

    def test_20_by_the_established(self):
        before = {"A": established(1500, 20), "B": established(1500)}
        assert after(before, "A 1-0 B") == Rating(1516, 21, 1516, earned=False)

    def test_worked_example_6_the_formula_of_the_events_beginning_serves(self):
        before = {"A": provisional(1500, 18), "B": established(1500)}
        outcome = rate(before, played(*["A 1-0 B"] * 5))
        done = outcome.calculations[""]["A"]
        assert [line.clause for line in lines(outcome) if line.player == "A"] == ["HCC R6"] * 5
        assert done.first.mean == (18 * 1500 + 5 * 1900, 23)
        assert done.after == Rating(1587, 23, 1587, earned=False)
        later = rate(outcome.standings.ratings[""], played("A 1-0 B"))
        assert lines(later)[0].clause == "HCC R9"


class TestHCC_R9_16PointsAGame:
    BEFORE = {"A": established(1500), "B": established(1500)}

    @pytest.mark.parametrize(("result", "points"), [("1-0", 1600), ("1/2-1/2", 0), ("0-1", -1600)])
    def test_example_4_between_equals(self, result, points):
        outcome = rate(self.BEFORE, played(f"A {result} B"))
        white, black = lines(outcome)
        assert (white.change, black.change) == (points, -points)
        assert white[6:] == (0, None, None, points, "rated", "HCC R9")
        assert outcome.standings.of("", "A").value == 1500 + points // 100

    def test_the_whole_calculation(self):
        outcome = rate(self.BEFORE, played("A 1-0 B"))
        state = established(1500)
        assert outcome.calculations[""]["A"] == Calculation(
            "A", state, state, "", 1600, 16, False, None, Rating(1516, 21, 1516, earned=False)
        )


class TestHCC_R10_FourPerCentOfTheDifference:
    @pytest.mark.parametrize(
        ("opponent", "win", "draw", "loss"),
        [
            (1300, 800, -800, -2400),  # example 4: 200 lower
            (1700, 2400, 800, -800),  # example 4: 200 higher
            (2000, 3200, 1600, 0),  # example 5: 500 higher
            (1000, 0, -1600, -3200),  # example 5: 500 lower
            (1900, 3200, 1600, 0),
            (1899, 3196, 1596, -4),
            (1901, 3200, 1600, 0),
            (1100, 0, -1600, -3200),
            (1101, 4, -1596, -3196),
            (1501, 1604, 4, -1596),
        ],
    )
    def test_by_what_the_opponent_is_higher(self, opponent, win, draw, loss):
        before = {"A": established(1500), "B": established(opponent)}
        outcome = rate(before, played("A 1-0 B", "A 1/2-1/2 B", "A 0-1 B"))
        assert [line.change for line in lines(outcome) if line.player == "A"] == [win, draw, loss]

    @pytest.mark.parametrize(
        ("own", "opponent", "difference"),
        [(1500, 1899, -399), (1500, 1900, -400), (1500, 1901, -400), (1901, 1500, 400), (1899, 1500, 399)],
    )
    def test_the_difference_counts_400_at_most(self, own, opponent, difference):
        assert hakodate.difference_counted(own, opponent) == difference
        outcome = rate({"A": established(own), "B": established(opponent)}, played("A 1-0 B"))
        assert lines(outcome)[0].difference == difference

    @pytest.mark.parametrize(
        ("difference", "score", "hundredths"),
        [(200, 2, 800), (-200, 2, 2400), (200, 1, -800), (0, 0, -1600), (-400, 0, 0), (1, 2, 1596)],
    )
    def test_in_hundredths(self, difference, score, hundredths):
        assert hakodate.established_change(difference, score) == hundredths

    def test_a_provisional_opponent_counts_in_full(self):
        before = {"A": established(1500), "B": provisional(1700, 1)}
        assert after(before, "A 1-0 B").value == 1524

    @pytest.mark.parametrize(
        ("opponents", "total", "shift"),
        [
            ((1550, 1512, 1500), 248, 2),
            ((1550, 1513, 1500), 252, 3),
            ((1450, 1487, 1500), -252, -3),
            ((1450, 1488, 1500), -248, -2),
        ],
    )
    def test_the_sum_is_rounded(self, opponents, total, shift):
        before = {
            "A": established(1500),
            **{n: established(v) for n, v in zip("BCD", opponents, strict=True)},
        }
        done = rate(before, played(*(f"A 1/2-1/2 {name}" for name in "BCD"))).calculations[""]["A"]
        assert (done.total, done.shift, done.after.value) == (total, shift, 1500 + shift)


class TestHCC_R11_AsExpectedNothingMoves:
    def test_example_4_three_wins_and_a_loss_against_200_lower(self):
        before = {"A": established(1700), "B": established(1500)}
        outcome = rate(before, played("A 1-0 B", "A 1-0 B", "A 1-0 B", "A 0-1 B"))
        assert [line.change for line in lines(outcome) if line.player == "A"] == [800, 800, 800, -2400]
        assert outcome.calculations[""]["A"].after == Rating(1700, 24, 1700, earned=False)
        assert outcome.calculations[""]["B"].after == Rating(1500, 24, 1500, earned=False)

    def test_all_games_use_the_ratings_before_the_event(self):
        before = {"A": established(1500), "B": established(1500)}
        outcome = rate(before, played("A 1-0 B", "A 1-0 B"))
        assert [(line.own, line.opponent_rating, line.change) for line in lines(outcome) if line.player == "A"] == [
            (1500, 1500, 1600), (1500, 1500, 1600),
        ]  # fmt: skip

    def test_a_lower_peak_stays_behind_and_a_higher_one_stands(self):
        before = {"A": established(1500, peak=1505), "B": established(1500, peak=1600)}
        assert after(before, "A 1-0 B").peak == 1516
        assert after(before, "A 1-0 B", player="B") == Rating(1484, 21, 1600, earned=False)


class TestHCC_R12_TheAverageOf1500:
    def test_two_unrated_count_each_other_as_1500(self):
        outcome = rate({}, played("A 1-0 B"))
        assert lines(outcome) == [
            Line(1, "A", "B", 2, None, None, *[None] * 4, "first", "HCC R4"),
            Line(1, "B", "A", 0, None, None, *[None] * 4, "first", "HCC R4"),
        ]
        assert outcome.standings.ratings[""] == {
            "A": Rating(1900, 1, 1900, earned=False), "B": Rating(1100, 1, 1100, earned=False),
        }  # fmt: skip
        assert outcome.calculations[""]["A"].first.games[0].opponent_rating == 1500

    def test_or_as_the_club_says(self):
        assert after({}, "A 1-0 B", unrated_opponent=1200).value == 1600
        assert Settings() == Settings(unrated_opponent=1500)

    def test_for_a_rated_side_the_game_does_not_count(self):
        for state, other_line in ((established(1500), "HCC R12"), (provisional(1500, 3), "HCC R12")):
            outcome = rate({"A": state}, played("A 1-0 B"))
            assert lines(outcome)[0] == Line(1, "A", "B", 2, 1500, None, *[None] * 4, "unrated", other_line)
            assert outcome.standings.of("", "A") == state
            assert outcome.standings.of("", "B") == Rating(1100, 1, 1100, earned=False)

    @pytest.mark.parametrize(
        ("rating", "name"),
        [
            (3000, "Senior Master"), (2400, "Senior Master"), (2399, "Master"), (2200, "Master"),
            (2199, "Expert"), (2000, "Expert"), (1999, "A"), (1800, "A"), (1799, "B"), (1600, "B"),
            (1599, "C"), (1400, "C"), (1399, "D"), (1200, "D"), (1199, "E"), (-100, "E"),
        ],
    )  # fmt: skip
    def test_classes_for_prizes(self, rating, name):
        assert hakodate.prize_class(rating) == name


class TestHCC_K1_RulingsOfTheClub:
    BEFORE = {"A": established(1500), "B": established(1600)}

    def test_an_excluded_event(self):
        outcome = rate(self.BEFORE, played("A 1-0 B", "A +/- B", ruling="exclude"))
        assert lines(outcome)[0] == Line(1, "A", "B", 2, 1500, 1600, *[None] * 4, "ruling", "HCC K1")
        assert [line.verdict for line in lines(outcome)] == ["ruling"] * 4
        assert outcome.calculations == {"": {}}

    def test_an_excluded_game_alone(self):
        entry = played("A 1-0 B", "A 1-0 B")
        entry.games[1] = entry.games[1]._replace(ruling="exclude")
        outcome = rate(self.BEFORE, entry)
        assert [line.verdict for line in lines(outcome)] == ["rated", "rated", "ruling", "ruling"]
        assert outcome.standings.of("", "A").games == 21

    @pytest.mark.parametrize("ruling", ["", "accept-late", "waive-fee", "include"])
    def test_no_other_ruling_plays_a_part(self, ruling):
        outcome = rate(self.BEFORE, played("A 1-0 B", ruling=ruling, reported="2030-01-01"))
        assert [line.verdict for line in lines(outcome)] == ["rated", "rated"]


class TestCitations:
    def test_the_clauses_that_explanations_cite(self):
        assert hakodate.CITES == {
            "first": "HCC R4",
            "sum": "HCC R9",
            "limit": "HCC R10",
            "list": "HCC R1",
            "class": "HCC R12",
        }


class TestABatchIsAnEvent:
    def test_who_did_not_play_stays(self):
        before = {"A": established(1500), "B": established(1500), "C": provisional(1700, 5)}
        outcome = rate(before, played("A 1-0 B"))
        assert outcome.standings.of("", "C") == provisional(1700, 5)
        assert list(outcome.calculations[""]) == ["A", "B"]
        assert before["A"] == established(1500)

    def test_a_first_event_without_any_standings(self):
        entry = played("A 1/2-1/2 B", event_id="F", starts="2024-06-02", ends="2024-06-03")
        batch = Batch("F", entry.event.ends, entry.event.ends, [entry], NOBODY, True, {})
        outcome = hakodate.rate(Standings(), batch, Settings())
        assert outcome.standings.ratings[""]["A"] == Rating(1500, 1, 1500, earned=False)
        assert outcome.calculations[""]["A"].first.games[0] == FirstGame(
            "F", 1, day("2024-06-02"), "B", 1500, 1
        )
        assert outcome.standings.waiting == {}
