"""FIDE's rating regulations from 2024-03-01 with the change of 2025-10-01, clause by clause."""
# ruff: noqa: N801, RUF012 - a class is named after its clause; its constants are never changed

from __future__ import annotations

from datetime import date

import pytest
from making import against, born, calculation, day, event, games, line, lines, rated, verdicts

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry, Player
from banzuke.core.month import parse_month
from banzuke.core.rating import (
    UNRATED,
    Calculation,
    Coefficient,
    EventLines,
    FirstGame,
    FirstWorking,
    Line,
    Rating,
    Standings,
)
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.fide.fide_2024 import Settings

REACHED_2400 = Coefficient(10, "ever-2400", "FIDE 8.3.3")
JUNIOR = Coefficient(40, "junior", "FIDE 8.3.3")
NEW = Coefficient(40, "new", "FIDE 8.3.3")
NORMAL = Coefficient(20, "normal", "FIDE 8.3.3")
SINCE_OCTOBER = date(2025, 10, 1)


def played(*texts, **facts):
    made = event(**({"starts": "2025-11-01"} | facts))
    return Entry(made, games(made.event_id, texts))


def rate(before, *entries, in_force=None, known=(), name="2025-12", settings=None, waiting=None):
    """The list 2025-12; events are rated on the list before, unless `in_force` names another.

    Ratings are standard ones, or given speed by speed.
    """
    ratings = before if "standard" in before or "rapid" in before else {"standard": dict(before)}
    lists = {entry.event.event_id: ratings for entry in entries} | (in_force or {})
    names = {name for entry in entries for game in entry.games for name in (game.white, game.black)}
    players = {name: Player(name, name) for name in names} | {player.player_id: player for player in known}
    published = parse_month(name).first_day
    batch = Batch(name, published, published, entries, Register(players, {}, {}), False, lists)
    return fide_2024.rate(Standings(ratings, waiting or {}), batch, settings or Settings())


class TestFIDE_1_1_And_RB_1_1_RateOfPlay:
    @pytest.mark.parametrize(
        ("minutes", "speed"),
        [(5, "blitz"), (10, "blitz"), (11, "rapid"), (59, "rapid"), (60, "standard"), (120, "standard")],
    )
    def test_by_the_minutes_for_60_moves(self, minutes, speed):
        assert fide_2024.speed_of(event(base_minutes=minutes)) == speed

    @pytest.mark.parametrize("declared", ["standard", "rapid", "blitz"])
    def test_as_declared(self, declared):
        assert fide_2024.speed_of(event(base_minutes=20, speed=declared)) == declared
        assert fide_2024.speed_of(event(base_minutes=None, speed=declared)) == declared

    def test_neither_is_known(self):
        assert fide_2024.speed_of(event(base_minutes=None)) == ""

    def test_each_speed_has_its_own_ratings(self):
        before = {
            speed: {"A": rated(2000 + n), "B": rated(2000)}
            for n, speed in enumerate(("standard", "rapid", "blitz"))
        }
        outcome = rate(
            before,
            played("A 1-0 B"),
            played("A 1-0 B", event_id="F", base_minutes=20),
            played("A 1-0 B", event_id="G", base_minutes=5),
        )
        assert [one.speed for one in outcome.events] == ["standard", "rapid", "blitz"]
        assert [one.own for one in lines(outcome) if one.player == "A"] == [2000, 2001, 2002]
        assert [calculation(outcome, "A", speed).after.value for speed in before] == [2010, 2011, 2012]


class TestFIDE_5_1_GamesNotPlayed:
    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_do_not_count(self, result):
        outcome = rate({"A": rated(2000), "B": rated(2000)}, played(f"A {result} B"))
        assert line(outcome, "A") == Line(1, "A", "B", None, 2000, 2000, *[None] * 4, "forfeit", "FIDE 5.1")
        assert outcome.calculations == {"standard": {}, "rapid": {}, "blitz": {}}
        assert outcome.standings.of("standard", "A") == rated(2000)

    def test_nor_for_a_first_rating(self):
        outcome = rate({"B": rated(2000)}, played("A +/- B"))
        assert line(outcome, "A").verdict == "forfeit"
        assert outcome.standings.waiting["standard"] == {}


