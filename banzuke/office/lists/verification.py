"""Verifying a published list: it is made again from the ledger it came from, and every figure compared."""

from collections import deque
from typing import NamedTuple

from banzuke.database.book_reader import read_book
from banzuke.database.models import Pool, RatingList
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.lists.fast_forward import start_after
from banzuke.office.lists.list_differences import (
    Difference,
    LineDifference,
    line_differences,
    row_differences,
)
from banzuke.office.lists.list_index import find_list, make_lists, names_of
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row
from banzuke.office.lists.recompute import missing_list
from banzuke.office.refusals import NotPublishedError


class Verification(NamedTuple):
    """What was found: the list, how much was compared, the hash of the list made again, and what differs.

    `workings` are the players (speed, id) whose stored working differs.
    """

    published: RatingList
    sha256: str
    rows: int
    lines: int
    differences: list[Difference]
    line_differences: list[LineDifference]
    workings: list[tuple[str, str]]

    @property
    def is_good(self) -> bool:
        """Whether nothing differs."""
        differs = self.differences or self.line_differences or self.workings
        return not differs and self.sha256 == self.published.sha256


def verify(
    pool: Pool, name: str, revision: int | None = None, progress: Progress = no_progress
) -> Verification:
    """Make a published list again from its ledger, and compare. Raises NotPublishedError.

    `revision` None: the latest.
    """
    published = _published(pool, name, revision)
    made = _made_again(pool, published, progress)
    return Verification(
        published,
        made.content_sha256(published.entry_id),
        len(made.rows),
        len(made.lines),
        list(row_differences(published, made, Row._fields)),
        list(line_differences(published, made, LineRow._fields)),
        sorted(_differing_workings(published, made)),
    )


def _published(pool: Pool, name: str, revision: int | None) -> RatingList:
    found = find_list(pool, name, revision)
    if found is None:
        known = ", ".join(map(str, pool.lists.order_by("-number")[:5]))
        raise NotPublishedError(list=name if revision is None else f"{name} r{revision}", known=known or "-")
    return found


def _made_again(pool: Pool, published: RatingList, progress: Progress) -> CalculatedList:
    ledger = read_book(pool, published.entry_id)
    try:
        names = names_of(ledger, published.name)
    except UnknownListError:
        return missing_list(published)
    start = start_after(ledger, names, len(names) - 1, progress)
    return deque(make_lists(ledger, names, progress, start), maxlen=1).pop()


def _differing_workings(published: RatingList, made: CalculatedList) -> set[tuple[str, str]]:
    stored = {(w.speed, w.player_id): w.calculation for w in published.workings.iterator(chunk_size=2_000)}
    again = {(speed, player): calculation for speed, player, calculation in made.workings}
    return {key for key in stored.keys() | again.keys() if stored.get(key) != again.get(key)}
