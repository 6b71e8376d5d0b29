"""How a month's reports are rated in columns: the steps of `rulebooks.month`, which NCS and JCF share.

`decide` says which games enter and who plays in them, `standing` what they are rated on, `add_up` makes the
lines and the sums, `close` the new standings. The first and the third look at games one by one, so that each
of many machines may be given some of a batch's events: what they find is added up, in any order. All is
O(games + players) for a batch.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import (
    BLACK_SCORES,
    MISSING,
    VERDICTS,
    WHITE_SCORES,
    Rated,
    State,
    Waiting,
    lines_for,
    waiting_for,
)
from banzuke.rulebooks.fide.columnar.table_arrays import expected_within
from banzuke.rulebooks.jcf.columnar.monthly_games import (
    DESK,
    NOT_ASKED,
    YEARS,
    add_up_games,
    add_up_on_file,
    decide_games,
    keep_waiting,
    lay_out,
    members_throughout,
    settle,
    sum_up,
    take_over,
    unrated,
)
from banzuke.core.gc_pause import uncollected
from banzuke.rulebooks.fide.tables import CERTAIN
from banzuke.rulebooks.jcf.monthly import SPEEDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from banzuke.columnar.batch_columns import Batch, Flags, Int8s, Int32s, Int64s, Lines, Register
    from banzuke.core.facts import Event
    from banzuke.rulebooks.jcf.monthly import Admission

#: The row of the standings that a speed has; -1 for none.
ROWS = {speed: row for row, speed in enumerate(SPEEDS)} | {"": -1}
#: White's half points and Black's, by code of result.
SCORES = np.array([WHITE_SCORES, BLACK_SCORES])


class Edition(NamedTuple):
    """The clauses that the steps ask an edition for, as `rulebooks.month.Edition`, for all players at once.

    `inherited` gives the ratings taken over at a speed from FIDE's and the ratings at the other speed;
    `coefficients` K from the standings, who is asked for, the days of birth and the year of play;
    `first_ratings` those that the games on file give, of which none before `oldest_on_file` counts.
    """

    floor: int
    limit: int
    rates_against_unrated: bool
    unrated_pair_waits: bool
    events_have_members: bool
    oldest_on_file: Callable[[date], int]
    clauses: Mapping[str, str]
    admission: Callable[[Event, Any], Admission]
    inherited: Callable[[Int32s, int, Int32s], Int32s]
    coefficients: Callable[[State, Seats, Int32s, int], Int32s]
    first_ratings: Callable[[OnFile], Int32s]


class Events(NamedTuple):
    """What the edition says of each event; `speed` is a row of the standings, -1 where it makes no list."""

    number: Int32s
    excluded: Flags
    speed: Int8s
    oldest: Int32s
    unpaid: Flags
    starts: Int32s
    ends: Int32s
    first: Int64s
    last: Int64s


class Seats(NamedTuple):
    """Who plays in a game that enters: the row of the standings and the player, in this order."""

    speed: Int64s
    player: Int64s


class Decided(NamedTuple):
    """Of each game why it does not enter (ENTERS: it does); who plays in one that does; in which years."""

    why: Int8s
    seats: Seats
    years: Int64s


class Desk(NamedTuple):
    """What is at hand of who plays while games are added up, for each year of play.

    `of_year` has the place of a year in `cards`: OWN, K, TOTAL and COUNTED by year, speed and player,
    laid out for those who play, and whatever memory held for all others.
    """

    of_year: Int32s
    cards: Int32s | Int64s


class Sums(NamedTuple):
    """Of who plays: the sum of changes, the games counted; and the new games for first ratings."""

    seats: Seats
    total: Int64s
    counted: Int32s
    fresh: Waiting


class OnFile(NamedTuple):
    """The games on file of who may get a first rating, rated opponents and unrated ones apart.

    `points` are half points, `opponents` the sum of ratings.
    """

    rated: Int32s
    unrated: Int32s
    points: Int32s
    unrated_points: Int32s
    opponents: Int64s


def rate(edition: Edition, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """The batch rated by that edition; the standings given are left as they were."""
    events = events_of(edition, batch)
    before = raised(state, edition.floor) if batch.opens_edition else state
    decided = decide(edition, events, batch, before.value.shape)
    now = standing(edition, before, batch.register, decided.seats)
    sums, lines = add_up(edition, events, batch, decided, now, with_lines=with_lines)
    after = close(edition, before, now, sums, batch.closes)
    return Rated(batch, state, after, speeds_of(events), clauses_of(edition), lines)


def speeds_of(events: Events) -> tuple[str, ...]:
    """The speed of each event, blank where it makes no list."""
    return tuple(SPEEDS[speed] if speed >= 0 else "" for speed in events.speed.tolist())


def clauses_of(edition: Edition) -> tuple[str, ...]:
    """The clause of each verdict, by its code; blank for one that the edition does not have."""
    return tuple(edition.clauses.get(verdict, "") for verdict in VERDICTS)


@uncollected()
def events_of(edition: Edition, batch: Batch) -> Events:
    """What the edition says of the batch's events."""
    said = [edition.admission(event, batch) for event in batch.events]
    excluded, speeds, oldest, unpaid = zip(*said, strict=True) if said else ((),) * 4
    return Events(
        batch.event_ids,
        np.array(excluded, np.bool_),
        np.array([ROWS[speed] for speed in speeds], np.int8),
        np.array([day.toordinal() for day in oldest], np.int32),
        np.array(unpaid, np.bool_),
        np.array([event.starts.toordinal() for event in batch.events], np.int32),
        np.array([event.ends.toordinal() for event in batch.events], np.int32),
        batch.first,
        batch.last,
    )