class TestFIDE_6_2_Rulings:
    @pytest.mark.parametrize("result", ["1-0", "+/-"])
    def test_an_excluded_event(self, result):
        outcome = rate({"A": rated(2000), "B": rated(2000)}, played(f"A {result} B", ruling="exclude"))
        assert [(one.verdict, one.clause) for one in lines(outcome)] == [("ruling", "FIDE 6.2")] * 2

    def test_an_excluded_game(self):
        entry = played("A 1-0 B", "A 1-0 C")
        entry.games[0] = entry.games[0]._replace(ruling="exclude")
        outcome = rate({"A": rated(2000), "B": rated(2000), "C": rated(2000)}, entry)
        assert verdicts(outcome, "A") == ["ruling", "rated"]
        assert "B" not in outcome.calculations["standard"]

    @pytest.mark.parametrize("ruling", ["accept-late", "waive-fee", "include"])
    def test_other_rulings_play_no_part(self, ruling):
        outcome = rate({"A": rated(2000), "B": rated(2000)}, played("A 1-0 B", ruling=ruling))
        assert verdicts(outcome, "A") == ["rated"]


class TestFIDE_7_1_Lists:
    @pytest.mark.parametrize(
        ("ends", "listed"),
        [
            ("2025-10-25", "2025-11"),
            ("2025-10-29", "2025-11"),
            ("2025-10-30", "2025-12"),
            ("2025-10-01", "2025-11"),
            ("2025-09-28", "2025-10"),
            ("2025-09-29", "2025-11"),
            ("2025-02-26", "2025-03"),
            ("2025-02-27", "2025-04"),
            ("2024-02-27", "2024-03"),
            ("2024-02-28", "2024-04"),
            ("2025-12-29", "2026-01"),
            ("2025-12-30", "2026-02"),
        ],
    )
    def test_an_event_enters_the_list_three_days_or_more_after_its_end(self, ends, listed):
        assert fide_2024.CALENDAR.window_on(day(ends)).name == listed

    @pytest.mark.parametrize(
        ("listed", "closes"),
        [("2025-11", "2025-10-29"), ("2025-03", "2025-02-26"), ("2026-01", "2025-12-29")],
    )
    def test_the_last_day_of_a_window(self, listed, closes):
        of = parse_month(listed)
        window = fide_2024.CALENDAR.window_named(str(of))
        assert (window.closes, window.published) == (day(closes), of.first_day)
        assert fide_2024.CALENDAR.window_on(window.closes) == window

    def test_rated_on_the_list_in_force_when_the_event_began(self):
        """F-P02: 2395 in force, 2400 meanwhile; the change is added to the latest."""
        before = {"A": rated(2400), "B": rated(2000)}
        began = {"standard": {"A": rated(2395), "B": rated(1990)}}
        outcome = rate(before, played("A 1-0 B"), in_force={"E": began})
        assert line(outcome, "A")[4:7] == (2395, 1990, 400)
        done = calculation(outcome, "A")
        assert (done.before, done.entered) == (rated(2400), rated(2400))
        assert line(outcome, "A").k == NORMAL  # K too is that list's
        assert done.after == Rating(2402, 101, 2402, earned=False)  # 1.6


class TestFIDE_7_2_1_BelowTheFloor:
    @pytest.mark.parametrize(
        ("value", "after"),
        [
            (1409, Rating(None, 101, 1409, earned=True)),
            (1410, Rating(1400, 101, 1410, earned=True)),
            (1411, Rating(1401, 101, 1411, earned=True)),
        ],
    )
    def test_below_1400_the_player_is_unrated(self, value, after):
        before = {"A": rated(value, earned=True), "B": rated(value)}
        done = calculation(rate(before, played("A 0-1 B")), "A")
        assert (done.shift, done.floored, done.after) == (-10, False, after)

    def test_a_rating_that_was_never_published_is_no_peak(self):
        """A pool may open below the floor: 1390 and 2 more are not 1392 held."""
        done = calculation(rate({"A": rated(1390), "B": rated(1450)}, played("A 1/2-1/2 B")), "A")
        assert (done.shift, done.after) == (2, Rating(None, 101, 1390, earned=False))

    def test_the_beginning_is_new_and_the_peak_stays(self):
        fallen = Rating(None, 101, 1409, earned=True)
        before = {"A": fallen, **{name: rated(1500) for name in "BCDEF"}}
        outcome = rate(before, played(*(f"A 1-0 {name}" for name in "BCDEF")))
        done = calculation(outcome, "A")
        assert done.before == done.entered == fallen
        assert done.after == Rating(1895, 106, 1895, earned=True)  # 11100/7 + 309

    def test_the_peak_of_one_who_fell_is_no_less_than_the_rating_that_counted(self):
        """The event began on a list that had the player at 2410, but that the player has left since."""
        before = {"A": Rating(None, 50, 1500, earned=True), "B": rated(1500)}
        began = {"standard": {"A": rated(2410), "B": rated(1500)}}
        outcome = rate(before, played("A 1-0 B"), in_force={"E": began})
        assert verdicts(outcome, "A") == ["rated"]
        done = calculation(outcome, "A")
        assert done == Calculation(
            "A", before["A"], before["A"], "", 0, 0, False, None, Rating(None, 51, 2410, earned=False)
        )


