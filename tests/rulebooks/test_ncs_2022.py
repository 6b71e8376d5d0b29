"""NCS 2022, clause by clause in the order of the document, at the borders from both sides."""
# ruff: noqa: N801 - a class is named after its clause

from __future__ import annotations

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
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import Club, Player
from banzuke.core.month import Month
from banzuke.core.rating import UNRATED, Calculation, Coefficient, FirstGame, FirstWorking, Line, Rating
from banzuke.core.registry import BOOKS, BookError
from banzuke.rulebooks.jcf import monthly as month
from banzuke.rulebooks.jcf import ncs_2022
from banzuke.rulebooks.jcf.ncs_2022 import Settings

AS_WRITTEN = Settings()
REACHED = Coefficient(10, "ever-2400", "NCS 5(1)K")
JUNIOR = Coefficient(40, "junior", "NCS 5(1)age")
NEW = Coefficient(40, "new", "NCS 5(1)K")
NORMAL = Coefficient(20, "normal", "NCS 5(1)K")


def rate(before, *entries, known=(), settings=AS_WRITTEN, opens=False, name="2024-07", who=None):
    """The list 2024-07; everyone is an annual member unless `who` says otherwise."""
    of = batch(name, *entries, known=who or register(entries, *known), opens=opens)
    return ncs_2022.rate(before, of, settings)


class TestNCS_2_1_Organisers:
    SPAN = (date(2024, 4, 1), date(2025, 3, 31))

    def is_recognised(self, on, *kinds):
        return ncs_2022.is_recognised([Club("C", "C", kind, *self.SPAN) for kind in kinds], day(on))

    @pytest.mark.parametrize(
        ("kind", "recognised"), [("federation", True), ("club", True), ("student", False)]
    )
    def test_the_federation_and_its_clubs(self, kind, recognised):
        assert self.is_recognised("2024-06-01", kind) is recognised

    @pytest.mark.parametrize(
        ("on", "recognised"),
        [("2024-03-31", False), ("2024-04-01", True), ("2025-03-31", True), ("2025-04-01", False)],
    )
    def test_while_the_registration_holds(self, on, recognised):
        assert self.is_recognised(on, "club") is recognised

    def test_one_of_several_rows_is_enough(self):
        assert self.is_recognised("2024-06-01", "student", "club") is True
        assert self.is_recognised("2024-06-01") is False


class TestNCS_2_2_Members:
    REGISTER = Register(
        {},
        {"A": ((date(2024, 1, 1), date(2024, 12, 31)),)},
        {("B", "E"): ((date(2024, 6, 1), date(2024, 6, 2)),)},
    )

    def is_member(self, player, on, event_id="E"):
        return ncs_2022.is_member(self.REGISTER, player, event(event_id), day(on))

    @pytest.mark.parametrize(
        ("on", "member"),
        [("2023-12-31", False), ("2024-01-01", True), ("2024-12-31", True), ("2025-01-01", False)],
    )
    def test_annual_members_on_the_day_of_play(self, on, member):
        assert self.is_member("A", on) is member
        assert self.is_member("A", on, "F") is member

    @pytest.mark.parametrize(
        ("on", "member"),
        [("2024-05-31", False), ("2024-06-01", True), ("2024-06-02", True), ("2024-06-03", False)],
    )
    def test_members_for_this_very_event(self, on, member):
        assert self.is_member("B", on) is member
        assert self.is_member("B", on, "F") is False

    def test_nobody_else(self):
        assert self.is_member("C", "2024-06-01") is False

    def test_a_game_with_a_nonmember_is_left_out_for_both(self):
        entries = (played("A 1-0 B", "C 1-0 A"),)
        known = register(entries)
        who = Register(known.players, {name: known.annual[name] for name in "AC"}, {})
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), *entries, who=who)
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, 1800, *[None] * 4, "member", "NCS 2(2)")
        assert line(outcome, "B") == (1, "B", "A", 0, 1800, 1600, *[None] * 4, "member", "NCS 2(2)")
        assert verdicts(outcome, "A") == ["member", "rated"]

    def test_one_event_membership_is_enough(self):
        entries = (played("A 1-0 B"),)
        known = register(entries)
        who = Register(known.players, {"A": known.annual["A"]}, {("B", "E"): known.annual["B"]})
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), *entries, who=who)
        assert verdicts(outcome, "B") == ["rated"]


class TestNCS_2_3_NoticeOfFideEvents:
    @pytest.mark.parametrize(
        ("notified", "starts", "in_time"),
        [
            ("2024-04-01", "2024-06-01", True),
            ("2024-04-02", "2024-06-01", False),
            ("2023-12-31", "2024-02-29", True),
            ("2023-12-31", "2024-02-28", False),
            ("2024-12-31", "2025-02-28", True),
            (None, "2024-06-01", False),
        ],
    )
    def test_two_months_or_more_ahead(self, notified, starts, in_time):
        assert ncs_2022.notified_in_time(event(notified=notified, starts=starts)) is in_time


class TestNCS_3_3_Windows:
    @pytest.mark.parametrize(
        ("reported", "listed"),
        [
            ("2025-01-20", Month(2025, 2)),
            ("2025-01-21", Month(2025, 3)),  # printed: 21 January to 20 February make March
            ("2025-02-20", Month(2025, 3)),
            ("2025-02-21", Month(2025, 4)),
            ("2024-11-20", Month(2024, 12)),
            ("2024-11-21", Month(2025, 1)),
            ("2024-12-20", Month(2025, 1)),
            ("2024-12-21", Month(2025, 2)),
            ("2024-12-31", Month(2025, 2)),
            ("2025-01-01", Month(2025, 2)),
        ],
    )
    def test_the_day_of_the_report_decides(self, reported, listed):
        assert ncs_2022.CALENDAR.window_on(day(reported)).name == str(listed)

    @pytest.mark.parametrize(
        ("listed", "closes"),
        [
            (Month(2025, 3), "2025-02-20"),
            (Month(2025, 1), "2024-12-20"),
            (Month(2024, 12), "2024-11-20"),
        ],
    )
    def test_a_window_closes_on_the_20th_before(self, listed, closes):
        window = ncs_2022.CALENDAR.window_named(str(listed))
        assert (window.closes, window.published) == (day(closes), listed.first_day)
        assert ncs_2022.CALENDAR.window_on(window.closes) == window


