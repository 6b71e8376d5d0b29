"""What a game on Pandanet does for each side by itself (sections 1, 3, 5, 6, 7 of its page)."""
# ruff: noqa: N801 - a class is named after its clause

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from banzuke.core.go_facts import HALF_OF, GoGame, GoLine, GoState
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.ranks import default_zone

ZONE = default_zone()
NOON = datetime(2025, 1, 11, 12, tzinfo=timezone.utc)  # noqa: UP017 - as a ledger has it
PRO = GoState("professional", "3p", None, None, 0, 0)
BC = GoState("beginner", "BC", None, None, 0, 0)
GAME = GoGame("G", NOON, "B", "W", "B", 0, 13, 19, 200)


def certified(rank, points=None, games=200, last_two=()):
    """Certified in the middle of the rank, with 200 rated games, unless said otherwise."""
    half = HALF_OF[rank]
    return GoState("certified", rank, half, 400 * half if points is None else points, games, 0, (), last_two)


def provisional(rank, record=(), last_two=()):
    return GoState("provisional", rank + "?", HALF_OF[rank], None, len(record), 0, record, last_two)


def rate(black, white, **facts):
    return pandanet.rate(GAME._replace(**facts), black, white, ZONE)


def moved(black, white, **facts):
    """The points of both sides."""
    return tuple(line.points for line in rate(black, white, **facts))


def verdicts(black, white, **facts):
    return tuple(line.verdict for line in rate(black, white, **facts))


