"""The Irish Chess Union's ratings, clause by clause."""
# ruff: noqa: N801, RUF012 - a class is named after its clause; its constants are never changed

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date
from decimal import Decimal, localcontext

import pytest
from icu_making import DAY, event_of, facts, play

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry, Game, More, Player
from banzuke.core.fault import RefusedError
from banzuke.core.rating import Coefficient, Line, Rating, Standings
from banzuke.core.worked import games_against
from banzuke.explanations.rule_pages import example_text
from banzuke.rulebooks.icu import icu
from banzuke.rulebooks.icu.arithmetic import CONTEXT, hundredths, logistic, six_decimals, whole
from banzuke.rulebooks.icu.books import CALCULATOR, ICU, _bonus_cell, _performance_cell
from banzuke.rulebooks.icu.event_lines import difference_shown
from banzuke.rulebooks.icu.event_rating import _after, rate
from banzuke.rulebooks.icu.event_steps import Entrant, EventFigures, NotStableError, reckon_event
from banzuke.rulebooks.icu.icu import KnownPart, PlayedGame, Settings
from banzuke.words import fault_text


def state(value, games, peak=None):
    return Rating(value, games, value if peak is None else peak, earned=False)


def done(outcome, player="A"):
    return outcome.calculations[""][player]


def after(players, *games, player="A", version=None, **settings):
    return play(players, games, version, **settings).standings.of("", player)


def lines_of(outcome, player="A"):
    (of,) = outcome.events
    return [line for line in of.lines if line.player == player]


def exact_of(outcome, player="A"):
    (of,) = outcome.events
    return [exact for line, exact in zip(of.lines, of.exact, strict=True) if line.player == player]


def test_the_numbers_as_printed():
    numbers = {name: each.value for name, each in ICU.parameters.items()}
    assert len(numbers.pop("versions")) == 4
    assert numbers == {
        "rated_games": 20, "high_rating": 2100, "k_high": 16, "junior_age": 21, "k_junior": 40,
        "new_member_years": 8, "k_new_member": 32, "k_normal": 24, "days_of_year": 366,
        "scale": 400, "per_game": 400, "bonus_k": 24, "bonus_games": 5, "bonus_rating": 2100,
        "bonus_change": 35, "bonus_base": 32, "bonus_step": 3, "bonus_free_games": 4,
        "bonus_high_k": 40, "bonus_per_cent": 125, "bonus_cap": 2100,
    }  # fmt: skip


def test_how_the_examples_read():
    """What is given in each, and what it gives: a whole number hides much of what it comes from."""
    opponents = "1424, 1492, 1503, 1692, 1923, 1639, 1764, 1664, 1692, 1590, 1575"
    assert [(example_text(ICU, worked, "en"), worked.must_give) for worked in ICU.examples] == [
        ("expected score of 2000 against 2000", "0.500000"),
        ("expected score of 1500 against 1900", "0.090909"),
        ("expected score of 2400 against 1600", "0.990099"),
        ("1500 against 1500, score 1, K 24", "+12"),
        ("1500 against 1900, score 1, K 32", "+29.09"),
        ("2174 against 1774, score 0, K 16", "-14.55"),
        ("717/13 plays 2174 (0), 1182 (0)", "792/15"),
        ("UR plays 2200 (1), 2100 (1), 2000 (0)", "2233/3"),
        (f"First rating: 6.5 points of 11 games against {opponents}", "1705"),
        ("bonus of 760 with K 40 in 5 games, change 48.074031784, performance 949.6", "16"),
        ("bonus of 719 with K 40 in 5 games, change 70.557674552, performance 1026.22", "45"),
        ("bonus of 1002 with K 32 in 5 games, change -50.904211560, performance 754.014806", "0"),
        ("bonus of 2040 with K 40 in 5 games, change 41.2, performance 2093.4", "8"),
        ("760 with a change of 48.074031784 and a bonus of 16", "824"),
        ("1002 with a change of -50.904211560 and a bonus of 0", "951"),
    ]


