"""Other rating systems on the same games in the same windows: plain Elo, Glicko-2, whole-history rating.

Each is a package of others, as its makers meant it. Before a list each says what it expects of the list's
games, then it learns those that entered the list; a speed has ratings of its own, as in the rule books.
Elo and Glicko-2 begin with the ratings that the pool opened with; whole-history rating knows games alone.
Handicaps are Elo points added to the strength of a game's first player: each side meets the other as
strong as that makes them, and whole-history rating has a place for them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import whr
from elote import EloCompetitor
from glicko2 import MatchResult, Player, RatingEngine, RatingPeriod
from glicko2.engine import PlayerPool
from glicko2.math import rating_to_mu, rd_to_phi, win_probability

from banzuke.lab.forecasts import Forecasts
from banzuke.lab.true_expectation import SCALE, Floats, Ints

#: Where a newcomer begins if the pool opened without ratings, and the K of plain Elo.
NEWCOMER, ELO_K = 1500, 20
#: Glicko-2's deviation of a rating that the pool opened with; a newcomer has the package's own, 350.
OPENING_DEVIATION = 80
#: Whole-history rating: how a strength wanders (Elo squared a day; Coulom's value), and how often all curves
#: are gone through at each list, from where the last one left them: 20 times give the same to a thousandth.
WANDERING, SWEEPS = 14, 10
#: It is asked where games times lists are so many at most: 200,000 over 24 lists take about a minute.
MOST_FITTED = 200_000 * 24


class Game(NamedTuple):
    """A game as a peer sees it: White, Black, White's score, by how much the terms put White ahead."""

    white: str
    black: str
    score: float
    ahead: float = 0.0


class Peer(Protocol):
    """A rating system that foretells games and learns from them."""

    def expected(self, white: str, black: str, ahead: float = 0.0) -> float:
        """What White should score, with so many points more than White's own."""

    def learn(self, day: int, games: list[Game]) -> None:
        """Take in the games of a list published on that day, those of earlier lists being known."""


class Elo:
    """Plain Elo, one K for all, game by game (package elote)."""

    def __init__(self, opening: dict[str, float], newcomer: float) -> None:
        self._newcomer = newcomer
        self._players = {name: EloCompetitor(rating, ELO_K) for name, rating in opening.items()}

    def _player(self, name: str) -> EloCompetitor:
        if name not in self._players:
            self._players[name] = EloCompetitor(self._newcomer, ELO_K)
        return self._players[name]

    def expected(self, white: str, black: str, ahead: float = 0.0) -> float:
        """What White should score."""
        return self._ahead(white, ahead).expected_score(self._player(black))

    def _ahead(self, name: str, ahead: float) -> EloCompetitor:
        """The player with so many points more."""
        return EloCompetitor(self._player(name).rating + ahead, ELO_K)

    def learn(self, _day: int, games: list[Game]) -> None:
        """Take in games one by one."""
        for game in games:
            one, other = self._ahead(game.white, game.ahead), self._player(game.black)
            if game.score == 1 / 2:
                one.tied(other)
            elif game.score:
                one.beat(other)
            else:
                other.beat(one)
            self._player(game.white).rating = one.rating - game.ahead


