"""The twin of US Chess gives what the readable book gives: every line, figure, cell and rating."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from as_columns import Pool, assert_same, assert_same_exact, faults_of, rate_columns
from engine.columnar.test_record_standings import assert_goes_on
from engine.random_adjustments import random_map
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rulebooks.making import event, games

from banzuke.columnar.twin import twin_of
from banzuke.core.batch import Batch, Register
from banzuke.core.decimals import all_decimals
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import EXCLUDE, Adjustment, Entry, More, Player
from banzuke.core.rating import Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar import last_ratings
from banzuke.engine.columnar.chess_reader import columns_of
from banzuke.engine.columnar.columnar_run import rate_columnar
from banzuke.engine.columnar.result_columns import list_rows
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import rate_ledger
from banzuke.lab.variants import edition_of
from banzuke.ledger import pool_rules
from banzuke.rulebooks.us_chess.columnar import us_chess_twin
from banzuke.testing.random_ledgers import chess_ledger

BOOK = BOOKS["us-chess"]
NAMES = "ABCDEFGH"
RESULTS = ("1-0", "1-0", "0-1", "0-1", "1/2-1/2")


@pytest.fixture
def by_book(monkeypatch):
    """The events that the twin leaves to the book."""
    left = []

    def rate(rules, state, batch, *facts, **options):
        left.append(batch.name)
        return rate_by_book(rules, state, batch, *facts, **options)

    rate_by_book = us_chess_twin.rate_by_book
    monkeypatch.setattr(us_chess_twin, "rate_by_book", rate)
    return left


def state(value, games=30, peak=None, **more):
    """A rating; a peak is an established one."""
    more = {name: fact for name, fact in more.items() if fact is not None}
    return Rating(round(value), games, peak, False, More({"rating": Decimal(str(value)), **more}))


def check(before, entry, *, book=BOOK, people=()):
    """An event rated by both; what the book gives, or None: both refuse it alike."""
    register = Register({player.player_id: player for player in people}, {}, {})
    batch = Batch("E", entry.event.ends, entry.event.ends, [entry], register, False, {})
    pool = Pool(list(NAMES), ["E"], ("",), book)
    given = pool.state({"": before}, {}), pool.batch(batch)
    outcome, faults = faults_of(book.rate, Standings({"": before}), batch, book.settings())
    rated, columnar_faults = faults_of(rate_columns, book, *given, book.settings())
    assert faults == columnar_faults
    if outcome is None:
        return None
    assert_same(pool, rated, outcome)
    assert_same_figures(book, pool, rated, outcome)
    alone = rate_columns(book, *given, book.settings(), with_lines=False)
    assert alone.lines is None
    assert pool.ratings(alone.after) == pool.ratings(rated.after)
    return outcome


def assert_same_figures(book, pool, rated, outcome):
    """The figures with four decimals, and the columns that the book adds to lists."""
    assert_same_exact(rated, outcome)
    rows, ratings = list_rows(rated.after), pool.ratings(rated.after)
    for name, (figures, places) in twin_of(book).cells(book, rows, rated.after).items():
        (cell,) = (column.cell for column in book.columns.lists if column.name == name)
        listed = [ratings["", pool.players[player]] for player in rows.player]
        assert [all_decimals(figure, places) for figure in figures.tolist()] == [
            str(cell(rating, None)) for rating in listed
        ]


def of_seed(seed, newcomers=0.3, **facts):
    """A made-up event: its players' states, the entry, and the people."""
    dice = Random(seed)
    names = NAMES[: dice.randrange(2, len(NAMES) + 1)]
    before, people = {}, []
    for name in names:
        fide = dice.choice((None, None, None, 1500, 1999, 2000, 2001, 2600))
        born = dice.choice((None, date(2024, 2, 29), date(1970, 3, 1), date(2010, 6, 15), date(1998, 6, 2)))
        more = More({"adult": True}) if dice.random() < 0.3 else More()
        if dice.random() < 0.9:
            people.append(Player(name, name, birth_date=born, fide_standard=fide, more=more))
        if dice.random() > newcomers:
            before[name] = random_state(dice)
    texts = []
    while len(texts) < dice.randrange(1, 14):
        one, other = dice.sample(names, 2)
        texts.append(f"{one} {dice.choice(RESULTS)} {other}")
    day, minutes = dice.choice(("2022-05-05", "2024-06-01", "2025-06-15")), dice.choice((30, 65, 90))
    return before, entry_of(*texts, **{"starts": day, "base_minutes": minutes} | facts), people


