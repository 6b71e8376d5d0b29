"""Lists of before the office kept a log: their bytes, their trees and their entries are made.

The worker does it between its jobs, a list at a time. What it makes again is kept only if its SHA-256 is the
list's. Lists that cannot be made again are tried once by each worker; `verify --all` tells of them.
"""

import logging
import time
from collections.abc import Callable, Iterator

from django.db import transaction

from banzuke.core.fault import RefusedError
from banzuke.core.gc_pause import uncollected
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import Job, ListContent, Pool, RatingList
from banzuke.office.lists.fast_forward import start_after
from banzuke.office.lists.list_index import make_lists, names_up_to
from banzuke.office.lists.list_rows import CalculatedList
from banzuke.office.lists.list_storage import salt_lists
from banzuke.office.lists.recompute import missing_list
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import make_tree, persons_of, store_tree
from banzuke.office.transparency.office_log import append_list, hashes_of_book

log = logging.getLogger(__name__)
#: So many seconds pass before the worker looks for other work.
PATIENCE = 2
_not_made: set[int] = set()


def lists_without_entry(pool: Pool) -> list[RatingList]:
    """The pool's lists that the log does not have, in the order of their numbers."""
    return list(pool.lists.filter(log_entry=None).order_by("number"))


def enter_late_lists() -> int:
    """Enter some lists that the log does not have, one at least where there are any; how many it were."""
    until = time.monotonic() + PATIENCE

    def is_time_up() -> bool:
        return time.monotonic() > until or Job.objects.filter(state=Job.State.WAITING).exists()

    entered = 0
    for pool in Pool.objects.order_by("pk"):
        if entered and is_time_up():
            break
        waiting = [each for each in lists_without_entry(pool) if each.pk not in _not_made]
        if waiting:
            entered += _enter(pool, waiting, is_time_up)
    return entered


@uncollected()
def _enter(pool: Pool, waiting: list[RatingList], is_time_up: Callable[[], bool]) -> int:
    """Enter the lists that are as the book gives them now, then those that it gave when they were made."""
    entered = 0
    for position in (last_entry(pool), *sorted({each.entry_id for each in waiting})):
        try:
            for made in _made(pool, position, waiting) if waiting else ():
                found = [each for each in waiting if _is_of(made, each)]
                for each in found:
                    _enter_list(each, made)
                    waiting.remove(each)
                entered += len(found)
                if found and is_time_up():
                    return entered
        except (RefusedError, LookupError) as error:  # rules that cannot be read
            log.warning("%s: lists of before are not in the log: %s", pool.slug, type(error).__name__)
    _not_made.update(each.pk for each in waiting)
    return entered


def _made(pool: Pool, position: int, waiting: list[RatingList]) -> Iterator[CalculatedList]:
    ledger = read_book(pool, position)
    wanted = {each.name for each in waiting}
    names = names_up_to(ledger, wanted)
    first = next((place for place, name in enumerate(names) if name in wanted), len(names))
    yield from make_lists(ledger, names, start=start_after(ledger, names, first))
    gone = {each.name: each for each in waiting if each.name not in names}
    yield from map(missing_list, gone.values())


def _is_of(made: CalculatedList, published: RatingList) -> bool:
    return made.name == published.name and made.content_sha256(published.entry_id) == published.sha256


def _enter_list(published: RatingList, made: CalculatedList) -> None:
    packed, pool = made.packed_content(published.entry_id), published.pool
    with transaction.atomic():
        salt_lists(pool, [made], published.entry_id)
    hashes = hashes_of_book(pool, published.entry_id)
    with transaction.atomic():
        if not ListContent.objects.filter(list=published).exists():
            ListContent.objects.create(list=published, packed=packed)
        tree = make_tree(published, content_of(published) or b"", persons_of(published))
        store_tree(published, tree)
        append_list(published, tree, hashes, late=True)
    log.info("%s: the list %s is in the log", published.pool.slug, published)
