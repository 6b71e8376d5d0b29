"""By which rules a pool is rated now, and whether it is of Go."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.db import connection

from banzuke.database.book_reader import MissingBookError, rules_from

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules

_FILES = (
    "SELECT f.name, f.text FROM book_poolfile f JOIN book_entry e ON e.id = f.entry_id "
    "WHERE e.pool_id = %s ORDER BY f.id"
)


class NotLiveError(Exception):
    """The pool is of chess: its ratings move list by list, and no game by itself."""


def rules_now(pool: Pool) -> Rules:
    """How the pool is rated as of its last entry; texts that were read once are not read again."""
    with connection.cursor() as cursor:
        cursor.execute(_FILES, [pool.pk])
        return _rules(tuple(cursor.fetchall()))


def go_rules_now(pool: Pool) -> Rules:
    """The same of a Go pool. Raises NotLiveError."""
    rules = rules_now(pool)
    if not rules.is_go:
        raise NotLiveError(pool.slug)
    return rules


def is_live(pool: Pool) -> bool:
    """Whether every game of the pool is rated the moment it ends: by a book of Go that is installed."""
    try:
        return rules_now(pool).is_go
    except MissingBookError:
        return False


@lru_cache(maxsize=64)
def _rules(files: tuple[tuple[str, str], ...]) -> Rules:
    return rules_from(dict(files))
