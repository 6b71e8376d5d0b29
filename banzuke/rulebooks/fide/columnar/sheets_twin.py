"""The fast twin of `rulebooks.fide.sheets`: events, the sides of their games, and what comes on file.

The games of a player's first event that is left out (FIDE 8.2.1) are on file without the opponent's rating:
they count for nothing, and the event is known to have been.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import (
    AGAINST_UNRATED,
    BLACK_SCORES,
    FIRST,
    FORFEIT,
    MISSING,
    RATED,
    RULING,
    WHITE_SCORES,
    Waiting,
    waiting_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.columnar.batch_columns import Batch, Flags, Games, Int8s, Int32s, Int64s

#: In the place of a first event: there was none yet; there was one in an earlier list.
NO_EVENT, LONG_AGO = -1, -2


class Events(NamedTuple):
    """What the book says of each event.

    `speed` is a row of the standings; who was born on `junior_since` or later is a junior; from a rating of
    `real_from` on differences are real ones. The sides of its games begin at `at` in `Sides`.
    """

    number: Int32s
    speed: Int8s
    excluded: Flags
    starts: Int32s
    junior_since: Int32s
    real_from: Int32s
    first: Int64s
    last: Int64s
    at: Int64s


class Sides(NamedTuple):
    """Both sides of each game, White's first: rating in force, verdict, and K before the limit of 700."""

    own: Int32s
    verdict: Int8s
    k: Int32s


class Tallies(NamedTuple):
    """A list while it is being added up, by speed and player, as `sheets.Tally`.

    `fresh` are the games played without a rating, `kept` those of them that came on file.
    """

    rated: Int32s
    total: Int64s
    held: Int32s
    fresh: Int32s
    kept: Int32s


@njit(cache=True)
def in_force(value: Int32s, speed: int, player: int) -> int:
    """FIDE 7.1, RB 7.2.1: the rating; unrated at rapid or blitz, the standard one."""
    own = value[speed, player]
    return int(value[0, player] if own == MISSING else own)


@njit(cache=True)
def verdict_of(excluded: bool, score: int, own: int, other: int) -> int:
    """FIDE 5.1, 8.2: only games that were played, against rated opponents."""
    if excluded:
        return RULING
    if score == MISSING:
        return FORFEIT
    if other == MISSING:
        return AGAINST_UNRATED
    return FIRST if own == MISSING else RATED


def put_on_file(before: Waiting, batch: Batch, events: Events, sides: Sides, tallies: Tallies) -> Waiting:
    """FIDE 8.2.1: the games on file with those of the batch, events in the order of their last days."""
    fresh = waiting_for(int(tallies.fresh.sum()))
    if len(fresh.player):
        first_event = np.full(tallies.fresh.shape, NO_EVENT, np.int64)
        first_event[before.speed, before.player] = LONG_AGO
        keys = [(event.ends, event.event_id) for event in batch.events]
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        points = _first_events(order, events, batch.games, sides, first_event)
        _rows_on_file(order, events, batch.games, sides, first_event, points, tallies.kept, fresh)
    columns: Iterable[Any] = zip(before, fresh, strict=True)
    return Waiting._make(np.concatenate(old_and_new) for old_and_new in columns)


@njit(cache=True)
def _first_events(order: Int64s, events: Events, games: Games, sides: Sides, first_event: Int64s) -> Int64s:
    """Finds the first event of those who had none, and gives their half points in it."""
    points = np.zeros(first_event.shape, np.int64)
    for place in order:
        speed, at = events.speed[place], events.at[place]
        for row in range(events.first[place], events.last[place]):
            for side in range(2):
                player = games.black[row] if side else games.white[row]
                if sides.verdict[at] == FIRST:
                    if first_event[speed, player] == NO_EVENT:
                        first_event[speed, player] = place
                    if first_event[speed, player] == place:
                        scores = BLACK_SCORES if side else WHITE_SCORES
                        points[speed, player] += scores[games.result[row]]
                at += 1
    return points


@njit(cache=True)
def _rows_on_file(
    order: Int64s,
    events: Events,
    games: Games,
    sides: Sides,
    first_event: Int64s,
    points: Int64s,
    kept: Int32s,
    fresh: Waiting,
) -> None:
    """A row for each game of a player without a rating; those of a first event without points are blank."""
    filed = 0
    for place in order:
        speed, at = events.speed[place], events.at[place]
        for row in range(events.first[place], events.last[place]):
            for side in range(2):
                if sides.verdict[at] == FIRST:
                    player, opponent = games.white[row], games.black[row]
                    if side:
                        player, opponent = opponent, player
                    scores = BLACK_SCORES if side else WHITE_SCORES
                    is_kept = first_event[speed, player] != place or points[speed, player] > 0
                    kept[speed, player] += is_kept
                    fresh.speed[filed], fresh.player[filed] = speed, player
                    fresh.event[filed], fresh.round[filed] = events.number[place], games.round[row]
                    fresh.opponent[filed] = opponent
                    fresh.played[filed] = games.played[row] or events.starts[place]
                    fresh.opponent_rating[filed] = sides.own[at ^ 1] if is_kept else MISSING
                    fresh.score[filed] = scores[games.result[row]]
                    filed += 1
                at += 1
