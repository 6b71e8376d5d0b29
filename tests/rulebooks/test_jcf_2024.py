"""JCF 2024, clause by clause in the order of the document, at the borders from both sides."""
# ruff: noqa: N801 - a class is named after its clause

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from making import (
    against,
    batch,
    born,
    calculation,
    day,
    entry,
    event,
    line,
    lines,
    played,
    rated,
    register,
    standings,
    verdicts,
)

from banzuke.core.batch import Register
from banzuke.core.facts import Club, Player
from banzuke.core.rating import UNRATED, Coefficient, FirstGame, FirstWorking, Line, Rating
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022
from banzuke.rulebooks.jcf import monthly as month
from banzuke.rulebooks.jcf.jcf_2024 import Settings

REACHED = Coefficient(10, "ever-2400", "JCF 5(1)K-2400")
JUNIOR = Coefficient(40, "junior", "JCF 5(1)K-junior")
NEW = Coefficient(40, "new", "JCF 5(1)K-new")
NORMAL = Coefficient(20, "normal", "JCF 5(1)K")


def rate(before, *entries, known=(), opens=False, name="2024-07", who=None):
    """The list 2024-07; everyone is an annual member unless `who` says otherwise."""
    of = batch(name, *entries, known=who or register(entries, *known), opens=opens)
    return jcf_2024.rate(before, of, Settings())


class TestJCF_2_2_Speeds:
    @pytest.mark.parametrize(
        ("minutes", "speed"),
        [(0, "blitz"), (9, "blitz"), (10, "rapid"), (44, "rapid"), (45, "standard"), (75, "standard")],
    )
    def test_minutes_for_60_moves(self, minutes, speed):
        assert jcf_2024.speeds_for(minutes) == (speed,)

    @pytest.mark.parametrize(("minutes", "speed"), [(9, ""), (10, "rapid"), (44, "rapid"), (45, "standard")])
    def test_the_list_that_takes_it(self, minutes, speed):
        assert jcf_2024.speed_of(event(base_minutes=minutes)) == speed

    @pytest.mark.parametrize(
        ("declared", "speed"), [("standard", "standard"), ("rapid", "rapid"), ("blitz", "")]
    )
    def test_the_declared_speed_where_no_time_is_known(self, declared, speed):
        assert jcf_2024.speed_of(event(base_minutes=None, speed=declared)) == speed

    def test_the_time_decides_where_it_is_known(self):
        assert jcf_2024.speed_of(event(base_minutes=45, speed="rapid")) == "standard"

    def test_note_1_45_minutes_and_30_seconds_a_move_are_75(self):
        made = event(base_minutes=45, increment_seconds=30)
        assert (made.minutes, jcf_2024.speed_of(made)) == (75, "standard")

    def test_below_10_minutes_is_not_rated(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", base_minutes=9))
        assert line(outcome, "A") == (1, "A", "B", 2, None, None, *[None] * 4, "speed", "JCF 2(2)")


class TestJCF_3_3_Organisers:
    SPAN = (date(2024, 4, 1), date(2025, 3, 31))

    def is_recognised(self, on, *kinds):
        return jcf_2024.is_recognised([Club("C", "C", kind, *self.SPAN) for kind in kinds], day(on))

    @pytest.mark.parametrize("kind", ["federation", "club", "student"])
    def test_the_federation_clubs_and_student_circles(self, kind):
        assert self.is_recognised("2024-06-01", kind) is True

    @pytest.mark.parametrize(
        ("on", "recognised"),
        [("2024-03-31", False), ("2024-04-01", True), ("2025-03-31", True), ("2025-04-01", False)],
    )
    def test_while_the_registration_holds(self, on, recognised):
        assert self.is_recognised(on, "club") is recognised

    def test_nobody_else(self):
        assert self.is_recognised("2024-06-01") is False
        assert self.is_recognised("2024-06-01", "school") is False


class TestJCF_3_4_Application:
    @pytest.mark.parametrize(
        ("applied", "in_time"),
        [("2024-05-26", True), ("2024-05-27", True), ("2024-05-28", False), (None, False)],
    )
    def test_five_days_before_the_first_day(self, applied, in_time):
        assert jcf_2024.was_applied_for_in_time(event(starts="2024-06-01", applied=applied)) is in_time


class TestJCF_3_5_AnnualMembers:
    REGISTER = Register(
        {},
        {"A": ((date(2024, 1, 1), date(2024, 12, 31)),)},
        {("B", "E"): ((date(2024, 6, 1), date(2024, 6, 2)),)},
    )

    @pytest.mark.parametrize(
        ("on", "member"),
        [("2023-12-31", False), ("2024-01-01", True), ("2024-12-31", True), ("2025-01-01", False)],
    )
    def test_on_the_day_of_play(self, on, member):
        assert jcf_2024.is_member(self.REGISTER, "A", event(), day(on)) is member

    def test_one_event_membership_does_not_do(self):
        assert jcf_2024.is_member(self.REGISTER, "B", event(), day("2024-06-01")) is False

    @pytest.mark.parametrize("stranger", ["A", "B"])
    def test_both_sides(self, stranger):
        entries = (played("A 1-0 B"),)
        known = register(entries)
        annual = {name: spans for name, spans in known.annual.items() if name != stranger}
        who = Register(known.players, annual, {})
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), *entries, who=who)
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, 1800, *[None] * 4, "member", "JCF 3(5)")
        assert line(outcome, "B") == (1, "B", "A", 0, 1800, 1600, *[None] * 4, "member", "JCF 3(5)")


