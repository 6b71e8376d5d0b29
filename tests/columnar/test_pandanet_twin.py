"""The fast twin of Pandanet gives what the readable book gives: tables, single games, worked examples."""

from __future__ import annotations

from datetime import datetime, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import (
    GAME_TYPES,
    IN_BC,
    RESULTS,
    SIDES,
    GoDeclarations,
    GoGames,
    rank_words,
    states_of,
    zones_of,
)
from banzuke.core.derived_books import reform_book
from banzuke.core.go_facts import HALF_OF, HALF_RANKS, ROOMS, Declaration, GoGame, GoState, Zone, rank_name
from banzuke.core.registry import BOOKS
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet import ranks as pandanet_ranks
from banzuke.rulebooks.pandanet.columnar import pandanet_twin as twin
from banzuke.rulebooks.pandanet.columnar.lookup_tables import tables_of
from banzuke.rulebooks.pandanet.ranks import default_zone

ZONE = default_zone()
NOON = datetime(2025, 1, 11, 12, tzinfo=timezone.utc)  # noqa: UP017 - as a ledger has it
GAME = GoGame("G", NOON, "B", "W", "B", 0, 13, 19, 200)
NOBODY = GoDeclarations(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))

FIGURES = tables_of(BOOKS["pandanet"])


def certified(rank, points=None, games=200, last_two=()):
    half = HALF_OF[rank]
    return GoState("certified", rank, half, 400 * half if points is None else points, games, 0, (), last_two)


def provisional(rank, record=(), last_two=()):
    return GoState("provisional", rank + "?", HALF_OF[rank], None, len(record), 0, record, last_two)


BC = GoState("beginner", "BC", None, None, 0, 0)
PRO = GoState("professional", "3p", None, None, 0, 0)


def columns(*games):
    """Games of the players 0 and 1, all at once."""
    cells = [
        (0, 0, 1, RESULTS.index(g.result), g.handicap, g.komi, g.board, g.moves, ROOMS.index(g.room),
         bool(g.pair), SIDES.index(g.robot), SIDES.index(g.fault))
        for g in games
    ]  # fmt: skip
    of_games = zip(*cells, strict=True) if cells else [[]] * len(GAME_TYPES)
    return GoGames(*(np.array(column, kind) for column, kind in zip(of_games, GAME_TYPES, strict=True)))


def opened(*states):
    """The states as the twin keeps them, and its words for ranks."""
    words = rank_words(states)
    return states_of(states, words, pandanet_ranks.CERTIFYING_GAMES), words


def closed(states, words, number):
    """A player's state as a GoState; of the last two games only whether both were not rated is known."""
    player = states.players[number]
    rank, half = int(player["rank"]), int(player["rank"]) % HALF_RANKS
    kind = "certified" if rank < HALF_RANKS else "provisional" if rank < IN_BC else "beginner"
    kind = "professional" if rank > IN_BC else kind
    evens = tuple(states.evens[number, : player["on_record"]].tolist())
    return (
        kind, words[rank], half if rank < IN_BC else None, int(player["points"]) if kind == "certified" else None,
        int(player["rated_games"]), int(player["wins_in_bc"]), evens, int(player["score"]),
        int(player["unrated"]) == twin.BOTH_UNRATED,
    )  # fmt: skip


def read(state):
    """A readable state in the same form."""
    return (
        *state[:6], tuple(even for even, _ in state.record), sum(won for _, won in state.record),
        state.last_two == (False, False),
    )  # fmt: skip


def said(line, words):
    """A line as the readable book's: ranks, difference, upper, won, points, verdict, clause."""
    blank = {name: None if line[name] == MISSING else int(line[name]) for name in line.dtype.names}
    return (
        words[line["rank"]], blank["difference"], blank["upper"], blank["won"], blank["points"],
        *twin.JUDGEMENTS[line["judgement"]], words[line["rank_after"]],
    )  # fmt: skip


def of_line(line):
    flags = (None if flag is None else int(flag) for flag in (line.upper, line.won))
    return (
        line.before.rank, line.difference, *flags, line.points, line.verdict, line.clause, line.after.rank,
    )  # fmt: skip


