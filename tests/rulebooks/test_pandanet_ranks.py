"""Pandanet's ranks, terms, points, border zone and certification, in the order of its page (1-6)."""
# ruff: noqa: N801, RUF012 - a class is named after its clause; its constants are never changed

from __future__ import annotations

from datetime import datetime, timezone
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from banzuke.core.go_facts import (
    HALF_OF,
    HALF_RANKS,
    Declaration,
    GoGame,
    GoOpening,
    GoPlayer,
    GoState,
    Zone,
    rank_name,
)
from banzuke.rulebooks.pandanet import ranks

ZONE = ranks.default_zone()
NOON = datetime(2025, 1, 11, 12, tzinfo=timezone.utc)  # noqa: UP017 - as a ledger has it
BC = GoState("beginner", "BC", None, None, 0, 0)


def certified(rank, points, games=100):
    return GoState("certified", rank, HALF_OF[rank], points, games, 0)


def provisional(rank, record=()):
    return GoState("provisional", rank + "?", HALF_OF[rank], None, len(record), 0, record)


class TestPN_1_1_Newcomers:
    @pytest.mark.parametrize(("declared", "half"), [("17k", 0), ("5k", 24), ("1d", 34), ("9d", 50)])
    def test_a_declared_rank_is_provisional(self, declared, half):
        state = ranks.newcomer_state(GoPlayer("A", "A", declared))
        assert state == GoState("provisional", declared + "?", half, None, 0, 0, (), ())

    def test_the_beginners_class(self):
        assert ranks.newcomer_state(GoPlayer("A", "A", "BC")) == BC

    @pytest.mark.parametrize(("declared", "professional"), [("3p", False), ("3p", True), ("5d", True)])
    def test_professionals(self, declared, professional):
        state = ranks.newcomer_state(GoPlayer("A", "A", declared, professional))
        assert state == GoState("professional", declared, None, None, 0, 0, (), ())


class TestWhatComesNext:
    """The next game's number and multiplier, rated games to certification, wins to 17k."""

    @pytest.mark.parametrize(
        ("state", "found"),
        [
            (certified("5k", 5000, games=49), (50, ranks.multiplier(50), None, None)),
            (provisional("5k", ((-96, 2), (-96, 0))), (None, None, 18, None)),
            (BC._replace(wins_in_bc=3), (None, None, None, 2)),
            (GoState("professional", "3p", None, None, 0, 0), (None,) * 4),
        ],
    )
    def test_of_each_kind_of_player(self, state, found):
        assert ranks.prospects(state) == found


class TestPN_1_3_CertifiedRanks:
    @pytest.mark.parametrize(
        ("rank", "value"),
        [
            ("1d", 24), ("1d+", 36), ("2d", 48), ("9d+", 228), ("1k", 0), ("1k+", 12),
            ("2k", -24), ("5k", -96), ("17k", -384), ("17k+", -372),
        ],
    )  # fmt: skip
    def test_nd_is_n_and_nk_is_1_less_n_in_24ths(self, rank, value):
        assert ranks.value(HALF_OF[rank]) == value

    def test_a_player_as_the_pool_opens(self):
        state = ranks.opening_state(GoOpening("A", "14k+", 25, points=2790))
        assert state == GoState("certified", "14k+", 7, 2790, 25, 0, (), ())

    def test_a_beginner_as_the_pool_opens(self):
        assert ranks.opening_state(GoOpening("A", "BC", 25, wins_in_bc=4)) == BC._replace(
            rated_games=25, wins_in_bc=4
        )
        assert ranks.opening_state(GoOpening("A", "BC", 0)) == BC

    def test_without_a_point(self):
        assert ranks.opening_state(GoOpening("A", "17k", 25, points=0)).points == 0