class TestJCF_3_6_Windows:
    def test_are_those_of_ncs(self):
        assert jcf_2024.CALENDAR == ncs_2022.CALENDAR

    def test_note_2_march_takes_21_january_to_20_february(self):
        assert jcf_2024.CALENDAR.window_on(date(2025, 1, 20)).name == "2025-02"
        assert jcf_2024.CALENDAR.window_on(date(2025, 1, 21)).name == "2025-03"
        assert jcf_2024.CALENDAR.window_on(date(2025, 2, 20)).name == "2025-03"
        assert jcf_2024.CALENDAR.window_on(date(2025, 2, 21)).name == "2025-04"


class TestJCF_3_7_LateReports:
    """Three calendar months after the last day, whatever the day of the game."""

    @pytest.mark.parametrize(
        ("ends", "last"),
        [
            ("2024-01-15", "2024-04-15"),  # note 3
            ("2024-11-30", "2025-02-28"),
            ("2023-11-30", "2024-02-29"),
            ("2024-11-28", "2025-02-28"),
            ("2025-01-31", "2025-04-30"),
            ("2025-08-31", "2025-11-30"),
            ("2025-12-31", "2026-03-31"),
        ],
    )
    def test_the_last_day_from_both_sides(self, ends, last):
        after = date.fromordinal(day(last).toordinal() + 1)
        assert jcf_2024.oldest_day(event(starts=ends, reported=last)) == date.min
        assert jcf_2024.oldest_day(event(starts=ends, reported=str(after))) == date.max

    @pytest.mark.parametrize(
        ("ruling", "oldest"),
        [("accept-late", date.min), ("include", date.min), ("waive-fee", date.max), ("", date.max)],
    )
    def test_rulings_that_take_it_all_the_same(self, ruling, oldest):
        assert jcf_2024.oldest_day(event(starts="2024-01-15", reported="2024-04-16", ruling=ruling)) == oldest

    def test_every_game_of_the_event_is_late(self):
        late = event(starts="2024-01-01", ends="2024-01-15", reported="2024-04-16")
        outcome = rate(
            standings({"A": rated(1600), "B": rated(1800)}), entry(late, "A 1-0 B", "A 1-0 B 2024-01-15")
        )
        assert verdicts(outcome, "A") == ["late", "late"]
        assert line(outcome, "A").clause == "JCF 3(7)"


