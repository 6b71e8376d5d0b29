"""What published lists say of themselves, each as one hash: the journal keeps it with the act."""

import hashlib
import json
from collections.abc import Iterable

from django.db.migrations.recorder import MigrationRecorder

from banzuke.database.models import JournalEntry, RatingList

#: Never changed: the journal has hashes over these columns.
COLUMNS = (
    "name", "number", "revision", "entry_id", "day", "closes", "rulebook", "in_force_from", "stands_in",
    "settings", "published_at", "author", "why", "sha256", "events_sha256",
)  # fmt: skip
#: Since when lists have a hash of their events.
EVENTS_SINCE = {"app": "book", "name": "0009_no_replacing"}


def hashes_of_records(lists: Iterable[RatingList]) -> list[str]:
    """The SHA-256 of each of the lists as the database has it, in the order of their numbers."""
    stored = RatingList.objects.filter(pk__in=[each.pk for each in lists]).order_by("number")
    return [
        hashlib.sha256(json.dumps(row, default=str, sort_keys=True).encode()).hexdigest()
        for row in stored.values_list(*COLUMNS)
    ]


def hash_in_journal(published: RatingList, noted: JournalEntry) -> str | None:
    """The hash that the journal has of the list; None where the act is from before it kept them."""
    by_name = dict(zip(noted.what.get("lists", ()), noted.what.get("records", ()), strict=False))
    return by_name.get(published.name)


def lacks_events_hash(published: RatingList, noted: JournalEntry | None) -> bool:
    """Whether the list has no hash of its events, though it was published when the office kept them."""
    if published.events_sha256 is not None:
        return False
    earlier = RatingList.objects.filter(pool=published.pool_id, number__lt=published.number)
    if earlier.exclude(events_sha256=None).exists():
        return True
    since = MigrationRecorder.Migration.objects.filter(**EVENTS_SINCE).first()
    return bool(noted and since and noted.at > since.applied)
