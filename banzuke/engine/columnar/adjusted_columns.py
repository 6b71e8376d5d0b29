"""Adjustments carried out over columns: `engine.adjustments` for all players at once."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Int32s, State
from banzuke.core.adjustments import adjusted_figure, read_map
from banzuke.core.facts import Adjustment
from banzuke.core.rating import Rating
from banzuke.core.rulebook import ChessBook


class AdjustedColumns(NamedTuple):
    """The ratings that an adjustment was for: players, the rows of their speeds, before it and after it."""

    adjustment_id: str
    player: Int32s
    speed: Int32s
    before: Int32s
    after: Int32s


def adjust(
    state: State, book: ChessBook, adjustments: Sequence[Adjustment]
) -> tuple[State, list[AdjustedColumns]]:
    """The standings after the adjustments of a list, one after another, and what each was for.

    The standings given are left as they were.
    """
    done = []
    for adjustment in adjustments:
        adjusted = _adjusted(state, book, adjustment)
        state = _with_ratings(state, book, adjusted)
        done.append(adjusted)
    return state, done


def _adjusted(state: State, book: ChessBook, adjustment: Adjustment) -> AdjustedColumns:
    """The ratings that an adjustment is for, by player and speed."""
    is_for = np.array([adjustment.speed in ("", speed) for speed in book.speeds])
    at = np.nonzero((state.value != MISSING).T & is_for)
    player, speed = (numbers.astype(np.int32) for numbers in at)
    before = state.value[speed, player]
    ratings, place = np.unique(before, return_inverse=True)
    nodes = read_map(adjustment.points)
    moved = [int(adjusted_figure(book, nodes, Fraction(rating))) for rating in ratings.tolist()]
    after = np.array(moved, np.int32)[place]
    if book.floor is not None:
        after = np.maximum(after, _floors(state, book, player, speed))
    return AdjustedColumns(adjustment.adjustment_id, player, speed, before, after)


def _floors(state: State, book: ChessBook, player: Int32s, speed: Int32s) -> Int32s:
    """Below which rating nobody of these is put."""
    floor = book.floor or (lambda _rating: MISSING)
    fields = zip(*(field[speed, player].tolist() for field in state[:4]), strict=True)
    floors = [
        floor(Rating(value, games, None if peak == MISSING else peak, earned))
        for value, games, peak, earned in fields
    ]
    return np.array(floors, np.int32)


def _with_ratings(state: State, book: ChessBook, adjusted: AdjustedColumns) -> State:
    """The standings with the ratings after an adjustment; a higher one is a peak."""
    at, value, peak = (adjusted.speed, adjusted.player), state.value.copy(), state.peak.copy()
    value[at] = adjusted.after
    may_be_peak = (adjusted.after != adjusted.before) & (state.games[at] >= book.peak_from_games)
    peak[at] = np.where(may_be_peak, np.maximum(peak[at], adjusted.after), peak[at])
    return state._replace(value=value, peak=peak)