def fees(reports):
    """Yen by club for a window's events, in their order."""
    owed = {}
    for charge in BOOKS["ncs-2022"].fees.charges(reports):
        yen = charge.players * BOOKS["ncs-2022"].fees.amount
        owed[charge.event.organiser] = owed.get(charge.event.organiser, 0) + yen
    return owed


class TestNCS_3_4_Fees:
    """200 yen a participant and event; at a club's meetings once a window."""

    def test_a_participant_and_event(self):
        one, other = event(organiser="C"), event("F", organiser="C", form="tournament")
        assert fees([(one, "AB"), (other, "ABC")]) == {"C": 1000}

    def test_printed_two_who_meet_several_times_pay_400(self):
        meetings = [(event(str(n), organiser="C", form="meeting"), ["A", "B", "A"]) for n in range(4)]
        assert fees(meetings) == {"C": 400}

    def test_who_comes_later_pays_too(self):
        first, second = (event(name, organiser="C", form="meeting") for name in "EF")
        assert fees([(first, "AB"), (second, "BCD")]) == {"C": 800}
        assert fees([(first, "AB"), (second, "BCD"), (first, "AD")]) == {"C": 800}

    def test_each_club_by_itself(self):
        here, there = (event(name, organiser=name, form="meeting") for name in "EF")
        assert fees([(here, "AB"), (there, "A"), (here, "AB")]) == {"E": 400, "F": 200}

    def test_a_tournament_between_meetings(self):
        meeting, tournament = event(organiser="C", form="meeting"), event("F", organiser="C")
        assert fees([(meeting, "AB"), (tournament, "AB"), (meeting, "AB")]) == {"C": 800}

    def test_nobody_owes_nothing(self):
        assert fees([]) == {}


class TestNCS_3_5_UnpaidFees:
    PUBLISHED = date(2024, 7, 1)

    def is_unpaid(self, settings=AS_WRITTEN, **facts):
        return ncs_2022.is_unpaid(event(**facts), self.PUBLISHED, settings)

    @pytest.mark.parametrize(
        ("paid", "unpaid"), [("2024-06-30", False), ("2024-07-01", True), ("2024-05-01", False), (None, True)]
    )
    def test_by_the_end_of_the_month_in_which_the_window_closes(self, paid, unpaid):
        assert self.is_unpaid(paid=paid) is unpaid

    @pytest.mark.parametrize(
        ("ruling", "unpaid"), [("waive-fee", False), ("include", False), ("accept-late", True), ("", True)]
    )
    def test_rulings_that_waive_it(self, ruling, unpaid):
        assert self.is_unpaid(paid=None, ruling=ruling) is unpaid

    def test_a_pool_that_keeps_no_payments(self):
        assert self.is_unpaid(Settings(fee_required=False), paid=None) is False
        assert self.is_unpaid(Settings(fee_required=False), paid="2024-07-01") is False

    def test_its_games_are_left_out(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", paid="2024-07-01"))
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, 1800, *[None] * 4, "fee", "NCS 3(5)")
        assert outcome.calculations["standard"] == {}


class TestNCS_3_6_LateReports:
    @pytest.mark.parametrize(
        ("on", "verdict"),
        [("2024-03-12", "rated"), ("2024-03-11", "late"), ("2024-03-13", "rated")],
    )
    def test_more_than_90_days_after_the_game(self, on, verdict):
        late = event(starts="2024-03-01", ends="2024-06-01", reported="2024-06-10")
        outcome = rate(standings({"A": rated(1600), "B": rated(1600)}), entry(late, f"A 1-0 B {on}"))
        assert verdicts(outcome, "A") == verdicts(outcome, "B") == [verdict]
        assert line(outcome, "A").clause == {"rated": "NCS 5(1)", "late": "NCS 3(6)"}[verdict]

    def test_a_game_without_a_day_was_played_on_the_first(self):
        for starts, verdict in (("2024-03-12", "rated"), ("2024-03-11", "late")):
            late = event(starts=starts, ends="2024-03-20", reported="2024-06-10")
            outcome = rate(standings({"A": rated(1600), "B": rated(1600)}), entry(late, "A 1-0 B"))
            assert verdicts(outcome, "A") == [verdict]

    @pytest.mark.parametrize(
        ("ruling", "oldest"),
        [
            ("accept-late", date.min),
            ("include", date.min),
            ("waive-fee", date(2024, 3, 12)),
            ("", date(2024, 3, 12)),
        ],
    )
    def test_rulings_that_take_it_all_the_same(self, ruling, oldest):
        assert ncs_2022.oldest_day(event(reported="2024-06-10", ruling=ruling)) == oldest


class TestNCS_3_7_Corrections:
    @pytest.mark.parametrize(
        ("published", "until"), [("2024-07-01", "2024-09-29"), ("2025-01-01", "2025-04-01")]
    )
    def test_a_list_stays_from_its_90th_day_on(self, published, until):
        days = ncs_2022.CALENDAR.correction_days
        assert days == 90
        assert day(published) + timedelta(days=days) == day(until)