class TestPN_2_2_RegularTerms:
    """Stones and what Black gives (half points) for differences of 0, 0.5, 1 ... ranks."""

    TABLE = [
        (0, 13), (0, 1), (0, -11), (2, 1), (2, -11), (3, 1), (3, -11), (4, 1), (4, -11), (5, 1), (5, -11),
        (6, 1), (6, -11), (7, 1), (7, -11), (8, 1), (8, -11), (9, 1), (9, -11),
    ]  # fmt: skip

    def test_the_table(self):
        assert [ranks.regular_terms(halves) for halves in range(19)] == self.TABLE

    @pytest.mark.parametrize("halves", [19, 20, 30, 51])
    def test_nine_stones_at_most(self, halves):
        assert ranks.regular_terms(halves) == (9, -11)

    @pytest.mark.parametrize("halves", range(19))
    def test_they_are_worth_the_difference(self, halves):
        assert ranks.worth(*ranks.regular_terms(halves)) == 12 * halves


class TestPN_3_1_PointsByDifference:
    @pytest.mark.parametrize(
        ("difference", "upper", "lower"),
        [
            (0, 100, 100), (12, 92, 108), (24, 84, 116), (36, 78, 122),
            (48, 72, 128), (60, 68, 132), (72, 64, 136),
        ],
    )  # fmt: skip
    def test_the_table(self, difference, upper, lower):
        assert ranks.table_points(difference, upper_won=True) == 12 * upper
        assert ranks.table_points(difference, upper_won=False) == ranks.lower_wins(difference) == 12 * lower
        assert ranks.points_moved(difference, upper_won=True, game_number=101) == upper
        assert ranks.points_moved(difference, upper_won=False, game_number=101) == lower

    def test_the_widest_difference(self):
        assert ranks.WIDEST == 72


class TestPN_3_2_DifferenceCounted:
    def d(self, white, black, stones, komi):
        game = GoGame("G", NOON, "B", "W", "B", stones, komi, 19, 100)
        return ranks.difference_counted(game, certified(black, 0), certified(white, 0))

    @pytest.mark.parametrize(
        ("white", "black", "stones", "komi", "d"),
        [
            ("1d", "2k", 0, 1, 36),  # PN 3(3): 1.5
            ("1d", "2k", 2, 1, 12),  # PN 3(3): .5
            ("2d+", "2k", 0, 1, 72),  # PN 3(3): 3
            ("2d+", "2k", 0, 13, 84),
            ("1d+", "1d+", 0, 13, 0),  # worked example 2
            ("3d", "2d+", 0, 13, 12),  # worked example 3
            ("3d", "2d+", 0, 7, 6),  # worked example 4
            ("1k", "2k", 3, 1, -36),  # worked example 5: Black is the upper side
            ("5k", "5k", 1, 13, 0),
            ("5k", "5k", 2, 13, -24),
            ("5k", "5k", 0, 14, 1),
            ("5k", "5k", 0, 12, -1),
            ("5k", "5k", 0, -11, -24),
            ("5k", "9d+", 0, 13, -324),
        ],
    )
    def test_white_less_black_less_the_terms(self, white, black, stones, komi, d):
        assert self.d(white, black, stones, komi) == d

    def test_none_without_two_ranks(self):
        game = GoGame("G", NOON, "B", "W", "B", 0, 13, 19, 100)
        five, pro = provisional("5k"), GoState("professional", "3p", None, None, 0, 0)
        assert ranks.difference_counted(game, BC, five) is None
        assert ranks.difference_counted(game, five, BC) is None
        assert ranks.difference_counted(game, five, pro) is None
        assert ranks.difference_counted(game, five, five) == 0

    @pytest.mark.parametrize(
        ("stones", "komi", "worth"),
        [
            (0, 13, 0),
            (1, 13, 0),
            (2, 13, 24),
            (3, 13, 48),
            (9, 13, 192),
            (0, 1, 12),
            (0, -11, 24),
            (3, 1, 60),
        ],
    )
    def test_worth_of_terms(self, stones, komi, worth):
        assert ranks.worth(stones, komi) == worth


