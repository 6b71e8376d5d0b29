"""The accounts of a Go pool's players: newcomers, other names, and who is a robot.

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
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.live.erased_players import erased_fault, erased_players
from banzuke.office.live.live_pool import lock_current_pool
from banzuke.office.live.live_ranking import RENAMED, index_new_name
from banzuke.office.live.pool_writer import PoolWriter
from banzuke.office.live.robots import Robots, robots_of

#: The word for what is sent, in faults; and acts in the book.
PLAYERS, PLAYER, MARK_ROBOT = "players", "player", "mark-robot"
#: So many ids are asked for at once.
CHUNK = 500


class Newcomer(NamedTuple):
    """A player who comes; `robot`: is a robot."""

    player: GoPlayer
    robot: bool = False


class Account(NamedTuple):
    """A player as the office has them now; `is_new`: what was sent has just come."""

    player: GoPlayer
    robot: bool
    state: GoState
    is_new: bool = False


def add_players(pool: models.Pool, newcomers: Sequence[Newcomer], author: str) -> list[Account]:
    """Newcomers with declared ranks, all or none, in their order. Raises RefusedError with every fault.

    Who is there already is answered as the player stands now, even where the name that comes is the old one.
    """
    ids = {newcomer.player.player_id for newcomer in newcomers}
    with lock_current_pool(pool) as writer:
        there, robots = _rows_of(pool, ids), robots_of(pool, writer.locked.robots)
        erased = erased_players(pool, writer.locked.erased)
        known = {player_id: _as_sent_before(pool, rows, robots) for player_id, rows in there.items()}
        new: dict[str, Newcomer] = {}
        faults: list[Fault] = []
        for number, newcomer in enumerate(newcomers, 1):
            player_id = newcomer.player.player_id
            same = known.get(player_id) or {new.setdefault(player_id, newcomer)}
            if erased.has(player_id, is_known=player_id in there):
                faults.append(erased_fault(PLAYERS, number, "player_id", player_id))
            elif newcomer not in same:
                faults.append(fault(PLAYERS, number, "player_id", "other-player", id=player_id))
        refuse_any(faults)
        if new:
            _enter(writer, new.values(), author)
        seats = writer.seats(ids)
        now = {
            player_id: Newcomer(record_of(rows[-1], GoPlayer), player_id in robots.now)
            for player_id, rows in there.items()
        } | new
        unanswered, accounts = set(new), list[Account]()
        for player_id in (newcomer.player.player_id for newcomer in newcomers):
            accounts.append(Account(*now[player_id], seats[player_id].state, player_id in unanswered))
            unanswered.discard(player_id)
    return accounts


def _enter(writer: PoolWriter, newcomers: Iterable[Newcomer], author: str) -> None:
    players = [newcomer.player for newcomer in newcomers]
    entry = models.Entry.objects.get(pk=writer.add_entry(author, PLAYER))
    add_facts(entry, TABLES[GoPlayer], players)
    _mark(entry, (newcomer.player.player_id for newcomer in newcomers if newcomer.robot))
    writer.add_seats({player.player_id: writer.seat_of_newcomer(player) for player in players})
    writer.mark_current(entry.pk)


def _mark(entry: models.Entry, players: Iterable[str], *, robot: bool = True) -> None:
    rows = [models.GoRobot(entry=entry, pool=entry.pool, player_id=player, robot=robot) for player in players]
    models.GoRobot.objects.bulk_create(rows)


def _as_sent_before(pool: models.Pool, rows: Sequence[models.GoPlayer], robots: Robots) -> set[Newcomer]:
    """What a player may be sent as again: with each name of the player, a robot as at first or as now."""
    player_id, flags = rows[0].player_id, {False}
    if rows[0].player_id in robots.ever:
        first = models.GoRobot.objects.filter(pool=pool, player_id=player_id, entry=rows[0].entry_id)
        flags = {player_id in robots.now, first.exists()}
    return {Newcomer(record_of(row, GoPlayer), flag) for row in rows for flag in flags}


def rename_player(pool: models.Pool, player_id: str, name: str, why: str, actor: Actor) -> Account:
    """Give a player another name; nothing is written where it is the name already. Raises RefusedError."""
    with lock_current_pool(pool) as writer:
        row = _standing_row(pool, player_id)
        named, is_new = record_of(row, GoPlayer)._replace(name=name), row.name != name
        if is_new:
            entry = writer.add_entry(actor.name, RENAMED, why)
            replace(models.Entry.objects.get(pk=entry), row, named, datetime.now(UTC).date())
            writer.mark_current(entry)  # no state rests on a name
            index_new_name(pool, player_id, name)
            note(actor, RENAMED, pool, member=player_id, why=why, entry=entry)
        is_robot = player_id in robots_of(pool, writer.locked.robots).now
        return Account(named, is_robot, writer.seats([player_id])[player_id].state, is_new)


def mark_robot(pool: models.Pool, player_id: str, robot: bool, why: str, actor: Actor) -> Account:
    """Say that a player is a robot, or is none, in games that come from then on. Raises RefusedError."""
    with lock_current_pool(pool) as writer:
        row = _standing_row(pool, player_id)
        is_new = robot != (player_id in robots_of(pool, writer.locked.robots).now)
        if is_new:
            entry = models.Entry.objects.get(pk=writer.add_entry(actor.name, MARK_ROBOT, why))
            _mark(entry, [player_id], robot=robot)
            writer.mark_current(entry.pk)
            note(actor, MARK_ROBOT, pool, member=player_id, robot=robot, why=why, entry=entry.pk)
        return Account(record_of(row, GoPlayer), robot, writer.seats([player_id])[player_id].state, is_new)


def refuse_unconfirmed(player_id: str, confirmed: str) -> None:
    """Raise RefusedError unless the id was given once more, for what nobody can undo."""
    if player_id != confirmed:
        raise RefusedError([fault(PLAYERS, 1, "confirm", "not-confirmed", id=player_id)])


def _standing_row(pool: models.Pool, player_id: str) -> models.GoPlayer:
    """The row that holds of a player who is there. Raises RefusedError."""
    if is_erased(pool, player_id):
        raise RefusedError([erased_fault(PLAYERS, 1, "player_id", player_id)])
    row: models.GoPlayer | None = standing_rows(pool, GoPlayer).filter(player_id=player_id).last()
    if row is None:
        raise RefusedError([fault(PLAYERS, 1, "player_id", "no-such-player", id=player_id)])
    return row


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