def entry_of(*texts, **facts):
    """An event with these games."""
    return Entry(event("E", **facts), games("E", texts))


def random_state(dice):
    """A rating, often whole, on few games or many, with a career or without."""
    value = dice.choice(
        (dice.randrange(1_000_000, 27_000_000) / 10_000, dice.randrange(100, 2800), 2355, 2200, 2500)
    )
    count = dice.choice((0, 1, 3, 4, 8, 9, 24, 25, 26, 50, 200))
    peak = dice.choice((None, round(value) + dice.randrange(300))) if count > 25 else None
    career = {name: dice.choice((None, 0, dice.randrange(20))) for name in ("won", "drawn", "events3")}
    floor, sided = dice.choice((None, None, None, 900, 1800)), dice.choice((None, None, "won", "lost"))
    rated = state(value, count, peak, **career, floor=floor, one_sided=sided)
    if rated.more["rating"] == rated.value and dice.random() < 0.5:
        del rated.more["rating"]
    return rated


SEEDS = st.integers(0, 2**32)


@settings(max_examples=examples(200))
@given(SEEDS, st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from(["us-chess", "us-chess-2023"]))
def test_made_up_events(seed, newcomers, name):
    before, entry, people = of_seed(seed, newcomers)
    check(before, entry, book=BOOKS[name], people=people)


@settings(max_examples=examples(60))
@given(SEEDS)
def test_games_that_do_not_count(seed):
    dice = Random(seed)
    facts = {
        "ruling": dice.choice(("", "", "", EXCLUDE)),
        "base_minutes": dice.choice((29, 30, 30, 30, None)),
    }
    before, entry, people = of_seed(seed, **facts)
    other = {"result": "+/-"}, {"result": "-/-"}, {"ruling": EXCLUDE}
    left_out = [game._replace(**dice.choice(other)) if dice.random() < 0.4 else game for game in entry.games]
    check(before, entry._replace(games=left_out), people=people)


#: What the laboratory may try: each clause at other numbers, and numbers that leave hardly any digits.
REFORMS = (
    {"k_sum": 300, "logistic": 600, "bonus_games": 2, "bonus_meetings": 9, "bonus_least_games": 1},
    {"half_width": 200, "one_sided_shift": 300, "special_games": 40, "most_effective": 20},
    {"special_games": 0, "dual_minutes": 9999, "dual_above": 1000, "dual_top": 1500, "dual_top_sum": 700},
    {"lowest": 1500, "special_most": 1700, "step_1_games": 3},
    {"step_1_games": 0, "age_points": 17, "first_adult": 1777, "first_unknown": 33, "fide_low_games": 0},
    {"floor_base": 900, "floor_most": 9999, "floor_won": 33, "peak_less": 50, "floor_step": 7},
    {"provisional_games": 5, "personal_lowest": 100, "personal_highest": 9999, "floor_event_games": 1},
    {"special_games": 9999, "effective_to": 0, "bonus": [[date(2017, 5, 1), 0], [date(2025, 1, 1), 33]]},
    {"special_games": 9999, "half_width": 9999, "most_effective": 9999, "special_most": 9999},
    {"k_sum": 9999, "logistic": 1, "most_effective": 0, "effective_centre": 0},
    {"dual_constant": "9999", "dual_slope": "4.54", "special_games": 0, "dual_minutes": 9999},
)


@settings(max_examples=examples(200))
@given(SEEDS, st.sampled_from(REFORMS))
def test_other_numbers(seed, changes):
    before, entry, people = of_seed(seed)
    check(before, entry, book=reform_book(BOOK, changes), people=people)