def raised(state: State, floor: int) -> State:
    """The standings that an edition begins with: none below its floor."""
    is_low = (state.value != MISSING) & (state.value < floor)
    return state._replace(
        value=np.where(is_low, np.int32(floor), state.value),
        peak=np.where(is_low, np.maximum(state.peak, np.int32(floor)), state.peak),
    )


def filled(*sources: Int32s) -> Int32s:
    """The first of the sources that is not missing, for each player."""
    found = sources[-1]
    for source in sources[-2::-1]:
        found = np.where(source == MISSING, found, source)
    return found


def decide(edition: Edition, events: Events, batch: Batch, shape: tuple[int, ...]) -> Decided:
    """Which games enter, and who plays in them; `shape` is that of the standings."""
    games = int((batch.last - batch.first).sum())
    why, tallied, years = np.empty(games, np.int8), np.zeros(shape, np.bool_), np.zeros(YEARS, np.bool_)
    always = members_throughout(batch.register, *_stretch(events))
    decide_games(
        events, batch.games, batch.register, always, edition.events_have_members, WHITE_SCORES,
        why, tallied, years,
    )  # fmt: skip
    return Decided(why, seats_of(tallied), np.flatnonzero(years))


def seats_of(tallied: Flags) -> Seats:
    """Those who play, from flags by speed and player."""
    players = [np.flatnonzero(at_speed) for at_speed in tallied]
    return Seats(np.repeat(np.arange(len(players)), [len(each) for each in players]), np.concatenate(players))


def _stretch(events: Events) -> tuple[int, int]:
    """The first day of the events and the last."""
    return int(events.starts.min(initial=date.max.toordinal())), int(events.ends.max(initial=0))


def standing(edition: Edition, before: State, register: Register, seats: Seats) -> State:
    """What games are rated on: who plays unrated inherits, both speeds from what stood before the batch."""
    newcomers = _those(seats, unrated(seats, before.value))
    value, peak, earned = before.value.copy(), before.peak.copy(), before.earned.copy()
    for speed in range(len(SPEEDS)):
        asked = newcomers.player[newcomers.speed == speed]
        found = edition.inherited(register.fide.take(asked, axis=1), speed, before.value[1 - speed, asked])
        take_over(edition.floor, speed, asked, found, value, peak, earned)
    return before._replace(value=value, peak=peak, earned=earned)


