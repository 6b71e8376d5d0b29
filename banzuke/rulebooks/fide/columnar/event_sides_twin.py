"""The fast twin of `rulebooks.fide.event_sides`: events, the sides of their games, and what comes on file.

The games of a player's first event that is left out (FIDE 8.2.1) are on file without the opponent's rating:
they count for nothing, and the event is known to have been.
"""

from typing import Any, NamedTuple

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
    Batch,
    Flags,
    Games,
    Int8s,
    Int32s,
    Int64s,
    Waiting,
)


class EventColumns(NamedTuple):
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
    """A list while it is being added up, by speed and player, as `event_sides.Tally`.

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


def put_on_file(
    before: Waiting, batch: Batch, events: EventColumns, sides: Sides, tallies: Tallies
) -> Waiting:
    """FIDE 8.2.1: the games on file with those of the batch, events in the order of their last days."""
    at = np.flatnonzero(sides.verdict == FIRST)
    place = np.searchsorted(events.at, at, side="right") - 1
    keys = [(event.ends, event.event_id) for event in batch.events]
    turn = np.empty(len(keys), np.int64)
    turn[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    order = np.argsort(turn[place], kind="stable")
    at, place = at[order], place[order]
    fresh = _fresh_games(batch.games, events, sides, at, place)
    is_kept = _are_kept(before, fresh, place, tallies.kept.shape)
    np.add.at(tallies.kept, (fresh.speed, fresh.player), is_kept)
    fresh.opponent_rating[~is_kept] = MISSING
    columns: Any = zip(before, fresh, strict=True)
    return Waiting._make(np.concatenate(old_and_new) for old_and_new in columns)


def _fresh_games(games: Games, events: EventColumns, sides: Sides, at: Int64s, place: Int64s) -> Waiting:
    """A row for each of these sides of games, which are those of players without a rating."""
    is_black = at % 2 == 1
    row = events.first[place] + (at - events.at[place]) // 2
    white, black, result, played = games.white[row], games.black[row], games.result[row], games.played[row]
    return Waiting(
        speed=events.speed[place],
        player=np.where(is_black, black, white),
        event=events.number[place],
        round=games.round[row],
        played=np.where(played == 0, events.starts[place], played),
        opponent=np.where(is_black, white, black),
        opponent_rating=sides.own[at ^ 1],
        score=np.where(is_black, BLACK_SCORES[result], WHITE_SCORES[result]),
    )


def _are_kept(before: Waiting, fresh: Waiting, place: Int64s, shape: tuple[int, ...]) -> Flags:
    """FIDE 8.2.1: which new games count: all but those of a first event without points."""
    had_event = np.zeros(shape, np.bool_)
    had_event[before.speed, before.player] = True
    key = fresh.speed * np.int64(shape[1]) + fresh.player
    _, first_row, who = np.unique(key, return_index=True, return_inverse=True)
    is_first_event = place == place[first_row][who]
    points = np.zeros(len(first_row), np.int64)
    np.add.at(points, who, np.where(is_first_event, fresh.score, 0))
    kept: Flags = had_event[fresh.speed, fresh.player] | ~is_first_event | (points[who] > 0)
    return kept