class TestByTheBook:
    """What the twin is not sure of, and what is refused, is left to the book."""

    #: A wins against B, who is equal and whom step 2 leaves at the same rating.
    WIN_OF_A = entry_of("A 1-0 B", "B 1-0 C")

    def test_hardly_any_event(self, by_book):
        for seed in range(20):
            before, entry, people = of_seed(seed)
            check(before, entry, people=people)
        assert by_book == []

    def test_a_change_on_the_half(self, by_book):
        reformed = reform_book(BOOK, {"k_sum": 801, "most_effective": 9999})
        outcome = check({name: state(2400, 99) for name in "ABC"}, self.WIN_OF_A, book=reformed)
        assert outcome.events[0].lines[0].change == 401  # half of K, which is 8.01
        assert by_book == ["E"]

    def test_a_rating_on_the_half(self, by_book):
        reformed = reform_book(BOOK, {"k_sum": 801, "most_effective": 9999})
        outcome = check({name: state(2400, 9999) for name in "ABC"}, self.WIN_OF_A, book=reformed)
        assert outcome.standings.of("", "A").more["rating"] == Decimal("2400.0401")
        assert by_book == ["E", "E"]  # with lines, and for the list alone

    def test_an_event_before_the_first_bonus(self, by_book):
        assert check({}, entry_of("A 1-0 B", starts="2016-01-01")) is None
        assert by_book == ["E"]


def test_the_special_formula_has_all_decimals(by_book):
    """A half of the last decimal is rounded as the book does it, and the book is not asked."""
    before = {"A": state(1500, 0), "B": state(1500.0001, 0)}
    outcome = check(before, entry_of("A 1/2-1/2 B"))
    assert outcome.standings.of("", "A").more["rating"] == Decimal("1500.0001")  # of 1500.00005
    assert by_book == []


def test_an_event_without_games():
    assert check({"A": state(1500)}, entry_of()).standings.of("", "A").value == 1500


@pytest.mark.parametrize("name", ["us-chess", "us-chess-2025"])
def test_the_last_ratings_of_many_games(monkeypatch, name):
    """As the laboratory's sliders ask for them."""
    columns = columns_of(chess_ledger(BOOKS[name], 3))
    names = list_names(columns, None)
    readable = last_ratings.last_ratings(columns, names)
    monkeypatch.setattr(last_ratings, "MANY_GAMES", 0)
    assert last_ratings.last_ratings(columns, names) == readable
    assert any(readable[""].values())


def pool_of_seed(seed):
    """A pool that goes from one edition to another, some of its lists adjusted."""
    dice = Random(seed)
    ledger = chess_ledger(BOOK, seed, players=10, events=8)
    (first,) = ledger.pool.editions
    later = edition_of(BOOKS["us-chess-2025"])._replace(start=dice.choice(ledger.events).ends)
    pool = pool_rules.Pool("Made up", (first, later))
    names = list_names(replace(ledger, pool=pool), None)
    rows = [Adjustment(f"A{number}", dice.choice(names), random_map(dice), "") for number in range(3)]
    return replace(ledger, pool=pool, adjustments=rows)


@settings(max_examples=examples(60))
@given(SEEDS)
def test_all_files_of_a_pool_are_the_same(seed):
    ledger = pool_of_seed(seed)
    with tempfile.TemporaryDirectory() as place:
        readable, columnar = Path(place, "readable"), Path(place, "columnar")
        rate_ledger(ledger, readable)
        rate_columnar(columns_of(ledger), columnar)
        written = [{file.name: file.read_bytes() for file in of.iterdir()} for of in (readable, columnar)]
    assert written[0] == written[1]
    assert "adjusted.csv" in written[0]


@settings(max_examples=examples(60))
@given(SEEDS)
def test_the_readable_engine_goes_on_from_any_list(seed):
    """With the exact ratings, careers and floors that the twin leaves."""
    assert assert_goes_on(pool_of_seed(seed)) > 0