def rate(black, white, zone=ZONE, **facts):
    """Both lines of a game by the twin, which must be what the readable book says."""
    game = GAME._replace(**facts)
    states, words = opened(black, white)
    lines = twin.rate(states, columns(game), NOBODY, zones_of([zone], [0]), FIGURES).lines
    readable = pandanet.rate(game, black, white, zone)
    for number, (line, by_book) in enumerate(zip(lines, readable, strict=True)):
        assert said(line, words) == of_line(by_book)
        assert closed(states, words, number) == read(by_book.after)
    silent, _ = opened(black, white)
    assert (
        twin.rate(silent, columns(game), NOBODY, zones_of([zone], [0]), FIGURES, with_lines=False).lines
        is None
    )
    assert (silent.players == states.players).all()
    return [said(line, words) for line in lines]


def points(black, white, **facts):
    return tuple(line[4] for line in rate(black, white, **facts))


def verdicts(black, white, **facts):
    return tuple(line[5] for line in rate(black, white, **facts))


class TestTables:
    TABLE = FIGURES[0]

    @pytest.mark.parametrize("upper_won", [False, True])
    @pytest.mark.parametrize("number", [1, 21, 50, 51, 100, 101, 5000])
    def test_points(self, upper_won, number):
        step = int(np.searchsorted(self.TABLE["last_game"], number))
        assert self.TABLE["points"][step, int(upper_won)].tolist() == [
            pandanet_ranks.points_moved(d, upper_won=upper_won, game_number=number)
            for d in range(pandanet_ranks.WIDEST + 1)
        ]

    def test_expectations(self):
        middle = int(self.TABLE["middle"])
        assert self.TABLE["expected"].tolist() == [
            pandanet_ranks.expectation(lead) for lead in range(-middle, middle + 1)
        ]
        assert (
            middle >= pandanet_ranks.value(HALF_RANKS - 1) - pandanet_ranks.value(0) + pandanet_ranks.WIDEST
        )

    def test_ranks_and_terms(self):
        assert self.TABLE["value"].tolist() == [pandanet_ranks.value(half) for half in range(HALF_RANKS)]
        for stones in range(10):
            for komi in (-19998, -11, 0, 1, 7, 13, 19999):
                assert self.TABLE["worth"][stones] - komi == pandanet_ranks.worth(stones, komi)

    def test_every_reason_has_its_clause(self):
        assert set(twin.REASONS) == set(pandanet.CLAUSES)
        assert {clause for _, clause in twin.JUDGEMENTS[1:]} <= set(pandanet.REGISTER)


class TestWorkedExamples:
    """Those of the rule book's page."""

    @pytest.mark.parametrize(
        ("white", "stones", "komi", "d"),
        [("1d", 0, 1, 36), ("1d", 2, 1, 12), ("2d+", 0, 1, 72), ("2d+", 0, 13, 84)],
    )
    def test_1(self, white, stones, komi, d):
        line = rate(certified("2k"), certified(white), handicap=stones, komi=komi)[0]
        assert line[1] == d
        assert line[5] == ("rated" if d <= 72 else "not:difference")

    def test_2(self):
        assert points(certified("1d+", games=30), certified("1d+", games=300)) == (150, -100)

    @pytest.mark.parametrize(("result", "moved"), [("W", (-92, 92)), ("B", (108, -108))])
    def test_3(self, result, moved):
        assert points(certified("2d+"), certified("3d"), result=result) == moved

    @pytest.mark.parametrize(("result", "moved"), [("W", (-96, 96)), ("B", (104, -104))])
    def test_4(self, result, moved):
        assert points(certified("2d+"), certified("3d"), result=result, komi=7) == moved

    def test_4_at_the_sixtieth_game(self):
        white = certified("3d", games=59)
        assert points(certified("2d+"), white, result="W", komi=7) == (-96, 115)

    @pytest.mark.parametrize(("result", "moved"), [("B", (78, -78)), ("W", (-122, 122))])
    def test_5(self, result, moved):
        assert points(certified("2k"), certified("1k"), handicap=3, komi=1, result=result) == moved
        assert rate(certified("2k"), certified("1k"), handicap=3, komi=1, result=result)[0][2] == 1

    def test_6(self):
        assert points(certified("5k"), provisional("4k")) == (50, None)
        assert verdicts(certified("5k"), provisional("4k")) == ("bonus", "rated")
        assert points(certified("5k"), provisional("4k"), result="W") == (None, None)
        assert points(certified("9k+"), BC) == (None, None)
        assert points(certified("9k"), BC) == (50, None)
        assert points(certified("9k", last_two=(False, False)), BC) == (None, None)

    def test_7(self):
        """2790 as 14k+, two games lost and one won."""
        states, words = opened(certified("14k+", 2790), certified("14k+"))
        ranks = []
        for result, other in (("W", "14k+"), ("W", "14k+"), ("B", "14k")):
            fresh, _ = opened(certified("14k+"), certified(other))
            states.players[1] = fresh.players[1]
            twin.rate(states, columns(GAME._replace(result=result)), NOBODY, zones_of([ZONE], [0]), FIGURES)
            ranks.append((int(states.players[0]["points"]), words[states.players[0]["rank"]]))
        assert ranks == [(2690, "14k+"), (2590, "14k"), (2690, "14k")]


