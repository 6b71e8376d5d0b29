"""The titles of players as everybody may see them: FIDE's (`GM`, `WIM`) or the federation's own."""

from collections.abc import Collection

from django.db.models import QuerySet

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.models import Pool
from banzuke.office.fact_rows import standing_rows


def titles_of(pool: Pool, ids: Collection[str], hidden: frozenset[str]) -> dict[str, str]:
    """The titles of those players who have one, by id; who is shown by id only has none."""
    rows = standing_rows(pool, facts.Player).filter(
        player_id__in=[each for each in ids if each not in hidden]
    )
    return {player: title for player, title in rows.values_list("player_id", "title") if title}


def title_holders(pool: Pool) -> QuerySet[models.Player]:
    """Every member who has a title."""
    found: QuerySet[models.Player] = standing_rows(pool, facts.Player)
    return found.filter(title__gt="")  # the index finds them; `exclude` would look at every member


def has_titles(pool: Pool, hidden: frozenset[str]) -> bool:
    """Whether anybody has a title, of those who are named."""
    return title_holders(pool).exclude(player_id__in=hidden).exists()
