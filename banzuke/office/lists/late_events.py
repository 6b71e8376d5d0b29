"""Which list takes an event that was registered late, where the rule book's calendar has a column for it."""

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from banzuke.core import facts
from banzuke.core.calendar import DAY, ByEnd
from banzuke.core.facts import More
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.models import Event, Pool
from banzuke.ledger.list_schedule import Schedule
from banzuke.office.fact_rows import record_of, replace, standing_rows, with_values
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import ComingList, day_of_change
from banzuke.office.lists.list_index import latest_list
from banzuke.office.refusals import ListTakenError, UnknownEventError

CHOOSE = "choose-list"


class ListChoice(NamedTuple):
    """The list that takes an event as things stand, the one that its days say, and those that may take it."""

    taken_by: str
    own: str
    names: list[str]


def has_late_lists(pool: Pool) -> bool:
    """Whether the pool's book has a column for the list of an event that was registered late."""
    return bool(_late_column(rules_of(pool).schedule))


def late_events(pool: Pool, coming: ComingList) -> list[tuple[Event, str]]:
    """The events for which a list after the coming one was chosen, each with that list."""
    schedule = rules_of(pool).schedule
    rows = standing_rows(pool, facts.Event).filter(more__isnull=False) if _late_column(schedule) else ()
    windows = [(row, schedule.window_of(record_of(row, facts.Event))) for row in rows]
    return [(row, window.name) for row, window in windows if window.closes > coming.closes]


def list_choice(pool: Pool, event_id: str) -> ListChoice | None:
    """The lists that may take the event; None where it has no choice, or its list is published.

    Raises UnknownEventError.
    """
    row, schedule = _find(pool, event_id), rules_of(pool).schedule
    event, last = record_of(row, facts.Event), latest_list(pool)
    now = schedule.window_of(event)
    if not _late_column(schedule) or (last and now.closes <= last.closes):
        return None
    names = [name for name, closes in _windows(schedule, event) if last is None or closes > last.closes]
    return ListChoice(now.name, schedule.window_on(getattr(event, schedule.column)).name, names)


def choose_list(pool: Pool, event_id: str, name: str, actor: Actor, why: str, today: date) -> None:
    """Say which list takes an event, before that list and the event's present one are published.

    Raises UnknownEventError, and ListTakenError for a list that cannot take it (any more).
    """
    with new_entry(pool, Act(actor.name, CHOOSE, why)) as entry:
        choice, row = list_choice(pool, event_id), _find(pool, event_id)
        if choice is None or name not in choice.names:
            raise ListTakenError(list=name)
        event = record_of(row, facts.Event)
        more = More({**event.more, _late_column(rules_of(pool).schedule): name})
        replace(entry, row, with_values(event, more=more), day_of_change(pool, today))
        note(actor, CHOOSE, pool, event=event_id, lists=[choice.taken_by, name], why=why, entry=entry.pk)


def _find(pool: Pool, event_id: str) -> Event:
    row: Event | None = standing_rows(pool, facts.Event).filter(event_id=event_id).last()
    if row is None:
        raise UnknownEventError(event=event_id)
    return row


def _late_column(schedule: Schedule) -> str:
    calendar = schedule.editions[-1].book.calendar
    return calendar.late_column if isinstance(calendar, ByEnd) else ""


def _windows(schedule: Schedule, event: facts.Event) -> Iterator[tuple[str, date]]:
    """The event's own list and those after it that may take it, each with the last day of its window."""
    calendar, day = schedule.editions[-1].book.calendar, getattr(event, schedule.column)
    window = schedule.window_on(day)
    while isinstance(calendar, ByEnd) and calendar.window_of_late(day, window.name):
        yield window.name, window.closes
        window = schedule.window_on(window.closes + DAY)