class TestPN_3_4_TheKomiSlide:
    def test_a_point_of_komi_is_a_twelfth_of_a_rank(self):
        assert ranks.worth(0, 11) == 2

    def test_worked_example_4(self):
        assert ranks.points_moved(6, upper_won=True, game_number=200) == 96
        assert ranks.points_moved(6, upper_won=False, game_number=200) == 104

    @pytest.mark.parametrize(
        ("difference", "twelfths"),
        [(1, 1208), (11, 1288), (13, 1304), (35, 1458), (37, 1470), (59, 1580), (61, 1588), (71, 1628)],
    )
    def test_linear_between_two_columns(self, difference, twelfths):
        assert ranks.lower_wins(difference) == twelfths
        assert ranks.table_points(difference, upper_won=True) == 2400 - twelfths


@given(st.integers(0, 72))
def test_pn_3_4_the_slide_is_exactly_as_fractions_say(difference):
    x = Fraction(difference, 12)
    row = [100, 108, 116, 122, 128, 132, 136, 136]
    exact = row[int(x)] + (row[int(x) + 1] - row[int(x)]) * (x - int(x))
    assert Fraction(ranks.lower_wins(difference), 12) == exact


class TestPN_3_6_Multiplier:
    @pytest.mark.parametrize(
        ("number", "tenths"),
        [(1, 15), (20, 15), (21, 15), (50, 15), (51, 12), (100, 12), (101, 10), (5000, 10)],
    )
    def test_by_the_number_of_the_game(self, number, tenths):
        assert ranks.multiplier(number) == tenths

    @pytest.mark.parametrize(
        ("difference", "upper_won", "number", "points"),
        [
            (0, True, 31, 150),  # worked example 2
            (0, False, 301, 100),  # worked example 2
            (6, True, 60, 115),  # worked example 4: 115.2
            (6, False, 60, 125),  # 124.8
            (12, True, 50, 138),
            (12, True, 51, 110),  # 110.4
            (36, True, 30, 117),
            (1, True, 101, 99),  # 99.33
            (1, False, 101, 101),  # 100.67
            (1, False, 21, 151),  # 151: exact
            (3, False, 60, 122),  # 102 x 1.2 = 122.4
            (13, True, 21, 137),  # 91.33 x 1.5 = 137: rounded after the multiplier
            (14, False, 21, 164),  # 109.33 x 1.5 = 164
            (18, False, 101, 112),
            (37, False, 21, 184),  # 122.5 x 1.5 = 183.75
            (37, False, 101, 123),  # 122.5: halves up
        ],
    )
    def test_rounded_once_after_it(self, difference, upper_won, number, points):
        assert ranks.points_moved(difference, upper_won=upper_won, game_number=number) == points


class TestPN_4_1_BorderZone:
    def moved(self, rank, points, games=100, zone=ZONE):
        return ranks.move_rank(certified(rank, 12345, games), points, zone)

    def test_worked_example_7(self):
        """14k+: up at 3200, down at 2600. 14k: up at 2800."""
        assert self.moved("14k+", 2690) == certified("14k+", 2690)
        assert self.moved("14k+", 2590) == certified("14k", 2590)
        assert self.moved("14k", 2690) == certified("14k", 2690)
        assert self.moved("14k", 2800) == certified("14k+", 2800)

    @pytest.mark.parametrize(
        ("points", "rank"),
        [
            (3199, "14k+"), (3200, "13k"), (3201, "13k"), (3599, "13k"), (3600, "13k+"), (4000, "12k"),
            (2601, "14k+"), (2600, "14k"), (2599, "14k"), (2201, "14k"), (2200, "15k+"), (1800, "15k"),
        ],
    )  # fmt: skip
    def test_at_a_line_the_rank_moves_until_it_stands(self, points, rank):
        assert self.moved("14k+", points) == certified(rank, points)

    def test_the_bottom(self):
        assert self.moved("17k", 399) == certified("17k", 399)
        assert self.moved("17k", 400) == certified("17k+", 400)
        assert self.moved("17k+", 201) == certified("17k+", 201)

    def test_the_last_two_games_are_remembered(self):
        state = certified("5k", 9700)._replace(last_two=(True, False))
        assert ranks.move_rank(state, 9800, ZONE) == state._replace(points=9800)

    def test_the_top(self):
        assert self.moved("9d+", 999_999) == certified("9d+", 999_999)
        assert self.moved("9d", 20_400) == certified("9d+", 20_400)
        assert self.moved("9d", 20_399) == certified("9d", 20_399)
        assert self.moved("9d+", 20_200) == certified("9d", 20_200)

    def test_a_table_of_the_operators_own(self):
        zone = ZONE._replace(up=(50, *ZONE.up[1:]), down=(*ZONE.down[:1], 10, *ZONE.down[2:]))
        assert self.moved("17k", 50, zone=zone) == certified("17k+", 50)
        assert self.moved("17k+", 11, zone=zone) == certified("17k+", 11)
        assert self.moved("17k+", 10, zone=zone) == certified("17k", 10)