class TestJCF_3_8_Rulings:
    def test_an_excluded_event(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", ruling="exclude"))
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, 1800, *[None] * 4, "ruling", "JCF 3(8)")

    def test_an_excluded_game_alone(self):
        of = played("A 1-0 B", "A 1-0 B")
        of.games[0] = of.games[0]._replace(ruling="exclude")
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), of)
        assert verdicts(outcome, "A") == ["ruling", "rated"]

    def test_every_verdict_has_its_clause(self):
        assert jcf_2024.VERDICTS == {
            "rated": "JCF 5(1)",
            "first": "JCF 6(3)",
            month.RULING: "JCF 3(8)",
            month.SPEED: "JCF 2(2)",
            month.LATE: "JCF 3(7)",
            month.MEMBER: "JCF 3(5)",
            month.FORFEIT: "JCF 5(1)C-zero",
            month.AGAINST_UNRATED: "JCF 5(1)C-zero",
        }


class TestJCF_4_3_Reports:
    COMPLETE = event(organiser="Club", speed="standard", nonmembers=0)

    def test_what_a_report_must_say(self):
        assert jcf_2024.missing_fields(self.COMPLETE) == ()

    @pytest.mark.parametrize(
        ("lacks", "missing"),
        [
            ({"name": " "}, ("name",)),
            ({"organiser": " "}, ("organiser",)),
            ({"base_minutes": None}, ("base_minutes",)),
            ({"speed": ""}, ("speed",)),
            ({"nonmembers": None}, ("nonmembers",)),
            ({"speed": "", "name": ""}, ("name", "speed")),
        ],
    )
    def test_what_it_lacks(self, lacks, missing):
        assert jcf_2024.missing_fields(replace(self.COMPLETE, **lacks)) == missing

    def test_an_increment_alone_is_a_time(self):
        made = replace(self.COMPLETE, base_minutes=None, increment_seconds=30)
        assert jcf_2024.missing_fields(made) == ()

    def test_note_4_names_are_those_of_ncs(self):
        assert jcf_2024.is_name_in_form is ncs_2022.is_name_in_form


class TestJCF_Admission:
    BATCH = batch("2024-07", known=Register({}, {}, {}))

    def test_there_is_no_fee(self):
        assert jcf_2024.admission(event(paid=None), self.BATCH) == (False, "standard", date.min, False)

    def test_each_part_from_its_clause(self):
        made = event(starts="2024-01-15", reported="2024-04-16", base_minutes=20)
        assert jcf_2024.admission(made, self.BATCH) == (False, "rapid", date.max, False)
        assert jcf_2024.admission(event(ruling="exclude"), self.BATCH).excluded is True


