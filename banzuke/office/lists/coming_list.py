"""The list that is published next: its window, its events, the day that a change made now carries."""

from collections import defaultdict
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Min, Q
from django.utils.timezone import localdate, now

from banzuke.core import facts
from banzuke.core.calendar import DAY
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.engine.go_windows import day_of
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists.list_index import latest_list


class ComingList(NamedTuple):
    """The list that is published next: its window's days, its own day, and whether the window is over.

    `opens` is None where every event makes a list and is its own window.
    """

    name: str
    opens: date | None
    closes: date
    day: date
    is_closed: bool


class EventInWindow(NamedTuple):
    """An event, how many games it has, and how many players."""

    row: models.Event
    games: int
    players: int


def today_of(pool: Pool) -> date:
    """Today, as the pool's windows count days: by UTC for Go (`day_of`), else where the office is."""
    return day_of(now()) if rules_of(pool).is_go else localdate()


def find_coming_list(pool: Pool, today: date) -> ComingList | None:
    """The list that is published next; None where every event makes a list and none waits."""
    rules = rules_of(pool)
    if rules.schedule.is_by_event:
        return _coming_event(pool, today)
    last = latest_list(pool)
    day = _first_day(pool, rules) or today if last is None else last.closes + DAY
    window = rules.schedule.window_on(day)
    return ComingList(*window, today > window.closes)


def _first_day(pool: Pool, rules: Rules) -> date | None:
    """The first day that anything reported so far has for its window; None before the first report."""
    if rules.is_go:
        ends = models.GoGame.objects.filter(pool=pool).values_list("ended", flat=True)
        first = min(map(datetime.fromisoformat, ends), default=None)
        return first and day_of(first)
    rows = standing_rows(pool, facts.Event)
    day: date | None = rows.order_by().aggregate(day=Min(rules.schedule.column))["day"]
    return day


def _coming_event(pool: Pool, today: date) -> ComingList | None:
    published = models.RatingList.objects.filter(pool=pool).values("name")
    waiting = standing_rows(pool, facts.Event).exclude(event_id__in=published)
    event = waiting.order_by("ends", "event_id").first()
    return event and ComingList(event.event_id, None, event.ends, event.ends, today > event.ends)


def furthest_list(pool: Pool, next_one: ComingList, today: date) -> str:
    """The last list after the coming one that takes an event of the book and has closed; blank for none."""
    rules, rows = rules_of(pool), standing_rows(pool, facts.Event)
    schedule = rules.schedule
    if schedule.is_by_event:
        ended = rows.filter(ends__lt=today).order_by("ends", "event_id").last()
        return ended.event_id if ended and ended.ends > next_one.closes else ""
    days = (
        []
        if rules.is_go
        else rows.values_list(schedule.column, flat=True).filter(more__isnull=True).distinct()
    )
    late = [] if rules.is_go else rows.filter(more__isnull=False)
    windows = {schedule.window_on(day) for day in days} | {schedule.window_of(_event_of(row)) for row in late}
    over = [window for window in windows if next_one.closes < window.closes < today]
    return max(over, key=lambda window: window.closes).name if over else ""


def events_of(pool: Pool, coming: ComingList) -> list[EventInWindow]:
    """The events of the coming list, in the order of their days; a Go server has none."""
    rules, rows = rules_of(pool), standing_rows(pool, facts.Event)
    if rules.is_go:
        return []
    if coming.opens is None:
        rows = rows.filter(event_id=coming.name)
        return _counted(pool, list(rows))
    in_window = Q(**{f"{rules.schedule.column}__range": (coming.opens, coming.closes)})
    found = rows.filter(in_window | Q(more__isnull=False)).order_by("starts", "event_id")
    days = coming.opens, coming.closes
    return _counted(
        pool,
        [row for row in found if not row.more or days[0] <= rules.schedule.day_of(_event_of(row)) <= days[1]],
    )


def _event_of(row: models.Event) -> facts.Event:
    event: facts.Event = record_of(row, facts.Event)
    return event


def _counted(pool: Pool, rows: list[models.Event]) -> list[EventInWindow]:
    games: dict[str, int] = defaultdict(int)
    players: dict[str, set[str]] = defaultdict(set)
    standing = standing_rows(pool, facts.Game).filter(event_id__in=[row.event_id for row in rows])
    for event, white, black in standing.values_list("event_id", "white", "black"):
        games[event] += 1
        players[event] |= {white, black}
    return [EventInWindow(row, games[row.event_id], len(players[row.event_id])) for row in rows]


def day_of_change(pool: Pool, today: date) -> date:
    """The day of a change made today: `date.min` while the pool has published nothing.

    A change made long after the last list (an old history that is being published list by list) carries the
    last day of which the next list still knows, so that what is not published yet is made with it.
    """
    last = latest_list(pool)
    if last is None:
        return date.min
    schedule = rules_of(pool).schedule
    known = None if schedule.is_by_event else schedule.known_until(schedule.window_on(last.closes + DAY))
    return today if known is None else min(today, known - DAY)


def day_of_addition(pool: Pool, starts: date, today: date) -> date | None:
    """The day that something new from `starts` on carries; None: no published list could know it."""
    last = latest_list(pool)
    return None if last is None or starts > last.closes else day_of_change(pool, today)