@given(st.integers(0, HALF_RANKS - 1), st.integers(-199, 21_000))
def test_pn_4_1_wherever_it_began_the_rank_fits_its_lines(half, points):
    state = ranks.move_rank(certified(rank_name(half), 0), points, ZONE)
    up, down = ZONE.up[state.half], ZONE.down[state.half]
    assert down < points < (points + 1 if up is None else up)
    assert state.rank == rank_name(state.half)


class TestPN_4_2_TheProjectsOwnTable:
    def test_every_line(self):
        assert Zone(
            up=(*(400 * (i + 1) for i in range(51)), None),
            down=tuple(400 * i - 200 for i in range(52)),
            start=tuple(400 * i + 200 for i in range(52)),
            source="",
        ) == ranks.default_zone() == ZONE  # fmt: skip


class TestPN_5_2_FiveWinsInTheBeginnersClass:
    @pytest.mark.parametrize("wins", [0, 1, 2, 3])
    def test_one_more(self, wins):
        state = BC._replace(wins_in_bc=wins, rated_games=30)
        assert ranks.add_win_in_bc(state, ZONE) == state._replace(wins_in_bc=wins + 1)

    def test_the_fifth_leads_to_17k_provisional(self):
        assert ranks.add_win_in_bc(BC._replace(wins_in_bc=4), ZONE) == provisional("17k")
        assert ranks.add_win_in_bc(BC._replace(wins_in_bc=4, rated_games=19), ZONE) == GoState(
            "provisional", "17k?", 0, None, 19, 0
        )

    def test_what_was_on_record_stays(self):
        state = BC._replace(wins_in_bc=4, rated_games=1, record=((0, 2),))
        assert ranks.add_win_in_bc(state, ZONE).record == ((0, 2),)

    def test_or_certified_for_who_was_so_before(self):
        state = ranks.add_win_in_bc(BC._replace(wins_in_bc=4, rated_games=20), ZONE)
        assert state == GoState("certified", "17k", 0, 200, 20, 0)
        zone = ZONE._replace(start=(77, *ZONE.start[1:]))
        assert ranks.add_win_in_bc(BC._replace(wins_in_bc=4, rated_games=20), zone).points == 77


class TestPN_5_3_DownFrom17k:
    @pytest.mark.parametrize("points", [-200, -201, -1000])
    def test_at_the_demotion_line(self, points):
        state = ranks.move_rank(certified("17k", 0, 33), points, ZONE)
        assert state == GoState("beginner", "BC", None, None, 33, 0)

    def test_a_point_above_it(self):
        assert ranks.move_rank(certified("17k", 0, 33), -199, ZONE) == certified("17k", -199, 33)

    def test_from_higher_up_in_one_game(self):
        assert ranks.move_rank(certified("17k+", 0, 33), -300, ZONE).rank == "BC"


def exact_rank(record, present, step):
    """The reading of the page, in fractions and ranks instead of 24ths and half ranks."""
    table = [Fraction(n, 100) for n in (50, 54, 58, 61, 64, 66, 68)]

    def e(x):
        if x < 0:
            return 1 - e(-x)
        if x > 3:
            return min(table[6] + Fraction(4, 100) * (x - 3), Fraction(98, 100))
        column = int(2 * x)
        rest = 2 * x - column
        return table[column] + (table[min(column + 1, 6)] - table[column]) * rest

    def v(half):
        return Fraction(half, 2) - 16

    evens = [Fraction(even, 24) for even, _ in record]
    score = Fraction(sum(points for _, points in record), 2)
    fitting = [h for h in range(0, 52, step) if min(evens) - 3 <= v(h) <= max(evens) + 3]
    return min(
        fitting, key=lambda h: (abs(sum(e(v(h) - even) for even in evens) - score), abs(h - present), h)
    )


