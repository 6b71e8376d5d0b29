"""A Go pool held by one writer: locked, and its live standings brought to what its book says."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection, transaction

from banzuke.book import models
from banzuke.book.reading import rules_of
from banzuke.desk.live import tables
from banzuke.desk.live.rating import Again
from banzuke.desk.live.written import NEVER, after
from banzuke.core.go import GoOpening, GoPlayer
from banzuke.rulebooks.pandanet_ranks import entered, reopened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from banzuke.book.models import Pool
    from banzuke.core.go import Declaration
    from banzuke.desk.live.rating import Done
    from banzuke.desk.live.tables import Kept, Locked, Place, Seat
    from banzuke.ledger.pool import Pool as Rules

#: The rules of pools, by the number of the last file that says them.
_rules: dict[int, tuple[int, Rules]] = {}


class Held(NamedTuple):
    """What a writer has in hand within his transaction."""

    cursor: Any
    pool: Pool
    rules: Rules

    def seats(self, players: Iterable[str]) -> dict[str, Seat]:
        """Where those players stand; who is unknown is left out."""
        return tables.seats(self.cursor, self.pool.pk, sorted(set(players)))

    def kept(self, games: Iterable[str]) -> dict[str, Kept]:
        """Those of the games that are there, by id."""
        return tables.kept(self.cursor, self.pool.pk, sorted(set(games)))

    def again(self, seats: Mapping[str, Seat]) -> Again:
        """Rating in the middle of what is there; `seats` are those that are at hand."""
        return Again(self.rules, seats, self._later, self._seat_before, self._declarations)

    def write(self, entry: int, done: Done) -> None:
        """Keep what rating has made, under an entry."""
        number = self.pool.pk
        tables.set_aside(self.cursor, [each.was.number for each in done.rated if each.was])
        tables.add_rated(
            self.cursor,
            number,
            [(entry, each.place, each.game, each.black, each.white) for each in done.rated],
        )
        tables.seat(self.cursor, number, done.seats)
        tables.come_to(self.cursor, number, entry)

    def _later(self, place: Place) -> Iterator[Kept]:
        return tables.kept_from(self.cursor, self.pool.pk, place)

    def _seat_before(self, player: str, place: Place) -> Seat:
        kept = tables.last_before(self.cursor, self.pool.pk, player, place)
        if kept is None:
            return seat_as_entered(self.pool, player)
        return tables.Seat(after(kept.black if kept.game.black == player else kept.white), kept.place)

    def _declarations(self, player: str) -> list[Declaration]:
        return tables.declarations(self.cursor, self.pool.pk, [player])


@contextmanager
def held(pool: Pool) -> Iterator[tuple[Held, Locked]]:
    """Hold a pool: a transaction in which nobody else writes into its book."""
    with transaction.atomic(), connection.cursor() as cursor:
        locked = tables.lock(cursor, pool.pk)
        yield Held(cursor, pool, _rules_now(pool, locked)), locked


def _rules_now(pool: Pool, locked: Locked) -> Rules:
    known = _rules.get(pool.pk)
    if known is None or known[0] != locked.rules:
        known = _rules[pool.pk] = (locked.rules, rules_of(pool, locked.last))
    return known[1]


def seat_as_entered(pool: Pool, player: str) -> Seat:
    """The state with which a player came, or with which the server opened."""
    row = models.GoOpening.objects.filter(pool=pool, player_id=player).order_by("pk").last()
    if row is not None:
        state = reopened(GoOpening(row.player_id, row.rank, row.rated_games, row.points, row.wins_in_bc))
    else:
        came = models.GoPlayer.objects.filter(pool=pool, player_id=player).latest("pk")
        state = entered(GoPlayer(player, came.name, came.declared, came.professional))
    return tables.Seat(state, tables.Place(NEVER, ""))