class TestICU_1_Kinds:
    @pytest.mark.parametrize(
        ("rating", "fixed", "kind"),
        [
            (state(1500, 20), None, "rated"),
            (state(1500, 19), None, "provisional"),
            (state(1500, 1), None, "provisional"),
            (state(0, 1), None, "provisional"),
            (state(1500, 0), None, "unrated"),
            (Rating(None, 5, None, earned=False), None, "unrated"),
            (Rating(None, 0, None, earned=False), 2300, "fixed"),
            (Rating(None, 0, None, earned=False), 0, "fixed"),
        ],
    )
    def test_what_is_known_before_the_event_decides(self, rating, fixed, kind):
        assert icu.kind_of(rating, fixed) == kind

    @pytest.mark.parametrize(("games", "status"), [(19, "provisional"), (20, "rated"), (21, "rated")])
    def test_the_status_in_a_list(self, games, status):
        assert ICU.columns.status(state(1500, games)) == status

    def test_20_games_make_a_rated_player_with_the_mean(self):
        """Provisional through the whole event, rated in the next one."""
        players = {"A": "1500/18", "B": "1500 K24", "C": "1700 K24"}
        outcome = play(players, ["A 1-0 B", "A 1-0 C", "A 0-1 B"])
        assert done(outcome).after == state(1529, 21)  # (27000 + 1900 + 2100 + 1100) / 21 = 1528.57
        assert done(outcome).more["kind"] == "provisional"

    def test_a_starting_rating_over_no_games_has_no_weight(self):
        entrant = Entrant("A", icu.kind_of(state(1900, 0), None), 1900, 0, None)
        entrant.played.append(PlayedGame(1, 1, 1))
        other = Entrant("B", "fixed", 1500, 0, None)
        other.played.append(PlayedGame(0, 1, 1))
        with localcontext(CONTEXT):
            figures = reckon_event([entrant, other], icu.VERSIONS[2], Settings())
        assert figures.phases[-1].performances == [1500, 1500]


class TestICU_2_OnlyGamesThatWerePlayed:
    PLAYERS = {"A": "1500 K24", "B": "1600 K24", "C": "-", "F": "fixed 2300"}

    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_forfeits_are_not_entered(self, result):
        outcome = play(self.PLAYERS, [f"A {result} B", f"F {result} C"])
        assert outcome.calculations == {"": {}}
        assert lines_of(outcome) == [Line(1, "A", "B", None, 1500, 1600, *[None] * 4, "forfeit", "ICU 2")]
        assert lines_of(outcome, "C") == [
            Line(2, "C", "F", None, None, 2300, *[None] * 4, "forfeit", "ICU 2")
        ]
        assert exact_of(outcome) == [("", "")]
        assert set(outcome.standings.ratings[""]) == {"A", "B"}

    def test_an_excluded_event_and_an_excluded_game(self):
        event = event_of(ruling="exclude")
        outcome = play(self.PLAYERS, ["A 1-0 B", "A +/- B"], event=event)
        assert [line.verdict for line in lines_of(outcome)] == ["ruling", "ruling"]
        assert outcome.calculations == {"": {}}
        games = [Game("E", 1, "A", "B", "1-0"), Game("E", 2, "A", "B", "1-0", ruling="exclude")]
        outcome = play(self.PLAYERS, games)
        assert [(line.verdict, line.clause) for line in lines_of(outcome)] == [
            ("rated", "ICU 4"),
            ("ruling", "ICU 2"),
        ]
        assert done(outcome).after.games == 31

    @pytest.mark.parametrize("ruling", ["accept-late", "include"])
    def test_no_other_ruling_plays_a_part(self, ruling):
        outcome = play(self.PLAYERS, ["A 1-0 B"], event=event_of(ruling=ruling))
        assert [line.verdict for line in lines_of(outcome)] == ["rated"]