def results(rank, wins, losses):
    """Even games against that rank."""
    even = ranks.value(HALF_OF[rank])
    return ((even, 2),) * wins + ((even, 0),) * losses


class TestPN_6_1_Certification:
    @pytest.mark.parametrize(
        ("lead", "expected"),
        [
            (0, 1200), (12, 1296), (24, 1392), (36, 1464), (48, 1536), (60, 1584), (72, 1632),
            (1, 1208), (73, 1636), (96, 1728), (240, 2304), (251, 2348), (252, 2352), (253, 2352), (1000, 2352),
        ],
    )  # fmt: skip
    def test_expected_score_in_2400ths(self, lead, expected):
        assert ranks.expectation(lead) == expected
        assert ranks.expectation(-lead) == 2400 - expected

    @pytest.mark.parametrize(
        ("wins", "losses", "step", "rank"),
        [
            (5, 0, 2, "2k"),  # as far as 3 ranks above
            (0, 5, 2, "8k"),  # and 3 below
            (3, 2, 2, "4k"),  # 2.9 at 4k, 3.2 at 3k
            (2, 3, 2, "6k"),
            (10, 10, 1, "5k"),
            (12, 8, 1, "4k+"),  # 11.6 at 4k, 12.2 at 4k+
            (8, 12, 1, "7k+"),
            (13, 7, 1, "3k"),  # 12.8 at 3k, 13.2 at 3k+: equally near, see below
            (20, 0, 1, "2k"),
        ],
    )
    def test_the_rank_whose_expected_total_is_nearest(self, wins, losses, step, rank):
        half = ranks.certified_rank(results("5k", wins, losses), HALF_OF["5k"], step)
        assert rank_name(half) == rank

    def test_of_two_equally_near_the_nearer_to_the_present(self):
        record = ((ranks.value(HALF_OF["5k+"]), 2), (ranks.value(HALF_OF["5k+"]), 0))
        assert ranks.certified_rank(record, HALF_OF["4k"], 2) == HALF_OF["4k"]
        assert ranks.certified_rank(record, HALF_OF["1d"], 2) == HALF_OF["4k"]
        assert ranks.certified_rank(record, HALF_OF["5k"], 2) == HALF_OF["5k"]
        assert ranks.certified_rank(record, HALF_OF["9k"], 2) == HALF_OF["5k"]

    def test_then_the_lower(self):
        record = ((ranks.value(HALF_OF["5k+"]), 2), (ranks.value(HALF_OF["5k+"]), 0))
        assert ranks.certified_rank(record, HALF_OF["5k+"], 2) == HALF_OF["5k"]
        thirteen = results("5k", 13, 7)
        assert ranks.certified_rank(thirteen, HALF_OF["3k+"], 1) == HALF_OF["3k+"]
        assert ranks.certified_rank(thirteen, HALF_OF["3k"], 1) == HALF_OF["3k"]

    def test_whole_ranks_or_halves(self):
        record = ((ranks.value(HALF_OF["5k+"]), 2), (ranks.value(HALF_OF["5k+"]), 0))
        assert ranks.certified_rank(record, HALF_OF["9k"], 1) == HALF_OF["5k+"]

    def test_kept_within_the_grid(self):
        assert ranks.certified_rank(results("9d+", 5, 0), HALF_OF["9d"], 1) == HALF_OF["9d+"]
        assert ranks.certified_rank(results("9d+", 5, 0), HALF_OF["9d"], 2) == HALF_OF["9d"]
        assert ranks.certified_rank(results("17k", 0, 5), HALF_OF["17k"], 2) == HALF_OF["17k"]

    def test_kept_within_three_ranks_of_the_games(self):
        """Beyond the games' own ranks the bound holds, to the very 24th."""
        even = ranks.value(HALF_OF["5k"])
        assert ranks.certified_rank(((even - 1, 2),) * 5, HALF_OF["5k"], 2) == HALF_OF["3k"]
        assert ranks.certified_rank(((even + 1, 2),) * 5, HALF_OF["5k"], 2) == HALF_OF["2k"]
        assert ranks.certified_rank(((even - 1, 0),) * 5, HALF_OF["5k"], 2) == HALF_OF["8k"]
        assert ranks.certified_rank(((even + 1, 0),) * 5, HALF_OF["5k"], 2) == HALF_OF["7k"]
        wide = ((ranks.value(HALF_OF["9k"]), 2), (ranks.value(HALF_OF["5k"]), 2))
        assert ranks.certified_rank(wide, HALF_OF["5k"], 2) == HALF_OF["2k"]
        wide = ((ranks.value(HALF_OF["9k"]), 0), (ranks.value(HALF_OF["5k"]), 0))
        assert ranks.certified_rank(wide, HALF_OF["5k"], 2) == HALF_OF["12k"]


