"""Other rating systems on the same games in the same windows: Elo, Glicko, whole-history rating.

Before a list each says what it expects of the list's games, then it learns those that entered the list; a
speed has ratings of its own, as in the rule books. Everybody begins where the pool's own rules had them
before their first game. Elo and Glicko are tried with several numbers: each part of the history is forecast
with those that did best on the parts before it. Whole-history rating (package whr) has its author's numbers;
where fitting all curves after every list would take too long, it is fitted after some. Handicaps are points
added to the strength of a game's first player.
"""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
import whr
from numba import njit

from banzuke.lab.forecasts import Forecasts, choose_by_losses, losses, parts_of, sum_parts
from banzuke.lab.true_expectation import NATURAL, SCALE, Floats, Ints, doubt_factor

#: Where players begin if nothing is known of anybody; for how many games they are new.
NEWCOMER, NEW_FOR = 1500.0, 30
#: Elo is tried with each K, and K of new players; the first are FIDE's.
ELO = tuple(product((20, 10, 15, 25, 32, 40), (40, 20, 30, 60, 80)))
#: Glicko is tried with each growth of a variance a day, and deviation of a newcomer; the first are its
#: author's (50 grows to 350 in five years). The rating of who is no newcomer begins `SETTLED`; none grows
#: beyond LARGEST.
GLICKO = tuple(product((66, 2, 5, 10, 20, 40), (350, 80, 120, 180, 250)))
SETTLED, LARGEST = 80.0, 350.0
#: Whole-history rating: how a strength wanders (Elo squared a day; Coulom's value), and how often all curves
#: are gone through at each fit, from where the last one left them: 20 times give the same to a thousandth.
WANDERING, SWEEPS = 14, 10
#: Its fits times games are so many at most: about a quarter of a minute.
MOST_FITTED = 60_000 * 24

_factor = njit(cache=True)(doubt_factor)


class Peer(NamedTuple):
    """What a peer expects White to score in each game, and the numbers that it has in the end.

    Of Elo K and that of new players; of Glicko the growth of a variance a day and a newcomer's deviation; of
    whole-history rating after how many lists it is fitted.
    """

    expected: Floats
    numbers: Ints


def begin(games: Forecasts) -> tuple[Ints, Floats, Floats]:
    """Where each list of a speed's games begins, and the last ends; players' first ratings and deviations.

    A newcomer's deviation is NaN.
    """
    bounds = np.append(np.unique(games.place, return_index=True)[1], len(games.of))
    begins = np.where(np.isnan(games.rating), games.newcomer, games.rating)
    middle = float(np.nanmean(begins)) if not np.isnan(begins).all() else NEWCOMER
    players, first = np.unique(np.stack([games.white, games.black], 1), return_index=True)
    rating, deviation = np.full(players.max() + 1, middle), np.full(players.max() + 1, SETTLED)
    rating[players] = np.nan_to_num(begins.T.ravel()[first], nan=middle)
    deviation[players[np.isnan(games.rating.T.ravel()[first])]] = np.nan
    return bounds, rating, deviation


def peer_expects(name: str, games: Forecasts) -> Peer:
    """What a peer expects of games, which are in the order of their lists."""
    rows = [np.flatnonzero(games.speed == speed) for speed in np.unique(games.speed)]
    by_speed = [(own, *begin(own)) for own in map(games.take, rows)]

    def expects(system: Callable[..., Floats], *numbers: float) -> Floats:
        expected = np.empty(len(games.of))
        for own, known in zip(rows, by_speed, strict=True):
            expected[own] = system(*known, *map(float, numbers))
        return expected

    if name in TUNED:
        system, numbers = TUNED[name]
        tried, parts = np.array([expects(system, *pair) for pair in numbers]), parts_of(games.place)
        lost = losses(tried, games.score).log
        chosen = choose_by_losses(np.array([sum_parts(each, parts) for each in lost]))
        return Peer(tried[chosen[parts], np.arange(len(parts))], np.array(numbers[chosen[-1]]))
    work = sum(len(bounds) * len(own.of) for own, bounds, *_ in by_speed)
    every = max(1, math.ceil(work / MOST_FITTED))
    return Peer(expects(_whole_history, every), np.array([every]))