class TestPN_1_5_RatedGames:
    """The first reason that fails is recorded, for both sides."""

    FIVE = certified("5k")

    @pytest.mark.parametrize(
        ("facts", "verdict", "clause"),
        [
            ({"board": 13}, "not:board", "PN 1(5)a"),
            ({"board": 18}, "not:board", "PN 1(5)a"),
            ({"board": 20}, "not:board", "PN 1(5)a"),
            ({"moves": 1}, "not:moves", "PN 1(5)b"),
            ({"moves": 0}, "not:moves", "PN 1(5)b"),
            ({"moves": 2}, "rated", "PN 3(1)"),
            ({"moves": 3}, "rated", "PN 3(1)"),
            ({"room": "free"}, "not:room", "PN 1(5)f"),
            ({"room": "practice"}, "not:room", "PN 1(5)f"),
            ({"room": "monthly"}, "not:room", "PN 1(5)f"),
            ({"room": "rated"}, "rated", "PN 3(1)"),
            ({"room": ""}, "rated", "PN 3(1)"),
            ({"pair": True}, "not:pair", "PN 1(5)g"),
            ({"pair": False}, "rated", "PN 3(1)"),
            ({"robot": "black"}, "not:robot", "PN 7(1)a"),
            ({"robot": "white"}, "not:robot", "PN 7(1)a"),
            ({"result": "draw"}, "not:result", "PN 2(3)"),
            ({"result": "void"}, "not:result", "PN 2(3)"),
            ({"result": "W"}, "rated", "PN 3(1)"),
        ],
    )
    def test_what_the_game_is(self, facts, verdict, clause):
        for line in rate(self.FIVE, self.FIVE, **facts):
            assert (line.verdict, line.clause) == (verdict, clause)

    @pytest.mark.parametrize("sides", [(PRO, FIVE), (FIVE, PRO), (PRO, BC), (PRO, provisional("5k"))])
    def test_a_professional_on_either_side(self, sides):
        for line in rate(*sides):
            assert (line.verdict, line.clause) == ("not:professional", "PN 1(5)c")
            assert (line.points, line.difference, line.upper) == (None, None, None)

    def test_in_this_order(self):
        wrong = {
            "board": ("board", 9),
            "moves": ("moves", 1),
            "room": ("room", "free"),
            "pair": ("pair", True),
            "robot": ("robot", "black"),
            "professional": None,
            "result": ("result", "draw"),
        }
        while wrong:
            black = PRO if "professional" in wrong else BC
            facts = dict(value for value in wrong.values() if value)
            assert verdicts(black, provisional("9d"), **facts) == (f"not:{next(iter(wrong))}",) * 2
            del wrong[next(iter(wrong))]

    def test_a_beginner_on_either_side(self):
        for line in rate(BC, self.FIVE):
            assert line.verdict == "not:beginner"
        black, white = rate(BC, self.FIVE, result="W")
        assert (black.verdict, black.clause) == ("not:beginner", "PN 1(5)d")
        assert (white.verdict, white.clause) == ("not:beginner", "PN 1(5)d")

    def test_beginner_comes_before_provisional_and_difference(self):
        black, white = rate(BC, provisional("9d"), result="W")
        assert (black.verdict, white.verdict) == ("not:beginner", "not:beginner")

    def test_each_side_for_itself(self):
        """The certified side does not play a rated game, the provisional one does."""
        black, white = rate(provisional("5k"), self.FIVE)
        assert (black.verdict, black.clause) == ("rated", "PN 6(1)")
        assert (white.verdict, white.clause) == ("not:provisional", "PN 1(5)")

    def test_two_provisional_players(self):
        black, white = rate(provisional("5k"), provisional("5k"))
        assert (black.verdict, white.verdict) == ("not:provisional",) * 2
        assert (black.points, white.points) == (None, None)
        assert black.after == provisional("5k", last_two=(False,))

    def test_provisional_comes_before_difference(self):
        assert verdicts(certified("9d"), provisional("5k"), result="W") == (
            "not:provisional",
            "not:difference",
        )

    @pytest.mark.parametrize(
        ("black", "komi", "verdict"),
        [("3k", 13, "rated"), ("3k", 12, "rated"), ("3k", 14, "not:difference"), ("3k+", 13, "rated")],
    )
    def test_exactly_three_ranks_are_rated(self, black, komi, verdict):
        """1d against 3k is 3 ranks; half a point of komi more makes it more."""
        assert verdicts(certified(black), certified("1d"), komi=komi) == (verdict,) * 2
        reverse = {"komi": 26 - komi}
        assert verdicts(certified("1d"), certified(black), **reverse) == (verdict,) * 2

    def test_too_far_apart_moves_nothing(self):
        black, white = rate(certified("4k"), certified("1d"))
        assert (black.difference, black.upper, white.difference, white.upper) == (96, False, 96, True)
        assert (black.verdict, black.clause, black.points) == ("not:difference", "PN 1(5)e", None)
        assert black.after == certified("4k", last_two=(False,))

    def test_terms_bring_it_down_to_three(self):
        assert verdicts(certified("2k"), certified("2d+"), komi=13) == ("not:difference",) * 2
        assert verdicts(certified("2k"), certified("2d+"), komi=1) == ("rated", "rated")
        assert verdicts(certified("17k"), certified("9d"), handicap=9) == ("not:difference",) * 2


