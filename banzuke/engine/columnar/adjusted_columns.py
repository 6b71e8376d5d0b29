"""Adjustments carried out over columns: `engine.adjustments` for all players at once."""

from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Int32s, Int64s, State
from banzuke.columnar.rating_records import put_ratings, ratings_at
from banzuke.columnar.twin import twin_of
from banzuke.core.adjustments import adjusted_rating, read_map
from banzuke.core.facts import Adjustment
from banzuke.core.rulebook import ChessBook


class AdjustedColumns(NamedTuple):
    """The ratings that an adjustment was for: players, the rows of their speeds, before it and after it.

    They have so many decimals, and are counted in the last of them.
    """

    adjustment_id: str
    player: Int32s
    speed: Int32s
    before: Int64s
    after: Int64s
    places: int


def adjust(
    state: State, book: ChessBook, adjustments: Sequence[Adjustment]
) -> tuple[State, list[AdjustedColumns]]:
    """The standings after the adjustments of a list, one after another, and what each was for.

    The standings given are left as they were.
    """
    done = []
    for adjustment in adjustments:
        state, adjusted = _adjusted(state, book, adjustment)
        done.append(adjusted)
    return state, done


def _adjusted(state: State, book: ChessBook, adjustment: Adjustment) -> tuple[State, AdjustedColumns]:
    """The standings after an adjustment, and the ratings that it is for, by player and speed."""
    is_for = np.array([adjustment.speed in ("", speed) for speed in book.speeds])
    player, speed = (each.astype(np.int32) for each in np.nonzero((state.value != MISSING).T & is_for))
    carried, nodes, unit = twin_of(book).carried, read_map(adjustment.points), 10**book.scale.places
    before = ratings_at(state, carried, (speed, player))
    move = cache(partial(adjusted_rating, book, nodes))
    after = [move(rating) for rating in before]
    old, new = (
        np.array([int(book.scale.read(rating) * unit) for rating in ratings], np.int64)
        for ratings in (before, after)
    )
    adjusted = AdjustedColumns(adjustment.adjustment_id, player, speed, old, new, book.scale.places)
    return put_ratings(state, carried, (speed, player), after), adjusted
