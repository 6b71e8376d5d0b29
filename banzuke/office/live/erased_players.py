"""Players of a Go pool who were erased: no game is entered under their old ids, nor under their numbers."""

from collections.abc import Collection
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import GoGame
from banzuke.database.models import Erasure, Pool
from banzuke.office.erased_ids import hash_of_id
from banzuke.office.live.last_row_cache import LastRowCache


def erased_fault(file: str, line: int, column: str, player_id: str) -> Fault:
    """The fault of what is sent about an erased player."""
    return fault(file, line, column, "erased-player", id=player_id)


class ErasedPlayers(NamedTuple):
    """The ids of a pool's erased players, and the hashes of the ids in whose place numbers stand."""

    pool: Pool
    ids: frozenset[str]
    formers: frozenset[str]

    def has(self, player_id: str, *, is_known: bool) -> bool:
        """Whether the player was erased; `is_known`: the pool has a player of that id."""
        if is_known:
            return player_id in self.ids
        return bool(self.formers) and hash_of_id(self.pool, player_id) in self.formers

    def sides(self, game: GoGame, known: Collection[str]) -> list[tuple[str, str]]:
        """The sides of a game that are erased players', with their ids; the pool has the `known` ids."""
        both = (("black", game.black), ("white", game.white))
        return [(side, player) for side, player in both if self.has(player, is_known=player in known)]


_known = LastRowCache[ErasedPlayers]()


def erased_players(pool: Pool, last: int | None) -> ErasedPlayers:
    """The erased players of a pool, read again only after another erasure."""
    if last is None:
        return ErasedPlayers(pool, frozenset(), frozenset())
    return _known.find(pool, last, _read)


def _read(pool: Pool) -> ErasedPlayers:
    rows = list(Erasure.objects.filter(pool=pool).values_list("player_id", "former"))
    return ErasedPlayers(
        pool, frozenset(player for player, _ in rows), frozenset(former for _, former in rows if former)
    )
