"""What games would do to both sides if they were entered now, each at its place in time; nothing is kept."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from banzuke.engine.go_history import RatedGame
from banzuke.office.live.game_rating import Again
from banzuke.office.live.later_games import Later
from banzuke.office.live.locked_pool import Held
from banzuke.office.live.queries import Locked, Place, place_of
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banzuke.core.go_facts import GoGame, GoPlayer
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.live.game_rating import Rated
    from banzuke.office.live.queries import Kept

#: Nothing is held: others write meanwhile.
_FREE = Locked(None, 0, 0, None, None)


def foretold(
    pool: Pool, rules: Rules, games: Sequence[GoGame], added: Iterable[GoPlayer] = ()
) -> list[RatedGame]:
    """New games in order, with the lines that they would have; `added` are players who would come with them.

    The pool's live standings are to hold what its book says. Of the games that are there, only those between
    the first and the last new one are rated again, where they touch a player of them.
    """
    if not games:
        return []
    db = Statements()
    held = Held(db, pool, rules, _FREE, set(), {})
    seats = held.seats({player for game in games for player in (game.black, game.white)})
    seats |= {player.player_id: held.seat_of_newcomer(player) for player in added}
    last, there = max(map(place_of, games)), Later(db, pool.pk, len(seats))

    def later(player: str, place: Place) -> Iterator[Kept]:
        return takewhile(lambda kept: kept.place <= last, there.of(player, place))

    again = Again(rules, seats, later, held.seat_before, held.declarations)
    return [_as_rated(each) for each in again.rate(games, [], []).rated if each.was is None]


def kept_as_rated(kept: Iterable[Kept]) -> list[RatedGame]:
    """Games that are there, with the lines that they have."""
    return [RatedGame(each.game, *each.lines) for each in kept]


def _as_rated(rated: Rated) -> RatedGame:
    return RatedGame(rated.game, *rated.lines)
