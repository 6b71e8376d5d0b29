"""The public calendar of granted events, as a page and as a file for calendar programs."""

from datetime import UTC, datetime, time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.core.calendar import Window
from banzuke.database.models import Pool
from banzuke.database.two_names import name_here
from banzuke.formats import calendar_file as calendar_format
from banzuke.formats.files.text import whole_number
from banzuke.office.event_progress import State
from banzuke.office.pages.event_calendar import (
    CalendarEvent,
    calendar_in_file,
    event_calendar,
    list_windows,
)
from banzuke.web.access import of_chess, public
from banzuke.web.downloads import download
from banzuke.web.event_standing import standing
from banzuke.web.public.caching import conditional_on_office
from banzuke.web.public.share_cards import card_of_pool, feed_of_calendar
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import colon, day_text, list_title

CALENDAR = "text/calendar; charset=utf-8"


@public
@of_chess
@conditional_on_office
def calendar(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The granted events: those to come, and those that are over."""
    after = whole_number(request.GET.get("after", "")) or 0
    found = event_calendar(pool, localdate(), min(after, 1_000_000))
    coming = [(event, standing(event.progress)) for event in found.coming]
    over = [(event, standing(event.progress)) for event in found.over]
    context: dict[str, Any] = {"coming": coming, "over": over, "more": found.more, "after": after}
    context |= {"feeds": [feed_of_calendar(pool)], "share": card_of_pool(request, pool)}
    return pool_page(request, "public/calendar.html", pool, **context)


@public
@of_chess
@conditional_on_office
def calendar_file(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The granted events and the lists' days for a calendar program, which asks for them again and again."""
    entries = [_entry(request, pool, event) for event in calendar_in_file(pool, localdate())]
    since = pool.entries.order_by("pk").values_list("at", flat=True)[0]
    for window in list_windows(pool, localdate()):
        entries += _days_of_list(request, pool, window, since)
    name = _("%(pool)s: events") % {"pool": pool.name}
    return download(calendar_format.write(name, entries), f"{pool.slug}.ics", CALENDAR)


def _days_of_list(
    request: HttpRequest, pool: Pool, window: Window, since: datetime
) -> list[calendar_format.CalendarEntry]:
    """The day on which a list's window closes, and the day on which the list is published."""
    title = list_title(window.name, page_language())
    page = request.build_absolute_uri(reverse("public-lists", kwargs={"slug": pool.slug}))
    opens = {"list": title, "opens": day_text(str(window.opens), page_language())}
    said = (
        ("closes", window.closes, _("List %(list)s: last day of its window"), _("It opened on %(opens)s.")),
        ("list", window.published, _("List %(list)s: its day"), ""),
    )
    return [
        calendar_format.CalendarEntry(
            f"{kind}-{window.name}@{pool.slug}.{request.get_host()}",
            f"{pool.name}{colon(page_language())}{name % opens}",
            day,
            day,
            "",
            text % opens,
            page,
            since,
        )
        for kind, day, name, text in said
    ]


def _entry(request: HttpRequest, pool: Pool, event: CalendarEvent) -> calendar_format.CalendarEntry:
    row = event.application
    page = reverse("public-event", kwargs={"slug": pool.slug, "event": row.event_id})
    return calendar_format.CalendarEntry(
        f"{row.event_id}@{pool.slug}.{request.get_host()}",
        name_here(row.name, row.name_native),
        row.starts,
        row.ends,
        row.place,
        standing(event.progress).sentence,
        request.build_absolute_uri(page),
        event.progress.since or datetime.combine(row.applied, time(), UTC),
        event.progress.state is State.CANCELLED,
    )