class TestFIDE_8_2_1_FirstEvents:
    GAMES = against(1500, 1600, points=2)
    NOTHING = against(1500, 1600, points=0)

    def kept(self, on_file, *fresh):
        return fide_2024.games_on_file(on_file, [list(event) for event in fresh])

    def test_a_first_event_without_points_is_dropped(self):
        assert self.kept(None, self.NOTHING) == ()
        assert self.kept(None, self.GAMES) == self.GAMES
        assert self.kept(None, self.NOTHING, self.GAMES) == self.GAMES

    def test_only_the_first(self):
        assert self.kept(None, self.GAMES, self.NOTHING) == self.GAMES + self.NOTHING
        assert self.kept(None, self.NOTHING, self.NOTHING) == self.NOTHING
        assert self.kept((), self.NOTHING) == self.NOTHING
        assert self.kept(self.GAMES, self.NOTHING) == self.GAMES + self.NOTHING

    def test_a_half_point_is_enough(self):
        half = against(1500, 1600, points=1)
        assert self.kept(None, half) == half

    def test_a_dropped_event_adds_no_games_and_is_remembered(self):
        outcome = rate({"B": rated(1500)}, played("A 0-1 B"))
        done = calculation(outcome, "A")
        assert done == Calculation("A", UNRATED, UNRATED, "", 0, 0, False, None, UNRATED)
        assert line(outcome, "A") == Line(1, "A", "B", 0, None, 1500, *[None] * 4, "first", "FIDE 8.2.2")
        assert outcome.standings.waiting["standard"] == {"A": ()}
        second = rate(
            {"B": rated(1500)},
            played("A 0-1 B", event_id="F"),
            waiting=outcome.standings.waiting,
            name="2026-01",
        )
        assert calculation(second, "A").after == Rating(None, 1, None, earned=False)
        assert len(second.standings.waiting["standard"]["A"]) == 1

    def test_events_of_a_list_in_the_order_of_their_last_days(self):
        """The event that ended first is the first, whatever its id."""
        late = played("A 1-0 B", event_id="A1", starts="2025-11-05")
        early = played("A 0-1 B", event_id="Z1", starts="2025-11-02")
        outcome = rate({"B": rated(1500)}, late, early)
        assert [game.event_id for game in outcome.standings.waiting["standard"]["A"]] == ["A1"]
        outcome = rate({"B": rated(1500)}, played("A 0-1 B", event_id="A1"), played("A 1-0 B", event_id="B1"))
        assert [game.event_id for game in outcome.standings.waiting["standard"]["A"]] == ["B1"]
        outcome = rate({"B": rated(1500)}, played("A 1-0 B", event_id="B1"), played("A 0-1 B", event_id="A1"))
        assert [game.event_id for game in outcome.standings.waiting["standard"]["A"]] == ["B1"]


class TestFIDE_8_2_2_GamesForAFirstRating:
    def test_only_against_rated_opponents(self):
        outcome = rate({"B": rated(1500)}, played("A 1-0 X", "A 1-0 B"))
        assert line(outcome, "A") == Line(1, "A", "X", 2, None, None, *[None] * 4, "unrated", "FIDE 8.2.2")
        assert line(outcome, "X") == Line(1, "X", "A", 0, None, None, *[None] * 4, "unrated", "FIDE 8.2.2")
        game = FirstGame("E", 2, date(2025, 11, 1), "B", 1500, 2)
        assert outcome.standings.waiting["standard"] == {"A": (game,)}
        assert calculation(outcome, "A").after == Rating(None, 1, None, earned=False)
        assert "X" not in outcome.calculations["standard"]

    def test_a_rated_player_against_unrated_moves_nothing(self):
        outcome = rate({"B": rated(1500)}, played("A 1-0 B"))
        assert line(outcome, "B") == Line(1, "B", "A", 0, 1500, None, *[None] * 4, "unrated", "FIDE 8.2.2")
        assert "B" not in outcome.calculations["standard"]
        assert outcome.standings.of("standard", "B") == rated(1500)

    def test_the_day_of_the_game_else_the_events_first(self):
        entry = played("A 1-0 B 2025-11-02", "A 1-0 B", ends="2025-11-02")
        outcome = rate({"B": rated(1500)}, entry)
        on_file = outcome.standings.waiting["standard"]["A"]
        assert [game.played for game in on_file] == [date(2025, 11, 2), date(2025, 11, 1)]

    @pytest.mark.parametrize("games", [0, 4, 5, 6])
    def test_five_games(self, games):
        working = fide_2024.first_rating(against(*[1800] * games, points=games), date(2024, 7, 1))
        assert working.rating == (1800 if games >= 5 else None)
        assert working.why == ("" if games >= 5 else "too-few")

    def test_7_1_4_within_26_months(self):
        games = against(*[1800] * 5, points=5, on="2024-06-01")
        assert fide_2024.first_rating(games, date(2026, 7, 1)).rating == 1800
        assert fide_2024.first_rating(games, date(2026, 8, 1)) == FirstWorking(
            (), (3600, 2), 2, 50, 0, None, "too-few", "FIDE 8.2.3"
        )

    def test_7_1_4_played_after_the_same_day(self):
        for on, used in (("2024-05-01", 0), ("2024-05-02", 5)):
            games = against(*[1800] * 5, points=5, on=on)
            assert len(fide_2024.first_rating(games, date(2026, 7, 1)).games) == used

    def test_games_against_unrated_on_file_are_passed_over(self):
        games = against(1800, None, 1800, 1800, 1800, points=5)
        assert len(fide_2024.first_rating(games, date(2024, 7, 1)).games) == 4


