"""Before anything is read of a Go pool as it stands now: it is brought to what its book says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from banzuke.office.live.current_rules import go_rules_now
from banzuke.office.live.pool_events import current

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules

_LEFT = (
    "SELECT COALESCE((SELECT MAX(id) FROM book_entry WHERE pool_id = %s), 0) "
    "- COALESCE((SELECT entry FROM book_livepool WHERE pool_id = %s), -1)"
)


def up_to_date(pool: Pool) -> Rules:
    """The rules of a Go pool, whose live standings hold what its book says when this returns.

    Nothing is locked unless somebody else than the service has entered something since. Raises NotLiveError.
    """
    rules = go_rules_now(pool)
    if not _holds_all(pool):
        with current(pool):
            pass
    return rules


def _holds_all(pool: Pool) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, [pool.pk, pool.pk])
        return bool(cursor.fetchone()[0] <= 0)