class TestICU_3_K:
    OLD, LONG = date(1950, 1, 1), date(1990, 1, 1)

    @pytest.mark.parametrize(
        ("earlier", "later", "parts"),
        [
            (date(1991, 3, 1), date(2012, 3, 1), 21 * 366 + 1),  # the 61st day of a leap year, the 60th
            (date(1992, 3, 1), date(2013, 3, 1), 21 * 366 - 1),
            (date(1991, 1, 1), date(2012, 1, 1), 21 * 366),
            (date(1991, 12, 31), date(2012, 1, 1), 21 * 366 - 364),
            (date(2012, 3, 2), date(2012, 3, 1), -1),
        ],
    )
    def test_years_from_day_to_day(self, earlier, later, parts):
        assert icu.years_between(earlier, later) == parts

    @pytest.mark.parametrize(
        ("rating", "born", "joined", "k", "why"),
        [
            (2100, None, None, 16, "icu-high"),
            (2101, date(2000, 1, 1), LONG, 16, "icu-high"),
            (2099, date(1991, 3, 2), LONG, 24, "normal"),  # the 61st day: exactly 21
            (2099, date(1991, 3, 3), LONG, 40, "junior"),
            (1000, date(2005, 3, 3), date(2011, 3, 3), 40, "junior"),
            (1000, OLD, date(2004, 3, 1), 24, "normal"),  # the 61st day of a leap year: exactly 8
            (1000, OLD, date(2004, 3, 2), 32, "icu-new-member"),
            (1000, OLD, date(2020, 3, 2), 32, "icu-new-member"),
            (1000, OLD, LONG, 24, "normal"),
        ],
    )
    def test_on_the_first_day_of_the_event(self, rating, born, joined, k, why):
        assert icu.coefficient(rating, born, joined, date(2012, 3, 1)) == Coefficient(k, why, "ICU 3")

    @pytest.mark.parametrize(("born", "joined"), [(None, LONG), (OLD, None), (date(2005, 1, 1), None)])
    def test_below_2100_both_days_must_be_known(self, born, joined):
        assert icu.coefficient(2099, born, joined, DAY) is None
        known = {
            "A": Player("A", "A", birth_date=born, more=More(joined=joined) if joined else More()),
            "B": Player("B", "B"),
        }
        players = {"A": "2099/30", "B": "2100/30"}
        with pytest.raises(RefusedError) as refused:
            play(players, ["A 1-0 B"], register=Register(known, {}, {}))
        column, code = ("joined", "icu-no-joined") if born else ("birth_date", "icu-no-birth-date")
        (fault,) = refused.value.faults
        said = (("player", "A"), ("event", "E"), ("below", "2100"))
        assert fault == ("players.csv", 0, column, code, said)
        assert "rated below 2100 in" in fault_text(fault, "en")

    def test_both_days_of_several_players(self):
        known = {name: Player(name, name) for name in "ABC"}
        with pytest.raises(RefusedError) as refused:
            play({"A": "1500/30", "B": "1500/30"}, ["B 1-0 A", "C 1-0 A"], register=Register(known, {}, {}))
        assert [(f.column, f.facts[0][1]) for f in refused.value.faults] == [
            ("birth_date", "A"),
            ("joined", "A"),
            ("birth_date", "B"),
            ("joined", "B"),
        ]

    @pytest.mark.parametrize(("joined", "k"), [(None, 24), (date(2010, 1, 1), 32), (date(1980, 1, 1), 24)])
    def test_joining_is_the_earliest_annual_membership_unless_it_is_given(self, joined, k):
        more = More(joined=joined) if joined else More()
        known = {"A": Player("A", "A", birth_date=self.OLD, more=more), "B": Player("B", "B")}
        spans = ((date(2011, 1, 1), date(2012, 12, 31)), (date(1999, 1, 1), date(2000, 12, 31)))
        register = Register(known, {"A": spans}, {})
        outcome = play({"A": "1500/30", "B": "2100/30"}, ["A 1-0 B"], register=register)
        assert lines_of(outcome)[0].k.value == k

    def test_no_k_is_needed_without_a_game(self):
        known = {name: Player(name, name) for name in "AB"}
        play({"A": "1500/30"}, ["A +/- B"], register=Register(known, {}, {}))


