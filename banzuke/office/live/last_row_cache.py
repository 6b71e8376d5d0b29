"""What was read of pools, kept in this process until the table that it rests on has another last row."""

from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import transaction

from banzuke.database.models import Pool

Found = TypeVar("Found")


class LastRowCache(Generic[Found]):
    """What was read of each pool, with the number of the last row when it was read."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[int, Found]] = {}

    def find(self, pool: Pool, last: int, read: Callable[[Pool], Found]) -> Found:
        """What `read` gives of a pool, read again if there is another last row; raises what that does."""
        kept = self._kept.get(pool.pk)
        if kept is not None and kept[0] == last:
            return kept[1]
        found = read(pool)
        # Not before the commit: a number that is rolled back is given again.
        transaction.on_commit(lambda: self._kept.__setitem__(pool.pk, (last, found)))
        return found

    def as_read_last(self, pool: Pool) -> Found | None:
        """What was read of a pool last, whatever the last row is now; None where nothing was."""
        kept = self._kept.get(pool.pk)
        return None if kept is None else kept[1]