def add_up(
    edition: Edition, events: Events, batch: Batch, decided: Decided, now: State, *, with_lines: bool
) -> tuple[Sums, Lines | None]:
    """The sums of the games that enter, and every line if asked for."""
    seats = decided.seats
    desk = _desk(edition, batch.register, now, decided)
    rules = edition.limit, edition.rates_against_unrated, edition.unrated_pair_waits
    fresh = waiting_for(2 * len(decided.why))
    pd = expected_within(edition.limit)
    lines = lines_for(events.last - events.first) if with_lines else None
    rows = add_up_games(events, batch.games, decided.why, now.value, desk, SCORES, pd, rules, fresh, lines)
    sums = Sums(
        seats,
        np.zeros(len(seats.player), np.int64),
        np.zeros(len(seats.player), np.int32),
        _first(fresh, rows),
    )
    sum_up(desk.cards, seats, sums.total, sums.counted)
    return sums, lines


def _those(seats: Seats, flags: Flags) -> Seats:
    found = np.flatnonzero(flags)
    return Seats(seats.speed[found], seats.player[found])


def _desk(edition: Edition, register: Register, now: State, decided: Decided) -> Desk:
    """The desk of the years that were played in, laid out for the first game."""
    years, seats = decided.years, decided.seats
    of_year = np.zeros(YEARS, np.int32)
    of_year[years] = np.arange(len(years))
    ks = [edition.coefficients(now, seats, register.born, int(year)) for year in years]
    cards = np.empty((len(years), *now.value.shape, DESK), _kind(ks, len(decided.why)))
    for k, of_the_year in zip(ks, cards, strict=True):
        lay_out(seats, now.value, k, of_the_year)
    return Desk(of_year, cards)


def _kind(ks: list[Int32s], games: int) -> type[np.signedinteger[Any]]:
    """Integers that hold what anybody can move in so many games; small ones keep the desk in the cache."""
    most = max((int(np.abs(k).max(initial=0)) for k in ks), default=0)
    return np.int32 if most * CERTAIN * games < -MISSING else np.int64


def close(edition: Edition, before: State, now: State, sums: Sums, closes: date) -> State:
    """The new standings: the sums added, first ratings, and the games that go on waiting.

    `now`, what games were rated on, is used up: its ratings become the new ones.
    """
    is_asked = unrated(sums.seats, now.value)
    value, games, peak, earned = now.value, now.games.copy(), now.peak, now.earned
    settle(edition.floor, sums.seats, sums.total, sums.counted, value, games, peak)
    if not edition.unrated_pair_waits:
        is_asked &= sums.counted > 0
    asked = _those(sums.seats, is_asked)
    waiting = before.waiting, sums.fresh
    found = edition.first_ratings(_on_file(waiting, asked, edition.oldest_on_file(closes), value.shape))
    value[asked] = peak[asked] = found
    earned[asked] = found != MISSING
    return State(value, games, peak, earned, _still_waiting(waiting, value))


def _on_file(parts: tuple[Waiting, ...], asked: Seats, oldest: int, shape: tuple[int, ...]) -> OnFile:
    """The games on file of who is asked for, added up, those before the day `oldest` left out."""
    rated, without, points, points_without = (np.zeros(len(asked.player), np.int32) for _ in range(4))
    on_file = OnFile(rated, without, points, points_without, np.zeros(len(asked.player), np.int64))
    seat_of = np.full(shape, NOT_ASKED, np.int32)
    seat_of[asked] = np.arange(len(asked.player))
    for rows in parts:
        add_up_on_file(rows, oldest, seat_of, on_file)
    return on_file


def _still_waiting(parts: tuple[Waiting, ...], value: Int32s) -> Waiting:
    """The games of those who are unrated yet."""
    kept, count = waiting_for(sum(len(rows.player) for rows in parts)), 0
    for rows in parts:
        count = keep_waiting(rows, value, kept, count)
    return _first(kept, count)


def _first(rows: Waiting, count: int) -> Waiting:
    """The first rows, so many."""
    columns: Any = [column[:count] for column in rows]
    return Waiting(*columns)