class TestFIDE_8_2_3_Formula:
    """The mean with two draws against 1800, and dp of the score with them; at most 2200."""

    def first(self, *opponents, points):
        return fide_2024.first_rating(against(*opponents, points=points), date(2024, 7, 1))

    def test_the_newcomer_of_the_rule_page(self):
        working = self.first(1902, 1877, 1884, 2012, 1832, points=6)
        assert working[1:] == ((13107, 7), 8, 57, 50, 1922, "", "FIDE 8.2.3")

    @pytest.mark.parametrize(
        ("mean", "half_points", "games", "rating"),
        [
            (2000, 6, 5, 1993), (2000, 4, 5, 1893), (2000, 5, 5, 1943), (2100, 10, 5, 2200),
            (2400, 6, 5, 2200), (1600, 2, 5, 1499), (1657, 6, 5, 1748), (1800, 8, 7, 1843),
        ],
    )  # fmt: skip
    def test_the_column_of_the_2024_rule_beside_the_calculators(self, mean, half_points, games, rating):
        assert self.first(*[mean] * games, points=half_points).rating == rating

    @pytest.mark.parametrize(
        ("opponents", "rating", "why"),
        [
            ((1240, 1240, 1240, 1240, 1240), 1400, ""),  # 9800/7
            ((1240, 1240, 1240, 1240, 1237), 1400, ""),  # 1399.57
            ((1240, 1240, 1240, 1240, 1236), None, "below-floor"),  # 1399.43
        ],
    )
    def test_published_from_1400(self, opponents, rating, why):
        working = self.first(*opponents, points=5)
        assert (working.rating, working.why, working.dp) == (rating, why, 0)

    @pytest.mark.parametrize(("last", "rating"), [(2360, 2200), (2356, 2199), (2357, 2200), (2500, 2200)])
    def test_at_most_2200(self, last, rating):
        assert self.first(2360, 2360, 2360, 2360, last, points=5).rating == rating

    def test_rounded_once_at_the_end(self):
        assert self.first(1800, 1800, 1800, 1800, 1803, points=5).rating == 1800  # 1800.43
        assert self.first(1800, 1800, 1800, 1800, 1804, points=5).rating == 1801  # 1800.57

    def test_below_the_floor_the_games_stay(self):
        before = {name: rated(1401) for name in "BCDEF"}
        outcome = rate(before, played("A 1/2-1/2 B", *(f"A 0-1 {name}" for name in "CDEF")))
        done = calculation(outcome, "A")
        assert (done.first.why, done.after) == ("below-floor", Rating(None, 5, None, earned=False))
        assert len(outcome.standings.waiting["standard"]["A"]) == 5

    def test_the_whole_calculation(self):
        before = {
            name: rated(value) for name, value in zip("BCDEF", (1902, 1877, 1884, 2012, 1832), strict=True)
        }
        texts = ("B 1/2-1/2 A", "A 1/2-1/2 C", "D 0-1 A", "A 0-1 E", "F 0-1 A")
        outcome = rate(before, played(*texts))
        done = calculation(outcome, "A")
        assert done.first.rating == 1922
        assert done[:7] == ("A", UNRATED, UNRATED, "", 0, 0, False)
        assert done.after == Rating(1922, 5, 1922, earned=True)
        assert outcome.standings.waiting["standard"] == {}
        assert outcome.standings.of("standard", "A") == done.after

    def test_over_two_lists(self):
        before = {name: rated(1800) for name in "BCDEF"}
        first = rate(before, played("A 1-0 B", "A 0-1 C"))
        assert calculation(first, "A").first.why == "too-few"
        second = rate(
            before,
            played("A 1-0 D", "A 0-1 E", "A 1/2-1/2 F", event_id="F", starts="2025-12-01"),
            waiting=first.standings.waiting,
            name="2026-01",
        )
        done = calculation(second, "A")
        assert [game.event_id for game in done.first.games] == ["E", "E", "F", "F", "F"]
        assert done.after == Rating(1800, 3, 1800, earned=True)
        assert first.standings.waiting["standard"] == {"A": done.first.games[:2]}
        assert second.standings.waiting["standard"] == {}

    def test_games_so_far_are_added_to(self):
        before = {"A": Rating(None, 2, None, earned=False), "B": rated(1800)}
        outcome = rate(before, played("A 1-0 B"))
        assert calculation(outcome, "A").after == Rating(None, 3, None, earned=False)