class TestJCF_5_1_Change:
    def test_both_lines_of_a_game(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B"))
        assert lines(outcome) == [
            Line(1, "A", "B", 2, 1600, 1800, -200, 24, NORMAL, 1520, "rated", "JCF 5(1)"),
            Line(1, "B", "A", 0, 1800, 1600, 200, 76, NORMAL, -1520, "rated", "JCF 5(1)"),
        ]

    @pytest.mark.parametrize(
        ("own", "other", "difference", "expected"),
        [(1500, 1900, -400, 8), (1500, 1901, -400, 8), (2200, 1500, 400, 92), (1911, 1500, 400, 92)],
    )
    def test_pd_counts_400_at_most(self, own, other, difference, expected):
        outcome = rate(standings({"A": rated(own), "B": rated(other)}), played("A 1-0 B"))
        assert (line(outcome, "A").difference, line(outcome, "A").expected) == (difference, expected)

    def test_worked_example_2(self):
        before = standings({"A": rated(1500, 3), "B": rated(1950), "C": rated(2450), "D": rated(2000)})
        outcome = rate(before, played("A 1-0 B", "A 0-1 B", "C 0-1 D"))
        assert [one.change for one in lines(outcome) if one.player == "A"] == [3680, -320]
        assert line(outcome, "C", 3).change == -920


class TestJCF_5_1_K:
    """10 for ever 2400; 40 below 19 and never 2000; 40 below 30 games; else 20; in this order."""

    CHILD = born("A", "2012-05-05")
    ADULT = born("A", "1980-05-05")

    def k(self, own, player=ADULT, other=UNRATED):
        return jcf_2024.coefficient(own, other, player, 2024)

    def test_normal(self):
        assert self.k(rated(1600)) == NORMAL

    @pytest.mark.parametrize(("peak", "k"), [(2399, NORMAL), (2400, REACHED), (2401, REACHED)])
    def test_ever_2400(self, peak, k):
        assert self.k(rated(2200, peak=peak)) == k

    def test_ever_2400_comes_first(self):
        assert self.k(rated(1500, 3, peak=2400), self.CHILD) == REACHED

    @pytest.mark.parametrize(("peak", "k"), [(1999, JUNIOR), (2000, NORMAL), (2001, NORMAL)])
    def test_juniors_who_never_reached_2000(self, peak, k):
        assert self.k(rated(1500, peak=peak), self.CHILD) == k

    @pytest.mark.parametrize(
        ("birthday", "junior"), [("2005-01-01", False), ("2005-01-02", True), ("2004-12-31", False)]
    )
    def test_below_19_on_new_year(self, birthday, junior):
        assert jcf_2024.is_junior(day(birthday), 1999, 2024) is junior

    def test_a_junior_without_a_peak(self):
        assert jcf_2024.is_junior(date(2012, 5, 5), None, 2024) is True
        assert jcf_2024.is_junior(None, None, 2024) is False
        assert jcf_2024.is_junior(None, 1500, 2024) is False
        assert jcf_2024.is_junior(date(2012, 5, 5), 2000, 2024) is False

    def test_junior_comes_before_new(self):
        assert self.k(rated(1600, 3), self.CHILD) == JUNIOR
        assert self.k(rated(2000, 3), self.CHILD) == NEW

    @pytest.mark.parametrize(("games", "k"), [(0, NEW), (29, NEW), (30, NORMAL), (31, NORMAL)])
    @pytest.mark.parametrize("earned", [False, True])
    def test_new_below_30_games_earned_or_not(self, games, k, earned):
        assert self.k(rated(1600, games, earned=earned)) == k

    def test_each_speed_by_itself(self):
        assert self.k(rated(2200), other=rated(2200, peak=2400)) == NORMAL
        assert self.k(rated(1600, 29), other=rated(1600)) == NEW
        assert self.k(rated(1500, peak=1999), self.CHILD, other=rated(2000)) == JUNIOR

    def test_a_batch_that_begins_at_29_games_has_the_new_k_throughout(self):
        before = standings({"A": rated(1600, 29), "B": rated(1600, 30)})
        outcome = rate(before, played("A 1-0 B", "B 1-0 A", "A 1-0 B"))
        assert [one.k for one in lines(outcome) if one.player == "A"] == [NEW] * 3
        assert [one.k for one in lines(outcome) if one.player == "B"] == [NORMAL] * 3
        assert calculation(outcome, "A").after == Rating(1620, 32, 1620, earned=False)

    def test_the_year_of_play_decides(self):
        over = event(starts="2024-12-30", ends="2025-01-03", reported="2025-01-10")
        before = standings({"A": rated(1600), "B": rated(1600)})
        texts = ("A 1-0 B 2024-12-31", "A 1-0 B 2025-01-01")
        outcome = rate(before, entry(over, *texts), known=[born("A", "2006-01-01")], name="2025-02")
        assert [one.k for one in lines(outcome) if one.player == "A"] == [JUNIOR, NORMAL]


class TestJCF_5_1_WhereCIsZero:
    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_not_played(self, result):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played(f"A {result} B"))
        assert line(outcome, "A") == (
            1, "A", "B", None, 1600, 1800, *[None] * 4, "forfeit", "JCF 5(1)C-zero",
        )  # fmt: skip
        assert outcome.standings.of("standard", "A") == rated(1600)

    def test_a_rated_player_against_unrated(self):
        outcome = rate(standings({"A": rated(1600)}), played("A 1-0 B"))
        assert line(outcome, "A") == (
            1, "A", "B", 2, 1600, None, *[None] * 4, "unrated", "JCF 5(1)C-zero",
        )  # fmt: skip
        assert line(outcome, "B") == (1, "B", "A", 0, None, 1600, *[None] * 4, "first", "JCF 6(3)")
        assert calculation(outcome, "A").after == rated(1600)
        assert calculation(outcome, "B").after == Rating(None, 1, None, earned=False)

    def test_unrated_against_unrated(self):
        outcome = rate(standings(), played("A 1-0 B"))
        assert line(outcome, "A") == (
            1, "A", "B", 2, None, None, *[None] * 4, "unrated", "JCF 5(1)C-zero",
        )  # fmt: skip
        assert line(outcome, "B")[4:] == (*[None] * 6, "unrated", "JCF 5(1)C-zero")
        assert outcome.standings.of("standard", "A") == UNRATED
        assert calculation(outcome, "A").first is None