class TestICU_4_Expectation:
    @pytest.mark.parametrize(
        ("own", "opponent", "expected"),
        [
            (2000, 2000, "0.500000"),
            (1500, 1900, "0.090909"),
            (1900, 1500, "0.909091"),
            (2300, 1500, "0.990099"),
            (1000, 3000, "0.000010"),  # no limit
            (3000, 1000, "0.999990"),
            (1500, Decimal("1500.5"), "0.499280"),
        ],
    )
    def test_by_the_logistic_curve(self, own, opponent, expected):
        with localcontext(CONTEXT):
            assert six_decimals(icu.expectation(own, opponent)) == expected

    def test_the_digits(self):
        with localcontext(CONTEXT):
            assert logistic(100, 400) == Decimal("0.3599350001971149192417820053916421")
            assert logistic(0, 400) == Decimal("0.5")
            # with 37 or 39 digits before it is rounded the last of these would be another one
            assert logistic(714, 400) == Decimal("0.01614108868179873439161117341608883")
        assert all(
            cached.cache_info().maxsize == 32_768
            for cached in (icu.game_figures, icu._expectation, icu.id_order, icu._day_of_year)
        )
        assert str(whole(Decimal("-0.4"))) == "0"

    @pytest.mark.parametrize(
        ("value", "written", "parts"),
        [
            ("0.0000005", "0.000001", 0),
            ("-0.0000005", "-0.000001", 0),
            ("-0.0000004", "0.000000", 0),
            ("1.005", "1.005000", 101),
            ("-1.005", "-1.005000", -101),
            ("1.0049", "1.004900", 100),
        ],
    )
    def test_halves_go_away_from_zero(self, value, written, parts):
        with localcontext(CONTEXT):
            assert six_decimals(Decimal(value)) == written
            assert hundredths(Decimal(value)) == parts

    def test_a_game(self):
        outcome = play({"A": "1500 K24", "B": "1900 K32"}, ["A 1-0 B"])
        normal, new = Coefficient(24, "normal", "ICU 3"), Coefficient(32, "icu-new-member", "ICU 3")
        assert lines_of(outcome) == [
            Line(1, "A", "B", 2, 1500, 1900, -400, 9, normal, 2182, "rated", "ICU 4")
        ]
        assert lines_of(outcome, "B") == [
            Line(1, "B", "A", 0, 1900, 1500, 400, 91, new, -2909, "rated", "ICU 4")
        ]
        assert exact_of(outcome) == [("0.090909", "21.818182")]
        assert exact_of(outcome, "B") == [("0.909091", "-29.090909")]
        assert (done(outcome).total, done(outcome).shift) == (2182, 22)

    @pytest.mark.parametrize(("score", "change"), [(2, 12), (1, 0), (0, -12)])
    def test_the_change_of_a_game(self, score, change):
        assert icu.change_of_game(24, score, Decimal("0.5")) == change


class TestICU_5_ValueOfAnOpponent:
    def test_of_each_kind(self):
        """The provisional player's 2000 is nowhere: the performance is (1500 + 400 + 2000) / 2."""
        players = {"A": "1500 K24", "B": "2000/1", "F": "fixed 1600"}
        outcome = play(players, ["A 0-1 B", "A 1-0 F"])
        assert done(outcome, "B").more["performance"] == "1950.000000"
        assert done(outcome).more["values"] == {"1": ["1950", "performance"]}
        assert exact_of(outcome)[0][0] == "0.069758"

    def test_undefined_at_the_start_and_for_good(self):
        players = {"A": "1500 K24", "A2": "-", "B": "1500/5", "C": "-", "D": "-"}
        outcome = play(players, ["B 1-0 C", "C 1-0 D", "A 1-0 A2", "A2 0-1 A"])
        assert done(outcome, "B").after == state(1500, 5)
        assert done(outcome, "C").after.value is None
        assert lines_of(outcome, "B") == [Line(1, "B", "C", 2, 1500, None, *[None] * 4, "unrated", "ICU 5")]
        assert "performance" not in done(outcome, "B").more
        assert set(outcome.standings.ratings[""]) == {"A", "A2", "B"}

    def test_a_rated_player_who_met_nobody_with_a_value(self):
        """Between the two rated players there is nobody: A's game is worth nothing, but was entered."""
        values = [None, None]
        assert icu.value_of_opponent(0, values, [None, Decimal(3)]) is None
        assert icu.value_of_opponent(1, values, [None, Decimal(3)]) == 3
        assert icu.value_of_opponent(1, [None, 0], [None, Decimal(3)]) == 0

    @pytest.mark.parametrize(
        ("own", "opponent", "difference", "shown"),
        [
            (1500, 1600, 100, -100),
            (1500, 1600, Decimal("100.5"), None),
            (1500, None, Decimal("100.5"), -101),
            (1500, None, Decimal("-99.6"), 100),
        ],
    )
    def test_the_difference_that_is_shown(self, own, opponent, difference, shown):
        with localcontext(CONTEXT):
            assert difference_shown(own, opponent, difference) == shown