class TestNCS_4_1_Reports:
    def test_what_a_report_must_say(self):
        complete = event(place="Tokyo", responsible="Kato")
        assert ncs_2022.missing_fields(complete) == ()
        assert ncs_2022.missing_fields(event()) == ("place", "responsible")
        assert ncs_2022.missing_fields(event(place="Tokyo")) == ("responsible",)
        assert ncs_2022.missing_fields(event(" ", place=" ", responsible="\t")) == (
            "name", "place", "responsible",
        )  # fmt: skip


class TestNCS_4_3_Names:
    @pytest.mark.parametrize(
        ("name", "in_form"),
        [
            ("HABU Yoshiharu", True),
            ("van den Berg Jan", True),
            ("HABU, Yoshiharu", False),
            ("HABU,Yoshiharu", False),
            ("HABU", False),
            ("HABU  Yoshiharu", False),
            (" HABU Yoshiharu", False),
            ("HABU Yoshiharu ", False),
            ("羽生 善治", False),
            ("", False),
        ],
    )
    def test_latin_letters_family_name_first_no_comma(self, name, in_form):
        assert ncs_2022.is_name_in_form(name) is in_form


class TestNCS_4_6_Speeds:
    @pytest.mark.parametrize(
        ("minutes", "fits"),
        [
            (0, ("blitz",)),
            (9, ("blitz",)),
            (10, ("rapid", "blitz")),  # table 2 has it in both
            (11, ("rapid",)),
            (44, ("rapid",)),
            (45, ("standard", "rapid")),
            (59, ("standard", "rapid")),
            (60, ("standard",)),
            (200, ("standard",)),
        ],
    )
    def test_events_that_fide_does_not_rate(self, minutes, fits):
        assert ncs_2022.speeds_for(minutes, fide_rated=False) == fits

    @pytest.mark.parametrize(
        ("minutes", "fits"),
        [
            (9, ("blitz",)),
            (10, ("rapid", "blitz")),
            (45, ("rapid",)),
            (59, ("rapid",)),
            (60, ("standard",)),
        ],
    )
    def test_events_that_fide_rates(self, minutes, fits):
        assert ncs_2022.speeds_for(minutes, fide_rated=True) == fits

    @pytest.mark.parametrize(
        ("minutes", "declared", "speed"),
        [
            (45, "standard", "standard"),
            (45, "rapid", "rapid"),
            (59, "rapid", "rapid"),
            (60, "standard", "standard"),
            (30, "rapid", "rapid"),
            (10, "rapid", "rapid"),
            (10, "blitz", ""),
            (10, "", "rapid"),
            (9, "rapid", ""),
            (9, "blitz", ""),
            (9, "", ""),
        ],
    )
    def test_the_declared_speed(self, minutes, declared, speed):
        made = event(base_minutes=minutes, speed=declared)
        assert ncs_2022.speed_of(made, AS_WRITTEN) == speed

    def test_15_minutes_and_30_seconds_a_move_may_be_standard(self):
        made = event(base_minutes=15, increment_seconds=30, speed="standard")
        assert ncs_2022.speed_of(made, AS_WRITTEN) == "standard"

    @pytest.mark.parametrize(
        ("minutes", "declared", "refused"),
        [(10, "blitz", False), (10, "rapid", False), (10, "standard", True), (11, "blitz", True)],
    )
    def test_exactly_ten_minutes_may_be_declared_as_either(self, minutes, declared, refused):
        made = event(base_minutes=minutes, speed=declared)
        assert bool(list(ncs_2022.check_event(made))) is refused

    def test_of_a_declared_blitz_of_ten_minutes_no_list_is_made(self):
        before = standings({"A": rated(1600), "B": rated(1800)})
        outcome = rate(before, played("A 1-0 B", base_minutes=10, speed="blitz"))
        assert line(outcome, "A") == (1, "A", "B", 2, None, None, *[None] * 4, "speed", "NCS table 2")
        assert outcome.events[0].speed == ""

    def test_below_10_minutes_no_list_takes_it(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", base_minutes=9))
        assert line(outcome, "A") == (1, "A", "B", 2, None, None, *[None] * 4, "speed", "NCS table 2")
        assert outcome.events[0].speed == ""

    @pytest.mark.parametrize("changes", [{"standard_minutes": 61}, {"standard_minutes_fide": 44}])
    def test_numbers_that_leave_a_time_without_a_speed_are_refused(self, changes):
        with pytest.raises(BookError, match="standard_minutes = "):
            reform_book(BOOKS["ncs-2022"], changes)

    def test_numbers_that_leave_none(self):
        book = reform_book(BOOKS["ncs-2022"], {"standard_minutes": 60})
        assert all(book.speeds_of_time(minutes, False) for minutes in range(100))


class TestNCS_4_7_NotDeclared:
    @pytest.mark.parametrize(
        ("minutes", "fide_rated", "by_time", "to_the_letter"),
        [
            (9, False, "", ""),
            (10, False, "rapid", "standard"),
            (44, False, "rapid", "standard"),
            (44, None, "rapid", "standard"),
            (45, False, "standard", "standard"),
            (45, None, "standard", "standard"),
            (59, False, "standard", "standard"),
            (60, False, "standard", "standard"),
            (45, True, "rapid", "rapid"),
            (59, True, "rapid", "rapid"),
            (60, True, "standard", "standard"),
        ],
    )
    def test_by_time_or_to_the_letter(self, minutes, fide_rated, by_time, to_the_letter):
        made = event(base_minutes=minutes, fide_rated=fide_rated)
        assert ncs_2022.speed_of(made, AS_WRITTEN) == by_time
        assert ncs_2022.speed_of(made, Settings(undeclared_by_time=False)) == to_the_letter

    @pytest.mark.parametrize(
        ("declared", "speed"),
        [("", "standard"), ("standard", "standard"), ("rapid", "rapid"), ("blitz", "")],
    )
    def test_without_times(self, declared, speed):
        assert ncs_2022.speed_of(event(base_minutes=None, speed=declared), AS_WRITTEN) == speed


class TestNCS_Admission:
    BATCH = batch("2024-07", known=Register({}, {}, {}))

    def test_an_event_as_it_should_be(self):
        assert ncs_2022.admission(event(), self.BATCH, AS_WRITTEN) == (
            False, "standard", date(2024, 3, 12), False,
        )  # fmt: skip

    def test_each_part_from_its_clause(self):
        made = event(base_minutes=20, paid="2024-07-01", ruling="accept-late")
        assert ncs_2022.admission(made, self.BATCH, AS_WRITTEN) == (False, "rapid", date.min, True)
        assert ncs_2022.admission(event(ruling="exclude"), self.BATCH, AS_WRITTEN).excluded is True
        settings = Settings(undeclared_by_time=False, fee_required=False)
        assert ncs_2022.admission(made, self.BATCH, settings) == (False, "standard", date.min, False)


class TestNCS_5_1_Example:
    BEFORE = standings({"A": rated(1600), "B": rated(1800)})

    def test_the_printed_win(self):
        outcome = rate(self.BEFORE, played("A 1-0 B"))
        assert lines(outcome) == [
            Line(1, "A", "B", 2, 1600, 1800, -200, 24, NORMAL, 1520, "rated", "NCS 5(1)"),
            Line(1, "B", "A", 0, 1800, 1600, 200, 76, NORMAL, -1520, "rated", "NCS 5(1)"),
        ]

    def test_the_printed_loss(self):
        outcome = rate(self.BEFORE, played("A 0-1 B"))
        assert [one.change for one in lines(outcome)] == [-480, 480]

    @pytest.mark.parametrize(
        ("score", "percent", "k", "hundredths"),
        [(2, 24, 20, 1520), (0, 24, 20, -480), (1, 24, 20, 520), (1, 75, 10, -250), (2, 8, 40, 3680)],
    )
    def test_c_in_hundredths(self, score, percent, k, hundredths):
        assert ncs_2022.change(score, percent, k) == hundredths

    def test_a_draw_is_a_half(self):
        outcome = rate(self.BEFORE, played("B 1/2-1/2 A"))
        assert [(one.player, one.score, one.change) for one in lines(outcome)] == [
            ("B", 1, -520), ("A", 1, 520),
        ]  # fmt: skip


class TestNCS_5_1_K:
    """10 for ever 2400; 40 for juniors below 2300; 40 for new players; else 20; in this order."""

    CHILD = born("A", "2012-05-05")
    ADULT = born("A", "1980-05-05")

    def k(self, own, other=UNRATED, player=ADULT, year=2024, **settings):
        return ncs_2022.coefficient(own, other, player, year, Settings(**settings))

    def test_normal(self):
        assert self.k(rated(1600)) == NORMAL

    @pytest.mark.parametrize(("peak", "k"), [(2399, NORMAL), (2400, REACHED), (2401, REACHED)])
    def test_ever_2400(self, peak, k):
        assert self.k(rated(2200, peak=peak)) == k
        assert self.k(rated(2200), rated(2200, peak=peak)) == k

    def test_ever_2400_comes_first(self):
        assert self.k(rated(2200, 3, peak=2400, earned=True), player=self.CHILD) == REACHED

    @pytest.mark.parametrize(("rating", "k"), [(2299, JUNIOR), (2300, NORMAL), (2301, NORMAL)])
    def test_juniors_below_2300_today(self, rating, k):
        assert self.k(rated(rating, peak=2399), player=self.CHILD) == k
        assert self.k(rated(1500), rated(rating, peak=2399), player=self.CHILD) == k

    def test_junior_comes_before_new(self):
        assert self.k(rated(1600, 3, earned=True), player=self.CHILD) == JUNIOR
        assert self.k(rated(2300, 3, earned=True), player=self.CHILD) == NEW

    @pytest.mark.parametrize(("games", "k"), [(0, NEW), (17, NEW), (18, NORMAL), (19, NORMAL)])
    def test_new_below_18_games(self, games, k):
        assert self.k(rated(1600, games, earned=True)) == k

    def test_only_a_first_rating_earned_makes_new(self):
        assert self.k(rated(1600, 3, earned=False)) == NORMAL

    def test_no_birth_date_no_junior(self):
        assert self.k(rated(1600), player=Player("A", "A")) == NORMAL

    @pytest.mark.parametrize(("games", "k"), [(8, NEW), (9, NORMAL)])
    def test_the_games_of_both_speeds_together(self, games, k):
        assert self.k(rated(1600, 9, earned=True), rated(1600, games)) == k

    def test_earned_at_either_speed(self):
        assert self.k(rated(1600, 3), rated(1600, 4, earned=True)) == NEW

    def test_each_speed_by_itself_after_the_english_text(self):
        apart = {"k_shared": False}
        assert self.k(rated(2200), rated(2200, peak=2400), **apart) == NORMAL
        assert self.k(rated(2200, peak=2400), rated(2200), **apart) == REACHED
        assert self.k(rated(1500), rated(2300), player=self.CHILD, **apart) == JUNIOR
        assert self.k(rated(1600, 9, earned=True), rated(1600, 9), **apart) == NEW
        assert self.k(rated(1600, 3), rated(1600, 4, earned=True), **apart) == NORMAL

    def test_both_speeds_together(self):
        one, other = Rating(1500, 3, 1700, earned=False), Rating(1600, 4, 1650, earned=True)
        assert ncs_2022.both_speeds(one, other) == Rating(1600, 7, 1700, earned=True)
        assert ncs_2022.both_speeds(other, one) == Rating(1600, 7, 1700, earned=True)
        assert ncs_2022.both_speeds(one, UNRATED) == one
        assert ncs_2022.both_speeds(UNRATED, UNRATED) == UNRATED

    def test_a_batch_that_begins_at_17_games_has_the_new_k_throughout(self):
        before = standings({"A": rated(1600, 17, earned=True), "B": rated(1600, 18, earned=True)})
        outcome = rate(before, played("A 1-0 B", "B 1-0 A", "A 1-0 B"))
        assert [one.k for one in lines(outcome) if one.player == "A"] == [NEW] * 3
        assert [one.k for one in lines(outcome) if one.player == "B"] == [NORMAL] * 3
        assert calculation(outcome, "A").after.games == 20


class TestNCS_5_1_Age:
    """Whole years completed on 1 January of the year of play; junior below 18."""

    @pytest.mark.parametrize(
        ("birthday", "year", "age"),
        [
            ("2008-01-01", 2026, 18),
            ("2008-01-02", 2026, 17),
            ("2007-12-31", 2026, 18),
            ("2008-02-01", 2026, 17),
            ("2008-12-31", 2026, 17),
            ("2008-02-29", 2026, 17),
            ("2026-01-01", 2026, 0),
        ],
    )
    def test_age_on_new_year(self, birthday, year, age):
        assert ncs_2022.age_on_new_year(day(birthday), year) == age

    @pytest.mark.parametrize(
        ("birthday", "junior"), [("2006-01-01", False), ("2006-01-02", True), ("2005-12-31", False)]
    )
    def test_below_18(self, birthday, junior):
        assert ncs_2022.is_junior(day(birthday), 1500, 2024) is junior

    @pytest.mark.parametrize(("rating", "junior"), [(2299, True), (2300, False), (None, False)])
    def test_and_below_2300(self, rating, junior):
        assert ncs_2022.is_junior(date(2012, 5, 5), rating, 2024) is junior

    def test_not_without_a_birth_date(self):
        assert ncs_2022.is_junior(None, 1500, 2024) is False

    def test_the_year_of_play_decides_game_by_game(self):
        """Born 2007-01-01: 16 on 1 January 2024 is 17, on 1 January 2025 is 18."""
        over = event(starts="2024-12-30", ends="2025-01-03", reported="2025-01-10")
        before = standings({"A": rated(1600), "B": rated(1600)})
        texts = ("A 1-0 B 2024-12-31", "A 1-0 B 2025-01-01", "A 1-0 B 2024-12-30")
        outcome = rate(before, entry(over, *texts), known=[born("A", "2007-01-01")], name="2025-02")
        assert [one.k for one in lines(outcome) if one.player == "A"] == [JUNIOR, NORMAL, JUNIOR]
        assert calculation(outcome, "A").total == 2000 + 1000 + 2000


class TestNCS_5_2_OneRoundingABatch:
    def after(self, rating, *texts, **others):
        players = {"A": rated(rating), "B": rated(2255), **others}
        return calculation(rate(standings(players), played(*texts)), "A")

    @pytest.mark.parametrize(
        ("old", "total", "new"),
        [
            (1600, -250, (-3, 1597)),
            (1600, 250, (3, 1603)),
            (1600, -249, (-2, 1598)),
            (1600, 249, (2, 1602)),
            (1600, 0, (0, 1600)),
            (404, -1000, (-10, 400)),
            (410, -1000, (-10, 400)),
            (411, -1000, (-10, 401)),
        ],
    )
    def test_the_rounded_sum_and_the_new_rating(self, old, total, new):
        assert ncs_2022.new_rating(old, total) == new

    def test_minus_2_5_becomes_minus_3(self):
        done = self.after(2450, "A 1/2-1/2 B")  # K 10, expected .75
        assert (done.total, done.shift, done.after.value) == (-250, -3, 2447)

    def test_plus_2_5_becomes_plus_3(self):
        done = self.after(2450, "A 1/2-1/2 C", C=rated(2645))
        assert (done.total, done.shift, done.after.value) == (250, 3, 2453)

    def test_the_sum_is_rounded_not_the_games(self):
        done = self.after(1600, "A 1-0 C", "A 1-0 C", "A 1-0 C", C=rated(1520))  # 3 x 7.8
        assert (done.total, done.shift, done.after.value) == (2340, 23, 1623)

    def test_the_whole_calculation(self):
        done = self.after(1600, "A 1-0 C", "C 1-0 A", C=rated(1800))
        state = rated(1600)
        after = Rating(1610, 102, 1610, earned=False)
        assert done == Calculation("A", state, state, "", 1040, 10, False, None, after)

    def test_two_events_are_one_batch(self):
        before = standings({"A": rated(1600), "B": rated(1800)})
        outcome = rate(before, played("A 1-0 B"), played("A 1-0 B", event_id="F"))
        assert [one.own for one in lines(outcome)] == [1600, 1800, 1600, 1800]
        assert calculation(outcome, "A").after == rated(1630, 102)

    def test_the_standings_given_stay_as_they_were(self):
        before = standings({"A": rated(1600), "B": rated(1800)})
        rate(before, played("A 1-0 B", "C 1-0 A"), opens=True)
        assert before == standings({"A": rated(1600), "B": rated(1800)})


class TestNCS_5_3_Forfeits:
    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_not_played_not_counted(self, result):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played(f"A {result} B"))
        assert line(outcome, "A") == (1, "A", "B", None, 1600, 1800, *[None] * 4, "forfeit", "NCS 5(3)")
        assert line(outcome, "B") == (1, "B", "A", None, 1800, 1600, *[None] * 4, "forfeit", "NCS 5(3)")
        assert outcome.standings.of("standard", "A") == rated(1600)

    def test_two_unrated_add_nothing_to_the_games(self):
        outcome = rate(standings(), played("A 1-0 B"))
        assert line(outcome, "A") == (1, "A", "B", 2, None, None, *[None] * 4, "first", "NCS 6(3)")
        assert line(outcome, "B") == (1, "B", "A", 0, None, None, *[None] * 4, "first", "NCS 6(3)")
        assert outcome.standings.of("standard", "A") == UNRATED
        game = FirstGame("E", 1, date(2024, 6, 1), "B", None, 2)
        assert outcome.standings.waiting["standard"]["A"] == (game,)


