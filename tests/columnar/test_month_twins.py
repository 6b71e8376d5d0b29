"""The twins of NCS and JCF give what the readable books give: every line, rating and game on file."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from as_columns import Pool, assert_same, rate_columns
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rulebooks.making import played

from banzuke.core.batch import Batch, Register
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import Player
from banzuke.core.rating import FirstGame, Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.rulebooks.jcf import jcf_2024 as jcf_book
from banzuke.rulebooks.jcf import ncs_2022 as ncs_book
from banzuke.rulebooks.jcf.monthly import SPEEDS

BY_NAME = {"ncs": BOOKS["ncs-2022"], "jcf": BOOKS["jcf-2024"]}
NAMES = "ABCDEF"
EVENTS = ["E0", "E1", "E2", "E3", "E4"]
PUBLISHED, CLOSES = date(2026, 1, 1), date(2025, 12, 20)
#: Of games on file: two years before the window's last day, a day before and after that.
PLAYED = (date(2023, 12, 19), date(2023, 12, 20), date(2023, 12, 21), date(2025, 6, 1))


def check(book: str, standings: Standings, batch: Batch, said) -> Standings:
    """The list rated by both; the standings after it, once it is found that the twin agrees."""
    pool = Pool(list(NAMES), EVENTS, SPEEDS)
    outcome = BY_NAME[book].rate(standings, batch, said)
    rated = rate_columns(
        BY_NAME[book], pool.state(standings.ratings, standings.waiting), pool.batch(batch), said
    )
    assert_same(pool, rated, outcome)
    return outcome.standings


def random_rating(rng: random.Random) -> Rating:
    if rng.random() < 0.6:
        return Rating(None, rng.randrange(4), None, earned=False)
    value = rng.choice(
        (rng.randrange(350, 2600), 399, 400, 401, 999, 1000, 1001, 1999, 2000, 2299, 2300, 2400)
    )
    peak = rng.choice((value, value + rng.randrange(200), *[max(value, n) for n in (1999, 2000, 2399, 2400)]))
    return Rating(value, rng.choice((0, 16, 17, 18, 19, 28, 29, 30, 31)), peak, rng.random() < 0.6)


def random_file(rng: random.Random) -> tuple[FirstGame, ...]:
    """Often all won or all lost, often nearly enough for a rating."""
    scores, ratings = (
        rng.choice(((0,), (2,), (2,), (0, 1, 2))),
        rng.choice(((1500,), (None, 900, 1500, 2300))),
    )
    days = rng.choice((PLAYED, PLAYED[2:]))
    return tuple(
        FirstGame("E0", n, rng.choice(days), "F", rng.choice(ratings), rng.choice(scores))
        for n in range(rng.choice((0, 2, 3, 5, 6, 12)))
    )


def random_player(rng: random.Random, name: str) -> Player:
    born = rng.choice(
        (None, date(2006, 1, 1), date(2006, 1, 2), date(2007, 1, 1), date(2007, 1, 2), date(2008, 2, 29))
    )
    taken = [rng.choice((*[None] * 12, 380, 950, 1700)) for _ in range(3)]
    return Player(
        name,
        name,
        birth_date=born,
        **dict(zip(("fide_standard", "fide_rapid", "fide_blitz"), taken, strict=True)),
    )


def random_entry(rng: random.Random, names: str, event_id: str):
    starts = date(2025, 12, 15) + timedelta(days=rng.randrange(-92, 1))
    ends = starts + timedelta(days=rng.choice((0, 1, 20)))
    texts = []
    for _ in range(rng.randrange(9)):
        white, black = rng.sample(names, 2)
        result = rng.choice(("1-0", "1-0", "1-0", "0-1", "1/2-1/2", "+/-", "u0-1"))
        day = rng.choice(("", f" {starts}", f" {ends}"))
        texts.append(f"{white} {result} {black}{day}")
    minutes, declared = rng.choice(((9, ""), (10, "blitz"), (30, ""), (60, ""), (90, "")))
    entry = played(
        *texts, event_id=event_id, starts=str(starts), ends=str(ends), reported="2025-12-20",
        base_minutes=minutes, speed=declared,
        paid=rng.choice((None, "2025-12-20", "2025-12-31", "2026-01-01")),
        ruling=rng.choice(("", "", "", "", "exclude", "include", "waive-fee", "accept-late")),
    )  # fmt: skip
    games = [game._replace(ruling=rng.choice(("", "", "", "", "exclude"))) for game in entry.games]
    return entry._replace(games=games)


def random_register(rng: random.Random, entries) -> Register:
    """Members for ever, to or from a day of an event, of one event, or not at all."""
    players = {name: random_player(rng, name) for name in NAMES}
    days = [date(1990, 1, 1), date(2099, 1, 1), *(d for e in entries for d in (e.event.starts, e.event.ends))]
    annual, one_event = {}, {}
    for name in NAMES:
        for _ in range(rng.choice((0, 1, 1, 2))):
            annual[name] = (*annual.get(name, ()), tuple(sorted(rng.choices(days, k=2))))
        if rng.random() < 0.7:
            annual[name] = (*annual.get(name, ()), (date(1990, 1, 1), date(2099, 1, 1)))
        elif entries:
            one_event[name, rng.choice(entries).event.event_id] = (tuple(sorted(rng.choices(days, k=2))),)
    return Register(players, annual, one_event)


def said_of(book: str, rng: random.Random):
    if book == "jcf":
        return jcf_book.Settings()
    return ncs_book.Settings(**{name: rng.random() < 0.5 for name in ncs_book.Settings.__dataclass_fields__})


@pytest.mark.parametrize("book", sorted(BY_NAME))
@settings(max_examples=examples(300))
@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), events=st.integers(0, 5), opens=st.booleans())
def test_any_list(book, seed, players, events, opens):
    """From any standings, games on file and memberships up to the day; and the next list from what is left."""
    rng = random.Random(seed)
    ratings = {s: {name: random_rating(rng) for name in NAMES if rng.random() < 0.8} for s in SPEEDS}
    waiting = {
        s: {
            name: random_file(rng)
            for name, rating in of.items()
            if rating.value is None and rng.random() < 0.7
        }
        for s, of in ratings.items()
    }
    waiting = {s: {name: games for name, games in of.items() if games} for s, of in waiting.items()}
    standings, said = Standings(ratings, waiting), said_of(book, rng)
    for _ in range(2):
        entries = [random_entry(rng, NAMES[:players], EVENTS[number]) for number in range(events)]
        batch = Batch("2026-01", PUBLISHED, CLOSES, entries, random_register(rng, entries), opens, {})
        standings = check(book, standings, batch, said)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1_000, 1_000_000])
def test_a_sum_of_any_size(k):
    """Fifty games won against an equal: 50 hundredths of K each, also where the sum is beyond 2^31."""
    pool = Pool(list(NAMES), EVENTS, SPEEDS)
    entry = played(*["A 1-0 B"] * 50, event_id="E0", starts="2025-12-01", base_minutes=90)
    members = {name: ((date(1990, 1, 1), date(2099, 1, 1)),) for name in NAMES}
    register = Register({name: Player(name, name) for name in NAMES}, members, {})
    batch = Batch("2026-01", PUBLISHED, CLOSES, [entry], register, False, {})
    ratings = {SPEEDS[0]: dict.fromkeys("AB", Rating(1_500, 100, 1_500, True)), SPEEDS[1]: {}}
    rated = rate_columns(
        reform_book(BY_NAME["jcf"], {"k_normal": k}),
        pool.state(ratings, {speed: {} for speed in SPEEDS}),
        pool.batch(batch),
        jcf_book.Settings(),
    )
    assert rated.after.value[0, :2].tolist() == [1_500 + 25 * k, 1_000]