class TestJCF_5_2_OneRoundingABatch:
    @pytest.mark.parametrize(
        ("old", "total", "new"),
        [
            (1600, -250, (-3, 1597)),
            (1600, 250, (3, 1603)),
            (1600, -249, (-2, 1598)),
            (1600, 249, (2, 1602)),
            (1004, -1000, (-10, 1000)),
            (1010, -1000, (-10, 1000)),
            (1011, -1000, (-10, 1001)),
        ],
    )
    def test_the_rounded_sum_and_the_new_rating(self, old, total, new):
        assert jcf_2024.new_rating(old, total) == new

    def test_halves_away_from_zero(self):
        down = rate(standings({"A": rated(2450), "B": rated(2255)}), played("A 1/2-1/2 B"))
        done = calculation(down, "A")
        assert (done.total, done.shift, done.after.value) == (-250, -3, 2447)
        up = rate(standings({"A": rated(2450), "B": rated(2645)}), played("A 1/2-1/2 B"))
        done = calculation(up, "A")
        assert (done.total, done.shift, done.after.value) == (250, 3, 2453)

    def test_the_sum_is_rounded_not_the_games(self):
        before = standings({"A": rated(1600), "B": rated(1520)})
        done = calculation(rate(before, played("A 1-0 B", "A 1-0 B", "A 1-0 B")), "A")
        assert (done.total, done.shift, done.after.value) == (2340, 23, 1623)

    def test_on_the_rating_before_the_batch(self):
        before = standings({"A": rated(1600), "B": rated(1800)})
        outcome = rate(before, played("A 1-0 B"), played("A 1-0 B", event_id="F"))
        assert [one.own for one in lines(outcome)] == [1600, 1800, 1600, 1800]
        assert calculation(outcome, "A").after == rated(1630, 102)


class TestJCF_5_3_Floor:
    def test_not_below_1000(self):
        done = calculation(rate(standings({"A": rated(1004), "B": rated(1004)}), played("A 0-1 B")), "A")
        assert (done.total, done.shift, done.floored) == (-1000, -10, True)
        assert done.after == Rating(1000, 101, 1004, earned=False)

    def test_exactly_1000_was_not_held_up(self):
        done = calculation(rate(standings({"A": rated(1010), "B": rated(1010)}), played("A 0-1 B")), "A")
        assert (done.floored, done.after.value) == (False, 1000)

    def test_ratings_of_ncs_below_1000_are_raised_when_the_edition_begins(self):
        before = standings({"A": rated(999, peak=1200), "B": rated(1000), "C": rated(400)})
        raised = rate(before, opens=True).standings.ratings["standard"]
        assert raised == {"A": rated(1000, peak=1200), "B": rated(1000), "C": rated(1000)}
        assert rate(before).standings.ratings["standard"] == before.ratings["standard"]

    def test_an_inherited_rating_is_raised_to_it(self):
        outcome = rate(
            standings({"B": rated(1000)}), played("A 1-0 B"), known=[Player("A", "A", fide_standard=999)]
        )
        assert calculation(outcome, "A").entered == Rating(1000, 0, 1000, earned=False)


