"""A player's rating if the list closed today, as the worker made it, and whether something came since."""

from datetime import date, datetime
from typing import NamedTuple

from django.db.models import Sum

from banzuke.core import facts
from banzuke.database.book_reader import last_entry
from banzuke.database.models import ComingLine, ComingList, ComingRow
from banzuke.database.two_names import name_here
from banzuke.office.fact_rows import standing_rows
from banzuke.office.pages.public_pool import PublicPool


class ComingChange(NamedTuple):
    """What an event that no list has yet would bring a player at one speed, in hundredths; None: nothing."""

    event_id: str
    speed: str
    change: int | None


class ComingRatings(NamedTuple):
    """A player in the coming list, by speed, as of a moment; `is_current` is whether nothing came since.

    Whoever is in no row would keep the rating. `name` is the list's, and `closes` the last day of its window;
    `event` is the event's name, where each event makes a list.
    """

    name: str
    event: str
    closes: date
    made_at: datetime
    is_current: bool
    rows: dict[str, ComingRow]
    changes: list[ComingChange]


def coming_ratings(of: PublicPool, player_id: str) -> ComingRatings | None:
    """The coming list as far as it is of a player; None where none is coming, or none was made yet."""
    kept = ComingList.objects.filter(pool=of.pool).exclude(name="").first()
    if kept is None or kept.closes is None:
        return None
    events = standing_rows(of.pool, facts.Event).filter(event_id=kept.name) if _is_by_event(of) else None
    event = events.first() if events is not None else None
    event_name = name_here(event.name, event.name_native) if event else ""
    rows = {row.speed: row for row in ComingRow.objects.filter(coming=kept, player_id=player_id)}
    lines = ComingLine.objects.filter(coming=kept, player_id=player_id)
    sums = lines.values_list("event_id", "speed").annotate(change=Sum("change")).order_by("event_id")
    number = max((published.number for published in of.lists.values()), default=0)
    is_current = (kept.position, kept.number) == (last_entry(of.pool), number)
    changes = [ComingChange(*each) for each in sums]
    return ComingRatings(kept.name, event_name, kept.closes, kept.made_at, is_current, rows, changes)


def _is_by_event(of: PublicPool) -> bool:
    return of.rules is not None and of.rules.schedule.is_by_event
