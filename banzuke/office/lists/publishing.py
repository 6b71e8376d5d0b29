"""Publishing lists: the one act that does it."""

from collections.abc import Sequence
from datetime import date
from itertools import count
from typing import cast

from banzuke.database.book_reader import read_book
from banzuke.database.models import Pool, RatingList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import Ledger
from banzuke.office import notices
from banzuke.office.journal import Actor, by_whom, note
from banzuke.office.lists.list_index import revisions_of
from banzuke.office.lists.list_rows import CalculatedList
from banzuke.office.lists.list_storage import Publication, stored_if_current
from banzuke.office.lists.recompute import Recomputation, recompute
from banzuke.office.lists.record_hashes import hashes_of_records
from banzuke.office.lists.rehearsal import is_over
from banzuke.office.lists.staleness import ATTEMPTS, current_basis, refuse_stale
from banzuke.office.refusals import (
    AlreadyPublishedError,
    PreliminaryDayError,
    RevisionsDueError,
    WindowOpenError,
)


def publish(
    pool: Pool,
    name: str,
    actor: Actor,
    today: date,
    position: int | None = None,
    progress: Progress = no_progress,
    preliminary_until: date | None = None,
) -> list[RatingList]:
    """Publish every list up to that name that is not published yet: all of them, or none.

    `position` is the entry up to which the officer saw the book (None: whatever it is). What comes in while
    the lists are made stops nothing where it changes none of them: games that end on a live server. Where it
    does, an officer who has not seen it is refused; otherwise the lists are made again. From the attempt
    `ATTEMPTS` on, what comes meanwhile is for a revision, unless somebody is erased.

    The lists are preliminary up to the end of `preliminary_until` (None: final at once). Raises
    AlreadyPublishedError, WindowOpenError, MovedOnError, RevisionsDueError, PreliminaryDayError, and
    UnknownListError for a name that is no list of the pool.
    """
    if preliminary_until and preliminary_until < today:
        raise PreliminaryDayError(day=preliminary_until)
    attempts = count(1)
    while True:
        is_last = next(attempts) >= ATTEMPTS
        basis = current_basis(pool, name, is_fixed=is_last and position is None)
        _refuse_published(pool, name)
        if position is not None:
            refuse_stale(pool, position, name)
        ledger = read_book(pool, basis.entry)
        found = recompute(pool, ledger, name, progress)
        _refuse_published(pool, name)
        _check(ledger, found, today)
        publication = Publication(basis.entry, actor.name, preliminary_until=preliminary_until)
        with stored_if_current(basis, _up_to_wanted(found), publication, progress) as lists:
            if lists:
                _tell(pool, lists, publication, actor)
                return lists


def _tell(pool: Pool, lists: Sequence[RatingList], publication: Publication, actor: Actor) -> None:
    names = [each.name for each in lists]
    facts = {"lists": names, "records": hashes_of_records(lists), "number": lists[-1].number}
    if publication.preliminary_until:
        facts["preliminary"] = publication.preliminary_until.isoformat()
    note(actor, "publish", pool, entry=publication.entry, **facts)
    notices.notify_of_lists(pool, lists)


def _up_to_wanted(found: Recomputation) -> list[CalculatedList]:
    """The lists that are not published up to the wanted one, which a later event's list may follow."""
    return found.fresh[: found.fresh.index(_wanted(found)) + 1]


def _wanted(found: Recomputation) -> CalculatedList:
    return cast("CalculatedList", found.wanted)  # it was asked for by its name


def _check(ledger: Ledger, found: Recomputation, today: date) -> None:
    """Whether the list may be published."""
    if found.due:
        raise RevisionsDueError(lists=", ".join(due.published.name for due in found.due))
    wanted = _wanted(found)
    if not is_over(ledger, wanted, today):
        raise WindowOpenError(list=wanted.name, closes=wanted.closes)


def _refuse_published(pool: Pool, name: str) -> None:
    found = revisions_of(pool, name).first()
    if found is not None:
        raise AlreadyPublishedError(list=name, **by_whom(found.author, found.published_at))
