"""Where a player stands in the published lists, as the API answers it."""

from collections.abc import Mapping
from typing import Any

from banzuke.api import schemas
from banzuke.api.serializers import row_of, serialize
from banzuke.core.decimals import decimal, halves, two_decimals
from banzuke.database.models import Pool
from banzuke.office.pages.next_game import NextGame
from banzuke.office.pages.player_standing import Form, PlayerStanding, SpeedStanding
from banzuke.office.public_names import by_id_only


def ratings_of(pool: Pool, found: PlayerStanding) -> list[dict[str, Any]]:
    """The player's place at each speed."""
    hidden = by_id_only(pool) if found.speeds else frozenset()
    return [_at_speed(each, found.next_games, hidden) for each in found.speeds]


def _at_speed(found: SpeedStanding, coming: Mapping[str, NextGame], hidden: frozenset[str]) -> dict[str, Any]:
    k, form = coming[found.speed].k if found.speed in coming else None, found.form
    return serialize(
        schemas.AtOneSpeed,
        found,
        list=found.list.name,
        row=row_of(found.row, hidden),
        k=k and serialize(schemas.K, k, k=k.value),
        form=form and _form(form),
    )


def _form(found: Form) -> dict[str, Any]:
    return serialize(
        schemas.Form,
        found,
        score=halves(found.score),
        expected=two_decimals(found.expected),
        over=decimal(found.over),
    )