class TestNCS_5_4_LimitOf400:
    @pytest.mark.parametrize(
        ("own", "other", "difference", "expected"),
        [
            (1500, 1899, -399, 8),
            (1500, 1900, -400, 8),
            (1500, 1901, -400, 8),
            (1500, 1950, -400, 8),
            (1500, 2800, -400, 8),
            (1899, 1500, 399, 92),
            (1900, 1500, 400, 92),
            (1901, 1500, 400, 92),
            (2399, 1000, 400, 92),
        ],
    )
    def test_a_difference_counts_400_at_most(self, own, other, difference, expected):
        outcome = rate(standings({"A": rated(own), "B": rated(other)}), played("A 1-0 B"))
        assert (line(outcome, "A").difference, line(outcome, "A").expected) == (difference, expected)

    def test_an_unrated_opponent_stands_400_below(self):
        assert ncs_2022.difference_counted(1500, None) == 400
        assert ncs_2022.difference_counted(400, None) == 400
        assert ncs_2022.difference_counted(1500, 1600) == -100

    def test_worked_example_2(self):
        before = standings(
            {"A": rated(1500, 3, earned=True), "B": rated(1950), "C": rated(2450), "D": rated(2000)}
        )
        outcome = rate(before, played("A 1-0 B", "A 0-1 B", "C 0-1 D"))
        assert [one.change for one in lines(outcome) if one.player == "A"] == [3680, -320]
        assert line(outcome, "C", 3).change == -920


