"""The twin of FIDE's book gives what the readable book gives: every line, rating and game on file."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from as_columns import Pool, assert_same, rate_columns
from engine.test_properties import ledger_of, read
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rulebooks.making import against, born, played, rated

from banzuke.core.batch import Batch, Register
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import SPEEDS, Player
from banzuke.core.month import parse_month
from banzuke.core.rating import UNRATED, FirstGame, Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine import history
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.fide.fide_2024 import Settings

BOOK = BOOKS["fide-2024"]

USUAL = Settings()


def rate(standings, *entries, known=(), in_force=None, name="2025-12", settings=USUAL, **options):
    """The list rated by both; what the readable book gives, once it is found that the twin agrees."""
    lists = {entry.event.event_id: standings.ratings for entry in entries} | (in_force or {})
    names = {name for entry in entries for game in entry.games for name in (game.white, game.black)}
    names |= {player for ratings in lists.values() for of_speed in ratings.values() for player in of_speed}
    names |= {player for of_speed in standings.waiting.values() for player in of_speed}
    players = {name: Player(name, name) for name in names} | {player.player_id: player for player in known}
    published = parse_month(name).first_day
    batch = Batch(name, published, published, entries, Register(players, {}, {}), False, lists)
    pool = Pool(sorted(players), sorted(entry.event.event_id for entry in entries), SPEEDS)
    outcome = fide_2024.rate(standings, batch, settings)
    states = {id(ratings): pool.state(ratings, {}) for ratings in lists.values()}
    state = pool.state(standings.ratings, standings.waiting)
    assert_same(pool, rate_columns(BOOK, state, pool.batch(batch, states), settings, **options), outcome)
    return outcome


def standard(**ratings: Rating) -> Standings:
    return Standings({"standard": ratings})


def event_of(*texts, **facts):
    return played(*texts, **({"starts": "2025-11-01"} | facts))


class TestTheWorkedExamples:
    """Those of the regulations' page, as the tests of the readable book have them."""

    def test_rated_on_the_list_in_force_when_the_event_began(self):
        began = {"standard": {"A": rated(2395), "B": rated(1990)}}
        outcome = rate(standard(A=rated(2400), B=rated(2000)), event_of("A 1-0 B"), in_force={"E": began})
        assert outcome.standings.of("standard", "A") == Rating(2402, 101, 2402, earned=False)

    def test_a_newcomer(self):
        before = dict(zip("BCDEF", map(rated, (1902, 1877, 1884, 2012, 1832)), strict=True))
        outcome = rate(
            standard(**before),
            event_of(
                *(f"A {r} {o}" for r, o in zip(("1-0", "1-0", "1-0", "0-1", "0-1"), "BCDEF", strict=True))
            ),
        )
        assert outcome.standings.of("standard", "A") == Rating(1922, 5, 1922, earned=True)

    @pytest.mark.parametrize(
        ("mean", "half_points", "games", "rating"),
        [
            (2000, 6, 5, 1993), (2000, 4, 5, 1893), (2000, 5, 5, 1943), (2100, 10, 5, 2200),
            (2400, 6, 5, 2200), (1600, 2, 5, 1499), (1657, 6, 5, 1748), (1800, 8, 7, 1843),
        ],
    )  # fmt: skip
    def test_the_column_of_the_2024_rule_beside_the_calculators(self, mean, half_points, games, rating):
        scores = {0: "0-1", 1: "1/2-1/2", 2: "1-0"}
        texts = [f"A {scores[max(0, min(2, half_points - 2 * n))]} B" for n in range(games)]
        outcome = rate(standard(B=rated(mean)), event_of(*texts))
        assert outcome.standings.of("standard", "A").value == rating

    def test_four_games_are_too_few_and_less_than_1400_is_not_published(self):
        four = rate(standard(B=rated(1800)), event_of(*["A 1-0 B"] * 4))
        assert four.standings.of("standard", "A") == Rating(None, 4, None, earned=False)
        low = rate(standard(B=rated(1400)), event_of("A 1-0 B", *["A 0-1 B"] * 6))
        assert low.standings.of("standard", "A") == Rating(None, 7, None, earned=False)

    @pytest.mark.parametrize(("mean", "rating"), [(1239, None), (1240, 1400), (1241, 1401)])
    def test_from_1400_on_it_is(self, mean, rating):
        outcome = rate(standard(B=rated(mean)), event_of(*["A 1/2-1/2 B"] * 5))
        assert outcome.standings.of("standard", "A").value == rating

    @pytest.mark.parametrize("value", [2299, 2300, 2400])
    def test_a_standard_rating_that_stands_in_is_a_peak(self, value):
        before = Standings(
            {
                "standard": {"A": rated(value), "B": rated(2000)},
                "rapid": {"A": Rating(None, 50, None, earned=False)},
            }
        )
        rate(before, event_of("A 1-0 B", base_minutes=20), known=[born("A", "2010-01-01")])

    @pytest.mark.parametrize(("own", "other", "shift"), [(2450, 2255, -3), (2450, 2645, 3), (2450, 2270, -2)])
    def test_halves_away_from_zero(self, own, other, shift):
        outcome = rate(standard(A=rated(own), B=rated(other)), event_of("A 1/2-1/2 B"))
        assert outcome.standings.of("standard", "A").value == own + shift

    @pytest.mark.parametrize("starts", ["2025-09-30", "2025-10-01"])
    @pytest.mark.parametrize("own", [2649, 2650, 3400])
    @pytest.mark.parametrize("cap_always", [True, False])
    @pytest.mark.parametrize("minutes", [90, 20])
    def test_real_differences(self, starts, own, cap_always, minutes):
        before = Standings({speed: {"A": rated(own), "B": rated(2000)} for speed in SPEEDS})
        entry = event_of("A 1-0 B", starts=starts, base_minutes=minutes)
        rate(before, entry, settings=Settings(cap_always=cap_always))

    @pytest.mark.parametrize("games", [17, 18, 35, 36, 70, 71, 701])
    def test_k_times_games_is_700_at_most(self, games):
        before = standard(A=rated(2000), B=rated(2000, 5), C=rated(2450))
        rate(before, event_of(*["A 1-0 B", "B 0-1 C"] * games))

    @pytest.mark.parametrize("birthday", ["2006-12-31", "2007-01-01", "2007-12-31"])
    @pytest.mark.parametrize("peak", [2299, 2300, 2400])
    def test_juniors(self, birthday, peak):
        before = standard(A=rated(2000, peak=peak), B=rated(2000))
        entry = event_of("A 1-0 B 2026-01-02", starts="2025-12-30", ends="2026-01-02")
        rate(before, entry, known=[born("A", birthday)], name="2026-02")

    @pytest.mark.parametrize("value", [1409, 1410, 1411, 1390])
    def test_below_the_floor(self, value):
        rate(standard(A=rated(value, earned=True), B=rated(value)), event_of("A 0-1 B"))

    def test_the_clauses_of_each_speed(self):
        before = Standings({speed: {"A": rated(1600), "B": rated(1800)} for speed in SPEEDS})
        for minutes in (90, 20, 5):
            rate(
                before, event_of("A 1-0 B", "A +/- B", "A 1-0 X", "X 1-0 A", "X 0-1 Y", base_minutes=minutes)
            )


