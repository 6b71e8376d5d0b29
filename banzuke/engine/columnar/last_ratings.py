"""The last ratings of a ledger: of many games by the fast twins, of few by the readable engine."""

from collections.abc import Sequence

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import Ratings
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RunningHistory, continue_history
from banzuke.engine.columnar.readable_lists import ledger_of
from banzuke.engine.history import history

#: From so many games on a pool is rated by the fast twins, if its books have any. The readable engine may
#: take a second for 5,000 games, and a question about a player may need 33 ratings of a pool.
MANY_GAMES = 600


def last_ratings(
    columns: ChessColumns, names: Sequence[str], before: RunningHistory | None = None
) -> dict[str, dict[str, int]]:
    """The ratings after the last of those lists, by speed and player.

    `before` is a history of the same players and memberships, whose register is taken.
    """
    if len(columns.games.round) >= MANY_GAMES and columns.pool.book_without_twin is None:
        running = RunningHistory(columns)
        running.registers = before.registers if before else running.registers
        for _ in continue_history(running, names):
            pass
        return {
            speed: {columns.player_ids[at]: int(values[at]) for at in np.flatnonzero(values != MISSING)}
            for speed, values in zip(columns.pool.speeds, running.state.value, strict=True)
        }
    ratings = Ratings()
    with uncollected():
        for rated in history(ledger_of(columns), names):
            ratings = rated.outcome.standings.ratings
    return {
        speed: {player: each.value for player, each in of_speed.items() if each.value is not None}
        for speed, of_speed in ratings.items()
    }
