"""The salts of players: secrets by which the office commits itself to who somebody is, and opens that.

A player's salt stays until the player is erased; then nobody can open, or try, what was committed with it.
"""

import secrets
from collections.abc import Iterable

from django.db import transaction

from banzuke.database.models import PlayerSalt, Pool
from banzuke.office.raw_sql import insert_new

SALT_BYTES = 32


def made_salts(pool: Pool, players: Iterable[str]) -> dict[str, bytes]:
    """The salts of the pool's players by id, with new ones for those of these who have none."""
    found = known_salts(pool)
    new = sorted(set(players) - found.keys())
    if not new:
        return found
    rows = [(pool.pk, player, secrets.token_bytes(SALT_BYTES)) for player in new]
    with transaction.atomic():
        insert_new(PlayerSalt, ("pool_id", "player_id", "salt"), rows)
    return known_salts(pool)  # another act may have been faster


def known_salts(pool: Pool) -> dict[str, bytes]:
    """The salts that there are, by the player's id."""
    rows = PlayerSalt.objects.filter(pool=pool).values_list("player_id", "salt")
    return {player: bytes(salt) for player, salt in rows.iterator(chunk_size=10_000)}


def salt_of(pool: Pool, player: str) -> bytes | None:
    """A player's salt; None where there is none, or none any more."""
    found = PlayerSalt.objects.filter(pool=pool, player_id=player).values_list("salt", flat=True).first()
    return None if found is None else bytes(found)
