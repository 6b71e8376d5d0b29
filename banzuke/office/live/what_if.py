"""What games would do to both sides if they were entered now, each at its place in time; nothing is kept."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from banzuke.engine.go_history import RatedGame
from banzuke.office.live.game_rating import Rerating
from banzuke.office.live.later_games import Later
from banzuke.office.live.locked_pool import PoolWriter
from banzuke.office.live.queries import LockedPool, Place, place_of
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banzuke.core.go_facts import GoGame, GoPlayer
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.live.game_rating import GameRating
    from banzuke.office.live.queries import StoredGame

#: Nothing is locked: others write meanwhile.
_FREE = LockedPool(None, 0, 0, None, None)


def rate_if_entered(
    pool: Pool, rules: Rules, games: Sequence[GoGame], added: Iterable[GoPlayer] = ()
) -> list[RatedGame]:
    """New games in order, with the lines that they would have; `added` are players who would come with them.

    The pool's live standings are to hold what its book says. Of the games that are there, only those between
    the first and the last new one are rated again, where they touch a player of them.
    """
    if not games:
        return []
    db = Statements()
    writer = PoolWriter(db, pool, rules, _FREE, set(), {})
    seats = writer.seats({player for game in games for player in (game.black, game.white)})
    seats |= {player.player_id: writer.seat_of_newcomer(player) for player in added}
    last, there = max(map(place_of, games)), Later(db, pool.pk, len(seats))

    def later(player: str, place: Place) -> Iterator[StoredGame]:
        return takewhile(lambda stored: stored.place <= last, there.of(player, place))

    again = Rerating(rules, seats, later, writer.seat_before, writer.declarations)
    return [_as_rated(each) for each in again.rate(games, [], []).rated if each.was is None]


def stored_as_rated(stored: Iterable[StoredGame]) -> list[RatedGame]:
    """Games that are there, with the lines that they have."""
    return [RatedGame(each.game, *each.lines) for each in stored]


def _as_rated(rated: GameRating) -> RatedGame:
    return RatedGame(rated.game, *rated.lines)