RECORDS = st.lists(
    st.tuples(st.integers(-30, 18).map(lambda v: 12 * v), st.sampled_from((0, 2))), max_size=19
)
HALVES = st.integers(0, HALF_RANKS - 1)
LAST_TWO = st.lists(st.booleans(), max_size=2).map(tuple)


@st.composite
def a_state(draw):
    kind, half, last_two = draw(st.integers(0, 9)), draw(HALVES), draw(LAST_TWO)
    if kind < 5:
        where = 400 * half + draw(st.sampled_from((-199, -150, -101, 0, 300, 399)))
        where = min(where, 10**6) if half == HALF_RANKS - 1 else where
        games = draw(st.sampled_from((20, 49, 50, 99, 100, 1000)))
        return certified(rank_name(half), where, games, last_two)
    if kind < 8:
        around = pandanet_ranks.value(half // 2 * 2)
        record = tuple((around + even % 72, won) for even, won in draw(RECORDS))
        games = len(record) + draw(st.sampled_from((0, 0, 7)))
        return provisional(rank_name(half // 2 * 2), record, last_two)._replace(rated_games=games)
    if kind < 9:
        return BC._replace(
            rated_games=draw(st.sampled_from((0, 19, 20, 300))), wins_in_bc=draw(st.integers(0, 4)),
            last_two=last_two,
        )  # fmt: skip
    return PRO._replace(rank=draw(st.sampled_from(("1p", "9p", "5k", "BC"))), last_two=last_two)


@st.composite
def game_facts(draw):
    seldom = st.sampled_from((False,) * 9 + (True,))
    result = draw(st.sampled_from("BW" * 9 + "D"))
    at_fault = {"B": "white", "W": "black"}.get(result, "") if draw(seldom) else ""
    return {
        "result": "draw" if result == "D" else result,
        "handicap": draw(st.integers(0, 9)),
        "komi": draw(st.sampled_from((13, 1, -11, 7, 14, 400))),
        "board": 9 if draw(seldom) else 19,
        "moves": draw(st.sampled_from((0, 1, 2, 200, 200, 200))),
        "room": draw(st.sampled_from(ROOMS)) if draw(seldom) else "",
        "pair": draw(st.sampled_from((None, False, True))) if draw(seldom) else None,
        "robot": "white" if draw(seldom) else "",
        "fault": at_fault,
    }


@st.composite
def zones(draw):
    """A border-zone table of some server."""
    width, slack = draw(st.integers(60, 500)), draw(st.integers(1, 300))
    slack = min(slack, width)
    up = tuple((half + 1) * width for half in range(HALF_RANKS - 1))
    down = tuple(half * width - slack for half in range(HALF_RANKS))
    return Zone(
        (*up, None), down, tuple(half * width + width // 2 for half in range(HALF_RANKS)), "lines.toml"
    )


@given(black=a_state(), white=a_state(), facts=game_facts(), zone=zones() | st.just(ZONE))
@settings(max_examples=examples(1500))
def test_any_game_between_any_two(black, white, facts, zone):
    rate(black, white, zone, **facts)


class TestDeclarations:
    """In the order of time, one at the very time of a game's end before it."""

    @pytest.mark.parametrize(("at", "rank"), [(-1, "9k?"), (0, "9k?"), (1, "5k?")])
    def test_a_declaration_and_a_game(self, at, rank):
        states, words = opened(provisional("5k"), certified("6k"))
        saying = GoDeclarations(np.array([at]), np.zeros(1, np.int32), np.array([HALF_OF["9k"]], np.int32))
        rated = twin.rate(states, columns(GAME), saying, zones_of([ZONE], [0]), FIGURES)
        assert words[rated.lines[0]["rank"]] == rank
        assert words[states.players[0]["rank"]] == "9k?"
        assert rated.ignored == 0

    @pytest.mark.parametrize("state", [certified("5k"), BC, PRO])
    def test_one_that_is_ignored(self, state):
        states, words = opened(state)
        saying = GoDeclarations(np.zeros(1, np.int64), np.zeros(1, np.int32), np.zeros(1, np.int32))
        assert twin.rate(states, columns(), saying, zones_of([ZONE], [0]), FIGURES).ignored == 1
        assert closed(states, words, 0) == read(state)
        assert pandanet_ranks.declared_state(state, Declaration("B", NOON, "17k")) is None


def test_each_edition_has_its_zone_from_its_moment_on():
    later = ZONE._replace(up=tuple(None if line is None else line - 399 for line in ZONE.up))
    games = columns(GAME._replace(moves=1), GAME, GAME)._replace(ended=np.array([99, 99, 100]))
    states, words = opened(certified("5k", 9650), certified("5k", 9650))
    twin.rate(states, games.between(0, 2), NOBODY, zones_of([ZONE, later], [0, 100]), FIGURES)
    assert [words[player["rank"]] for player in states.players] == ["5k", "5k"]
    twin.rate(states, games.between(2, 3), NOBODY, zones_of([ZONE, later], [0, 100]), FIGURES)
    assert [words[player["rank"]] for player in states.players] == ["5k+", "5k"]


class TestOtherFigures:
    """Of the laboratory."""

    @staticmethod
    def rated(black, white, figures, **facts):
        states, words = opened(black, white)
        rated = twin.rate(
            states,
            columns(GAME._replace(**facts)),
            NOBODY,
            zones_of([ZONE], [0]),
            tables_of(reform_book(BOOKS["pandanet"], figures)),
        )
        return states, [said(line, words) for line in rated.lines]

    def test_the_flat_points(self):
        assert [line[4] for line in self.rated(certified("9k"), BC, {"flat": 30})[1]] == [30, None]

    @pytest.mark.slow
    def test_the_multipliers(self):
        figures = {"multipliers": ((50, 20),), "later_multiplier": 5}
        assert [line[4] for line in self.rated(certified("9k", games=49), certified("9k"), figures)[1]] == [
            200,
            -50,
        ]

    def test_the_table(self):
        figures = {"lower_wins": (100, 120, 130, 140, 150, 160, 170)}
        assert [line[4] for line in self.rated(certified("5k"), certified("5k+"), figures)[1]] == [120, -120]

    @pytest.mark.slow
    def test_the_widest_difference(self):
        assert self.rated(certified("5k"), certified("3k"), {"widest_ranks": 1})[1][0][5] == "not:difference"

    def test_the_wins_in_the_beginners_class(self):
        states, lines = self.rated(BC, certified("17k"), {"bc_wins": 1})
        assert lines[0][5:] == ("not:beginner", "PN 5(2)", "17k?")
        assert states.players[0]["wins_in_bc"] == 0

    def test_the_games_to_certification(self):
        record = ((-96, 2), (-96, 0), (-96, 2))
        half = pandanet_ranks.certified_rank((*record, (-96, 2)), HALF_OF["5k"], 1)
        lines = self.rated(provisional("5k", record), certified("5k"), {"certifying_games": 4})[1]
        assert lines[0][7] == rank_name(half)
        half = pandanet_ranks.certified_rank((*record, (-96, 2)), HALF_OF["5k"], 2)
        lines = self.rated(provisional("5k", record), certified("5k"), {"review_every": 4})[1]
        assert lines[0][7] == rank_name(half) + "?"