class TestPN_3_1_Points:
    def test_the_whole_of_both_lines(self):
        """Worked example 3: 3d white against 2d+ black, even: d is a half; Black wins."""
        black, white = certified("2d+"), certified("3d")
        points = 400 * HALF_OF["2d+"]
        after = black._replace(points=points + 108, rated_games=201, last_two=(True,))
        assert rate(black, white) == (
            GoLine("B", "W", black, white, 12, False, True, 108, "rated", "PN 3(1)", after),
            GoLine(
                "W", "B", white, black, 12, True, False, -108, "rated", "PN 3(1)",
                white._replace(points=points + 400 - 108, rated_games=201, last_two=(True,)),
            ),
        )  # fmt: skip

    def test_worked_example_3(self):
        sides = certified("2d+"), certified("3d")
        assert moved(*sides, result="W") == (-92, 92)
        assert moved(*sides, result="B") == (108, -108)

    def test_worked_example_4(self):
        sides = certified("2d+"), certified("3d")
        assert moved(*sides, komi=7, result="W") == (-96, 96)
        assert moved(*sides, komi=7, result="B") == (104, -104)
        assert moved(sides[0], certified("3d", games=59), komi=7, result="W") == (-96, 115)

    def test_worked_example_2(self):
        winner, loser = certified("1d+", games=30), certified("1d+", games=300)
        assert moved(winner, loser) == (150, -100)
        black, white = rate(winner, loser)
        assert (black.difference, black.upper, white.upper) == (0, None, None)

    def test_worked_example_5_black_is_the_upper_side(self):
        sides = certified("2k"), certified("1k")
        black, white = rate(*sides, handicap=3, komi=1)
        assert (black.difference, black.upper, white.difference, white.upper) == (36, True, 36, False)
        assert moved(*sides, handicap=3, komi=1) == (78, -78)
        assert moved(*sides, handicap=3, komi=1, result="W") == (-122, 122)

    def test_the_least_difference_has_an_upper_side(self):
        """Half a point of komi less than even: Black is ahead by a 24th of a rank."""
        black, white = rate(certified("5k"), certified("5k"), komi=12)
        assert (black.difference, black.upper, white.difference, white.upper) == (1, True, 1, False)
        assert (black.points, white.points) == (99, -99)
        assert moved(certified("5k"), certified("5k"), komi=12, result="W") == (-101, 101)

    def test_from_no_points(self):
        nothing = certified("17k", 0)
        assert rate(nothing, nothing)[0].after.points == 100
        assert rate(nothing, provisional("17k"))[0].after.points == 50
        assert rate(nothing, nothing, result="W", fault="black")[0].after.points == -50

    @pytest.mark.parametrize(
        ("games", "points"), [(20, 150), (48, 150), (49, 150), (50, 120), (99, 120), (100, 100), (101, 100)]
    )
    def test_3_6_the_number_of_the_game_counts_this_one(self, games, points):
        black, white = rate(certified("5k", games=games), certified("5k"))
        assert (black.points, white.points) == (points, -100)
        assert black.after.rated_games == games + 1

    @pytest.mark.parametrize(
        ("result", "won"), [("B", (True, False)), ("W", (False, True)), ("draw", (None, None))]
    )
    def test_who_won(self, result, won):
        assert tuple(line.won for line in rate(certified("5k"), certified("5k"), result=result)) == won
        assert tuple(line.won for line in rate(BC, PRO, result=result)) == won


class TestPN_4_1_RanksMoveWithPoints:
    def test_worked_example_7(self):
        state = certified("14k+", 2790)
        first = rate(state, certified("14k+"), result="W")[0].after
        assert (first.rank, first.points) == ("14k+", 2690)
        second = rate(first, certified("14k+"), result="W")[0].after
        assert (second.rank, second.half, second.points) == ("14k", 6, 2590)
        third = rate(second, certified("14k"))[0].after
        assert (third.rank, third.points) == ("14k", 2690)

    def test_by_the_zone_of_the_operator(self):
        zone = ZONE._replace(up=(50, *ZONE.up[1:]), down=(*ZONE.down[:1], 10, *ZONE.down[2:]))
        black, white = pandanet.rate(GAME, certified("17k", -50), certified("17k+", 90), zone)
        assert (black.after.rank, black.after.points) == ("17k+", 58)
        assert (white.after.rank, white.after.points) == ("17k", -18)