class TestICU_6_Performance:
    def test_a_provisional_rating_enters_over_its_games(self):
        """E11: 717 over 13 games, lost against 2174 and 1182."""
        players = {"A": "717/13", "B": "2174 K16", "C": "1182 K24"}
        outcome = play(players, ["B 1-0 A", "C 1-0 A"])
        assert done(outcome).after == state(792, 15)
        assert (done(outcome).total, done(outcome).shift, done(outcome).floored) == (0, 0, False)
        assert (done(outcome).before, done(outcome).entered) == (state(717, 13), state(717, 13))
        assert done(outcome).more == {
            "kind": "provisional",
            "rounds": [3],
            "sum": "2556",
            "games": 2,
            "performance": "791.800000",
            "rating": 717,
        }
        assert lines_of(outcome)[0] == Line(1, "A", "B", 0, 717, 2174, *[None] * 4, "rated", "ICU 6")
        assert exact_of(outcome) == [("", ""), ("", "")]

    def test_a_newcomer(self):
        outcome = play({"A": "-", "B": "1500 K24", "F": "fixed 1601"}, ["A 1-0 B", "A 1/2-1/2 F"])
        assert done(outcome).after == state(1751, 2)  # 1750.5
        assert lines_of(outcome)[0] == Line(1, "A", "B", 2, None, 1500, *[None] * 4, "first", "ICU 6")
        first = done(outcome).first
        assert (first.mean, first.points, first.rating, first.clause) == ((3501, 2), 3, 1751, "ICU 6")
        assert [(game.event_id, game.round, game.played, game.opponent) for game in first.games] == [
            ("E", 1, DAY, "B"),
            ("E", 2, DAY, "F"),
        ]
        assert [(game.opponent_rating, game.score) for game in first.games] == [(1500, 2), (1601, 1)]
        assert (first.percent, first.dp, first.why) == (0, 0, "")
        assert done(outcome, "B").first is None

    @pytest.mark.parametrize(("score", "points"), [(2, 400), (1, 0), (0, -400)])
    def test_what_a_result_adds(self, score, points):
        assert icu.result_points(score) == points

    def test_a_share_and_its_mean(self):
        games = [PlayedGame(0, 2, 1), PlayedGame(1, 0, 2), PlayedGame(2, 1, 3)]
        share = icu.known_part(games, [1500, None, 1600], 1000, 4)
        assert share == KnownPart(3500, 2, 4000, 4, ((1, -400),))
        with localcontext(CONTEXT):
            assert icu.mean_of(share, [None] * 3) == (3500, 2, 1250)
            assert icu.mean_of(share, [None, Decimal(900), None]) == (4000, 3, Decimal(8000) / 7)
            assert icu.mean_of(share, [None, Decimal(0), None]) == (3100, 3, Decimal(7100) / 7)
        assert icu.mean_of(KnownPart(0, 0, 4000, 4, ((1, 0),)), [None, None]) is None

    @pytest.mark.parametrize(
        ("before", "now", "settled"),
        [
            (None, None, True),
            (None, "1500", False),
            ("1500", "1500.4999", True),
            ("1500", "1500.5", False),
            ("1500.5", "1500", False),
            ("1500.4999", "1500", True),
        ],
    )
    def test_moved_by_less_than_the_threshold(self, before, now, settled):
        pair = [None if each is None else Decimal(each) for each in (before, now)]
        assert icu.has_settled(*pair, Decimal("0.5")) is settled

    def test_all_at_once_from_the_round_before(self):
        """A beat 1500 and drew with B: 1900, then B 1900, then A 1900 again."""
        shares = [KnownPart(1900, 1, 0, 0, ((1, 0),)), KnownPart(0, 0, 0, 0, ((0, 0),))]
        with localcontext(CONTEXT):
            for limit, expected in ((1, [1900, None]), (2, [1900, 1900]), (3, [1900, 1900])):
                rounds = icu.performance_rounds(shares, [None, None], limit, Decimal("0.5"))
                assert (rounds.performances, rounds.number, rounds.is_stable) == (expected, limit, limit == 3)
            longer = icu.performance_rounds(shares, [None, None], 30, Decimal("0.5"))
            assert (longer.number, longer.before) == (3, [1900, 1900])
            moving = [KnownPart(1900, 1, 0, 0, ((1, 400),)), KnownPart(0, 0, 0, 0, ((0, 0),))]
            rounds = icu.performance_rounds(moving, [None, None], 4, Decimal("0.5"))
            assert rounds.performances == [2100, 2100]  # 1900, -; 1900, 1900; 2100, 1900; 2100, 2100
            assert rounds.before == [2100, 1900]


