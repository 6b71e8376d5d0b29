"""What is asked of a Go pool as it stands now: brought to what its book says, and by which rules it goes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from banzuke.book.reading import rules_from
from banzuke.desk.live.held import NotLiveError
from banzuke.desk.live.taking import current
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from banzuke.book.models import Pool
    from banzuke.ledger.pool import Pool as Rules

_FILES = (
    "SELECT f.name, f.text FROM book_poolfile f JOIN book_entry e ON e.id = f.entry_id "
    "WHERE e.pool_id = %s ORDER BY f.id"
)
_LEFT = (
    "SELECT COALESCE((SELECT MAX(id) FROM book_entry WHERE pool_id = %s), 0) "
    "- COALESCE((SELECT entry FROM book_livepool WHERE pool_id = %s), -1)"
)


def up_to_date(pool: Pool) -> Rules:
    """The rules of a Go pool, whose live standings hold what its book says when this returns.

    Nothing is locked unless somebody else than the service has entered something since. Raises NotLiveError.
    """
    rules = rules_now(pool)
    if rules.family is not Family.GO:
        raise NotLiveError(pool.slug)
    if not _holds_all(pool):
        with current(pool):
            pass
    return rules


def is_live(pool: Pool) -> bool:
    """Whether the pool is of Go."""
    return rules_now(pool).family is Family.GO


def rules_now(pool: Pool) -> Rules:
    """How the pool is rated as of its last entry; texts that were read once are not read again."""
    with connection.cursor() as cursor:
        cursor.execute(_FILES, [pool.pk])
        return _rules(tuple(cursor.fetchall()))


@lru_cache(maxsize=64)
def _rules(files: tuple[tuple[str, str], ...]) -> Rules:
    return rules_from(dict(files))


def _holds_all(pool: Pool) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, [pool.pk, pool.pk])
        return bool(cursor.fetchone()[0] <= 0)
