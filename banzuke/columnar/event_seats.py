"""Who plays the games of an event that enter, and these games as each of both players has them.

Entrants are records with the fields `player`, `first` and `last`, the rows of their own sides; sides are
records with `opponent` (an entrant), `score` (half points) and `line`, White's of an event's game before
Black's.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import BLACK_SCORES, MISSING, WHITE_SCORES, Games, Int32s

Records = NDArray[Any]


@njit(cache=True)
def is_entered(games: Games, row: int) -> bool:
    """Only a game that was played, and that no ruling excludes."""
    return bool(WHITE_SCORES[games.result[row]] != MISSING and not games.excluded[row])


@njit(cache=True)
def seat_entrants(games: Games, first: int, last: int, place: Int32s, entrants: Records) -> int:
    """Who entered a game, in the order of `place`, and where their sides begin; gives how many they are."""
    at_place, played = np.full(len(place), -1), np.zeros(len(place), np.int64)
    for row in range(first, last):
        if is_entered(games, row):
            for player in (games.white[row], games.black[row]):
                at_place[place[player]] = player
                played[place[player]] += 1
    players, start = 0, 0
    for at, player in enumerate(at_place):
        if player >= 0:
            entrants[players].player = player
            entrants[players].first, entrants[players].last = start, start
            start += played[at]
            players += 1
    return players


@njit(cache=True)
def write_sides(games: Games, first: int, last: int, place: Int32s, entrants: Records, sides: Records) -> int:
    """Each game that was entered as both of its players have it; gives how many sides there are."""
    number = np.empty(len(place), np.int64)
    for at in range(len(entrants)):
        number[entrants[at].player] = at
    count = 0
    for row in range(first, last):
        if is_entered(games, row):
            white, black = number[games.white[row]], number[games.black[row]]
            for is_black, own, opponent in ((0, white, black), (1, black, white)):
                side = sides[entrants[own].last]
                scores = BLACK_SCORES if is_black else WHITE_SCORES
                side.opponent, side.score = opponent, scores[games.result[row]]
                side.line = 2 * (row - first) + is_black
                entrants[own].last += 1
                count += 1
    return count