class TestNCS_5_5_Floor:
    def test_not_below_400(self):
        outcome = rate(standings({"A": rated(404), "B": rated(404)}), played("A 0-1 B"))
        done = calculation(outcome, "A")
        assert (done.total, done.shift, done.floored, done.after.value) == (-1000, -10, True, 400)
        assert calculation(outcome, "B").floored is False

    def test_exactly_400_was_not_held_up(self):
        outcome = rate(standings({"A": rated(410), "B": rated(410)}), played("A 0-1 B"))
        assert calculation(outcome, "A")[6:9] == (False, None, Rating(400, 101, 410, earned=False))

    def test_ratings_below_are_raised_when_the_edition_begins(self):
        before = standings({"A": rated(399), "B": rated(401)}, rapid={"A": rated(20, 7, earned=True)})
        raised = rate(before, opens=True).standings
        assert raised.ratings == {
            "standard": {"A": Rating(400, 100, 400, earned=False), "B": rated(401)},
            "rapid": {"A": Rating(400, 7, 400, earned=True)},
        }
        assert rate(before).standings.ratings == before.ratings

    def test_they_are_raised_before_anything_is_rated(self):
        before = standings({"A": rated(300, peak=1200), "B": rated(400)})
        outcome = rate(before, played("A 1-0 B"), opens=True)
        assert line(outcome, "A").own == 400
        done = calculation(outcome, "A")
        assert done.before == rated(300, peak=1200)
        assert done.entered == rated(400, peak=1200)
        assert done.after == rated(410, 101, peak=1200)

    def test_an_inherited_rating_is_raised_to_it(self):
        outcome = rate(
            standings({"B": rated(400)}), played("A 1-0 B"), known=[Player("A", "A", fide_blitz=399)]
        )
        assert calculation(outcome, "A").entered == Rating(400, 0, 400, earned=False)