class TestICU_7_Bonus:
    @pytest.mark.parametrize(
        ("rating", "k", "games", "change", "may"),
        [
            (1500, 25, 5, "35.1", True),
            (1500, 24, 5, "35.1", False),
            (1500, 40, 4, "35.1", False),
            (1500, 40, 5, "35", False),
            (1500, 40, 5, "35.000001", True),
            (2064, 40, 5, "35.9", True),
            (2064, 40, 5, "36", False),
            (2100, 40, 5, "35.1", False),
        ],
    )
    def test_who_may_have_one(self, rating, k, games, change, may):
        assert icu.may_have_bonus(rating, k, games, Decimal(change)) is may

    def test_nobody_above_2100_even_if_the_change_were_low(self):
        assert not icu.may_have_bonus(2100, 40, 5, Decimal(-50))

    @pytest.mark.parametrize(("games", "least"), [(5, 35), (6, 38), (11, 53)])
    def test_what_the_change_must_exceed(self, games, least):
        assert icu.bonus_threshold(games) == least

    @pytest.mark.parametrize(
        ("points", "k", "away", "even"),
        [(2, 39, 2, 2), (2, 40, 3, 2), (6, 40, 8, 8), (10, 40, 13, 12), (3, 41, 4, 4), (4, 40, 5, 5), (5, 40, 6, 6), (7, 40, 9, 9)],
    )  # fmt: skip
    def test_raised_by_a_quarter_from_k_40(self, points, k, away, even):
        assert icu.raised_bonus(points, k, "away") == away
        assert icu.raised_bonus(points, k, "even") == even

    @pytest.mark.parametrize(
        ("rating", "k", "change", "performance", "found"),
        [
            (760, 40, "48.074031784", "949.6", (16, 35, 13, 16, "", "0")),
            (719, 40, "70.557674552", "1026.22", (45, 35, 36, 45, "", "0")),
            (1500, 32, "35.5", "2000", (1, 35, 1, 1, "", "0")),
            (1500, 32, "35.49", "2000", None),
            (2030, 40, "60", "2400", (10, 35, 25, 31, "cap", "2100")),
            (2030, 32, "60", "2400", (10, 35, 25, 25, "cap", "2100")),
            (2040, 40, "45", "2400", (13, 35, 10, 13, "", "0")),
            (2042, 40, "45", "2400", (13, 35, 10, 13, "cap", "2100")),
            (2043, 40, "45", "2400", (12, 35, 10, 13, "cap", "2100")),
            (2030, 40, "60", "2095.6", (6, 35, 25, 31, "performance", "2095.6")),
            (2030, 40, "60", "2095.4", (5, 35, 25, 31, "performance", "2095.4")),
            (1500, 40, "60", "1591", (31, 35, 25, 31, "performance", "1591")),
            (1500, 40, "60", "1591.1", (31, 35, 25, 31, "", "0")),
            (1500, 40, "60", "1560.5", (1, 35, 25, 31, "performance", "1560.5")),
            (1500, 40, "60", "1560.4", None),
            (1500, 40, "60", "1500", None),
        ],
    )
    def test_with_its_limits(self, rating, k, change, performance, found):
        with localcontext(CONTEXT):
            bonus = icu.bonus_of(rating, k, 5, Decimal(change), Decimal(performance), Settings())
        if found is None:
            assert bonus is None
        else:
            points, least, excess, raised, limit, highest = found
            assert bonus == (points, Decimal(change), least, excess, raised, limit, Decimal(highest))

    def test_the_cap_until_2011(self):
        with localcontext(CONTEXT):
            facts_ = 2030, 40, 5, Decimal(60), Decimal(2400)
            assert icu.bonus_of(*facts_, Settings(bonus_cap=2099)).points == 9
            assert icu.bonus_of(2030, 40, 5, Decimal("69.7"), Decimal(2400), Settings(bonus_cap=2099)) is None

    def test_none_without_a_performance(self):
        assert icu.bonus_of(1500, 40, 5, Decimal(60), None, Settings()) is None

    def test_games_against_undefined_opponents_are_entered(self):
        """Four games of worth bring no bonus, with a fifth against nobody's player they do."""
        players = {"A": "1200 K40", "B": "1500 K24", "C": "-", "D": "-"}
        four = ["A 1-0 B", "B 0-1 A", "A 1-0 B", "B 0-1 A"]
        assert done(play(players, four)).more["bonus"] == 0
        assert done(play(players, [*four, "A 1/2-1/2 B"])).more["bonus"] > 0


