"""The feed: games in the order in which they were rated, one told again wherever it was rated again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef

from banzuke.database.models import LiveGame
from banzuke.office.live.live_codec import lines_from, moment_of
from banzuke.office.live.synchronisation import up_to_date

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from banzuke.core.go_facts import GoLine
    from banzuke.database.models import Pool


class Change(NamedTuple):
    """A game that was rated; `is_again`: it had been rated before, and this is what holds instead."""

    number: int
    game_id: str
    ended: datetime
    is_again: bool
    black: GoLine
    white: GoLine


def changes(pool: Pool, after: int, limit: int) -> list[Change]:
    """What was rated after the change of that number, in order. Raises NotLiveError."""
    up_to_date(pool)
    rows = LiveGame.objects.filter(pool=pool, pk__gt=after).order_by("pk")
    return [
        Change(
            row.pk,
            row.game_id,
            moment_of(row.at),
            row.is_again,
            *lines_from(row.black, row.white, row.black_line, row.white_line),
        )
        for row in rows.annotate(is_again=Exists(earlier_rows(pool)))[:limit]
    ]


def earlier_rows(pool: Pool) -> QuerySet[LiveGame]:
    """Within a query of a pool's live games: what had told of each before."""
    return LiveGame.objects.filter(pool=pool, game_id=OuterRef("game_id"), pk__lt=OuterRef("pk"))