class TestJCF_6_1_FideRatings:
    @pytest.mark.parametrize(
        ("speed", "fide", "other", "inherited"),
        [
            ("standard", (1700, 1650), 1500, (1700, "fide-standard")),
            ("rapid", (1700, 1650), 1500, (1650, "fide-rapid")),
            ("standard", (None, 1650), 1500, (1500, "other-speed")),
            ("rapid", (1700, None), 1500, (1500, "other-speed")),
            ("standard", (None, 1650), None, (1650, "fide-rapid")),
            ("rapid", (1700, None), None, (1700, "fide-standard")),
            ("standard", (None, None), 1500, (1500, "other-speed")),
            ("standard", (None, None), None, (None, "")),
            ("rapid", (None, None), None, (None, "")),
        ],
    )
    def test_the_same_speed_then_6_2_the_other_then_fides_other(self, speed, fide, other, inherited):
        player = Player("A", "A", fide_standard=fide[0], fide_rapid=fide[1], fide_blitz=1900)
        assert jcf_2024.inherited_rating(player, speed, other) == inherited

    @pytest.mark.parametrize(
        ("source", "speed", "clause"),
        [
            ("fide-standard", "standard", "JCF 6(1)"),
            ("fide-rapid", "rapid", "JCF 6(1)"),
            ("fide-standard", "rapid", "JCF 6(2)"),
            ("fide-rapid", "standard", "JCF 6(2)"),
            ("other-speed", "standard", "JCF 6(2)"),
        ],
    )
    def test_which_clause_an_inherited_rating_cites(self, source, speed, clause):
        assert jcf_2024.inheritance_clause(source, speed) == clause

    def test_each_speed_takes_its_own(self):
        player = Player("A", "A", fide_standard=1700, fide_rapid=1650)
        outcome = rate(
            standings({"B": rated(1700)}, rapid={"B": rated(1650)}),
            played("A 1/2-1/2 B", event_id="D", base_minutes=20),
            played("A 1/2-1/2 B"),
            known=[player],
        )
        assert calculation(outcome, "A").after == Rating(1700, 1, 1700, earned=False)
        assert calculation(outcome, "A", "rapid").after == Rating(1650, 1, 1650, earned=False)
        assert calculation(outcome, "A", "rapid").source == "fide-rapid"


class TestJCF_6_2_TheOtherSpeed:
    def test_in_the_first_batch_with_a_game_that_enters(self):
        before = standings({"A": rated(1500, peak=1580), "B": rated(1500)})
        outcome = rate(before, played("A 1-0 B", base_minutes=20))
        done = calculation(outcome, "A", "rapid")
        assert done.entered == Rating(1500, 0, 1500, earned=False)
        assert done.source == "other-speed"
        assert line(outcome, "A").k == NEW
        assert done.after == Rating(1520, 1, 1520, earned=False)