class TestFirstEvents:
    def test_without_points_is_dropped_and_remembered(self):
        first = rate(standard(B=rated(1500)), event_of("A 0-1 B"))
        assert first.standings.waiting["standard"] == {"A": ()}
        second = rate(first.standings, event_of("A 0-1 B", event_id="F"), name="2026-01")
        assert len(second.standings.waiting["standard"]["A"]) == 1

    @pytest.mark.parametrize(
        "ends", [("2025-11-05", "2025-11-02"), ("2025-11-02", "2025-11-05"), ("2025-11-02",) * 2]
    )
    @pytest.mark.parametrize("results", [("1-0", "0-1"), ("0-1", "1-0"), ("0-1", "0-1")])
    def test_in_the_order_of_last_days(self, ends, results):
        entries = [
            event_of(f"A {result} B", f"A 0-1 {other}", event_id=event_id, starts="2025-11-02", ends=day)
            for event_id, other, result, day in zip("EF", "BC", results, ends, strict=True)
        ]
        rate(standard(B=rated(1500), C=rated(1600)), *entries)

    def test_each_speed_has_its_own(self):
        before = Standings({speed: {"B": rated(1500)} for speed in SPEEDS})
        entries = [
            event_of(f"A {result} B", event_id=event_id, base_minutes=minutes)
            for event_id, minutes, result in (("E", 90, "0-1"), ("F", 20, "1-0"), ("G", 5, "0-1"))
        ]
        rate(before, *entries)

    def test_games_go_with_a_rating_got_at_standard_meanwhile(self):
        before = Standings(
            {"standard": {"A": rated(2000), "B": rated(2000)}, "rapid": {"B": rated(2000)}},
            {"rapid": {"A": against(1500, points=1)}},
        )
        began = {"standard": {}, "rapid": {"B": rated(2000)}}
        quick = event_of("A 1/2-1/2 B", base_minutes=20)
        assert len(rate(before, quick, in_force={"E": began}).standings.waiting["rapid"]["A"]) == 2
        both = rate(before, quick, event_of("A 1-0 B", event_id="F", base_minutes=20), in_force={"E": began})
        assert both.standings.waiting["rapid"] == {}


def random_rating(rng: random.Random) -> Rating:
    value = rng.choice((None, rng.randrange(1380, 1440), rng.randrange(1400, 2900)))
    peak = rng.choice((None, 0, value, (value or 1400) + rng.randrange(300), rng.choice((2299, 2300, 2400))))
    return Rating(value, rng.choice((0, 4, 28, 29, 30, 31, 500)), peak, rng.random() < 0.5)