class TestFIDE_8_3_1_TheDifferenceCounted:
    def counted(self, own, other, speed="standard", starts=SINCE_OCTOBER, **settings):
        return fide_2024.difference_counted(own, other, speed, starts, Settings(**settings))

    @pytest.mark.parametrize(
        ("own", "other", "difference"),
        [
            (2100, 2499, -399), (2100, 2500, -400), (2100, 2501, -400), (2649, 2249, 400),
            (2649, 2248, 400), (2649, 2250, 399), (2649, 3100, -400),
        ],
    )  # fmt: skip
    def test_400_at_most(self, own, other, difference):
        assert self.counted(own, other) == difference

    @pytest.mark.parametrize(("own", "difference"), [(2649, 400), (2650, 550), (2651, 551), (2813, 713)])
    def test_real_for_2650_and_more(self, own, difference):
        assert self.counted(own, 2100) == difference
        assert self.counted(2100, own) == -400  # the own rating decides

    def test_real_below_too(self):
        assert self.counted(2650, 3100) == -450

    @pytest.mark.parametrize(
        ("starts", "difference"), [("2025-09-30", 400), ("2025-10-01", 550), ("2025-10-02", 550)]
    )
    def test_since_october_2025(self, starts, difference):
        assert self.counted(2650, 2100, starts=day(starts)) == difference

    @pytest.mark.parametrize("speed", ["rapid", "blitz"])
    def test_only_at_standard(self, speed):
        assert self.counted(2650, 2100, speed) == 400

    def test_a_setting_caps_everyone(self):
        assert self.counted(2650, 2100, cap_always=True) == 400
        assert self.counted(2650, 3100, cap_always=True) == -400

    def test_in_a_game(self):
        before = {"A": rated(2700), "B": rated(2100)}
        for settings, expected in ((Settings(), 98), (Settings(cap_always=True), 92)):
            outcome = rate(before, played("A 1-0 B"), settings=settings)
            assert line(outcome, "A").expected == expected
            assert line(outcome, "B").expected == 8
        early = rate(before, played("A 1-0 B", starts="2025-09-30"))
        assert line(early, "A").difference == 400


class TestFIDE_8_3_2_Changes:
    def test_both_lines(self):
        entry = played("A 1-0 B")
        outcome = rate({"A": rated(1600), "B": rated(1800)}, entry)
        assert outcome.events == [
            EventLines(
                entry.event,
                "standard",
                [
                    Line(1, "A", "B", 2, 1600, 1800, -200, 24, NORMAL, 1520, "rated", "FIDE 8.3.2"),
                    Line(1, "B", "A", 0, 1800, 1600, 200, 76, NORMAL, -1520, "rated", "FIDE 8.3.2"),
                ],
            )
        ]

    @pytest.mark.parametrize(
        ("score", "percent", "k", "hundredths"),
        [(2, 24, 20, 1520), (0, 24, 20, -480), (1, 24, 20, 520), (1, 8, 17, 714)],
    )
    def test_in_hundredths(self, score, percent, k, hundredths):
        assert fide_2024.change(score, percent, k) == hundredths

    def test_the_clauses_of_rapid_and_blitz_have_other_numbers(self):
        before = {speed: {"A": rated(1600), "B": rated(1800)} for speed in ("standard", "rapid", "blitz")}
        for minutes in (20, 5):
            outcome = rate(before, played("A 1-0 B", "A +/- B", "A 1-0 X", base_minutes=minutes))
            assert [one.clause for one in lines(outcome) if one.player == "A"] == [
                "FIDE RB 7.3.2", "FIDE RB 4.1", "FIDE RB 7.2.3",
            ]  # fmt: skip

    @pytest.mark.parametrize(
        ("clause", "at_rapid"),
        [
            ("FIDE 5.1", "FIDE RB 4.1"), ("FIDE 7.1.1", "FIDE RB 6.1"), ("FIDE 7.2.1", "FIDE RB 6.2.1"),
            ("FIDE 8.2.2", "FIDE RB 7.2.3"), ("FIDE 8.2.3", "FIDE RB 7.2.4"), ("FIDE 8.3.1", "FIDE RB 7.3.1"),
            ("FIDE 8.3.2", "FIDE RB 7.3.2"), ("FIDE 8.3.3", "FIDE RB 7.3.3"), ("FIDE 8.3.4", "FIDE RB 7.3.4"),
            ("FIDE 6.2", "FIDE 6.2"),
        ],
    )  # fmt: skip
    def test_the_number_that_a_clause_has_for_a_speed(self, clause, at_rapid):
        assert fide_2024.clause_at_speed(clause, "standard") == clause
        assert (
            fide_2024.clause_at_speed(clause, "rapid")
            == fide_2024.clause_at_speed(clause, "blitz")
            == at_rapid
        )


