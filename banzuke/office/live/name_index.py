"""Players found by name from the moment they come, before any list has them.

They become findable in the order in which they came: the last who is divides them from those who are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.database.models import GoPlayer, NameWord
from banzuke.office import player_search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from banzuke.database.models import Pool

#: How many players are made findable at a time.
AT_ONCE = 5_000


def index_next(pool: Pool) -> None:
    """Make the next players findable who are not yet: of a great many, those who came first."""
    player_search.add(pool, _names(_to_come(pool)[:AT_ONCE]))


def index_all(pool: Pool) -> None:
    """Make everybody findable, which takes a while for a whole server."""
    player_search.add(pool, _names(_to_come(pool)))


def _to_come(pool: Pool) -> QuerySet[GoPlayer]:
    return GoPlayer.objects.filter(pool=pool, pk__gt=_last(pool)).order_by("pk")


def _names(players: QuerySet[GoPlayer]) -> Iterator[tuple[str, str, str]]:
    named = players.values_list("player_id", "name").iterator(chunk_size=AT_ONCE)
    return ((player, name, "") for player, name in named)


def _last(pool: Pool) -> int:
    """The number of the last player who is findable, 0 if nobody is: halving what lies between."""
    players = GoPlayer.objects.filter(pool=pool).order_by("pk")
    newest = players.last()
    last, end = 0, newest.pk if newest else 0
    if newest and _is_findable(newest):
        return newest.pk
    while last < end:
        middle = (last + end) // 2
        player = players.filter(pk__gt=middle).first()
        if player and _is_findable(player):
            last = player.pk
        else:
            end = middle
    return last


def _is_findable(player: GoPlayer) -> bool:
    return NameWord.objects.filter(pool=player.pool_id, player_id=player.player_id).exists()