class TestICU_8_Order:
    @pytest.mark.parametrize(
        ("one", "other"),
        [("2", "10"), ("P9", "P10"), ("A", "B"), ("01", "1"),
            ("10", "011"),
            ("0", "1"),
            ("9" * 5000, "1" * 5001), ("A2B1", "A2B10"), ("A2B9", "A2B10"), ("A2BB", "A2C"), ("P", "P1"), ("9", "A"), ("1", "1A")],
    )  # fmt: skip
    def test_of_ids(self, one, other):
        assert sorted([other, one], key=icu.id_order) == [one, other]

    def test_settings(self):
        assert Settings() == Settings(version=2, bonus_halves="away", bonus_cap=2100)

    def test_neither_settings_nor_players_are_changed_later(self):
        for record, name in ((Settings(), "version"), (Entrant("A", "unrated", None, 0, None), "games")):
            with pytest.raises(FrozenInstanceError):
                setattr(record, name, 3)
        assert not any(
            hasattr(record, "__dict__") for record in (Settings(), EventFigures([], [], [], [], [], []))
        )
        assert not hasattr(Entrant("A", "unrated", None, 0, None), "__dict__")

    def test_more_than_one_round_must_settle(self):
        """Two rounds are too few for a game of a newcomer; a single one need not settle."""
        entrants = [Entrant("A", "fixed", 1500, 0, None, [PlayedGame(1, 1, 1)])]
        entrants.append(Entrant("B", "unrated", None, 0, None, [PlayedGame(0, 1, 1)]))
        with localcontext(CONTEXT):
            once = reckon_event(entrants, icu.VERSIONS[0]._replace(rounds_before=1), Settings())
            assert [(phase.number, phase.is_stable) for phase in once.phases] == [(1, False)]
            with pytest.raises(NotStableError):
                reckon_event(entrants, icu.VERSIONS[0]._replace(rounds_before=2), Settings())

    def test_lines_are_those_of_the_last_phase(self, monkeypatch):
        """After a single round C's only opponent had no performance; after the bonus there is one."""
        monkeypatch.setitem(icu.VERSIONS, 9, icu.VERSIONS[1]._replace(rounds_before=1))
        players = {"A": "1300 K40", "B": "-", "C": "-", "R": "1500 K24"}
        outcome = play(players, [*["A 1-0 R"] * 5, "B 1-0 R", "C 1-0 B"], 9)
        assert [rounds > 1 for rounds in done(outcome).more["rounds"]] == [False, True]
        assert [line.verdict for line in lines_of(outcome, "C")] == ["first"]

    def test_the_versions_are_those_of_the_page(self):
        assert list(icu.VERSIONS.values()) == [
            (0, 30, 1, 5, 1, 0),
            (1, 30, 30, 5, 1, 0),
            (2, 30, 30, 1, 0, 1),
            (3, 50, 50, 1, 0, 1),
        ]

    PLAYERS = {"A": "1000 K24", "C": "-", "D": "-"}

    def test_an_event_that_does_not_settle_is_refused(self):
        """One drawn to 1400, one to 600, and both to each other by 39 draws."""
        games = ["A 0-1 C", "A 1-0 D", *["C 1/2-1/2 D"] * 39]
        for version, rounds in ((0, 30), (1, 30), (2, 30), (3, 50)):
            with pytest.raises(RefusedError) as refused:
                play(self.PLAYERS, games, version)
            (fault,) = refused.value.faults
            assert fault[:4] == ("events.csv", 0, "version", "icu-not-stable")
            assert dict(fault.facts) == {"event": "E", "rounds": str(rounds), "version": str(version)}

    def test_50_rounds_may_settle_what_30_do_not(self):
        games = ["A 0-1 C", "A 1-0 D", *["C 1/2-1/2 D"] * 4]
        with pytest.raises(RefusedError):
            play(self.PLAYERS, games, 2)
        assert 30 < done(play(self.PLAYERS, games, 3), "C").more["rounds"][0] <= 50

    def test_an_events_own_version_goes_before_the_setting(self):
        games = ["A 0-1 C", "A 1-0 D", *["C 1/2-1/2 D"] * 2]
        rounds = [done(play(self.PLAYERS, games, version)).more["rounds"] for version in range(4)]
        assert rounds[0] == rounds[1] != rounds[2] == rounds[3]
        settings = [done(play(self.PLAYERS, games, version=None)).more["rounds"]]
        known, states = facts(self.PLAYERS)
        for version in range(4):
            entry = Entry(event_of(), [Game("E", n, *t) for n, t in enumerate(THREE, 1)])
            batch = Batch("E", DAY, DAY, [entry], Register(known, {}, {}), False, {})
            outcome = rate(Standings({"": states}), batch, Settings(version=version))
            settings.append(done(outcome).more["rounds"])
        assert settings == [rounds[2], *rounds]