class TestFIDE_8_3_3_K:
    """10 for ever 2400; 40 for juniors who never had 2300; 40 below 30 games; else 20."""

    def k(self, own, birthday=None, year=2025):
        return fide_2024.coefficient(own, day(birthday) if birthday else None, year)

    def test_normal(self):
        assert self.k(rated(2000)) == NORMAL

    @pytest.mark.parametrize(("peak", "k"), [(2399, NORMAL), (2400, REACHED_2400), (2401, REACHED_2400)])
    def test_2400_once_reached(self, peak, k):
        assert self.k(rated(2000, peak=peak)) == k

    def test_2400_comes_first(self):
        assert self.k(rated(2000, 3, peak=2400), "2012-05-05") == REACHED_2400

    @pytest.mark.parametrize(
        ("birthday", "k"),
        [("2007-01-01", JUNIOR), ("2007-12-31", JUNIOR), ("2006-12-31", NORMAL), ("2008-01-01", JUNIOR)],
    )
    def test_until_the_end_of_the_year_of_the_18th_birthday(self, birthday, k):
        assert self.k(rated(2000), birthday) == k

    @pytest.mark.parametrize(("peak", "k"), [(2299, JUNIOR), (2300, NORMAL), (2301, NORMAL)])
    def test_while_never_2300(self, peak, k):
        assert self.k(rated(2000, peak=peak), "2012-05-05") == k

    def test_a_junior_without_a_peak(self):
        assert fide_2024.is_junior(date(2012, 5, 5), None, 2025) is True
        assert fide_2024.is_junior(None, None, 2025) is False
        assert fide_2024.is_junior(date(2006, 5, 5), None, 2025) is False

    @pytest.mark.parametrize(("games", "k"), [(0, NEW), (29, NEW), (30, NORMAL), (31, NORMAL)])
    def test_until_30_games(self, games, k):
        assert self.k(rated(2000, games)) == k

    def test_junior_comes_before_new(self):
        assert self.k(rated(2000, 3), "2012-05-05") == JUNIOR
        assert self.k(rated(2300, 3), "2012-05-05") == NEW

    def test_without_a_peak_nobody_reached_2400(self):
        assert self.k(Rating(2000, 50, None, earned=True)) == NORMAL

    @pytest.mark.parametrize(
        ("k", "games", "value"),
        [
            (NORMAL, 35, 20), (NORMAL, 36, 19), (NORMAL, 39, 17), (NORMAL, 700, 1), (NORMAL, 701, 0),
            (NEW, 17, 40), (NEW, 18, 38), (REACHED_2400, 70, 10), (REACHED_2400, 71, 9), (NORMAL, 1, 20),
        ],
    )  # fmt: skip
    def test_k_times_games_is_700_at_most(self, k, games, value):
        limited = fide_2024.limit_k(k, games)
        assert limited == (k if value == k.value else Coefficient(value, "700", "FIDE 8.3.3"))

    def test_the_games_of_the_whole_list_count_to_700(self):
        """36 games in two events: K 19 in both; forfeits and games against unrated do not count."""
        before = {"A": rated(2000), "B": rated(2000)}
        texts = ["A 1-0 B"] * 18
        outcome = rate(before, played(*texts), played(*texts, event_id="F"))
        assert {one.k for one in lines(outcome)} == {Coefficient(19, "700", "FIDE 8.3.3")}
        outcome = rate(before, played(*texts[:17], "A +/- B", "A 1-0 X"), played(*texts, event_id="F"))
        assert {one.k for one in lines(outcome) if one.k} == {NORMAL}

    def test_each_speed_by_itself(self):
        before = {speed: {"A": rated(2000), "B": rated(2000)} for speed in ("standard", "rapid")}
        texts = ["A 1-0 B"] * 18
        outcome = rate(before, played(*texts), played(*texts, event_id="F", base_minutes=20))
        assert {one.k for one in lines(outcome)} == {NORMAL}

    def test_the_year_in_which_the_event_began(self):
        entry = played("A 1-0 B 2026-01-02", starts="2025-12-30", ends="2026-01-02")
        before = {"A": rated(2000), "B": rated(2000)}
        outcome = rate(
            before, entry, known=[born("A", "2007-05-05"), born("B", "2006-05-05")], name="2026-02"
        )
        assert line(outcome, "A").k == JUNIOR
        assert line(outcome, "B").k == NORMAL

    def test_the_state_of_the_list_in_force(self):
        began = {"standard": {"A": rated(2000, 29), "B": rated(2000, 30)}}
        outcome = rate({"A": rated(2000, 40), "B": rated(2000, 40)}, played("A 1-0 B"), in_force={"E": began})
        assert (line(outcome, "A").k, line(outcome, "B").k) == (NEW, NORMAL)
        assert calculation(outcome, "A").after == Rating(2020, 41, 2020, earned=False)


