"""The twin of the Irish ratings gives what the readable book gives: every line, figure, cell and rating."""

from __future__ import annotations

from random import Random

import pytest
from as_columns import Pool, assert_same, assert_same_exact, faults_of, rate_columns
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rulebooks.icu_making import (
    DAY,
    EVENTS,
    WORDS,
    event_of,
    facts,
    made_up,
    published,
    union_folder,
    written,
)

from banzuke.core.batch import Batch, Register
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import EXCLUDE, Entry, Game
from banzuke.core.rating import Standings
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar import last_ratings
from banzuke.engine.columnar.chess_reader import columns_of
from banzuke.engine.history import list_names
from banzuke.rulebooks.icu.columnar import icu_twin
from banzuke.rulebooks.icu.icu import VERSIONS, Settings
from banzuke.testing.random_ledgers import chess_ledger

BOOK = BOOKS["icu"]
USUAL = Settings()


@pytest.fixture
def by_book(monkeypatch):
    """The events that the twin leaves to the book."""
    left = []

    def rate(rules, state, batch, **options):
        left.append(batch.name)
        return rate_by_book(rules, state, batch, **options)

    rate_by_book = icu_twin.rate_by_book
    monkeypatch.setattr(icu_twin, "rate_by_book", rate)
    return left


def check(players, games, *, book=BOOK, event=None, settings=USUAL, unknown=()):
    """An event rated by both, as `icu_making.play` has it; what the book gives, or None: both refuse it alike.

    Of the players `unknown` there is no birth date.
    """
    known, states = facts(players)
    known |= {player: known[player]._replace(birth_date=None) for player in unknown}
    entry = Entry(event or event_of(), games)
    batch = Batch("E", DAY, DAY, [entry], Register(known, {}, {}), False, {})
    pool = Pool(sorted(players), ["E"], ("",), BOOK)
    given = pool.state({"": states}, {}), pool.batch(batch)
    outcome, faults = faults_of(book.rate, Standings({"": states}), batch, settings)
    rated, columnar_faults = faults_of(rate_columns, book, *given, settings)
    assert faults == columnar_faults
    if outcome is None:
        return None
    assert_same(pool, rated, outcome)
    assert_same_figures(pool, rated, outcome)
    alone = rate_columns(book, *given, settings, with_lines=False)
    assert alone.lines is None
    assert pool.ratings(alone.after) == pool.ratings(rated.after)
    return outcome


def assert_same_figures(pool, rated, outcome):
    """The figures with six decimals, and the columns that the book adds to lists."""
    assert_same_exact(rated, outcome)
    for column in BOOK.columns.lists:
        cells = {player: column.cell(done.after, done) for player, done in outcome.calculations[""].items()}
        added = {pool.players[number]: cell for number, cell in rated.added[column.name].items()}
        assert added == {player: cell for player, cell in cells.items() if cell is not None}


def games_of(texts):
    """Games as `A 1-0 B`, a round each."""
    return [
        Game("E", number, *(text.split()[place] for place in (0, 2, 1)))
        for number, text in enumerate(texts, 1)
    ]


def of_seed(seed):
    """A made-up event, as `test_icu_events` makes them, of players with ids of different lengths."""
    players, games = made_up(seed)
    names = {number: f"{'PQ'[number % 2]}{number}" for number in players}
    known = {names[number]: written(*each) for number, each in players.items()}
    return known, games_of(f"{names[one]} {WORDS[score]} {names[other]}" for one, other, score in games)


@settings(max_examples=examples(60))
@given(
    st.integers(0, 100_000),
    st.sampled_from([*VERSIONS]),
    st.sampled_from(["away", "even"]),
    st.sampled_from([2099, 2100, 1450]),
)
def test_made_up_events(seed, version, halves, cap):
    players, games = of_seed(seed)
    check(players, games, settings=Settings(version, halves, cap))


@settings(max_examples=examples(40))
@given(st.integers(0, 100_000), st.sampled_from([*VERSIONS]))
def test_games_that_are_not_entered(seed, version):
    players, games = of_seed(seed)
    dice = Random(seed)
    other = {"result": "+/-"}, {"result": "-/-"}, {"ruling": EXCLUDE}
    games = [game._replace(**dice.choice(other)) if dice.random() < 0.4 else game for game in games]
    ruling = dice.choice(("", "", "", EXCLUDE))
    check(players, games, event=event_of(version, ruling=ruling))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_the_union(shared, event, version):
    check(*published(union_folder(shared), event), event=event_of(version))


#: What the laboratory may try: K that leave halves, another curve, bonuses for nearly all, other kinds.
REFORMS = (
    {"k_high": 15, "k_junior": 41, "k_normal": 25, "k_new_member": 33},
    {"scale": 600, "per_game": 350},
    {"bonus_k": 0, "bonus_games": 2, "bonus_change": -50, "bonus_base": 5, "bonus_high_k": 32},
    {"rated_games": 5, "high_rating": 1400, "bonus_per_cent": 133},
    {"k_junior": 4000, "k_normal": 3000},
    {"versions": ((0, 30, 1, 5, 1, 0), (1, 3, 4, 5, 1, 1), (2, 30, 30, 1, 1, 1), (3, 50, 50, 0, 0, 1))},
)


@settings(max_examples=examples(60))
@given(st.integers(0, 100_000), st.sampled_from(REFORMS), st.sampled_from([*VERSIONS]))
def test_other_numbers(seed, changes, version):
    check(*of_seed(seed), book=reform_book(BOOK, changes), event=event_of(version))


class TestByTheBook:
    """What the twin is not sure of, and what is refused, is left to the book."""

    def test_hardly_any_event(self, by_book):
        outcomes = [check(*of_seed(seed)) for seed in range(20)]
        assert outcomes.count(None) <= len(by_book) <= outcomes.count(None) + 2

    def test_a_change_on_the_half(self, by_book):
        reformed = reform_book(BOOK, {"k_normal": 25})
        outcome = check({"A": "1500 K24", "B": "1500 K24"}, games_of(["A 1-0 B"]), book=reformed)
        assert outcome.standings.of("", "A").value == 1513
        assert by_book == ["E", "E"]

    def test_performances_that_do_not_settle(self, by_book):
        players = {"A": "1500 K24", "B": "-", "C": "-"}
        texts = ["B 1-0 A", "A 1/2-1/2 C", *["B 1/2-1/2 C"] * 20]
        assert check(players, games_of(texts)) is None
        assert by_book == ["E"]

    def test_a_k_that_cannot_be_told(self, by_book):
        players = {"A": "1500 K24", "B": "1600 K32", "C": "2200 K16"}
        games = games_of(["A 1-0 B", "C 1-0 A"])
        assert check(players, games, unknown="AB") is None
        assert check(players, games, unknown="C") is not None
        assert by_book == ["E"]


def test_an_event_without_games():
    assert check({"A": "1500 K24"}, []).standings.of("", "A").value == 1500


def test_the_last_ratings_of_many_games(monkeypatch):
    """As the laboratory's sliders ask for them."""
    columns = columns_of(chess_ledger(BOOK, 3))
    names = list_names(columns, None)
    readable = last_ratings.last_ratings(columns, names)
    monkeypatch.setattr(last_ratings, "MANY_GAMES", 0)
    assert last_ratings.last_ratings(columns, names) == readable
    assert any(readable[""].values())
