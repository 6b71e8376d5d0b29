"""The rules of Go pools, of which a process keeps what it read last."""

from banzuke.database import models
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError, rules_of
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.live.last_row_cache import LastRowCache

#: By the mark that differs when rules change (`live_tables.RULES_MARK`).
_known_rules = LastRowCache[Rules]()


class NotLiveError(Exception):
    """The pool is of chess: its ratings move list by list, and no game by itself."""


def is_live(pool: models.Pool) -> bool:
    """Whether every game of the pool is rated the moment it ends: by a book of Go that is installed."""
    try:
        return rules_of(pool).is_go
    except (MissingBookError, SpoiledRulesError):
        return False


def go_rules_of(pool: models.Pool) -> Rules:
    """The rules of a Go pool, read from the database. Raises NotLiveError."""
    rules = rules_of(pool)
    if not rules.is_go:
        raise NotLiveError(pool.slug)
    return rules


def current_rules(pool: models.Pool, mark: int) -> Rules:
    """The rules of a Go pool, read again where `mark` (of `RULES_MARK`) is another. Raises NotLiveError."""
    return _known_rules.find(pool, mark, go_rules_of)


def known_rules(pool: models.Pool) -> Rules:
    """A Go pool's rules as this process read them last, if it did: quick, and behind by a game at the most.

    Raises NotLiveError.
    """
    return _known_rules.as_read_last(pool) or go_rules_of(pool)
