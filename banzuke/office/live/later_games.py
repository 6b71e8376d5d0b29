"""What a pool has from a place in time on: a few games all at once, many player by player."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from banzuke.office.live import queries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from banzuke.office.live.queries import Place, StoredGame
    from banzuke.office.raw_sql import Statements

#: Up to so many games are read at once, or so many for each player at hand: what a little late goes over.
FEW, FEW_EACH = 1_000, 25
_PLACE = attrgetter("place")


def of_each(games: Iterable[StoredGame]) -> Callable[[str, Place], Iterator[StoredGame]]:
    """What gives a player's games after a place; these games, in order, are all that are asked for."""
    few: dict[str, list[StoredGame]] = {}
    for stored in games:
        for player in stored.players:
            few.setdefault(player, []).append(stored)

    def of(player: str, place: Place) -> Iterator[StoredGame]:
        found = few.get(player, [])
        return islice(found, bisect_right(found, place, key=_PLACE), None)

    return of


def most_at_once(players: int) -> int:
    """How many games are read at once where so many players are at hand."""
    return max(FEW, players * FEW_EACH)


class Later:
    """The games that are kept of players, asked for in order of time: none from before the first question.

    How many players are at hand (`players`) says how much is read at once.
    """

    def __init__(self, db: Statements, pool: int, players: int) -> None:
        self._db = db
        self._most = most_at_once(players)
        self._pool = pool
        self._of: Callable[[str, Place], Iterator[StoredGame]] | None = None

    def of(self, player: str, place: Place) -> Iterator[StoredGame]:
        """A player's games after a place, in order."""
        if self._of is None:
            games = queries.games_from(self._db, self._pool, place, self._most)
            self._of = of_each(games) if len(games) < self._most else self._by_himself
        return self._of(player, place)

    def _by_himself(self, player: str, place: Place) -> Iterator[StoredGame]:
        return queries.games_of_player(self._db, self._pool, player, place)