class TestPN_5_BeginnersClass:
    def test_a_win_counts(self):
        black, white = rate(BC, certified("5k"))
        assert (black.verdict, black.clause) == ("not:beginner", "PN 5(2)")
        assert black.after == BC._replace(wins_in_bc=1, last_two=(False,))
        assert (black.points, black.difference, black.upper, black.won) == (None, None, None, True)
        assert (white.verdict, white.clause, white.points) == ("not:beginner", "PN 1(5)d", None)

    @pytest.mark.parametrize("opponent", [BC, provisional("5k"), certified("9d")])
    def test_against_whomever(self, opponent):
        assert rate(opponent, BC, result="W")[1].after.wins_in_bc == 1

    def test_a_loss_costs_nothing(self):
        black, _ = rate(BC._replace(wins_in_bc=4), certified("5k"), result="W")
        assert black.after == BC._replace(wins_in_bc=4, last_two=(False,))
        assert black.clause == "PN 1(5)d"

    @pytest.mark.parametrize(
        "facts",
        [
            {"board": 9},
            {"moves": 1},
            {"room": "free"},
            {"pair": True},
            {"robot": "white"},
            {"fault": "white"},
        ],
    )
    def test_wins_that_do_not_count(self, facts):
        assert rate(BC, certified("5k"), **facts)[0].after.wins_in_bc == 0

    def test_nor_against_a_professional(self):
        assert rate(BC, PRO)[0].after.wins_in_bc == 0

    def test_the_fifth_win(self):
        black, _ = rate(BC._replace(wins_in_bc=4, last_two=(False, False)), certified("5k"))
        assert black.after == GoState("provisional", "17k?", 0, None, 0, 0, (), (False, False))
        zone = ZONE._replace(start=(123, *ZONE.start[1:]))
        back, _ = pandanet.rate(GAME, BC._replace(wins_in_bc=4, rated_games=20), certified("5k"), zone)
        assert back.after == GoState("certified", "17k", 0, 123, 20, 0, (), (False,))

    def test_5_3_a_17k_falls(self):
        black, _ = rate(certified("17k", -150), certified("17k", 0), result="W")
        assert black.after == GoState("beginner", "BC", None, None, 201, 0, (), (True,))
        assert black.points == -100


class TestPN_6_ProvisionalPlayers:
    def test_the_game_on_record(self):
        """The rank of even strength: the opponent's, and what the terms were worth."""
        black, _ = rate(provisional("5k"), certified("4k"), komi=1)
        assert black.after == provisional("5k", ((-84, 2),), last_two=(True,))
        assert (black.difference, black.upper, black.points) == (12, False, None)
        white_side = rate(certified("5k"), provisional("4k"), handicap=2, komi=1, result="B")[1]
        assert white_side.after.record == ((-96 + 36, 0),)

    def test_as_white_and_lost_as_black(self):
        white = rate(certified("5k"), provisional("4k"), result="W")[1]
        assert white.after.record == ((-96, 2),)
        black = rate(provisional("5k", ((0, 2),)), certified("4k"), result="W")[0]
        assert black.after.record == ((0, 2), (-72, 0))
        assert black.after.rated_games == 2

    def test_at_the_lowest_rank(self):
        black, _ = rate(provisional("17k"), certified("16k"))
        assert black.after.record == ((-360, 2),)

    def test_the_fifth_game_sets_the_rank_anew(self):
        record = ((-96, 2),) * 4
        black, _ = rate(provisional("5k", record), certified("5k"))
        assert black.after == provisional("2k", (*record, (-96, 2)), last_two=(True,))

    def test_the_twentieth_certifies(self):
        record = ((-96, 2), (-96, 0)) * 9 + ((-96, 2),)
        black, _ = rate(provisional("5k", record), certified("5k"), result="W")
        half = HALF_OF["5k"]
        assert black.after == GoState("certified", "5k", half, 400 * half + 200, 20, 0, (), (True,))
        assert black.points is None

    def test_no_rated_game_against_another_provisional_player(self):
        assert rate(provisional("5k"), provisional("5k"))[0].after.record == ()

    def test_nor_too_far_apart(self):
        black, _ = rate(provisional("9k"), certified("5k"))
        assert (black.verdict, black.after.record, black.after.rated_games) == ("not:difference", (), 0)


