"""The text of lists.csv against the rows that it is made of."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import More
from banzuke.core.rating import Calculation, Outcome, Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine.history import RatedList
from banzuke.engine.list_text import ListText
from banzuke.engine.result_rows import list_rows
from banzuke.ledger.pool_rules import EditionInForce

DAY = date(2025, 1, 1)
EDITIONS = {
    name: EditionInForce(BOOKS[name], DAY, BOOKS[name].settings(), "", None)
    for name in ("jcf-2024", "ncs-2022", "icu")
}
PLAYERS = ("A", "B", 'C "x"', "D,é", "E")
STATES = st.none() | st.builds(
    Rating,
    value=st.none() | st.integers(1000, 1003),
    games=st.integers(0, 40),
    peak=st.none(),
    earned=st.just(False),
)
#: What a list does to a player: nothing, a new state with or without a calculation, or the same state with one.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(PLAYERS),
        st.integers(0, 1),
        st.sampled_from(("moves", "moves alone", "plays and stays")),
        STATES,
    ),
    max_size=6,
)


def as_csv(rows):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def next_list(name, edition, before, steps):
    """A list in which each step was taken; the states of all others are the very same objects."""
    speeds = edition.book.speeds
    after = {speed: dict(before.get(speed, {})) for speed in speeds}
    played = {speed: {} for speed in speeds}
    for player, place, what, state in steps:
        speed = speeds[place % len(speeds)]
        if what != "plays and stays":
            after[speed].pop(player, None)
            after[speed] |= {} if state is None else {player: state}
        if what != "moves alone" and player in after[speed]:
            now = after[speed][player]
            more = More(bonus=len(name), performance="1.5")
            played[speed][player] = Calculation(player, now, now, "", 0, 0, False, None, now, more)
    batch = Batch(name, DAY, DAY, [], Register({}, {}, {}), opens_edition=False, in_force={})
    return RatedList(batch, edition, before, Outcome(Standings(after), [], played))


@settings(max_examples=150)
@given(st.lists(st.tuples(STEPS, st.sampled_from(sorted(EDITIONS))), max_size=6))
def test_the_lines_are_those_of_the_rows(history):
    text, before = ListText(("bonus", "performance")), {}
    for number, (steps, book) in enumerate(history):
        rated = next_list(f"list, {number}", EDITIONS[book], before, steps)
        assert text.lines(rated) == as_csv(list_rows(rated, ("bonus", "performance")))
        before = rated.outcome.standings.ratings


class Rigid(list):
    """A list that no key is put into or taken out of in the middle: with very many, each would move them all."""

    def insert(self, at, key):
        raise AssertionError(at, key)

    def __delitem__(self, at):
        raise AssertionError(at)


def test_keys_are_put_in_order_once_a_list():
    text, edition, state = ListText(()), EDITIONS["jcf-2024"], Rating(1500, 30, 1500, earned=False)
    first = next_list("1", edition, {}, [(player, 0, "moves", state) for player in "BDF"])
    assert text.lines(first) == as_csv(list_rows(first, ()))
    text._order = Rigid(text._order)
    steps = [(player, 0, "moves", state) for player in "GCAE"] + [("D", 0, "moves", None)]
    second = next_list("2", edition, first.outcome.standings.ratings, steps)
    assert text.lines(second) == as_csv(list_rows(second, ()))


@pytest.mark.parametrize("name", ["E1", "01,2", 'a "b"'])
def test_who_left_has_no_line_and_who_did_not_play_no_change(name):
    text, edition = ListText(()), EDITIONS["jcf-2024"]
    lower, higher = Rating(1500, 30, 1500, earned=False), Rating(1510, 31, 1510, earned=False)
    before = {"standard": {"A": lower, "B": lower}}
    moved = next_list(name, edition, before, [("A", 0, "moves", None), ("B", 0, "moves", higher)])
    (row,) = csv.reader(text.lines(moved).splitlines())
    assert row[:6] == [name, "standard", "B", "1510", "31", "10"]
    (row,) = csv.reader(
        text.lines(next_list(name, edition, moved.outcome.standings.ratings, [])).splitlines()
    )
    assert row[:6] == [name, "standard", "B", "1510", "31", "0"]
