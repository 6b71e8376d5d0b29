"""What a Go server sends: games, newcomers, declarations, games annulled. All of one sending, or nothing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from banzuke.book import models
from banzuke.book.writing import add_facts
from banzuke.desk.live import tables
from banzuke.desk.live.catching_up import catch_up, seat_all
from banzuke.desk.live.held import held
from banzuke.desk.live.rating import Done, is_late, rated_on
from banzuke.desk.live.tables import Place, Seat, place_of
from banzuke.desk.live.written import NEVER
from banzuke.desk.rows import TABLES
from banzuke.rulebooks.pandanet_ranks import entered
from banzuke.core.go import GoPlayer, Declaration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from banzuke.book.models import Pool
    from banzuke.core.go import GoGame
    from banzuke.desk.live.held import Held


@contextmanager
def current(pool: Pool) -> Iterator[Held]:
    """Hold a pool whose live standings hold all that its book says."""
    with held(pool) as (found, locked):
        if locked.live != locked.last:
            catch_up(found, locked)
        yield found


def take(pool: Pool, games: Sequence[GoGame], author: str) -> Done:
    """Games that have ended, in any order; those that are there already are passed over."""
    with current(pool) as held:
        there = held.kept(game.game_id for game in games)
        new = sorted((game for game in games if game.game_id not in there), key=place_of)
        if not new:
            return Done([], {})
        seats = held.seats(player for game in new for player in (game.black, game.white))
        done = held.again(seats).rate(new, [], []) if is_late(new, seats) else rated_on(held.rules, new, seats)
        entry = tables.add_entry(held.cursor, pool.pk, author, "games")
        tables.add_games(held.cursor, pool.pk, [(entry, game) for game in new])
        held.write(entry, done)
    return done


def void(pool: Pool, game_id: str, author: str, why: str) -> Done:
    """Annul a game: what came after and was touched by it is rated again."""
    with current(pool) as held:
        entry = tables.add_entry(held.cursor, pool.pk, author, "game-void", why)
        models.GoVoid.objects.create(pool=pool, entry_id=entry, game_id=game_id)
        done = held.again({}).rate([], held.kept([game_id]).values(), [])
        held.write(entry, done)
    return done


def declare(pool: Pool, declaration: Declaration, author: str) -> Done:
    """A provisional rank that a player declares."""
    with current(pool) as held:
        entry = tables.add_entry(held.cursor, pool.pk, author, "declaration")
        add_facts(models.Entry.objects.get(pk=entry), TABLES[Declaration], [declaration])
        done = held.again({}).rate([], [], [declaration])
        held.write(entry, done)
    return done


def join(pool: Pool, player: GoPlayer, author: str) -> None:
    """A newcomer with the rank that he declares."""
    with current(pool) as held:
        entry = tables.add_entry(held.cursor, pool.pk, author, "player")
        add_facts(models.Entry.objects.get(pk=entry), TABLES[GoPlayer], [player])
        seat_all(pool, {player.player_id: Seat(entered(player), Place(NEVER, ""))})
        tables.come_to(held.cursor, pool.pk, entry)
