"""The list that is published next: its window, the events that it takes, and how far one could publish."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Min

from banzuke.core import facts
from banzuke.core.calendar import DAY
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.go_rankings import day_of
from banzuke.office.lists.list_index import latest

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules


class Coming(NamedTuple):
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


def coming(pool: Pool, today: date) -> Coming | None:
    """The list that is published next; None where every event makes a list and none waits."""
    rules = rules_of(pool)
    if rules.schedule.is_by_event:
        return _coming_event(pool, today)
    last = latest(pool)
    day = _first_day(pool, rules) or today if last is None else last.closes + DAY
    window = rules.schedule.window_on(day)
    return Coming(*window, today > window.closes)


def _first_day(pool: Pool, rules: Rules) -> date | None:
    """The first day that anything reported so far has for its window; None before the first report."""
    if rules.is_go:
        ends = models.GoGame.objects.filter(pool=pool).values_list("ended", flat=True)
        first = min(map(datetime.fromisoformat, ends), default=None)
        return first and day_of(first)
    day: date | None = models.Event.objects.filter(pool=pool).aggregate(day=Min(rules.schedule.column))["day"]
    return day


def _coming_event(pool: Pool, today: date) -> Coming | None:
    published = models.RatingList.objects.filter(pool=pool).values("name")
    waiting = standing_rows(pool, facts.Event).exclude(event_id__in=published)
    event = waiting.order_by("ends", "event_id").first()
    return event and Coming(event.event_id, None, event.ends, event.ends, today > event.ends)


def furthest(pool: Pool, next_one: Coming, today: date) -> str:
    """The last list after the coming one that takes an event of the book and has closed; blank for none."""
    rules, rows = rules_of(pool), standing_rows(pool, facts.Event)
    schedule = rules.schedule
    if schedule.is_by_event:
        ended = rows.filter(ends__lt=today).order_by("ends", "event_id").last()
        return ended.event_id if ended and ended.ends > next_one.closes else ""
    days = [] if rules.is_go else rows.values_list(schedule.column, flat=True).distinct()
    windows = {schedule.window_on(day) for day in days}
    over = [window for window in windows if next_one.closes < window.closes < today]
    return max(over, key=lambda window: window.closes).name if over else ""


def events_of(pool: Pool, coming: Coming) -> list[EventInWindow]:
    """The events of the coming list, in the order of their days; a Go server has none."""
    rules, rows = rules_of(pool), standing_rows(pool, facts.Event)
    if rules.is_go:
        return []
    if coming.opens is None:
        rows = rows.filter(event_id=coming.name)
    else:
        rows = rows.filter(**{f"{rules.schedule.column}__range": (coming.opens, coming.closes)})
    return _counted(pool, list(rows.order_by("starts", "event_id")))


def _counted(pool: Pool, rows: list[models.Event]) -> list[EventInWindow]:
    games: dict[str, int] = defaultdict(int)
    players: dict[str, set[str]] = defaultdict(set)
    standing = standing_rows(pool, facts.Game).filter(event_id__in=[row.event_id for row in rows])
    for event, white, black in standing.values_list("event_id", "white", "black"):
        games[event] += 1
        players[event] |= {white, black}
    return [EventInWindow(row, games[row.event_id], len(players[row.event_id])) for row in rows]
