"""The last ratings of a ledger's players, under the pool's rules and under others."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import Ratings
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import RunningHistory, continue_history
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import read_chess_ledger
from banzuke.ledger.pool_rules import Pool

#: From so many games on a pool is rated by the fast twins, if its books have any.
MANY_GAMES = 5_000


class LastRatings:
    """A chess ledger, up to a list, ready to be rated again and again.

    Raises RefusedError for a ledger that does not check or is one of Go, UnknownListError.
    """

    def __init__(self, folder: Path, until: str | None = None) -> None:
        self._ledger = read_chess_ledger(folder)
        self._lists = list_names(self._ledger, until)
        self.pool, self.games = self._ledger.pool, sum(map(len, self._ledger.games.values()))
        self.players = frozenset(player.player_id for player in self._ledger.players)
        is_fast = self.games >= MANY_GAMES and not self.pool.book_without_twin
        self._running = RunningHistory(read_columns(folder)) if is_fast else None

    def under(self, pool: Pool) -> dict[str, dict[str, int]]:
        """The last ratings under that pool's rules, by speed and player."""
        if self._running is not None and not pool.book_without_twin:
            running = RunningHistory(self._running.columns._replace(pool=pool))
            running.registers = self._running.registers
            return _last_of_columns(running, self._lists)
        ratings = Ratings()
        with uncollected():
            for rated in history(replace(self._ledger, pool=pool), self._lists):
                ratings = rated.outcome.standings.ratings
        return {
            speed: {player: each.value for player, each in of_speed.items() if each.value is not None}
            for speed, of_speed in ratings.items()
        }


def _last_of_columns(running: RunningHistory, lists: Sequence[str]) -> dict[str, dict[str, int]]:
    """The same by the fast twins."""
    for _ in continue_history(running, lists):
        pass
    players, speeds = running.columns.player_ids, running.columns.pool.speeds
    return {
        speed: {players[at]: int(values[at]) for at in np.flatnonzero(values != MISSING)}
        for speed, values in zip(speeds, running.state.value, strict=True)
    }
