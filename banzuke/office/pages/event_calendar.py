"""The public calendar: the events that the office granted, each with where it stands, and the lists' days.

An event that is cancelled later stays in it: who has the day in mind is told.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from banzuke.core.calendar import Window
from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Sanction, SanctionStep
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import EventProgress
from banzuke.office.register import clubs

#: So many events to come, and so many of a page of those that are over.
MOST_COMING, PAGE = 200, 50
#: A calendar file has the events of so many days back.
IN_FILE = timedelta(days=366)
#: And the days of so many lists that are not closed yet.
WINDOWS_TO_COME = 3


class CalendarEvent(NamedTuple):
    """A granted event, what its organiser is called, and where it stands."""

    application: Sanction
    organiser: str
    progress: EventProgress


class Calendar(NamedTuple):
    """The events to come (and those under way), the first first; those that are over, the last first.

    `more` is how many of those that are over stand before the next page; None: there is no such page.
    """

    coming: Sequence[CalendarEvent]
    over: Sequence[CalendarEvent]
    more: int | None


def event_calendar(pool: Pool, today: date, after: int = 0) -> Calendar:
    """The first page of the calendar, or, of events that are over alone, the page `after` so many of them."""
    granted = granted_events(pool)
    coming = list(granted.filter(ends__gte=today).order_by("starts", "pk")[:MOST_COMING]) if not after else []
    over = list(granted.filter(ends__lt=today).order_by("-starts", "-pk")[after : after + PAGE + 1])
    shown = over[:PAGE]
    every = _with_progress(pool, [*coming, *shown])
    more = after + PAGE if len(over) > PAGE else None
    return Calendar(every[: len(coming)], every[len(coming) :], more)


def calendar_in_file(pool: Pool, today: date) -> list[CalendarEvent]:
    """The events of a calendar file: those of the last year and those to come."""
    rows = (
        granted_events(pool).filter(ends__gte=today - IN_FILE).order_by("-starts", "-pk")[: 2 * MOST_COMING]
    )
    return _with_progress(pool, list(rows)[::-1])


def list_windows(pool: Pool, today: date) -> list[Window]:
    """The windows of the last year and of the lists to come, the next ones; none where events make lists.

    Empty, too, where the pool's rule book is not installed.
    """
    try:
        schedule = rules_of(pool).schedule
    except RefusedError:
        return []
    if schedule.is_by_event:
        return []
    first = max(today - IN_FILE, schedule.editions[0].start)
    found = [schedule.window_on(max(today, first))]
    while len(found) < WINDOWS_TO_COME:
        found.append(schedule.after(found[-1]))
    earlier = schedule.before(found[0])
    while earlier.closes >= first:
        found.insert(0, earlier)
        earlier = schedule.before(earlier)
    return found


def find_announced(pool: Pool, event_id: str) -> CalendarEvent | None:
    """The granted event of that id; None for none."""
    found = granted_events(pool).filter(event_id=event_id).first()
    return _with_progress(pool, [found])[0] if found else None


def granted_events(pool: Pool) -> QuerySet[Sanction]:
    """The events that the office granted, those cancelled since among them."""
    was_granted = Exists(SanctionStep.objects.filter(sanction=OuterRef("pk"), state=Sanction.State.GRANTED))
    in_calendar = (Sanction.State.GRANTED, Sanction.State.CANCELLED)
    return Sanction.objects.filter(was_granted, pool=pool, state__in=in_calendar)


def _with_progress(pool: Pool, rows: Sequence[Sanction]) -> list[CalendarEvent]:
    names = clubs.names(pool)
    stand = progress_of_sanctions(pool, rows)
    return [
        CalendarEvent(row, names.get(row.organiser, row.organiser), one)
        for row, one in zip(rows, stand, strict=True)
    ]