THREE = [("A", "C", "0-1"), ("A", "D", "1-0"), ("C", "D", "1/2-1/2"), ("C", "D", "1/2-1/2")]


class TestICU_9_NewRating:
    @pytest.mark.parametrize(
        ("change", "bonus", "shift", "new"),
        [("12.5", 0, 13, 1513), ("12.49", 3, 12, 1515), ("-12.5", 0, -13, 1487), ("-12.49", 0, -12, 1488)],
    )
    def test_of_a_rated_player(self, change, bonus, shift, new):
        assert icu.new_rating(1500, Decimal(change), bonus) == (shift, new)

    def test_games_grow_by_those_with_a_value(self):
        players = {"A": "1500 K24", "B": "1500 K24", "C": "1400/3", "D": "-", "E": "-"}
        outcome = play(players, ["A 1-0 B", "A 1-0 B", "C 1-0 A", "D 1-0 E"])
        games = {name: rating.games for name, rating in outcome.standings.ratings[""].items()}
        assert games == {"A": 33, "B": 32, "C": 4}

    def test_peaks(self):
        outcome = play({"A": "1500 K24", "B": "1500 K24", "C": "-"}, ["A 1-0 B", "A 1-0 C"])
        ratings = outcome.standings.ratings[""]
        assert (ratings["A"].peak, ratings["B"].peak) == (ratings["A"].value, 1500)
        assert ratings["C"].peak == ratings["C"].value
        no_peak = Rating(1500, 30, None, earned=True)
        assert _after(no_peak, 1400, None) == Rating(1400, 30, 1400, earned=True)

    def test_a_fixed_rating_stays_and_has_no_row(self):
        outcome = play({"A": "1500 K24", "F": "fixed 1700"}, ["A 1-0 F"])
        assert done(outcome, "F").more["rating"] == 1700
        assert done(outcome, "F").more["performance"] == "1100.000000"
        assert done(outcome, "F").after.value is None
        assert set(outcome.standings.ratings[""]) == {"A"}
        assert lines_of(outcome, "F") == [Line(1, "F", "A", 0, 1700, 1500, *[None] * 4, "rated", "ICU 9")]

    def test_who_has_a_fixed_rating_and_another_is_refused(self):
        known = {"A": Player("A", "A", more=More(fixed_rating=1700)), "B": Player("B", "B")}
        with pytest.raises(RefusedError) as refused:
            play({"A": "1500/10"}, ["A 1-0 B"], register=Register(known, {}, {}))
        (fault,) = refused.value.faults
        assert fault == ("standings.csv", 0, "player_id", "icu-fixed-standing", (("player", "A"),))

    def test_who_did_not_play_stays(self):
        outcome = play({"A": "1500 K24", "B": "1500 K24", "C": "1700/5"}, ["A 1-0 B"])
        assert outcome.standings.of("", "C") == state(1700, 5)

    def test_columns_of_a_list(self):
        outcome = play({"A": "1500 K24", "B": "1500 K24", "C": "-"}, ["A 1-0 B"])
        cells = [(_bonus_cell(None, done(outcome)), _performance_cell(None, done(outcome)))]
        assert cells == [(0, "1900.000000")]
        assert (_bonus_cell(None, None), _performance_cell(None, None)) == (None, None)


class TestCalculator:
    def test_a_game(self):
        assert CALCULATOR.change(1500, 1900, 2, 32) == (-400, 9, 2909, "ICU 4")
        assert CALCULATOR.change(1500, None, 2, 32) == (None, None, None, "ICU 5")

    def test_a_first_rating(self):
        working = CALCULATOR.first(games_against((1500, None, 1601), 6))
        assert (working.mean, working.points, working.rating, len(working.games)) == ((3901, 2), 4, 1951, 2)
        none = CALCULATOR.first(games_against((None,), 1))
        assert (none.rating, none.why, none.mean, none.games) == (None, "too-few", (0, 0), ())
        assert [(each.percent, each.dp) for each in (working, none)] == [(0, 0)] * 2
        assert none.points == 0

    def test_a_new_rating(self):
        assert CALCULATOR.new_rating(1500, 1250) == (13, 1513)
        assert CALCULATOR.new_rating(1500, -1249) == (-12, 1488)
        assert (CALCULATOR.asks, CALCULATOR.shows_percent, ICU.needs_colours) == ("k", False, False)
