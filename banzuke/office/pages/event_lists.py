"""Lists that are of one event, each with the event's name, as pages show them."""

from collections.abc import Iterable

from banzuke.core import facts
from banzuke.core.calendar import EachEvent
from banzuke.core.registry import BOOKS
from banzuke.database.models import RatingList
from banzuke.database.two_names import names_here
from banzuke.office.fact_rows import standing_rows


def is_of_event(published: RatingList) -> bool:
    """Whether every event makes a list, by the rule book that made it."""
    book = BOOKS.get(published.rulebook)
    return book is not None and isinstance(book.calendar, EachEvent)


def note_event_names(lists: Iterable[RatingList]) -> None:
    """Give each of those lists of a pool the name of its event; blank for one of no single event."""
    lists = list(lists)
    names: dict[str, str] = {}
    if of_events := {published.name for published in lists if is_of_event(published)}:
        rows = standing_rows(lists[0].pool, facts.Event).filter(event_id__in=of_events)
        names = names_here(rows, "event_id")
    for published in lists:
        published.event_name = names.get(published.name, "")
