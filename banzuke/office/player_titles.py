"""The titles of players as everybody may see them: FIDE's (`GM`, `WIM`) or the federation's own."""

from collections.abc import Collection

from banzuke.core import facts
from banzuke.database.models import Pool
from banzuke.office.fact_rows import standing_rows


def titles_of(pool: Pool, ids: Collection[str], hidden: frozenset[str]) -> dict[str, str]:
    """The titles of those players who have one, by id; who is shown by id only has none."""
    rows = standing_rows(pool, facts.Player).filter(
        player_id__in=[each for each in ids if each not in hidden]
    )
    return dict(rows.exclude(title=None).exclude(title="").values_list("player_id", "title"))