class TestPN_7_2_a_b_Faults:
    SIDES = certified("5k"), certified("5k")

    def test_without_a_greeting(self):
        black, white = rate(*self.SIDES, result="W", fault="black", moves=1)
        assert (black.verdict, black.clause, black.points) == ("fault", "PN 7(2)a", -50)
        assert (white.verdict, white.clause, white.points) == ("fault", "PN 7(2)a", 50)
        start = 400 * HALF_OF["5k"]
        assert black.after == certified("5k", start - 50, last_two=(False,))
        assert white.after == certified("5k", start + 50, last_two=(False,))

    def test_without_a_first_move(self):
        black, white = rate(*self.SIDES, result="B", fault="white", moves=0)
        assert (black.clause, black.points, white.clause, white.points) == ("PN 7(2)b", 50, "PN 7(2)b", -50)

    def test_never_multiplied_and_no_rated_game(self):
        black, _ = rate(certified("5k", games=20), certified("5k"), result="W", fault="black")
        assert (black.points, black.after.rated_games) == (-50, 20)

    def test_each_only_if_certified(self):
        black, white = rate(provisional("5k"), certified("5k"), result="W", fault="black")
        assert (black.verdict, black.clause, black.points) == ("fault", "PN 7(2)a", None)
        assert black.after == provisional("5k", last_two=(False,))
        assert white.points == 50
        assert moved(BC, certified("9d"), result="W", fault="black") == (None, 50)
        assert moved(BC, certified("9d"), result="B", fault="white") == (None, -50)

    def test_the_rank_moves_with_it(self):
        black, _ = rate(certified("14k+", 2650), certified("14k"), result="W", fault="black")
        assert (black.after.rank, black.after.points) == ("14k", 2600)

    @pytest.mark.parametrize(
        ("facts", "verdict"),
        [
            ({"board": 9}, "not:board"),
            ({"room": "free"}, "not:room"),
            ({"pair": True}, "not:pair"),
            ({"robot": "white"}, "not:robot"),
            ({"moves": 0}, "fault"),
        ],
    )
    def test_exclusions_come_first_but_moves(self, facts, verdict):
        assert verdicts(*self.SIDES, result="W", fault="black", **facts) == (verdict,) * 2

    def test_professionals_too(self):
        assert verdicts(PRO, self.SIDES[0], result="W", fault="black") == ("not:professional",) * 2

    @pytest.mark.parametrize(("black", "verdict"), [("8k", "fault"), ("9k", "not:difference")])
    def test_and_difference_where_both_ranks_are_known(self, black, verdict):
        lines = rate(certified(black), certified("5k"), result="W", fault="black")
        assert [line.verdict for line in lines] == [verdict] * 2
        if verdict != "fault":
            assert [(line.clause, line.points) for line in lines] == [("PN 1(5)e", None)] * 2
            assert lines[0].after == certified(black, last_two=(False,))
        assert verdicts(provisional(black), certified("5k"), result="W", fault="black") == (verdict,) * 2


