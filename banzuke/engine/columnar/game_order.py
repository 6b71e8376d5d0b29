"""Games in columns put in order, and looked at for what makes them doubtful."""

from typing import Any

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import Flags, Int32s, Int64s

#: Rounds of fewer games are sorted where they lie, as they mostly do: by event and round.
LONG = 256


def order_of(event: Int32s, round_: Int32s, white: Int32s) -> Int32s:
    """The rows of games by event, round and White, numbers from 0 on; those alike as they stand."""
    if _are_in_order(event, round_):
        order = _order_in_rounds(event, round_, white)
        if len(order):
            return order
    order = np.arange(len(event), dtype=np.int32)
    for key in (white, round_, event):
        order = _ordered_by(key, order, int(key.max(initial=0)) + 1)
    return order


@njit(cache=True, nogil=True)
def _are_in_order(event: Int32s, round_: Int32s) -> bool:
    """Whether games stand by event and round."""
    for row in range(1, len(event)):
        if event[row - 1] > event[row] or (event[row - 1] == event[row] and round_[row - 1] > round_[row]):
            return False
    return True


@njit(cache=True, nogil=True)
def _order_in_rounds(event: Int32s, round_: Int32s, white: Int32s) -> Int32s:
    """The rows of games that stand by event and round, by White within each round; none if one is long."""
    order = np.arange(len(event)).astype(np.int32)
    first = 0
    for row in range(1, len(event)):
        if event[row] != event[first] or round_[row] != round_[first]:
            first = row
        if row - first == LONG:
            return order[:0]
        place = row
        while place > first and white[order[place - 1]] > white[row]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = row
    return order


@njit(cache=True, nogil=True)
def _ordered_by(key: Int32s, order: Int32s, values: int) -> Int32s:
    """The rows of `order` by a key from 0 until `values`, counted out."""
    place = np.zeros(values + 1, np.int64)
    for row in order:
        place[key[row] + 1] += 1
    for value in range(values):
        place[value + 1] += place[value]
    ordered = np.empty(len(order), np.int32)
    for row in order:
        ordered[place[key[row]]] = row
        place[key[row]] += 1
    return ordered


@njit(cache=True, nogil=True)
def doubtful(
    games: Any, event_first: Int64s, is_settled: Flags, starts: Int32s, ends: Int32s, is_known: Flags
) -> Flags:
    """The events with games that are not beyond doubt, of games in order.

    Beyond doubt: the event has one row, which stands always (`is_settled`), and so have the players
    (`is_known`); no player is in two games of a round, and every day is one of the event's.
    """
    found = np.zeros(len(is_settled), np.bool_)
    seen, this_round = np.zeros(len(is_known), np.int64), 0
    for event in range(len(is_settled)):
        round_ = -1
        for row in range(event_first[event], event_first[event + 1]):
            if games.round[row] != round_:
                round_, this_round = games.round[row], this_round + 1
            day = games.played[row]
            if not is_settled[event] or (day and not starts[event] <= day <= ends[event]):
                found[event] = True
            for player in (games.white[row], games.black[row]):
                if seen[player] == this_round or not is_known[player]:
                    found[event] = True
                seen[player] = this_round
    return found
