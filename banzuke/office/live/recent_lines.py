"""A cache of players' last lines in the process that writes games, so that no game has them read again.

What is kept is good as long as nobody else has written into the pool's book: whoever rates games leaves
another entry as that to which the live standings have come, and whoever only enters facts leaves the book
ahead of them. While lines by new rules are told, lines change under the same entry: then nothing is kept.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db import connection

from banzuke.database.models import Pool
from banzuke.engine.agreed_terms import LAST_GAMES
from banzuke.office.live.game_rating import GameRating
from banzuke.office.live.live_rows import Seat, TimeKey
from banzuke.office.live.pool_writer import PoolWriter

#: How many lines of a player are kept at most, and of how many players of a pool: some 45 MB.
MOST_LINES, MOST_PLAYERS = 2 * LAST_GAMES, 10_000


class PlayerLines(NamedTuple):
    """All lines of a player that are after a moment, as they came: as texts, with their games' places."""

    after: int
    lines: tuple[tuple[TimeKey, str], ...]

    def reaches_back(self, place: TimeKey, since: int) -> bool:
        """Whether they have all that counts before a place: all since a moment, or enough games."""
        return self.after <= since or sum(line[0] < place for line in self.lines) > LAST_GAMES

    def with_line(self, place: TimeKey, text: str) -> "PlayerLines":
        """The same with one more line; of many the last."""
        lines, after = (*self.lines, (place, text)), self.after
        if len(lines) > MOST_LINES:
            after = lines[-MOST_LINES][0].at
        return PlayerLines(after, tuple(line for line in lines if line[0].at > after))


class RecentLines:
    """The last lines of a pool's players, as of an entry."""

    def __init__(self) -> None:
        self._entry: int | None = None
        self._players: dict[str, PlayerLines] = {}

    def find(
        self, writer: PoolWriter, rated: Iterable[GameRating], seats: Mapping[str, Seat]
    ) -> dict[str, PlayerLines]:
        """The last lines of those who played the games that a transaction has rated, with these games'.

        `seats` are where the players stood before; none of the games had another rated again.
        """
        found: dict[str, PlayerLines] = {}
        for each in rated:
            for player, text in zip((each.game.black, each.game.white), each.texts, strict=True):
                lines = found.get(player) or self._lines_before(writer, player, seats[player].place)
                found[player] = lines.with_line(each.place, text)
        return found

    def _lines_before(self, writer: PoolWriter, player: str, last: TimeKey) -> PlayerLines:
        """What is known of a player; nothing of theirs is stored after the place `last`."""
        lines = self._players.get(player)
        if lines and lines.lines and lines.lines[-1][0] == last and self._hold_for(writer):
            return lines
        return PlayerLines(last.at, ())

    def _hold_for(self, writer: PoolWriter) -> bool:
        """Whether nobody else wrote into the pool before a writer's transaction."""
        return writer.is_current and writer.locked.live == self._entry

    def keep(self, writer: PoolWriter, entry: int, found: Mapping[str, PlayerLines] | None) -> None:
        """Keep what was found, once it is committed under an entry; None: others' lines have changed, too."""
        if connection.in_atomic_block:  # a number that is rolled back is given again
            return
        is_telling = writer.locked.in_force is not None
        if found is None or is_telling or not self._hold_for(writer):
            self.forget()
        if found is None or is_telling:
            return
        for player, lines in found.items():
            self._players.pop(player, None)  # whoever is first in it goes first
            self._players[player] = lines
        while len(self._players) > MOST_PLAYERS:
            self._players.pop(next(iter(self._players)))
        self._entry = entry

    def forget(self) -> None:
        """Keep nothing."""
        self._entry, self._players = None, {}


_by_pool: dict[int, RecentLines] = {}


def recent_lines(pool: Pool) -> RecentLines:
    """Those of a pool; one thread at a time writes into it."""
    return _by_pool.setdefault(pool.pk, RecentLines())
