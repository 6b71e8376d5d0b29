"""The twin of the Hakodate book gives what the readable book gives: every line and every rating."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from as_columns import Pool, assert_same, rate_columns
from engine.test_properties import ledger_of, read
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rulebooks.making import played

from banzuke.core.batch import Batch, Register
from banzuke.core.derived_books import reform_book
from banzuke.core.rating import Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine import history
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.hakodate.hakodate import Settings

NOBODY = Register({}, {}, {})
BOOK = BOOKS["hakodate"]
USUAL = Settings()


def check(before: Standings, batch: Batch, settings: Settings = USUAL):
    """The batch rated by both; what the readable book gives, once it is found that the twin agrees."""
    (entry,) = batch.entries
    names = {name for game in entry.games for name in (game.white, game.black)}
    pool = Pool(sorted(names | set(before.ratings[""])), [entry.event.event_id], ("",))
    outcome = hakodate.rate(before, batch, settings)
    rated = rate_columns(BOOK, pool.state(before.ratings, {}), pool.batch(batch), settings)
    assert_same(pool, rated, outcome)
    return outcome


def rate(before: dict[str, Rating], *texts: str, unrated_opponent: int = 1500, **facts):
    entry = played(*texts, **facts)
    batch = Batch("E", entry.event.ends, entry.event.ends, [entry], NOBODY, False, {})
    return check(Standings({"": before}), batch, Settings(unrated_opponent))


def rating(value: int, games: int = 20) -> Rating:
    return Rating(value, games, value, earned=False)


class TestTheWorkedExamples:
    @pytest.mark.parametrize("results", [["1-0", "0-1"] * 3, ["1/2-1/2"] * 6])
    def test_1_six_games_against_1500(self, results):
        outcome = rate({"B": rating(1500)}, *(f"A {result} B" for result in results))
        assert outcome.standings.of("", "A") == rating(1500, 6)

    def test_2_a_newcomer(self):
        before = {name: rating(value) for name, value in zip("BCDE", (1212, 1815, 1340, 1438), strict=True)}
        outcome = rate(before, "A 1-0 B", "C 1-0 A", "A 1-0 D", "E 1/2-1/2 A")
        assert outcome.standings.of("", "A") == rating(1551, 4)

    def test_3_a_provisional_rating(self):
        before = {name: rating(value) for name, value in zip("BCDE", (1472, 1726, 1637, 1595), strict=True)}
        outcome = rate({"A": rating(1551, 4), **before}, "A 1-0 B", "A 0-1 C", "A 0-1 D", "A 1/2-1/2 E")
        assert outcome.standings.of("", "A") == Rating(1529, 8, 1551, earned=False)

    @pytest.mark.parametrize(
        ("opponent", "points"),
        [
            (1500, (16, 0, -16)),
            (1300, (8, -8, -24)),
            (1700, (24, 8, -8)),
            (2000, (32, 16, 0)),
            (1000, (0, -16, -32)),
        ],
    )
    def test_4_and_5_established(self, opponent, points):
        for result, change in zip(("1-0", "1/2-1/2", "0-1"), points, strict=True):
            outcome = rate({"A": rating(1500), "B": rating(opponent)}, f"A {result} B")
            assert outcome.standings.of("", "A").value == 1500 + change

    def test_6_the_formula_of_the_events_beginning(self):
        outcome = rate({"A": rating(1500, 18), "B": rating(1500)}, *["A 1-0 B"] * 5)
        assert outcome.standings.of("", "A") == rating(1587, 23)


RESULTS = ["1-0", "1/2-1/2", "0-1", "+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"]
NUMBERS = st.integers(-(10**9) + 1, 10**9 - 1)
RATINGS = st.builds(
    Rating,
    st.none() | st.integers(-500, 3500) | NUMBERS,
    st.integers(0, 40) | NUMBERS.map(abs),
    st.none() | NUMBERS,
    st.booleans(),
)


@given(
    before=st.dictionaries(st.sampled_from("ABCD"), RATINGS),
    results=st.lists(
        st.tuples(st.sampled_from(["AB", "BC", "CA", "DB", "AD"]), st.sampled_from(RESULTS), st.booleans()),
        max_size=12,
    ),
    ruling=st.sampled_from(["", "", "", "exclude", "include"]),
    unrated_opponent=st.integers(0, 3000) | NUMBERS,
)
def test_any_event(before, results, ruling, unrated_opponent):
    entry = played(*(f"{pair[0]} {result} {pair[1]}" for pair, result, _ in results), ruling=ruling)
    games = [
        game._replace(ruling="exclude" if ruled_out else "")
        for game, (_, _, ruled_out) in zip(entry.games, results, strict=True)
    ]
    day = entry.event.ends
    batch = Batch("E", day, day, [entry._replace(games=games)], NOBODY, False, {})
    check(Standings({"": before}), batch, Settings(unrated_opponent))


@settings(max_examples=examples(60))
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 9),
    events=st.integers(0, 12),
    unrated=st.integers(0, 3000),
)
def test_a_history(seed, players, events, unrated):
    """Each list from the standings that the twin itself left; adjustments are the engine's."""
    made = ledger_of("hakodate", seed, players, events)
    setting = f"[edition.settings]\nunrated_opponent = {unrated}\n"
    ledger = replace(read(made._replace(pool=made.pool + setting)), adjustments=[])
    pool = Pool(sorted(p.player_id for p in ledger.players), sorted(e.event_id for e in ledger.events), ("",))
    state = pool.state(history.opening(ledger).ratings, {})
    for one in history.history(ledger, history.list_names(ledger, None)):
        rated = rate_columns(BOOK, state, pool.batch(one.batch), one.edition.settings)
        assert_same(pool, rated, one.outcome)
        state = rated.after


def test_lists_alone_have_no_lines_and_the_same_ratings():
    entry = played("A 1-0 B", "B 1/2-1/2 C", "C 1-0 A")
    day = entry.event.ends
    batch = Batch("E", day, day, [entry], NOBODY, False, {})
    pool = Pool(["A", "B", "C"], ["E"], ("",))
    state = pool.state({"": {"A": rating(1500), "B": rating(1600, 3)}}, {})
    both = [
        rate_columns(BOOK, state, pool.batch(batch), Settings(), with_lines=lines) for lines in (True, False)
    ]
    assert both[1].lines is None
    for one, other in pairwise(pool.ratings(rated.after) for rated in both):
        assert one == other


def test_the_state_given_is_left_as_it_was():
    entry = played("A 1-0 B")
    day = entry.event.ends
    batch = Batch("E", day, day, [entry], NOBODY, False, {})
    pool = Pool(["A", "B"], ["E"], ("",))
    state = pool.state({"": {"A": rating(1500), "B": rating(1600)}}, {})
    rate_columns(BOOK, state, pool.batch(batch), Settings())
    assert np.array_equal(state.value, [[1500, 1600]])
    assert np.array_equal(state.games, [[20, 20]])


def test_other_figures_give_other_ratings():
    """As the laboratory asks: 32 points a win."""
    entry = played("A 1-0 B")
    day = entry.event.ends
    batch = Batch("E", day, day, [entry], NOBODY, False, {})
    pool = Pool(["A", "B"], ["E"], ("",))
    state = pool.state({"": {"A": rating(1500), "B": rating(1500)}}, {})
    reformed = reform_book(BOOK, {"equal_win": 32})
    rated = rate_columns(reformed, state, pool.batch(batch), Settings())
    assert rated.after.value.tolist() == [[1532, 1468]]