class TestPN_7_2_c_Bonus:
    def bonus(self, side, opponent, **facts):
        """The winner's line, Black's."""
        return rate(side, opponent, **facts)[0]

    def test_worked_example_6(self):
        five = certified("5k")
        line = self.bonus(five, provisional("4k"))
        assert (line.verdict, line.clause, line.points) == ("bonus", "PN 7(2)c", 50)
        assert line.after == certified("5k", 400 * 24 + 50, last_two=(False,))
        black, white = rate(five, provisional("4k"), result="W")
        assert (black.verdict, black.points) == ("not:provisional", None)
        assert black.after == certified("5k", last_two=(False,))
        assert (white.verdict, white.points, white.after.rated_games) == ("rated", None, 1)

    def test_never_multiplied(self):
        line = self.bonus(certified("5k", games=20), provisional("4k"))
        assert (line.points, line.after.rated_games) == (50, 20)

    def test_the_rank_moves_with_it(self):
        line = self.bonus(certified("14k+", 3150), provisional("14k"))
        assert (line.after.rank, line.after.points) == ("13k", 3200)

    def test_as_white_too(self):
        white = rate(provisional("4k"), certified("5k"), result="W")[1]
        assert (white.verdict, white.points) == ("bonus", 50)

    @pytest.mark.parametrize(
        ("facts", "verdict"),
        [
            ({"board": 9}, "not:board"),
            ({"moves": 1}, "not:moves"),
            ({"room": "monthly"}, "not:room"),
            ({"pair": True}, "not:pair"),
            ({"robot": "white"}, "not:robot"),
            ({"result": "void"}, "not:result"),
        ],
    )
    def test_other_exclusions_come_first(self, facts, verdict):
        line = self.bonus(certified("5k"), provisional("4k"), **facts)
        assert (line.verdict, line.points) == (verdict, None)

    @pytest.mark.parametrize(
        ("opponent", "verdict"),
        [("2k", "bonus"), ("1k", "not:provisional"), ("8k", "bonus"), ("9k", "not:provisional")],
    )
    def test_a_provisional_opponent_within_three_ranks(self, opponent, verdict):
        line = self.bonus(certified("5k"), provisional(opponent))
        assert line.verdict == verdict
        assert line.points == (50 if verdict == "bonus" else None)

    def test_no_bonus_for_who_has_no_points(self):
        assert self.bonus(provisional("5k"), provisional("5k")).verdict == "not:provisional"
        assert self.bonus(provisional("9k"), BC).verdict == "not:beginner"

    def test_none_for_a_game_with_a_certified_player_too_far_away(self):
        assert self.bonus(certified("9k"), certified("5k")).verdict == "not:difference"

    @pytest.mark.parametrize(
        ("last_two", "verdict"),
        [
            ((), "bonus"),
            ((False,), "bonus"),
            ((False, True), "bonus"),
            ((True, False), "bonus"),
            ((True, True), "bonus"),
            ((False, False), "not:provisional"),
        ],
    )
    def test_7_2_d_not_if_the_last_two_games_were_both_not_rated(self, last_two, verdict):
        assert self.bonus(certified("5k", last_two=last_two), provisional("4k")).verdict == verdict

    @pytest.mark.parametrize(
        ("last_two", "facts", "after"),
        [
            ((), {}, (True,)),
            ((True,), {}, (True, True)),
            ((True, False), {}, (False, True)),
            ((False, True), {"result": "draw"}, (True, False)),
            ((False, True), {"board": 9}, (True, False)),
            ((True,), {"fault": "white"}, (True, False)),
        ],
    )
    def test_7_2_d_the_last_two_games_of_any_kind(self, last_two, facts, after):
        line = self.bonus(certified("5k", last_two=last_two), certified("5k"), **facts)
        assert line.after.last_two == after

    @pytest.mark.parametrize(
        ("rank", "verdict"),
        [
            ("10k+", "bonus"),
            ("9k", "bonus"),
            ("9k+", "not:beginner"),
            ("8k", "not:beginner"),
            ("9d", "not:beginner"),
        ],
    )
    def test_7_2_e_not_against_beginners_from_9k_plus_up(self, rank, verdict):
        line = self.bonus(certified(rank), BC)
        assert line.verdict == verdict
        assert line.clause == ("PN 7(2)c" if verdict == "bonus" else "PN 1(5)d")
        assert line.points == (50 if verdict == "bonus" else None)

    def test_7_2_e_and_the_last_two_games_count_there_too(self):
        line = self.bonus(certified("9k", last_two=(False, False)), BC)
        assert (line.verdict, line.points) == ("not:beginner", None)


class TestNothingElseIsAsked:
    def test_settings_are_empty(self):
        assert pandanet.Settings() == pandanet.Settings()
        assert repr(pandanet.Settings()) == "Settings()"