class TestNCS_6_1_TheOtherSpeed:
    def test_comes_before_fide(self):
        player = Player("A", "A", fide_standard=1700, fide_rapid=1650, fide_blitz=1600)
        assert ncs_2022.inherited_rating(player, "rapid", 1500) == (1500, "other-speed")

    def test_in_the_first_batch_with_a_game_that_enters(self):
        before = standings({"A": rated(1500, 40, peak=1580), "B": rated(1600)})
        outcome = rate(before, played("A 1-0 B", base_minutes=20))
        done = calculation(outcome, "A", "rapid")
        assert done.before == UNRATED
        assert done.entered == Rating(1500, 0, 1500, earned=False)
        assert done.source == "other-speed"
        assert calculation(outcome, "B", "rapid").source == "other-speed"
        assert line(outcome, "A").own == 1500
        assert done.after == Rating(1513, 1, 1513, earned=False)  # 64 of 100, K 20: 12.8
        assert outcome.standings.of("standard", "A") == rated(1500, 40, peak=1580)

    def test_games_counted_so_far_stay(self):
        before = standings(
            {"A": Rating(None, 3, None, earned=False), "B": rated(1500)}, rapid={"A": rated(1500)}
        )
        done = calculation(rate(before, played("A 1/2-1/2 B")), "A")
        assert done.entered == Rating(1500, 3, 1500, earned=False)
        assert done.after == Rating(1500, 4, 1500, earned=False)

    def test_both_speeds_inherit_from_what_stood_before(self):
        """Rapid wins; standard takes over the 1500 of before, not the new rapid rating."""
        before = standings({"B": rated(1500)}, rapid={"A": rated(1500), "B": rated(1500)})
        outcome = rate(before, played("A 1-0 B", event_id="D", base_minutes=20), played("A 1-0 B"))
        assert calculation(outcome, "A", "rapid").after.value == 1510
        assert calculation(outcome, "A").entered.value == 1500

    def test_not_by_a_game_that_does_not_enter(self):
        before = standings({"B": rated(1500)}, rapid={"A": rated(1500)})
        outcome = rate(before, played("A +/- B"))
        assert outcome.calculations == {"standard": {}, "rapid": {}}
        assert line(outcome, "A").own is None
        assert outcome.standings.of("standard", "A") == UNRATED

    def test_a_game_left_out_shows_what_another_game_brought(self):
        before = standings({"B": rated(1500)}, rapid={"A": rated(1480)})
        outcome = rate(before, played("A +/- B", "A 1-0 B"))
        assert [one.own for one in lines(outcome)] == [1480, 1500, 1480, 1500]


