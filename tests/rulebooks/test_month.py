"""The steps that NCS and JCF share, walked with an edition made for the tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from making import batch, calculation, entry, event, line, lines, rated, register, standings, verdicts

from banzuke.core.batch import Register
from banzuke.core.facts import Player
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
from banzuke.rulebooks.jcf import monthly as month

K = Coefficient(20, "normal", "K")
CLAUSES = {
    code: f"clause of {code}"
    for code in ("rated", "first", "ruling", "speed", "late", "fee", "member", "forfeit", "unrated")
}


def admission(of, _batch):
    """A speed as declared; rulings name what is wrong with the event."""
    return month.Admission(
        excluded="exclude" in of.ruling,
        speed="" if "blitz" in of.ruling else of.speed or "standard",
        oldest=date(2024, 6, 2) if "late" in of.ruling else date.min,
        unpaid="unpaid" in of.ruling,
    )


def is_member(_register, player, _event, _day):
    return not player.startswith("stranger")


def inherited(player, speed, other):
    if player.fide_id:
        return int(player.fide_id), f"fide at {speed}"
    return (other, "other") if other is not None else (None, "")


def no_first_rating(games, _closes):
    return FirstWorking(games, (0, 0), 0, 0, 0, None, "never", "F")


def difference(own, other):
    """Unlike the real ones: without a limit, UR as 1000."""
    return own - (1000 if other is None else other)


def change(score, percent, k):
    return (50 * score - percent) * k


def new_rating(old, total):
    """Unlike the real ones: rounded down."""
    return total // 100, max(500, old + total // 100)


PARTS = {
    "floor": 500,
    "rates_against_unrated": True,
    "unrated_pair_waits": True,
    "clauses": CLAUSES,
    "admission": admission,
    "is_member": is_member,
    "inherited": inherited,
    "coefficient": lambda _own, _other, _player, _year: K,
    "difference": difference,
    "change": change,
    "new_rating": new_rating,
    "first_rating": no_first_rating,
}


def made(**other):
    """The edition of the tests, with some parts in place of its own."""
    return month.Edition(**(PARTS | other))


EDITION = made()


def rate(before, *entries, edition=EDITION, known=(), opens=False):
    of = batch("2024-07", *entries, known=register(entries, *known), opens=opens)
    return month.rate(edition, before, of)


def one(*texts, **facts):
    return entry(event(**facts), *texts)


class TestWhyAGameDoesNotEnter:
    """The first reason that applies, in the order of the rule page."""

    #: Everything is wrong with this game; reasons are taken away one by one.
    ALL = ("exclude", "blitz", "late", "unpaid", "stranger", "+/-")

    def verdict(self, *wrong):
        white = "stranger" if "stranger" in wrong else "A"
        result = "+/-" if "+/-" in wrong else "1-0"
        before = standings({"A": rated(1500), "B": rated(1500)})
        outcome = rate(before, one(f"{white} {result} B", ruling=" ".join(wrong)))
        (white_line, black_line) = lines(outcome)
        assert white_line.verdict == black_line.verdict
        assert white_line.clause == black_line.clause == f"clause of {white_line.verdict}"
        return white_line.verdict

    @pytest.mark.parametrize(
        ("taken_away", "reason"),
        [(0, "ruling"), (1, "speed"), (2, "late"), (3, "fee"), (4, "member"), (5, "forfeit"), (6, "rated")],
    )
    def test_in_their_order(self, taken_away, reason):
        assert self.verdict(*self.ALL[taken_away:]) == reason

    @pytest.mark.parametrize(
        ("wrong", "reason"),
        [
            ("exclude", "ruling"),
            ("blitz", "speed"),
            ("late", "late"),
            ("unpaid", "fee"),
            ("stranger", "member"),
            ("+/-", "forfeit"),
        ],
    )
    def test_each_alone(self, wrong, reason):
        assert self.verdict(wrong) == reason

    def test_a_ruling_on_the_game(self):
        of = one("A 1-0 B")
        of.games[0] = of.games[0]._replace(ruling="exclude")
        assert verdicts(rate(standings(), of), "A") == ["ruling"]

    def test_a_black_stranger(self):
        assert verdicts(rate(standings(), one("A 1-0 stranger")), "A") == ["member"]

    def test_the_day_of_the_game_else_the_events_first(self):
        of = one("A 1-0 B 2024-06-01", "A 1-0 B 2024-06-02", "A 1-0 B", ruling="late", ends="2024-06-03")
        assert verdicts(rate(standings(), of), "A") == ["late", "first", "late"]

    def test_membership_is_asked_for_the_day_of_the_game(self):
        asked = []
        edition = made(is_member=lambda *what: asked.append(what) or True)
        of = one("A 1-0 B 2024-06-02", "A 1-0 B", ends="2024-06-03")
        rate(standings(), of, edition=edition)
        known = register([of])
        assert asked == [
            (known, player, of.event, date(2024, 6, number)) for number in (2, 1) for player in "AB"
        ]

    @pytest.mark.parametrize(("result", "score"), [("1-0", 2), ("0-1", 0), ("1/2-1/2", 1), ("+/-", None)])
    def test_a_line_left_out_shows_score_and_ratings(self, result, score):
        before = standings({"A": rated(1500), "B": rated(1600)}, rapid={"A": rated(1400)})
        outcome = rate(before, one(f"A {result} B", ruling="unpaid"))
        assert line(outcome, "A")[:6] == (1, "A", "B", score, 1500, 1600)
        assert line(outcome, "A")[6:10] == (None, None, None, None)

    def test_ratings_are_blank_where_the_event_has_no_speed(self):
        before = standings({"A": rated(1500), "B": rated(1600)})
        outcome = rate(before, one("A 1-0 B", ruling="blitz"))
        assert line(outcome, "A")[:6] == (1, "A", "B", 2, None, None)

    def test_ratings_are_those_of_the_events_speed(self):
        before = standings({"A": rated(1500)}, rapid={"A": rated(1400), "B": rated(1300)})
        outcome = rate(before, one("A 1-0 B", ruling="unpaid", speed="rapid"))
        assert line(outcome, "A")[4:6] == (1400, 1300)


class TestWhatAnEditionIsAsked:
    def test_admission_gets_event_and_batch(self):
        asked = []

        def asking(of, whole):
            asked.append((of, whole))
            return admission(of, whole)

        of = one("A 1-0 B")
        whole = batch("2024-07", of)
        month.rate(made(admission=asking), standings(), whole)
        assert asked == [(of.event, whole)]

    def test_inheritance_gets_player_speed_and_the_other_rating(self):
        asked = []

        def asking(player, speed, other):
            asked.append((player, speed, other))
            return None, ""

        of = one("A 1-0 B", speed="rapid")
        before = standings({"A": rated(1500, peak=1700)})
        rate(before, of, edition=made(inherited=asking))
        assert asked == [(Player("A", "A"), "rapid", 1500), (Player("B", "B"), "rapid", None)]

    def test_k_gets_both_states_player_and_year_once_for_games_of_a_year(self):
        asked = []

        def asking(own, other, player, year):
            asked.append((own, other, player, year))
            return K

        before = standings({"A": rated(1500), "B": rated(1600)}, rapid={"A": rated(1400)})
        of = one("A 1-0 B", "B 1-0 A", "A 1-0 B 2025-01-01", starts="2024-12-31", ends="2025-01-01")
        rate(before, of, edition=made(coefficient=asking))
        a = (rated(1500), rated(1400), Player("A", "A"))
        b = (rated(1600), UNRATED, Player("B", "B"))
        assert asked == [(*a, 2024), (*b, 2024), (*a, 2025), (*b, 2025)]

    def test_k_knows_what_the_other_speed_inherits_in_this_batch(self):
        asked = []

        def asking(own, other, player, _year):
            asked.append((player.player_id, own, other))
            return K

        before = standings({"B": rated(1600)}, rapid={"A": rated(1400, 9), "B": rated(1600)})
        of = [one("A 1-0 B", event_id="D", speed="rapid"), one("A 1-0 B")]
        rate(before, *of, edition=made(coefficient=asking))
        taken_over = Rating(1400, 0, 1400, earned=False)
        assert ("A", rated(1400, 9), taken_over) in asked
        assert ("A", taken_over, rated(1400, 9)) in asked

    def test_first_rating_gets_all_games_on_file_and_the_windows_last_day(self):
        asked = []

        def asking(games, closes):
            asked.append((games, closes))
            return no_first_rating(games, closes)

        edition = made(first_rating=asking)
        old = FirstGame("D", 1, date(2024, 1, 1), "C", 1700, 2)
        before = Standings({"standard": {"B": rated(1600)}}, {"standard": {"A": (old,)}})
        outcome = rate(before, one("A 0-1 B 2024-06-02", "B 0-1 A", ends="2024-06-02"), edition=edition)
        games = (
            old,
            FirstGame("E", 1, date(2024, 6, 2), "B", 1600, 0),
            FirstGame("E", 2, date(2024, 6, 1), "B", 1600, 2),
        )
        assert asked == [(games, date(2024, 6, 20))]
        assert outcome.standings.waiting["standard"] == {"A": games}


class TestInheritance:
    def test_state_source_and_floor(self):
        player = Player("A", "A", fide_id="499")
        outcome = rate(standings({"B": rated(500)}), one("A 1/2-1/2 B"), known=[player])
        done = calculation(outcome, "A")
        entered = Rating(500, 0, 500, earned=False)
        after = Rating(500, 1, 500, earned=False)
        assert done == Calculation("A", UNRATED, entered, "fide at standard", 0, 0, False, None, after)

    def test_the_first_game_that_enters_settles_it_for_the_batch(self):
        player = Player("A", "A", fide_id="1400")
        outcome = rate(standings({"B": rated(1500)}), one("A +/- B", "A 1-0 B", "A 1-0 B"), known=[player])
        assert [row.own for row in lines(outcome) if row.player == "A"] == [1400] * 3

    def test_a_rated_player_inherits_nothing(self):
        player = Player("A", "A", fide_id="1400")
        outcome = rate(standings({"A": rated(1500), "B": rated(1500)}), one("A 1/2-1/2 B"), known=[player])
        assert calculation(outcome, "A").source == ""
        assert calculation(outcome, "A").entered == rated(1500)

    def test_an_unrated_player_without_a_source_enters_unchanged(self):
        state = Rating(None, 2, None, earned=False)
        outcome = rate(standings({"A": state, "B": rated(1500)}), one("A 1-0 B"))
        assert calculation(outcome, "A").entered == state
        assert calculation(outcome, "A").source == ""

    def test_speeds_are_the_two_domestic_ones(self):
        assert month.SPEEDS == ("standard", "rapid")
        assert month.OTHER_SPEED == {"standard": "rapid", "rapid": "standard"}


class TestAGameAgainstUnrated:
    LETTER = made(rates_against_unrated=False)

    def test_counts_where_the_edition_rates_it(self):
        outcome = rate(standings({"A": rated(1500)}), one("A 0-1 B"))
        assert lines(outcome) == [
            Line(1, "A", "B", 0, 1500, None, 500, 96, K, -1920, "rated", "clause of rated"),
            Line(1, "B", "A", 2, None, 1500, None, None, None, None, "first", "clause of first"),
        ]

    def test_moves_nothing_where_it_does_not(self):
        outcome = rate(standings({"A": rated(1500)}), one("A 0-1 B"), edition=self.LETTER)
        assert lines(outcome) == [
            Line(1, "A", "B", 0, 1500, None, *[None] * 4, "unrated", "clause of unrated"),
            Line(1, "B", "A", 2, None, 1500, *[None] * 4, "first", "clause of first"),
        ]
        assert calculation(outcome, "A").after == rated(1500)
        assert calculation(outcome, "B").after == Rating(None, 1, None, earned=False)
        assert "A" not in outcome.standings.waiting["standard"]

    @pytest.mark.parametrize(("waits", "verdict"), [(True, "first"), (False, "unrated")])
    def test_two_unrated(self, waits, verdict):
        edition = made(rates_against_unrated=False, unrated_pair_waits=waits)
        outcome = rate(standings(), one("A 1/2-1/2 B"), edition=edition)
        assert verdicts(outcome, "A") == verdicts(outcome, "B") == [verdict]
        assert calculation(outcome, "A").after == UNRATED
        assert (calculation(outcome, "A").first is not None) is waits

    def test_a_first_rating_is_asked_for_when_one_of_the_new_games_was_against_rated(self):
        edition = made(rates_against_unrated=False, unrated_pair_waits=False)
        outcome = rate(standings({"B": rated(1500)}), one("A 1-0 X", "A 1-0 B"), edition=edition)
        first = calculation(outcome, "A").first
        assert [game.opponent for game in first.games] == ["X", "B"]
        assert calculation(outcome, "X").first is None

    def test_a_first_rating(self):
        def first_rating(games, _closes):
            return FirstWorking(games, (1500, 1), 2, 100, 800, 1733, "", "F")

        outcome = rate(standings({"B": rated(1500)}), one("A 1-0 B"), edition=made(first_rating=first_rating))
        done = calculation(outcome, "A")
        assert done.after == Rating(1733, 1, 1733, earned=True)
        assert done[:7] == ("A", UNRATED, UNRATED, "", 0, 0, False)
        assert done.first.rating == 1733
        assert outcome.standings.waiting == {"standard": {}, "rapid": {}}


class TestTheSums:
    def test_the_edition_rounds(self):
        before = standings({"A": rated(1500), "B": rated(1520)})
        outcome = rate(before, one("A 1/2-1/2 B", "A 1/2-1/2 B", "A 1/2-1/2 B"))
        done = calculation(outcome, "A")
        after = Rating(1501, 103, 1501, earned=False)
        assert done == Calculation("A", rated(1500), rated(1500), "", 180, 1, False, None, after)
        assert calculation(outcome, "B")[4:6] == (-180, -2)

    def test_changes_of_a_player_add_up_with_the_k_of_each_year(self):
        edition = made(coefficient=lambda _own, _other, _player, year: Coefficient(year - 2000, "", ""))
        of = one("A 1-0 B", "A 1-0 B 2025-01-01", starts="2024-12-31", ends="2025-01-01")
        outcome = rate(standings({"A": rated(1500), "B": rated(1500)}), of, edition=edition)
        assert calculation(outcome, "A").total == 50 * 24 + 50 * 25
        assert calculation(outcome, "A").after == Rating(1524, 102, 1524, earned=False)
        assert calculation(outcome, "B").after == Rating(1475, 102, 1500, earned=False)

    def test_the_peak_stays_and_grows(self):
        before = standings({"A": rated(1500, peak=1505), "B": rated(1500, peak=1600)})
        outcome = rate(before, one("A 1-0 B"))
        assert calculation(outcome, "A").after == rated(1510, 101)
        assert calculation(outcome, "B").after == rated(1490, 101, peak=1600)

    def test_a_peak_that_nobody_noted(self):
        before = standings({"A": Rating(1500, 9, None, earned=True), "B": rated(1500)})
        outcome = rate(before, one("A 0-1 B"))
        assert calculation(outcome, "A").after == Rating(1490, 10, 1490, earned=True)

    def test_the_floor_holds(self):
        before = standings({"A": rated(505), "B": rated(505)})
        done = calculation(rate(before, one("A 0-1 B")), "A")
        assert done[4:9] == (-1000, -10, True, None, Rating(500, 101, 505, earned=False))

    def test_who_played_nothing_stays(self):
        before = standings({"A": rated(1500), "B": rated(1500), "C": rated(1700)}, rapid={"A": rated(1400)})
        outcome = rate(before, one("A 1-0 B"))
        assert outcome.standings.ratings["standard"]["C"] == rated(1700)
        assert outcome.standings.ratings["rapid"] == {"A": rated(1400)}
        assert list(outcome.calculations["standard"]) == ["A", "B"]

    def test_games_that_wait_go_on_waiting(self):
        game = FirstGame("D", 1, date(2024, 1, 1), "B", 1500, 2)
        before = Standings({"standard": {}}, {"standard": {"C": (game,)}, "rapid": {"C": (game, game)}})
        outcome = rate(before, one("A 1-0 B"))
        assert outcome.standings.waiting["standard"]["C"] == (game,)
        assert outcome.standings.waiting["rapid"] == {"C": (game, game)}
        assert before.waiting["standard"] == {"C": (game,)}

    def test_games_on_file_go_when_a_rating_is_inherited(self):
        game = FirstGame("D", 1, date(2024, 1, 1), "B", 1500, 2)
        before = Standings(
            {"standard": {"B": rated(1500)}, "rapid": {"A": rated(1400)}}, {"standard": {"A": (game,)}}
        )
        outcome = rate(before, one("A 1-0 B"))
        assert outcome.standings.waiting["standard"] == {}
        assert calculation(outcome, "A").first is None

    def test_events_and_lines_stand_in_the_order_given(self):
        second = one("B 1-0 A", "A 1-0 C", event_id="A9", speed="rapid")
        outcome = rate(standings(), one("A 1-0 B"), second)
        assert [(of.event.event_id, of.speed) for of in outcome.events] == [
            ("E", "standard"),
            ("A9", "rapid"),
        ]
        assert [(row.round, row.player) for row in outcome.events[1].lines] == [
            (1, "B"), (1, "A"), (2, "A"), (2, "C"),
        ]  # fmt: skip
        assert outcome.events[1] == EventLines(second.event, "rapid", outcome.events[1].lines)

    def test_an_event_without_games(self):
        outcome = rate(standings(), one())
        assert outcome.events[0].lines == []
        assert outcome.standings == Standings({"standard": {}, "rapid": {}}, {"standard": {}, "rapid": {}})

    def test_the_register_is_read_and_nothing_else(self):
        players = {name: Player(name, name) for name in "AB"}
        of = one("A 1-0 B")
        whole = replace(batch("2024-07", of), register=Register(players, {}, {}))
        assert verdicts(month.rate(EDITION, standings(), whole), "A") == ["first"]


class TestTheFloorAtAnEditionsFirstList:
    BEFORE = standings({"A": rated(499, peak=600), "B": rated(500), "C": Rating(None, 3, None, earned=False)})

    def test_raises_who_stands_below(self):
        raised = month.raise_to_floor(self.BEFORE.ratings, 500)
        assert raised["standard"] == {
            "A": rated(500, peak=600), "B": rated(500), "C": Rating(None, 3, None, earned=False),
        }  # fmt: skip

    def test_who_stands_at_it_is_left_alone(self):
        at_the_floor = {"rapid": {"A": Rating(500, 1, None, earned=True)}}
        assert month.raise_to_floor(at_the_floor, 500) == at_the_floor

    def test_and_the_peak_with_it(self):
        low = {"rapid": {"A": rated(100, peak=200), "B": Rating(100, 1, None, earned=True)}}
        assert month.raise_to_floor(low, 500) == {
            "rapid": {"A": rated(500), "B": Rating(500, 1, 500, earned=True)},
        }

    @pytest.mark.parametrize(("opens", "own"), [(True, 500), (False, 499)])
    def test_only_at_the_first_list(self, opens, own):
        outcome = rate(self.BEFORE, one("A 1-0 B"), opens=opens)
        assert line(outcome, "A").own == own
        assert calculation(outcome, "A").before == rated(499, peak=600)
