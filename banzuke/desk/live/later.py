"""What a pool has from a place in time on: of a few games all at once, of many each player's by himself."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING

from banzuke.desk.live import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.desk.live.tables import Kept, Place
    from banzuke.desk.statements import Statements

#: Up to so many games are read at once, or so many for each player at hand: what a little late goes over.
FEW, FEW_EACH = 1_000, 25
_PLACE = attrgetter("place")


class Later:
    """The games that are kept of players, asked for in order of time: none from before the first question.

    How many players are at hand (`players`) says how much is read at once.
    """

    def __init__(self, db: Statements, pool: int, players: int) -> None:
        self._db = db
        self._most = max(FEW, players * FEW_EACH)
        self._pool = pool
        self._is_read = False
        self._few: dict[str, list[Kept]] | None = None

    def of(self, player: str, place: Place) -> Iterator[Kept]:
        """A player's games after a place, in order."""
        if not self._is_read:
            self._read(place)
        if self._few is None:
            return tables.kept_of(self._db, self._pool, player, place)
        games = self._few.get(player, [])
        return islice(games, bisect_right(games, place, key=_PLACE), None)

    def _read(self, place: Place) -> None:
        self._is_read = True
        games = tables.kept_from(self._db, self._pool, place, self._most)
        if len(games) < self._most:
            self._few = {}
            for kept in games:
                for player in kept.players:
                    self._few.setdefault(player, []).append(kept)