class TestJCF_6_3_FirstRatings:
    """Six games in two years against rated players, neither all won nor all lost."""

    CLOSES = date(2026, 2, 20)

    def first(self, games, closes=CLOSES):
        return jcf_2024.first_rating(games, closes)

    def test_six_games(self):
        five, six = (against(*[1500] * n, points=n, on="2025-06-01") for n in (5, 6))
        assert self.first(five) == FirstWorking(five, (7500, 5), 5, 0, 0, None, "too-few", "JCF 6(3)")
        assert self.first(six) == FirstWorking(six, (9000, 6), 6, 50, 0, 1500, "", "JCF 6(3)")
        assert self.first(six[:5] + six).mean == (16500, 11)

    @pytest.mark.parametrize(
        ("half_points", "rating"), [(0, None), (1, 1500 - 401), (11, 1500 + 401), (12, None)]
    )
    def test_neither_all_won_nor_all_lost(self, half_points, rating):
        working = self.first(against(*[1500] * 6, points=half_points, on="2025-06-01"))
        assert working.rating == rating
        assert working.why == ("" if rating else "one-sided")
        assert working.points == half_points

    def test_all_won_shows_no_percentage(self):
        games = against(*[1500] * 6, points=12, on="2025-06-01")
        assert self.first(games) == FirstWorking(games, (9000, 6), 12, 0, 0, None, "one-sided", "JCF 6(3)")

    @pytest.mark.parametrize(
        ("closes", "first_day"),
        [
            ("2026-02-20", "2024-02-21"),
            ("2026-03-20", "2024-03-21"),
        ],
    )
    def test_two_years_up_to_the_windows_last_day(self, closes, first_day):
        inside = day(first_day)
        before = date.fromordinal(inside.toordinal() - 1)
        five = against(*[1500] * 5, points=5, on="2025-06-01")
        for on, number in ((inside, 6), (before, 5)):
            games = (*five, FirstGame("D", 1, on, "O", 1500, 1))
            assert len(self.first(games, day(closes)).games) == number

    def test_games_against_unrated_do_not_count(self):
        games = against(1500, None, 1500, 1500, 1500, 1500, 1500, points=7, on="2025-06-01")
        working = self.first(games)
        assert [game.opponent for game in working.games] == ["O1", "O3", "O4", "O5", "O6", "O7"]
        assert (working.mean, working.points, working.rating) == ((9000, 6), 5, 1443)

    def test_the_sixth_game_brings_it_over_two_batches(self):
        before = standings({name: rated(1500) for name in "BCD"})
        first = rate(before, played("A 1-0 B", "A 0-1 C", "A 1-0 D", "A 0-1 B", "A 1-0 X"))
        assert calculation(first, "A").after == Rating(None, 4, None, earned=False)
        assert calculation(first, "A").first.why == "too-few"
        later = event("F", starts="2024-07-05")
        second = rate(first.standings, entry(later, "A 1-0 B", "C 1-0 A"), name="2024-08")
        done = calculation(second, "A")
        assert [(game.event_id, game.round) for game in done.first.games] == [
            ("E", 1), ("E", 2), ("E", 3), ("E", 4), ("F", 1), ("F", 2),
        ]  # fmt: skip
        assert done.after == Rating(1500, 6, 1500, earned=True)
        assert "A" not in second.standings.waiting["standard"]

    def test_all_won_waits_for_the_first_batch_that_is_not(self):
        before = standings({"B": rated(1500)})
        first = rate(before, played(*["A 1-0 B"] * 6))
        assert calculation(first, "A").first.why == "one-sided"
        assert len(first.standings.waiting["standard"]["A"]) == 6
        later = event("F", starts="2024-07-05")
        second = rate(first.standings, entry(later, "A 0-1 B"), name="2024-08")
        assert calculation(second, "A").first.points == 12
        assert calculation(second, "A").after == Rating(1809, 7, 1809, earned=True)  # p .86

    def test_it_is_asked_only_with_a_new_such_game(self):
        before = standings({"B": rated(1500)})
        first = rate(before, played(*["A 1-0 B"] * 6))
        later = event("F", starts="2024-07-05")
        second = rate(first.standings, entry(later, "A 0-1 X"), name="2024-08")
        assert calculation(second, "A").first is None
        assert len(second.standings.waiting["standard"]["A"]) == 7

    def test_opponents_still_met_an_unrated_player(self):
        outcome = rate(standings({"B": rated(1500)}), played(*["A 1-0 B", "A 0-1 B"] * 3))
        assert calculation(outcome, "A").after == Rating(1500, 6, 1500, earned=True)
        assert verdicts(outcome, "B") == ["unrated"] * 6
        assert calculation(outcome, "B").after == rated(1500)


class TestJCF_6_4_PerformanceRating:
    def pr(self, *opponents, points):
        games = against(*opponents, points=points, on="2025-06-01")
        return jcf_2024.first_rating(games, date(2026, 2, 20))

    def test_worked_example_6(self):
        working = self.pr(1500, 1500, 1600, 1600, 1700, 1700, points=5)
        assert working[1:] == ((9600, 6), 5, 42, -57, 1543, "", "JCF 6(3)")

    def test_rounded_once_at_the_end(self):
        assert self.pr(1500, 1500, 1500, 1500, 1500, 1503, points=6).rating == 1501  # 1500.5
        assert self.pr(1500, 1500, 1500, 1500, 1500, 1502, points=6).rating == 1500  # 1500.33

    def test_not_below_1000(self):
        assert self.pr(*[1240] * 6, points=2).rating == 1000  # 1240 - 273
        assert self.pr(*[1273] * 6, points=2).rating == 1000
        assert self.pr(*[1274] * 6, points=2).rating == 1001


class TestJCF_7_3_Corrections:
    def test_are_those_of_ncs(self):
        days = jcf_2024.CALENDAR.correction_days
        assert days == ncs_2022.CALENDAR.correction_days
        assert date(2025, 3, 1) + timedelta(days=days) == date(2025, 5, 30)