@njit(cache=True)
def _elo(games: Forecasts, bounds: Ints, begins: Floats, _deviation: Floats, k: float, k_new: float) -> Any:
    """Elo, game by game."""
    rating, played, expected = begins.copy(), np.zeros(len(begins)), np.empty(len(games.of))
    for place in range(len(bounds) - 1):
        for learns in (False, True):
            for row in range(bounds[place], bounds[place + 1]):
                one, other = games.white[row], games.black[row]
                chance = 1 / (1 + 10 ** ((rating[other] - rating[one] - games.ahead[row]) / SCALE))
                if not learns:
                    expected[row] = chance
                elif games.counted[row]:
                    for player, sign in ((one, 1), (other, -1)):
                        own_k = k if played[player] >= NEW_FOR else k_new
                        rating[player] += sign * own_k * (games.score[row] - chance)
                        played[player] += 1
    return expected


@njit(cache=True)
def _glicko(
    games: Forecasts, bounds: Ints, begins: Floats, deviation: Floats, growth: float, newcomer: float
) -> Any:
    """Glicko (Glickman 1999), a list a rating period."""
    white, black, day = games.white, games.black, games.day
    rating, variance = begins.copy(), np.where(np.isnan(deviation), newcomer, deviation) ** 2
    seen, known, pull = np.full(len(begins), day[0]), np.zeros(len(begins)), np.zeros(len(begins))
    expected = np.empty(len(white))
    for place in range(len(bounds) - 1):
        rows = range(bounds[place], bounds[place + 1])
        for row in rows:
            for player in (white[row], black[row]):
                variance[player] = min(variance[player] + growth * (day[row] - seen[player]), LARGEST**2)
                seen[player] = day[row]
        for row in rows:
            one, other = white[row], black[row]
            lead = NATURAL * (rating[one] + games.ahead[row] - rating[other])
            expected[row] = 1 / (1 + math.exp(-_factor(variance[one] + variance[other]) * lead))
            if games.counted[row]:
                for player, against, sign in ((one, other, 1), (other, one, -1)):
                    counts = _factor(variance[against])
                    chance = 1 / (1 + math.exp(-counts * lead))
                    known[player] += (NATURAL * counts) ** 2 * chance * (1 - chance)
                    pull[player] += sign * NATURAL * counts * (games.score[row] - chance)
        for row in rows:
            for player in (white[row], black[row]):
                variance[player] = 1 / (1 / variance[player] + known[player])
                rating[player] += variance[player] * pull[player]
                known[player], pull[player] = 0.0, 0.0
    return expected


def _whole_history(
    games: Forecasts, bounds: Ints, begins: Floats, _deviation: Floats, every: float
) -> Floats:
    """Whole-history rating of how far all are from where they began, fitted after every so many lists."""
    white, black = games.white, games.black
    base, away, played = whr.Base(w2=WANDERING), np.zeros(len(begins)), list[list[Any]]()
    lead = games.ahead + begins[white] - begins[black]
    expected, known = np.empty(len(white)), set[int]()
    winners = {1.0: "B", 0.5: "D", 0.0: "W"}  # the package calls the first of two players Black
    for place, (first, last) in enumerate(pairwise(bounds.tolist()), 1):
        rows = slice(first, last)
        expected[rows] = 1 / (1 + 10 ** ((away[black[rows]] - away[white[rows]] - lead[rows]) / SCALE))
        new = [
            [str(white[row]), str(black[row]), winners[games.score[row]], int(games.day[first]), lead[row]]
            for row in range(first, last)
            if games.counted[row]
        ]
        if new:
            base.create_games(new)
            played += new
            known.update(int(name) for game in new for name in game[:2])
        if known and place % int(every) == 0:
            found = _fit(base, known)
            if not np.isfinite(found).all():  # curves ran away from where the last fit had left them
                base = whr.Base(w2=WANDERING)
                base.create_games(played)
                found = _fit(base, known)
            players = np.array(list(known))
            away[players] = np.where(np.isfinite(found), found, away[players])
    return expected


def _fit(base: Any, players: set[int]) -> Floats:
    """The ends of players' curves, fitted on from where they are."""
    base.iterate(SWEEPS)
    return np.array([base.ratings_for_player(str(player))[-1][1] for player in players])


#: The systems that are tried with several numbers.
TUNED: Mapping[str, tuple[Callable[..., Floats], tuple[tuple[int, int], ...]]] = {
    "elo": (_elo, ELO),
    "glicko": (_glicko, GLICKO),
}
PEERS = (*TUNED, "whole-history")