class Glicko2:
    """Glicko-2, a list with games a rating period (package glicko2-py)."""

    def __init__(self, opening: dict[str, float], newcomer: float) -> None:
        self._engine = RatingEngine()
        self._newcomer = rating_to_mu(newcomer)
        for name, rating in opening.items():
            self._engine.pool.add(Player(name, rating_to_mu(rating), rd_to_phi(OPENING_DEVIATION)))

    def _player(self, name: str) -> Player:
        return self._engine.pool.get_or_create(name, mu=self._newcomer)

    def expected(self, white: str, black: str, ahead: float = 0.0) -> float:
        """What White should score."""
        one, other = self._ahead(white, ahead), self._player(black)
        return win_probability(one.mu, one.phi, other.mu, other.phi)

    def _ahead(self, name: str, ahead: float) -> Player:
        """The player with so many points more; for a while, and under another name."""
        own = self._player(name)
        more = rating_to_mu(ahead) - rating_to_mu(0)
        return Player(f"{name} {ahead:+}", own.mu + more, own.phi, own.sigma) if ahead else own

    def learn(self, day: int, games: list[Game]) -> None:
        """Take in the games as a rating period."""
        matches, for_a_while = list[MatchResult](), dict[str, Player]()
        for game in games:
            one, other = self._player(game.white), self._player(game.black)
            stronger, weaker = self._ahead(game.white, game.ahead), self._ahead(game.black, -game.ahead)
            matches.append(MatchResult(one.id, weaker.id, game.score))
            if game.ahead:
                matches.append(MatchResult(stronger.id, other.id, game.score))
                for_a_while |= {stronger.id: stronger, weaker.id: weaker}
        own = self._engine.pool
        self._engine.pool = PlayerPool()
        for player in (*own.all(), *for_a_while.values()):
            self._engine.pool.add(player)
        self._engine.process_period(RatingPeriod(str(day), matches))
        for player in own.all():
            own.update(self._engine.pool.get(player.id))
        self._engine.pool = own


class WholeHistory:
    """Whole-history rating: after each list the curves of all players are fitted anew (package whr)."""

    def __init__(self, _opening: dict[str, float], _newcomer: float) -> None:
        self._base = whr.Base(w2=WANDERING)
        self._known: set[str] = set()

    def expected(self, white: str, black: str, ahead: float = 0.0) -> float:
        """What White should score."""
        behind = self._strength(black) - self._strength(white) - ahead
        return float(1 / (1 + 10 ** (behind / SCALE)))

    def _strength(self, name: str) -> float:
        """The end of the player's curve; 0, the middle of all, for who has not played."""
        return float(self._base.ratings_for_player(name)[-1][1]) if name in self._known else 0.0

    def learn(self, day: int, games: list[Game]) -> None:
        """Take in the games, and fit all curves again, from where they were."""
        winners = {1.0: "B", 0.5: "D", 0.0: "W"}  # the package calls the first of two players Black
        if games:
            self._base.create_games(
                [[one, other, winners[score], day, ahead] for one, other, score, ahead in games]
            )
            self._known.update(name for game in games for name in game[:2])
            self._base.iterate(SWEEPS)


PEERS: dict[str, Callable[[dict[str, float], float], Peer]] = {
    "elo": Elo,
    "glicko-2": Glicko2,
    "whole-history": WholeHistory,
}


def peers_for(games: Forecasts) -> list[str]:
    """The peers that are asked about so many games."""
    fitted = len(games.of) * len(np.unique(games.place))
    return [name for name in PEERS if name != "whole-history" or fitted <= MOST_FITTED]


def peer_expects(name: str, games: Forecasts, openings: Sequence[Mapping[int, float]]) -> Floats:
    """What a peer expects White to score in each of the games, which are in the order of their lists.

    `openings` are the ratings that the pool opened with, by player, for each speed.
    """
    expected = np.full(len(games.of), np.nan)
    for speed, opening in enumerate(openings):
        known = {str(player): rating for player, rating in opening.items()}
        newcomer = float(np.mean(list(known.values()))) if known else float(NEWCOMER)
        peer = PEERS[name](known, newcomer)
        for rows in _lists(games, speed):
            played = [
                Game(str(white), str(black), score, ahead)
                for white, black, score, ahead in zip(*_sides(games, rows), strict=True)
            ]
            expected[rows] = [peer.expected(game.white, game.black, game.ahead) for game in played]
            counted = games.counted[rows].tolist()
            day = int(games.day[rows[0]])
            peer.learn(day, [game for game, is_counted in zip(played, counted, strict=True) if is_counted])
    return expected


def _sides(games: Forecasts, rows: Ints) -> Iterator[list[Any]]:
    return (column[rows].tolist() for column in (games.white, games.black, games.score, games.ahead))


def _lists(games: Forecasts, speed: int) -> list[Ints]:
    """The rows of the games at a speed, list by list."""
    rows = np.flatnonzero(games.speed == speed)
    _, first = np.unique(games.place[rows], return_index=True)
    return np.split(rows, first[1:]) if len(rows) else []