class TestNCS_6_2_FideRatings:
    @pytest.mark.parametrize(
        ("fide", "inherited"),
        [
            ((1700, 1650, 1600), (1700, "fide-standard")),
            ((None, 1650, 1600), (1650, "fide-rapid")),
            ((None, None, 1600), (1600, "fide-blitz")),
            ((1700, None, 1600), (1700, "fide-standard")),
            ((None, None, None), (None, "")),
        ],
    )
    def test_standard_then_rapid_then_blitz_for_either_speed(self, fide, inherited):
        standard, rapid, blitz = fide
        player = Player("A", "A", fide_standard=standard, fide_rapid=rapid, fide_blitz=blitz)
        assert ncs_2022.inherited_rating(player, "standard", None) == inherited
        assert ncs_2022.inherited_rating(player, "rapid", None) == inherited

    @pytest.mark.parametrize(
        ("source", "clause"),
        [("other-speed", "NCS 6(1)"), ("fide-standard", "NCS 6(2)"), ("fide-blitz", "NCS 6(2)")],
    )
    def test_which_clause_an_inherited_rating_cites(self, source, clause):
        assert ncs_2022.inheritance_clause(source, "rapid") == clause

    def test_both_speeds_may_take_it_over_in_one_batch(self):
        player = Player("A", "A", fide_rapid=1700)
        outcome = rate(
            standings({"B": rated(1700)}),
            played("A 1/2-1/2 B", event_id="D", base_minutes=20),
            played("A 1/2-1/2 B"),
            known=[player],
        )
        for speed in ("standard", "rapid"):
            assert calculation(outcome, "A", speed).source == "fide-rapid"
            assert calculation(outcome, "A", speed).after == Rating(1700, 1, 1700, earned=False)

    def test_an_inherited_2400_makes_k_10_at_once(self):
        player = Player("A", "A", fide_standard=2400)
        outcome = rate(standings({"B": rated(2400)}), played("A 1-0 B"), known=[player])
        assert line(outcome, "A").k == REACHED
        assert calculation(outcome, "A").after == Rating(2405, 1, 2405, earned=False)


class TestNCS_6_3_FirstRatings:
    """From four games on; a UR has 0, so that a rated player meets them at the limit of 400."""

    def test_the_fourth_game_brings_it(self):
        before = standings({name: rated(1500) for name in "BCD"})
        first = rate(before, played("A 1-0 B", "A 0-1 C", "D 1/2-1/2 A"))
        done = calculation(first, "A")
        assert done.after == Rating(None, 3, None, earned=False)
        assert (done.first.rating, done.first.why) == (None, "too-few")
        later = event("F", starts="2024-07-05")
        second = rate(first.standings, entry(later, "A 1-0 B"), name="2024-08")
        done = calculation(second, "A")
        assert [game.event_id for game in done.first.games] == ["E", "E", "E", "F"]
        assert done.before == Rating(None, 3, None, earned=False)
        # B lost 18.4 to an unrated player and stands at 1482
        assert [game.opponent_rating for game in done.first.games] == [1500, 1500, 1500, 1482]
        assert done.first.mean == (5982, 4)
        assert done.after == Rating(1516, 4, 1516, earned=True)  # 1495.5 + 20
        assert "A" not in second.standings.waiting["standard"]

    def test_the_games_give_no_change(self):
        outcome = rate(standings({"B": rated(1500)}), played("A 1-0 B"))
        assert line(outcome, "A") == (1, "A", "B", 2, None, 1500, *[None] * 4, "first", "NCS 6(3)")
        done = calculation(outcome, "A")
        assert (done.total, done.shift, done.floored) == (0, 0, False)

    @pytest.mark.parametrize(("result", "change"), [("1-0", 160), ("1/2-1/2", -840), ("0-1", -1840)])
    def test_a_rated_player_against_unrated_is_rated_at_the_limit(self, result, change):
        outcome = rate(standings({"A": rated(1600)}), played(f"A {result} B"))
        made = line(outcome, "A")
        assert made[4:] == (1600, None, 400, 92, NORMAL, change, "rated", "NCS 5(1)")
        assert calculation(outcome, "A").after.games == 101

    def test_or_not_at_all_by_the_setting(self):
        settings = Settings(rate_against_unrated=False)
        outcome = rate(standings({"A": rated(1600)}), played("A 1-0 B"), settings=settings)
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, None, *[None] * 4, "unrated", "NCS 6(3)")
        assert line(outcome, "B").verdict == "first"
        assert calculation(outcome, "A").after == rated(1600)
        assert calculation(outcome, "B").after.games == 1

    def test_opponents_of_a_newly_rated_player_still_met_unrated(self):
        before = standings({"B": rated(1600), "C": rated(1600)})
        outcome = rate(before, played("A 1-0 B", "A 1-0 C", "A 0-1 B", "A 0-1 C"))
        assert calculation(outcome, "A").after.value == 1600
        assert [one.difference for one in lines(outcome) if one.player == "B"] == [400, 400]
        assert line(outcome, "B").opponent_rating is None

    def test_games_of_two_unrated_fill_the_four(self):
        before = standings({"B": rated(1400), "C": rated(1523), "D": rated(1610)})
        texts = ("A 1-0 B", "A 1/2-1/2 C", "A 0-1 X", "A 0-1 D")
        done = calculation(rate(before, played(*texts)), "A")
        assert done.after == Rating(1296, 3, 1296, earned=True)
        kept = rate(before, played(*texts), settings=Settings(unrated_games_fill_first=False))
        assert calculation(kept, "A").first.why == "too-few"

    def test_they_add_up_per_speed(self):
        before = standings({"B": rated(1500)}, rapid={"B": rated(1500)})
        outcome = rate(
            before, played("A 1-0 B", "A 1-0 B", "A 0-1 B"), played("A 1-0 B", event_id="F", base_minutes=20)
        )
        assert calculation(outcome, "A").first.why == "too-few"
        assert calculation(outcome, "A", "rapid").first.why == "too-few"

    @pytest.mark.parametrize(
        ("speed", "games", "qualified"),
        [("standard", 18, False), ("standard", 19, True), ("rapid", 19, False), ("standard", 0, False)],
    )
    def test_fit_for_qualification(self, speed, games, qualified):
        assert ncs_2022.is_qualified(speed, rated(1600, games)) is qualified