class TestFIDE_8_3_4_OneRoundingAList:
    @pytest.mark.parametrize(
        ("own", "other", "total", "shift"),
        [(2450, 2255, -250, -3), (2450, 2645, 250, 3), (2450, 2256, -250, -3), (2450, 2270, -240, -2)],
    )
    def test_halves_away_from_zero(self, own, other, total, shift):
        done = calculation(rate({"A": rated(own), "B": rated(other)}, played("A 1/2-1/2 B")), "A")
        assert (done.total, done.shift, done.after.value) == (total, shift, own + shift)

    def test_the_sum_of_all_events_is_rounded(self):
        before = {"A": rated(2000), "B": rated(2100)}
        entries = [played("A 1/2-1/2 B", event_id=name) for name in "EFG"]
        done = calculation(rate(before, *entries), "A")
        assert (done.total, done.shift) == (840, 8)  # 3 x 2.8
        assert done == Calculation(
            "A", rated(2000), rated(2000), "", 840, 8, False, None, Rating(2008, 103, 2008, earned=False)
        )

    def test_the_peak(self):
        before = {"A": rated(2000, peak=2300), "B": rated(2000)}
        outcome = rate(before, played("A 1-0 B"))
        assert calculation(outcome, "A").after.peak == 2300
        assert calculation(outcome, "B").after == Rating(1990, 101, 2000, earned=False)

    def test_a_rating_held_in_force_counts_as_held(self):
        """The player stood at 2405 when the event began and stands at 2390 now."""
        before = {"A": Rating(2390, 100, 2390, earned=True), "B": rated(2000)}
        began = {"standard": {"A": rated(2405), "B": rated(2000)}}
        outcome = rate(before, played("A 0-1 B"), in_force={"E": began})
        assert calculation(outcome, "A").after == Rating(2381, 101, 2405, earned=True)
        no_peak = {"A": Rating(2390, 100, None, earned=True), "B": rated(2000)}
        outcome = rate(no_peak, played("A 0-1 B"))
        assert calculation(outcome, "A").after.peak == 2390

    def test_who_got_a_rating_meanwhile_goes_on_from_it(self):
        """The event began before the first rating: its games are counted, and move nothing."""
        before = {"A": rated(1900, 5, earned=True), "B": rated(2000)}
        began = {"standard": {"B": rated(2000)}}
        outcome = rate(before, played("A 1-0 B", "A 1-0 B"), in_force={"E": began})
        assert verdicts(outcome, "A") == ["first", "first"]
        done = calculation(outcome, "A")
        assert done[4:9] == (0, 0, False, None, Rating(1900, 7, 1900, earned=True))
        assert outcome.standings.waiting["standard"] == {}

    def test_both_kinds_of_events_in_one_list(self):
        before = {"A": rated(1900, 35, earned=True), "B": rated(1900)}
        began = {"standard": {"B": rated(1900)}}
        old = played("A 1-0 B", "A 1-0 B", event_id="D")
        outcome = rate(before, old, played("A 1-0 B"), in_force={"D": began})
        done = calculation(outcome, "A")
        assert (done.total, done.after) == (1000, Rating(1910, 38, 1910, earned=True))

    def test_games_on_file_go_with_a_rating(self):
        waiting = {"standard": {"A": against(1500, points=1)}}
        outcome = rate({"A": rated(1900), "B": rated(1900)}, played("A 1-0 B"), waiting=waiting)
        assert outcome.standings.waiting["standard"] == {}
        assert waiting["standard"]

    def test_games_of_others_stay_on_file(self):
        waiting = {"rapid": {"X": against(1500, points=1)}, "standard": {"X": ()}}
        outcome = rate({"A": rated(1900), "B": rated(1900)}, played("A 1-0 B"), waiting=waiting)
        assert outcome.standings.waiting == {"standard": {"X": ()}, "rapid": waiting["rapid"], "blitz": {}}

    def test_who_did_not_play_stays(self):
        outcome = rate({"A": rated(1900), "B": rated(1900), "C": rated(2000)}, played("A 1-0 B"))
        assert outcome.standings.of("standard", "C") == rated(2000)
        assert list(outcome.calculations["standard"]) == ["A", "B"]


