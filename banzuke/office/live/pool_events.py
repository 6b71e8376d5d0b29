"""What a Go server sends beside games: newcomers, declarations, games annulled. Each whole, or not at all.

All of it may be sent again: what is there already changes nothing. A program reaches back as far as the
office allows; an officer (`is_officer`) as far as needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import fault, refuse_any
from banzuke.core.go_facts import Declaration, GoPlayer
from banzuke.database import models
from banzuke.database.book_writer import add_facts
from banzuke.ledger.pool_rules import go_book
from banzuke.office.fact_rows import TABLES, record_of, standing_rows
from banzuke.office.live import queries
from banzuke.office.live.game_rating import RatingResult
from banzuke.office.live.live_codec import micros
from banzuke.office.live.locked_pool import refuse_late
from banzuke.office.live.queries import Place
from banzuke.office.live.synchronisation import current, seat_all

if TYPE_CHECKING:
    from datetime import datetime

    from banzuke.core.fault import Fault
    from banzuke.core.go_facts import GoState
    from banzuke.database.models import Pool
    from banzuke.office.live.locked_pool import PoolWriter

#: The words for what is sent, in faults.
VOIDS, DECLARATIONS, PLAYERS = "void", "declarations", "players"
#: The same as acts in the book.
GAME_VOID, DECLARATION, PLAYER = "game-void", "declaration", "player"


class VoidEffect(NamedTuple):
    """What an act did: games rated again (`was`: what they had been), and whose state is another for it.

    `states` have each of them before and after.
    """

    done: RatingResult
    states: dict[str, tuple[GoState, GoState]]


class DeclarationEffect(NamedTuple):
    """A declaration that was taken: the player's state now; `counts` if the player was provisional then."""

    state: GoState
    counts: bool


def void(pool: Pool, game_id: str, author: str, why: str, *, is_officer: bool = False) -> VoidEffect:
    """Annul a game: what came after and was touched by it is rated again. Raises RefusedError."""
    with current(pool) as writer:
        stored = writer.standing_games([game_id]).get(game_id)
        if stored is None:
            refuse_any([fault(VOIDS, 1, "game_id", "unknown-game", id=game_id)])
        elif not models.GoVoid.objects.filter(pool=pool, game_id=game_id).exists():
            _refuse_late(writer, VOIDS, "game_id", stored.game.ended, is_officer=is_officer)
            entry = queries.add_entry(writer.db, pool.pk, author, GAME_VOID, why)
            models.GoVoid.objects.create(pool=pool, entry_id=entry, game_id=game_id)
            annulled = writer.standing_games([game_id]).values()
            return _effect(writer, entry, writer.rerating({}).rate([], annulled, []))
    return VoidEffect(RatingResult([], {}), {})


def _effect(writer: PoolWriter, entry: int, done: RatingResult) -> VoidEffect:
    before = writer.seats(done.seats)
    writer.write(entry, done)
    states = {player: (before[player].state, seat.state) for player, seat in sorted(done.seats.items())}
    return VoidEffect(done, {player: both for player, both in states.items() if both[0] != both[1]})


def declare(
    pool: Pool, declaration: Declaration, author: str, *, is_officer: bool = False
) -> DeclarationEffect:
    """A provisional rank that a player declares. Raises RefusedError."""
    player = declaration.player_id
    with current(pool) as writer:
        seats = writer.seats([player])
        if player not in seats:
            refuse_any([fault(DECLARATIONS, 1, "player_id", "unknown-player", id=player)])
        if not _is_there(writer, declaration):
            _refuse_late(writer, DECLARATIONS, "at", declaration.at, is_officer=is_officer)
            entry = queries.add_entry(writer.db, pool.pk, author, DECLARATION)
            add_facts(models.Entry.objects.get(pk=entry), TABLES[Declaration], [declaration])
            writer.write(entry, writer.rerating({}).rate([], [], [declaration]))
        before = writer.seat_before(player, Place(micros(declaration.at), ""))
        book = go_book(writer.rules.edition_at(declaration.at))
        counts = book.declared(before.state, declaration) is not None
        return DeclarationEffect(writer.seats([player])[player].state, counts)


def _is_there(writer: PoolWriter, declaration: Declaration) -> bool:
    """Whether it was declared already. Raises RefusedError for another declaration at that moment."""
    for each in queries.declarations(writer.db, writer.pool.pk, [declaration.player_id]):
        if each.at == declaration.at and each.rank != declaration.rank:
            facts = {"id": each.player_id, "rank": each.rank}
            refuse_any([fault(DECLARATIONS, 1, "at", "other-declaration", **facts)])
        if each.at == declaration.at:
            return True
    return False


def join(pool: Pool, player: GoPlayer, author: str) -> GoState:
    """A newcomer with a declared rank; where the player stands now. Raises RefusedError."""
    with current(pool) as writer:
        there = standing_rows(pool, GoPlayer).filter(player_id=player.player_id).last()
        if there is None:
            entry = queries.add_entry(writer.db, pool.pk, author, PLAYER)
            add_facts(models.Entry.objects.get(pk=entry), TABLES[GoPlayer], [player])
            seat_all(pool, {player.player_id: writer.seat_of_newcomer(player)})
            queries.mark_current(writer.db, pool.pk, entry)
        elif record_of(there, GoPlayer) != player:
            refuse_any([fault(PLAYERS, 1, "player_id", "other-player", id=player.player_id)])
        return writer.seats([player.player_id])[player.player_id].state


def _refuse_late(writer: PoolWriter, file: str, column: str, at: datetime, *, is_officer: bool) -> None:
    faults: list[Fault] = []
    if not is_officer:
        refuse_late(writer.locked, file, 1, column, at, faults)
    refuse_any(faults)