class TestNCS_6_4_Formula:
    """The mean and 20 for each half point above half; below half the mean and dp."""

    def first(self, games, **settings):
        return ncs_2022.first_rating(games, date(2024, 6, 20), Settings(**settings))

    @pytest.mark.parametrize(
        ("mean", "half_points", "games", "rating"),
        [
            (2000, 6, 5, 2020),
            (2000, 4, 5, 1928),
            (2000, 5, 5, 2000),
            (2100, 10, 5, 2200),
            (2400, 6, 5, 2420),
            (1600, 2, 5, 1360),
            (1657, 6, 5, 1677),
            (1800, 8, 7, 1820),
        ],
    )
    def test_worked_example_4(self, mean, half_points, games, rating):
        assert self.first(against(*[mean] * games, points=half_points)).rating == rating

    def test_worked_example_5(self):
        games = against(1400, 1523, None, 1610, points=3)
        assert self.first(games) == FirstWorking(games, (5533, 4), 3, 38, -87, 1296, "", "NCS 6(4)")
        games = against(1400, 1523, None, 1610, points=5)
        assert self.first(games) == FirstWorking(games, (5533, 4), 5, 63, 20, 1403, "", "NCS 6(4)")

    @pytest.mark.parametrize(
        ("half_points", "added"),
        [(0, -800), (1, -322), (2, -193), (3, -87), (4, 0), (5, 20), (6, 40), (7, 60), (8, 80)],
    )
    def test_every_score_of_four(self, half_points, added):
        working = self.first(against(2000, 2000, 2000, 2000, points=half_points))
        assert (working.dp, working.rating) == (added, 2000 + added)

    def test_rounded_once_at_the_end(self):
        assert self.first(against(1400, 1400, 1400, 1402, points=4)).rating == 1401  # 1400.5
        assert self.first(against(1400, 1400, 1400, 1401, points=4)).rating == 1400  # 1400.25

    def test_not_below_the_floor(self):
        assert self.first(against(None, None, None, None, points=0)).rating == 400
        assert self.first(against(1200, 1200, 1200, 1204, points=0)).rating == 401

    def test_no_upper_limit(self):
        assert self.first(against(*[2900] * 4, points=8)).rating == 2980

    def test_three_games_are_too_few(self):
        games = against(1400, 1600, 1500, points=3)
        expected = FirstWorking(games, (4500, 3), 3, 50, 0, None, "too-few", "NCS 6(4)")
        assert self.first(games) == expected

    def test_games_between_two_unrated_may_fill_the_four(self):
        four = against(1400, 1500, None, None, points=4)
        assert self.first(four).rating == 1225
        assert self.first(four, unrated_games_fill_first=False).rating is None

    def test_the_formula_uses_them_in_either_case(self):
        five = against(1400, 1500, None, 1600, 1500, points=5)
        assert self.first(five).rating == 1400
        assert self.first(five, unrated_games_fill_first=False).rating == 1400
        assert self.first(five, unrated_games_fill_first=False).mean == (7000, 5)


class TestNCS_7_2_Rulings:
    def test_an_excluded_event(self):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", ruling="exclude"))
        assert line(outcome, "A") == (1, "A", "B", 2, 1600, 1800, *[None] * 4, "ruling", "NCS 7(2)")

    def test_an_excluded_game_alone(self):
        of = played("A 1-0 B", "A 1-0 B")
        of.games[1] = of.games[1]._replace(ruling="exclude")
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), of)
        assert verdicts(outcome, "A") == ["rated", "ruling"]

    @pytest.mark.parametrize("ruling", ["accept-late", "waive-fee", "include"])
    def test_rulings_that_exclude_nothing(self, ruling):
        outcome = rate(standings({"A": rated(1600), "B": rated(1800)}), played("A 1-0 B", ruling=ruling))
        assert verdicts(outcome, "A") == ["rated"]

    def test_every_verdict_has_its_clause(self):
        assert ncs_2022.VERDICTS == {
            "rated": "NCS 5(1)",
            "first": "NCS 6(3)",
            month.RULING: "NCS 7(2)",
            month.SPEED: "NCS table 2",
            month.LATE: "NCS 3(6)",
            month.FEE: "NCS 3(5)",
            month.MEMBER: "NCS 2(2)",
            month.FORFEIT: "NCS 5(3)",
            month.AGAINST_UNRATED: "NCS 6(3)",
        }


class TestSettings:
    def test_the_defaults_are_the_japanese_text_as_read(self):
        assert Settings(True, True, True, True, True) == AS_WRITTEN