class TestFIDE_RB_7_2_1_TheStandardRatingStandsIn:
    STANDARD = {"standard": {"A": rated(2000, peak=2100), "B": rated(2000), "U": UNRATED}}

    @pytest.mark.parametrize("speed", ["rapid", "blitz"])
    def test_for_who_is_unrated_at_rapid_or_blitz(self, speed):
        assert fide_2024.in_force(self.STANDARD, "A", speed) == Rating(2000, 0, 2000, earned=False)
        assert fide_2024.in_force(self.STANDARD, "U", speed) == UNRATED
        assert fide_2024.in_force(self.STANDARD, "X", speed) == UNRATED
        assert fide_2024.in_force({}, "X", speed) == UNRATED

    def test_not_the_other_way_round(self):
        ratings = {"rapid": {"A": rated(2000)}, "blitz": {"A": rated(1900)}}
        assert fide_2024.in_force(ratings, "A", "standard") == UNRATED
        assert fide_2024.in_force(ratings, "A", "rapid") == rated(2000)

    def test_the_own_rating_comes_first_and_games_and_peak_stay(self):
        ratings = {"standard": {"A": rated(2000)}, "rapid": {"A": Rating(None, 7, 2150, earned=True)}}
        assert fide_2024.in_force(ratings, "A", "rapid") == Rating(2000, 7, 2150, earned=True)
        ratings["rapid"]["A"] = Rating(None, 7, 1950, earned=True)
        assert fide_2024.in_force(ratings, "A", "rapid") == Rating(2000, 7, 2000, earned=True)

    def test_in_a_list(self):
        outcome = rate(self.STANDARD, played("A 1-0 B", base_minutes=20))
        assert line(outcome, "A")[4:9] == (2000, 2000, 0, 50, NEW)
        done = calculation(outcome, "A", "rapid")
        assert done == Calculation(
            "A", UNRATED, Rating(2000, 0, 2000, earned=False), "standard", 2000, 20, False, None,
            Rating(2020, 1, 2020, earned=False),
        )  # fmt: skip
        assert outcome.standings.of("standard", "A") == rated(2000, peak=2100)
        assert fide_2024.inheritance_clause("standard", "rapid") == "FIDE RB 7.2.1"

    def test_a_rating_that_is_earned_has_no_source(self):
        before = {
            "standard": {"A": rated(2000), "B": rated(2000)},
            "rapid": {"A": rated(1900), "B": rated(1900)},
        }
        outcome = rate(before, played("A 1-0 B", base_minutes=20))
        assert calculation(outcome, "A", "rapid").source == ""

    def test_a_standard_rating_got_meanwhile_does_not_stand_in_for_games_begun_without(self):
        before = {"standard": {"A": rated(2000), "B": rated(2000)}, "rapid": {"B": rated(2000)}}
        began = {"standard": {}, "rapid": {"B": rated(2000)}}
        outcome = rate(before, played("A 1/2-1/2 B", base_minutes=20), in_force={"E": began})
        done = calculation(outcome, "A", "rapid")
        assert done.after == Rating(None, 1, None, earned=False)
        assert len(outcome.standings.waiting["rapid"]["A"]) == 1


class TestCitations:
    def test_every_verdict_has_its_clause(self):
        assert fide_2024.VERDICTS == {
            "rated": "FIDE 8.3.2",
            "first": "FIDE 8.2.2",
            "ruling": "FIDE 6.2",
            "forfeit": "FIDE 5.1",
            "unrated": "FIDE 8.2.2",
        }

    def test_the_clauses_that_explanations_cite(self):
        assert fide_2024.CITES == {
            "floor": "FIDE 7.2.1",
            "limit": "FIDE 8.3.1",
            "sum": "FIDE 8.3.4",
            "list": "FIDE 7.1.1",
            "no-point": "FIDE 8.2.1",
            "highest": "FIDE 8.2.3",
            "two-draws": "FIDE 8.2.2",
        }

    def test_the_default_is_the_regulation(self):
        assert Settings() == Settings(cap_always=False)