def random_ratings(rng: random.Random, names: str) -> dict[str, dict[str, Rating]]:
    return {speed: {name: random_rating(rng) for name in names if rng.random() < 0.7} for speed in SPEEDS}


def random_file(rng: random.Random, published: date) -> tuple[FirstGame, ...]:
    return tuple(
        FirstGame(
            "old",
            n,
            published - timedelta(days=rng.choice((60, 400, 790, 791, 792, 793, 900))),
            "Z",
            rng.randrange(1400, 2600),
            rng.randrange(3),
        )
        for n in range(rng.choice((0, 0, 1, 3, 4, 6)))
    )


def random_entry(rng: random.Random, names: str, event_id: str):
    starts = date(2025, 9, 25) + timedelta(days=rng.randrange(100))
    texts = []
    for _ in range(rng.randrange(9)):
        white, black = rng.sample(names, 2)
        result = rng.choice(("1-0", "1-0", "0-1", "0-1", "1/2-1/2", "+/-", "-/-", "u0-1"))
        texts.append(
            f"{white} {result} {black} {starts + timedelta(days=1)}"
            if rng.random() < 0.3
            else f"{white} {result} {black}"
        )
    entry = played(
        *texts, event_id=event_id, starts=str(starts), ends=str(starts + timedelta(days=rng.randrange(1, 4))),
        base_minutes=rng.choice((5, 20, 90)), ruling=rng.choice(("", "", "", "", "exclude", "include")),
    )  # fmt: skip
    games = [game._replace(ruling=rng.choice(("", "", "", "", "exclude"))) for game in entry.games]
    return entry._replace(games=games)


@settings(max_examples=examples(200))
@given(
    seed=st.integers(0, 2**32), players=st.integers(2, 6), events=st.integers(0, 6), cap_always=st.booleans()
)
def test_any_list(seed, players, events, cap_always):
    """From any standings, events on two lists in force, games on file of all ages."""
    rng = random.Random(seed)
    names, published = "ABCDEF"[:players], date(2025, 12, 1)
    ratings = random_ratings(rng, names)
    waiting = {
        speed: {
            name: random_file(rng, published)
            for name in names
            if ratings[speed].get(name, UNRATED).value is None and rng.random() < 0.4
        }
        for speed in SPEEDS
    }
    earlier = random_ratings(rng, names)
    entries = [random_entry(rng, names, f"E{number}") for number in range(events)]
    in_force = {entry.event.event_id: rng.choice((ratings, earlier)) for entry in entries}
    known = [born(name, f"{rng.choice((2006, 2007, 2008))}-01-01") for name in names if rng.random() < 0.5]
    rate(Standings(ratings, waiting), *entries, known=known, in_force=in_force, settings=Settings(cap_always))


@settings(max_examples=examples(100))
@given(
    seed=st.integers(0, 2**32), players=st.integers(2, 9), events=st.integers(0, 25), cap_always=st.booleans()
)
def test_a_history(seed, players, events, cap_always):
    """Each list from the standings that the twin itself left; adjustments are the engine's."""
    made = ledger_of("fide", seed, players, events)
    setting = f"[edition.settings]\ncap_always = {str(cap_always).lower()}\n"
    ledger = replace(read(made._replace(pool=made.pool + setting)), adjustments=[])
    pool = Pool(
        sorted(p.player_id for p in ledger.players), sorted(e.event_id for e in ledger.events), SPEEDS
    )
    lists = list(history.history(ledger, history.list_names(ledger, None)))
    if not lists:
        return
    state = opening = pool.state(lists[0].before, {})
    states = {}
    for one in lists:
        for ratings in one.batch.in_force.values():
            states.setdefault(id(ratings), opening)
        rated = rate_columns(BOOK, state, pool.batch(one.batch, states), one.edition.settings)
        assert_same(pool, rated, one.outcome)
        state = states[id(one.outcome.standings.ratings)] = rated.after


def test_lists_alone_have_no_lines_and_the_same_ratings():
    entries = [event_of("A 1-0 B", "B 1/2-1/2 C", "C 1-0 A")]
    pool = Pool(["A", "B", "C"], ["E"], SPEEDS)
    state = pool.state({"standard": {"A": rated(1500), "B": rated(1600)}}, {})
    published = date(2025, 12, 1)
    register = Register({name: Player(name, name) for name in "ABC"}, {}, {})
    ratings: dict = {}
    batch = pool.batch(
        Batch("2025-12", published, published, entries, register, False, {"E": ratings}), {id(ratings): state}
    )
    both = [rate_columns(BOOK, state, batch, USUAL, with_lines=lines) for lines in (True, False)]
    assert both[1].lines is None
    assert pool.ratings(both[0].after) == pool.ratings(both[1].after)
    assert np.array_equal(state.value[0], [1500, 1600, -(2**31)])
    other = rate_columns(reform_book(BOOK, {"k_normal": 30}), state, batch, USUAL)
    assert other.after.value[0, :2].tolist() == [1519, 1581]  # 1500 + 30 x (1 - .36), 1600 - 30 x .64
