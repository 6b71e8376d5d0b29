"""The accounts of a Go pool's players: newcomers, and other names.

Each act is done whole or not at all, and may be sent again: what is there already changes nothing. A name is
changed as every fact is: the row with the old one is struck and one with the new one added, under an entry
that says by whom, when and why.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.go_facts import GoPlayer, GoState
from banzuke.database import models
from banzuke.database.book_writer import add_facts
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.live.live_pool import add_seats, lock_current_pool
from banzuke.office.live.live_ranking import RENAMED, index_new_name

#: The word for what is sent, in faults; the same as acts in the book.
PLAYERS, PLAYER = "players", "player"
#: So many ids are asked for at once.
CHUNK = 500


class Account(NamedTuple):
    """A player as the office has them now; `is_new`: the player, or the name, has just come."""

    player: GoPlayer
    state: GoState
    is_new: bool = False


def add_players(pool: models.Pool, players: Sequence[GoPlayer], author: str) -> list[Account]:
    """Newcomers with declared ranks, all or none, in their order. Raises RefusedError with every fault.

    Who is there already is answered as the player stands now, even where the name that comes is the old one.
    """
    with lock_current_pool(pool) as writer:
        there = _rows_of(pool, {player.player_id for player in players})
        known = {player_id: {record_of(row, GoPlayer) for row in rows} for player_id, rows in there.items()}
        new: dict[str, GoPlayer] = {}
        faults: list[Fault] = []
        for number, player in enumerate(players, 1):
            same = known.get(player.player_id) or {new.setdefault(player.player_id, player)}
            if player not in same:
                faults.append(fault(PLAYERS, number, "player_id", "other-player", id=player.player_id))
        refuse_any(faults)
        if new:
            entry = writer.add_entry(author, PLAYER)
            add_facts(models.Entry.objects.get(pk=entry), TABLES[GoPlayer], new.values())
            add_seats(pool, {player: writer.seat_of_newcomer(each) for player, each in new.items()})
            writer.mark_current(entry)
        seats = writer.seats(player.player_id for player in players)
        now = {player_id: record_of(rows[-1], GoPlayer) for player_id, rows in there.items()} | new
        unanswered, accounts = set(new), list[Account]()
        for player_id in (player.player_id for player in players):
            accounts.append(Account(now[player_id], seats[player_id].state, player_id in unanswered))
            unanswered.discard(player_id)
    return accounts


def rename_player(pool: models.Pool, player_id: str, name: str, why: str, actor: Actor) -> Account:
    """Give a player another name; nothing is written where it is the name already. Raises RefusedError."""
    with lock_current_pool(pool) as writer:
        row: models.GoPlayer | None = standing_rows(pool, GoPlayer).filter(player_id=player_id).last()
        if row is None:
            raise RefusedError([fault(PLAYERS, 1, "player_id", "no-such-player", id=player_id)])
        named, is_new = record_of(row, GoPlayer)._replace(name=name), row.name != name
        if is_new:
            entry = writer.add_entry(actor.name, RENAMED, why)
            replace(models.Entry.objects.get(pk=entry), row, named, datetime.now(UTC).date())
            writer.mark_current(entry)  # no state rests on a name
            index_new_name(pool, player_id, name)
            note(actor, RENAMED, pool, member=player_id, why=why, entry=entry)
        return Account(named, writer.seats([player_id])[player_id].state, is_new)


def _rows_of(pool: models.Pool, ids: Iterable[str]) -> dict[str, list[models.GoPlayer]]:
    """All rows of those of the players whom the pool has, in the order of entry: the last one holds."""
    found: dict[str, list[models.GoPlayer]] = {}
    wanted = sorted(ids)
    for start in range(0, len(wanted), CHUNK):
        of = standing_rows(pool, GoPlayer).filter(player_id__in=wanted[start : start + CHUNK])
        there = list(of.values_list("player_id", flat=True))
        for row in models.GoPlayer.objects.filter(pool=pool, player_id__in=there).order_by("pk"):
            found.setdefault(row.player_id, []).append(row)
    return found