@given(
    st.lists(st.tuples(st.integers(-200, 100), st.sampled_from((0, 2))), min_size=1, max_size=20),
    st.integers(0, 51),
    st.sampled_from((1, 2)),
)
@example([(-96, 2)] * 13 + [(-96, 0)] * 7, 24, 1)
def test_pn_6_1_the_certified_rank_is_as_the_page_says_in_fractions(record, present, step):
    assert ranks.certified_rank(tuple(record), present, step) == exact_rank(record, present, step)


class TestPN_6_2_EveryFiveGames:
    @pytest.mark.parametrize("games", [1, 4, 6, 9, 11, 14, 16, 19])
    def test_nothing_in_between(self, games):
        state = provisional("9k", results("5k", games, 0))
        assert ranks.review_rank(state, ZONE) == state

    @pytest.mark.parametrize("games", [5, 10, 15])
    def test_a_new_provisional_rank(self, games):
        state = provisional("9k", results("5k", games, 0))
        assert ranks.review_rank(state, ZONE) == provisional("2k", results("5k", games, 0))

    def test_in_whole_ranks(self):
        record = ((ranks.value(HALF_OF["5k+"]), 2),) * 5 + ((ranks.value(HALF_OF["5k+"]), 0),) * 5
        assert ranks.review_rank(provisional("9k", record), ZONE).rank == "5k?"

    def test_every_whole_rank_may_be_the_nearest(self):
        state = provisional("9k", results("4k", 5, 0))
        assert ranks.review_rank(state, ZONE).rank == "1k?"

    @pytest.mark.parametrize(
        ("present", "even", "rank"),
        [("17k", -378, "17k"), ("4k", -90, "5k+"), ("9k", -90, "5k"), ("5k", -90, "5k")],
    )
    def test_of_two_equally_near_the_nearer_to_the_present_one(self, present, even, rank):
        state = provisional(present, ((even, 2), (even, 0)) * 10)
        assert ranks.review_rank(state, ZONE).rank == rank

    def test_certified_after_the_20th_in_halves(self):
        state = ranks.review_rank(provisional("9k", results("5k", 12, 8)), ZONE)
        half = HALF_OF["4k+"]
        assert state == GoState("certified", "4k+", half, 400 * half + 200, 20, 0, (), ())

    def test_with_the_points_of_the_operators_table(self):
        zone = ZONE._replace(start=tuple(range(52)))
        assert ranks.review_rank(provisional("5k", results("5k", 10, 10)), zone).points == HALF_OF["5k"]


class TestPN_6_3_Declarations:
    def test_a_provisional_player_may_declare_another(self):
        state = provisional("9k", results("5k", 3, 0))
        declared = ranks.declared_state(state, Declaration("A", NOON, "2d"))
        assert declared == provisional("2d", results("5k", 3, 0))

    @pytest.mark.parametrize(
        "state", [certified("5k", 9000), BC, GoState("professional", "3p", None, None, 0, 0)]
    )
    def test_nobody_else(self, state):
        assert ranks.declared_state(state, Declaration("A", NOON, "2d")) is None
