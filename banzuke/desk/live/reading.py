"""What is asked of a Go pool as it stands now: brought to what its book says, and by which rules it goes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from banzuke.book.models import Entry, LivePool
from banzuke.book.reading import files_of, last_entry, rules_from
from banzuke.desk.live.held import NotLiveError
from banzuke.desk.live.taking import current
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from collections.abc import Mapping

    from banzuke.book.models import Pool
    from banzuke.ledger.pool import Pool as Rules


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
    return _rules(tuple(files_of(pool, last_entry(pool)).items()))


@lru_cache(maxsize=64)
def _rules(files: tuple[tuple[str, str], ...]) -> Rules:
    texts: Mapping[str, str] = dict(files)
    return rules_from(texts)


def _holds_all(pool: Pool) -> bool:
    last = Entry.objects.filter(pool=OuterRef("pool")).order_by("-pk").values("pk")[:1]
    return LivePool.objects.filter(pool=pool, entry__gte=Subquery(last)).exists()
