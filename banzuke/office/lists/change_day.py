"""The day that a change of the register carries, by what is published already."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from banzuke.core.calendar import DAY
from banzuke.database.book_reader import rules_of
from banzuke.office.lists.list_index import latest

if TYPE_CHECKING:
    from banzuke.database.models import Pool


def day_of_change(pool: Pool, today: date) -> date:
    """The day of a change made today: `date.min` while the pool has published nothing.

    A change made long after the last list (an old history that is being published list by list) carries the
    last day of which the next list still knows, so that what is not published yet is made with it.
    """
    last = latest(pool)
    if last is None:
        return date.min
    schedule = rules_of(pool).schedule
    known = None if schedule.is_by_event else schedule.known_until(schedule.window_on(last.closes + DAY))
    return today if known is None else min(today, known - DAY)


def day_of_addition(pool: Pool, starts: date, today: date) -> date | None:
    """The day that something new from `starts` on carries; None: no published list could know it."""
    last = latest(pool)
    return None if last is None or starts > last.closes else day_of_change(pool, today)
