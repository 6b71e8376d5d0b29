"""Publishing: what the coming list is, the whole of it rehearsed, and the one act that publishes it."""

from __future__ import annotations

from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, NamedTuple, cast

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from banzuke.core import facts
from banzuke.core.gc_pause import uncollected
from banzuke.core.month import parse_month
from banzuke.core.rulebook import Family
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_book, rules_of
from banzuke.engine.rating_run import silent
from banzuke.office import notices
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import note
from banzuke.office.lists.go_rankings import list_of as go_list_of
from banzuke.office.lists.list_index import latest, revisions
from banzuke.office.lists.list_storage import Publication, store
from banzuke.office.lists.list_window import closes, opens, placing
from banzuke.office.lists.recompute import made_anew
from banzuke.office.lists.rehearsal import Rehearsal, closed, first_ratings, movers, passing, warned
from banzuke.office.lists.staleness import locked_at, refuse_moved
from banzuke.office.refusals import AlreadyPublishedError, RevisionsDueError, WindowOpenError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from banzuke.core.month import Month
    from banzuke.database.models import Pool, RatingList
    from banzuke.engine.rating_run import Progress
    from banzuke.office.journal import Actor
    from banzuke.office.lists.list_rows import Made
    from banzuke.office.lists.recompute import Anew


class Coming(NamedTuple):
    """The list that is published next: its window's days, its own day, and whether the window is over.

    `opens` is None for a club's event, which is its own window.
    """

    name: str
    opens: date | None
    closes: date
    day: date
    is_closed: bool


def coming(pool: Pool, today: date) -> Coming | None:
    """The list that is published next; None for a club without an event that waits."""
    family = rules_of(pool).family
    if family is Family.CLUB:
        return _coming_event(pool, today)
    last = latest(pool)
    month = parse_month(last.name).plus(1) if last else _first_month(pool, family, today)
    last_day = closes(month, family)
    return Coming(str(month), opens(month, family), last_day, month.first_day, closed(last_day, today))


def _first_month(pool: Pool, family: Family, today: date) -> Month:
    """The first list of a pool that has published none: of its first report, or of today."""
    if family is Family.GO:
        moments = models.GoGame.objects.filter(pool=pool).values_list("ended", flat=True)
        return go_list_of(min(map(datetime.fromisoformat, moments), default=_noon(today)))
    column, month = placing(family)
    first = models.Event.objects.filter(pool=pool).aggregate(first=Min(column))["first"]
    return month(first or today)


def furthest(pool: Pool, next_one: Coming, today: date) -> str:
    """The last list after the coming one that takes an event of the book and has closed; blank for none."""
    family, rows = rules_of(pool).family, standing_rows(pool, facts.Event)
    if family is Family.CLUB:
        ended = rows.filter(ends__lt=today).order_by("ends", "event_id").last()
        return ended.event_id if ended and ended.ends > next_one.closes else ""
    column, month = placing(family)
    lists = {month(day) for day in rows.values_list(column, flat=True).distinct()}
    found = max((each for each in lists if closed(closes(each, family), today)), default=None)
    return str(found) if found and found.first_day > next_one.day else ""


def _noon(day: date) -> datetime:
    return datetime.combine(day, time(12), UTC)


def _coming_event(pool: Pool, today: date) -> Coming | None:
    published = models.RatingList.objects.filter(pool=pool).values("name")
    waiting = standing_rows(pool, facts.Event).exclude(event_id__in=published)
    event = waiting.order_by("ends", "event_id").first()
    return event and Coming(event.event_id, None, event.ends, event.ends, closed(event.ends, today))


@uncollected()
def rehearse(pool: Pool, name: str, today: date, progress: Progress = silent) -> Rehearsal:
    """A list as it would be if it were published now; nothing is. Raises UnknownListError.

    A list that is published already is rehearsed as its revision would be.
    """
    at = last_entry(pool)
    ledger = read_book(pool, at)
    found = made_anew(pool, ledger, name, progress)
    made = cast("Made", found.wanted)  # it was asked for by its name
    return Rehearsal(
        at,
        made,
        [each.name for each in found.fresh if each.closes <= made.closes],
        found.due,
        made.edition.book.family is Family.CLUB or closed(made.closes, today),
        movers(made.rows),
        first_ratings(made.rows),
        passing(made.rows),
        warned(ledger, made),
    )


def publish(
    pool: Pool,
    name: str,
    actor: Actor,
    today: date,
    position: int | None = None,
    progress: Progress = silent,
) -> list[RatingList]:
    """Publish every list up to that name that is not published yet: all of them, or none.

    `position` is the entry up to which the officer saw the book (None: whatever it is). What comes in while
    the lists are made stops nothing where it changes none of them: games that end on a live server. Raises
    AlreadyPublishedError, WindowOpenError, MovedOnError, RevisionsDueError, and UnknownListError for a name
    that is no list of the pool.
    """
    _refuse_published(pool, name)
    while True:
        at = last_entry(pool)
        if position is not None:
            refuse_moved(pool, position, name)
        anew = made_anew(pool, read_book(pool, at), name, progress)
        _refuse_published(pool, name)
        _check(anew, name, today)
        with transaction.atomic():
            if locked_at(pool, at, name):
                _refuse_published(pool, name)
                return _published(pool, anew.fresh, Publication(at, actor.name), actor, progress)


def _published(
    pool: Pool, fresh: Sequence[Made], publication: Publication, actor: Actor, progress: Progress
) -> list[RatingList]:
    lists = store(pool, fresh, publication, progress)
    names = [each.name for each in lists]
    note(actor, "publish", pool, lists=names, number=lists[-1].number, entry=publication.entry)
    notices.of_lists(pool, lists)
    return lists


def _check(anew: Anew, name: str, today: date) -> None:
    """Whether the list may be published."""
    if anew.due:
        raise RevisionsDueError(lists=", ".join(due.published.name for due in anew.due))
    wanted = anew.fresh[-1]
    if wanted.edition.book.family is not Family.CLUB and not closed(wanted.closes, today):
        raise WindowOpenError(list=name, closes=wanted.closes)


def _refuse_published(pool: Pool, name: str) -> None:
    found = revisions(pool, name).first()
    if found is not None:
        at = timezone.localtime(found.published_at).strftime("%Y-%m-%d %H:%M")
        raise AlreadyPublishedError(list=name, author=found.author, at=at)
