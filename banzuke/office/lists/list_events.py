"""What stood in the book of a list's events when it was made: names, days, places, and who entered them."""

import hashlib
import json
from collections.abc import Collection, Iterable

from banzuke.database.models import ErasedEvents, Event, Pool, RatingList
from banzuke.office.lists.list_rows import LineRow

#: What is kept of an event, and of the entry that brought it. Never changed: published lists have their hash.
COLUMNS = (
    "id", "entry_id", "event_id", "name", "organiser", "place", "responsible", "reporter", "form",
    "starts", "ends", "reported", "entry__author", "entry__act", "entry__at", "entry__why",
)  # fmt: skip
#: So many events are asked for at once.
CHUNK = 500


def events_sha256(pool: Pool, lines: Iterable[LineRow], entry: int) -> str:
    """The SHA-256 of the book's rows, as of that entry, of every event of these lines."""
    return events_sha256_of(pool, {line.event_id for line in lines if line.round}, entry)


def events_sha256_of(pool: Pool, wanted: Collection[str], entry: int) -> str:
    """The same of those events."""
    digest, events = hashlib.sha256(), sorted(wanted)
    for at in range(0, len(events), CHUNK):
        rows = Event.objects.filter(pool=pool, entry_id__lte=entry, event_id__in=events[at : at + CHUNK])
        for row in rows.order_by("pk").values_list(*COLUMNS):
            digest.update(json.dumps(row, default=str, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def expected_events_sha256(published: RatingList) -> str | None:
    """The hash that a list's events must have: its own, or, after an erasure, the one that this left."""
    erased = ErasedEvents.objects.filter(list=published).order_by("pk").last()
    return erased.sha256 if erased else published.events_sha256
