"""A pool's lists made again from its book, beside those that were published."""

from collections.abc import Collection
from itertools import takewhile
from typing import NamedTuple

from banzuke.core.gc_pause import uncollected
from banzuke.database.models import ListRow, Pool, RatingList
from banzuke.engine.history import UnknownListError
from banzuke.engine.list_content import ContentHash
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import Ledger
from banzuke.office.lists.fast_forward import start_after
from banzuke.office.lists.list_index import current_lists, edition_of, make_lists, names_of, names_up_to
from banzuke.office.lists.list_rows import CalculatedList


class DueRevision(NamedTuple):
    """A published list that the book no longer gives: as it was published last, and as it is made now."""

    published: RatingList
    made: CalculatedList


class Recomputation(NamedTuple):
    """What a book gives: lists not published yet, in order; revisions that are due; the list wanted."""

    fresh: list[CalculatedList]
    due: list[DueRevision]
    wanted: CalculatedList | None


def recompute(
    pool: Pool, ledger: Ledger, wanted: str | None = None, progress: Progress = no_progress
) -> Recomputation:
    """What a ledger of the pool gives, up to the last published list and the wanted one.

    Published lists are compared by the hash of their content. Raises UnknownListError for a `wanted` that is
    no list of the ledger.
    """
    published = {each.name: each for each in current_lists(pool)}
    names = _names(ledger, wanted, published)
    fresh: list[CalculatedList] = []
    due: list[DueRevision] = []
    found: CalculatedList | None = None

    def stays(name: str, content: ContentHash) -> bool:
        return content.sha256(published[name].entry_id) == published[name].sha256

    with uncollected():
        known = list(takewhile(lambda name: name in published and name != wanted, names))
        start = start_after(
            ledger, names, len(known), progress, stays, lambda name: _players_on(published[name])
        )
        for name in names[: start.passed]:
            del published[name]
        for made in make_lists(ledger, names, progress, start):
            if made.name == wanted:
                found = made
            if made.name in published:
                _compare(published.pop(made.name), made, due)
            else:
                fresh.append(made)
    for gone in sorted(published.values(), key=lambda each: each.number):
        _compare(gone, missing_list(gone), due)
    return Recomputation(fresh, due, found)


def missing_list(published: RatingList) -> CalculatedList:
    """What a book gives of a published list that it has no more."""
    return CalculatedList(published.name, published.day, published.closes, edition_of(published))


def _compare(published: RatingList, made: CalculatedList, due: list[DueRevision]) -> None:
    if not _is_as_published(published, made):
        due.append(DueRevision(published, made))


def _is_as_published(published: RatingList, made: CalculatedList) -> bool:
    entry = published.entry_id
    if made.content_sha256(entry) == published.sha256:
        return True
    return made.content_for(_players_on(published)).sha256(entry) == published.sha256


def _players_on(published: RatingList) -> set[str]:
    return set(ListRow.objects.filter(list=published).values_list("player_id", flat=True))


def _names(ledger: Ledger, wanted: str | None, published: Collection[str]) -> list[str]:
    """The lists to be made: to the last that is published or wanted."""
    asked = {*published, *([] if wanted is None else [wanted])}
    names = names_up_to(ledger, asked)
    if wanted is not None and wanted not in names:
        raise UnknownListError(wanted, ", ".join(names_of(ledger)[-5:]))
    return names
