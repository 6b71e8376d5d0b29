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

from banzuke.bulk.columns import (
    BLACK_SCORES,
    MISSING,
    VERDICTS,
    WHITE_SCORES,
    Rated,
    State,
    Waiting,
    lines_for,
)
from banzuke.bulk.month_games import (
    COUNTED,
    DESK,
    OWN,
    TOTAL,
    YEARS,
    K,
    add_up_games,
    add_up_on_file,
    decide_games,
    members_throughout,
    new_ratings,
    unrated_sides,
)
from banzuke.bulk.tables import PD
from banzuke.rulebooks.month import SPEEDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from banzuke.bulk.columns import Batch, Flags, Games, Int8s, Int32s, Int64s, Lines, Register
    from banzuke.core.facts import Event
    from banzuke.rulebooks.month import Admission

NO_LINES = lines_for(0)


class Edition(NamedTuple):
    """The clauses that the steps ask an edition for, as `rulebooks.month.Edition`, for all players at once.

    `inherited` gives the ratings taken over at a speed from FIDE's and the ratings at the other speed;
    `coefficients` K by speed and player from the standings, the days of birth and the year of play;
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
    coefficients: Callable[[State, Int32s, int], Int32s]
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


class Decided(NamedTuple):
    """Of each game why it does not enter (ENTERS: it does); who plays in one, by speed; in which years."""

    why: Int8s
    tallied: Flags
    years: Flags


class Sums(NamedTuple):
    """By speed and player: the sum of changes, the games counted; and the new games for first ratings."""

    total: Int64s
    counted: Int32s
    fresh: Waiting


class OnFile(NamedTuple):
    """The games on file by speed and player, rated opponents and unrated ones apart; who has a new one.

    `points` are half points, `opponents` the sum of ratings.
    """

    rated: Int32s
    unrated: Int32s
    points: Int32s
    unrated_points: Int32s
    opponents: Int64s
    is_asked: Flags


def rate(edition: Edition, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """The batch rated by that edition; the standings given are left as they were."""
    events = events_of(edition, batch)
    before = raised(state, edition.floor) if batch.opens_edition else state
    decided = decide(edition, events, batch, before.value.shape)
    now = standing(edition, before, batch.register, decided.tallied)
    sums, lines = add_up(edition, events, batch, decided, now, with_lines=with_lines)
    after = close(edition, before, now, decided.tallied, sums, batch.closes)
    speeds = tuple(SPEEDS[speed] if speed >= 0 else "" for speed in events.speed)
    return Rated(batch, state, after, speeds, clauses_of(edition), lines)


def clauses_of(edition: Edition) -> tuple[str, ...]:
    """The clause of each verdict, by its code; blank for one that the edition does not have."""
    return tuple(edition.clauses.get(verdict, "") for verdict in VERDICTS)


def events_of(edition: Edition, batch: Batch) -> Events:
    """What the edition says of the batch's events."""
    said = [edition.admission(event, batch) for event in batch.events]
    speeds = [SPEEDS.index(each.speed) if each.speed else -1 for each in said]
    return Events(
        batch.event_ids,
        np.array([each.excluded for each in said], np.bool_),
        np.array(speeds, np.int8),
        np.array([each.oldest.toordinal() for each in said], np.int32),
        np.array([each.unpaid for each in said], np.bool_),
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
    decided = Decided(np.empty(games, np.int8), np.zeros(shape, np.bool_), np.zeros(YEARS, np.bool_))
    always = members_throughout(batch.register, *_stretch(events))
    decide_games(
        events, batch.games, batch.register, always, edition.events_have_members, WHITE_SCORES, decided
    )
    return decided


def _stretch(events: Events) -> tuple[int, int]:
    """The first day of the events and the last."""
    return int(events.starts.min(initial=date.max.toordinal())), int(events.ends.max(initial=0))


def standing(edition: Edition, before: State, register: Register, tallied: Flags) -> State:
    """What games are rated on: who plays unrated inherits, both speeds from what stood before the batch."""
    value, peak, earned = before.value.copy(), before.peak.copy(), before.earned.copy()
    for speed in range(len(SPEEDS)):
        asked = np.flatnonzero(tallied[speed] & (before.value[speed] == MISSING))
        found = edition.inherited(register.fide[:, asked], speed, before.value[1 - speed, asked])
        heirs, taken = asked[found != MISSING], found[found != MISSING]
        value[speed, heirs] = peak[speed, heirs] = np.maximum(taken, np.int32(edition.floor))
        earned[speed, heirs] = False
    return before._replace(value=value, peak=peak, earned=earned)


def add_up(
    edition: Edition, events: Events, batch: Batch, decided: Decided, now: State, *, with_lines: bool
) -> tuple[Sums, Lines | None]:
    """The sums of the games that enter, and every line if asked for."""
    years = np.flatnonzero(decided.years)
    places = np.zeros(YEARS, np.int32)
    places[years] = np.arange(len(years))
    desk = np.array([_desk_of(edition, batch.register, now, int(year)) for year in years], np.int64)
    desk = desk.reshape(len(years), *now.value.shape, DESK)
    lines = lines_for(len(decided.why)) if with_lines else NO_LINES
    fresh = _fresh_rows(now, decided, batch.games, events)
    add_up_games(
        events, batch.games, decided.why, now.value, desk, places, (WHITE_SCORES, BLACK_SCORES), PD,
        (edition.limit, edition.rates_against_unrated, edition.unrated_pair_waits), fresh, lines,
    )  # fmt: skip
    total, counted = desk[..., TOTAL].sum(axis=0), desk[..., COUNTED].sum(axis=0).astype(np.int32)
    return Sums(total, counted, fresh), lines if with_lines else None


def _desk_of(edition: Edition, register: Register, now: State, year: int) -> Int64s:
    """What is at hand for the games of a year: own rating, K, the sum and the count, by speed and player."""
    desk = np.zeros((*now.value.shape, DESK), np.int64)
    desk[..., OWN], desk[..., K] = now.value, edition.coefficients(now, register.born, year)
    return desk


def _fresh_rows(now: State, decided: Decided, games: Games, events: Events) -> Waiting:
    """Rows for the games of unrated players that enter."""
    rows = unrated_sides(now.value, decided.why, games, events)
    plain: Any = [np.empty(rows, np.int32) for _ in range(len(Waiting._fields) - 1)]
    return Waiting(np.empty(rows, np.int8), *plain)


def close(edition: Edition, before: State, now: State, tallied: Flags, sums: Sums, closes: date) -> State:
    """The new standings: the sums added, first ratings, and the games that go on waiting."""
    both: Any = zip(before.waiting, sums.fresh, strict=True)
    rows = Waiting(*map(np.concatenate, both))
    is_unrated = tallied & (now.value == MISSING)
    on_file = _on_file(now.value.shape, rows, edition.oldest_on_file(closes))
    on_file.is_asked[...] = is_unrated
    if not edition.unrated_pair_waits:
        on_file.is_asked[...] &= sums.counted > 0
    found = edition.first_ratings(on_file)
    value, peak = now.value.copy(), now.peak.copy()
    new_ratings(edition.floor, tallied, sums.total, value, peak)
    value[is_unrated] = peak[is_unrated] = found[is_unrated]
    earned = np.where(is_unrated, found != MISSING, now.earned)
    waits = value[rows.speed, rows.player] == MISSING
    waiting = Waiting(*(column[waits] for column in rows))
    return State(value, now.games + sums.counted, peak, earned, waiting)


def _on_file(shape: tuple[int, ...], rows: Waiting, oldest: int) -> OnFile:
    """The games on file added up, those before the day `oldest` left out."""
    rated, unrated, points, unrated_points = (np.zeros(shape, np.int32) for _ in range(4))
    opponents, is_asked = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
    on_file = OnFile(rated, unrated, points, unrated_points, opponents, is_asked)
    add_up_on_file(rows, oldest, on_file)
    return on_file
