"""Hashes of lists that are over a text in which somebody was named: of their events, and of their reasons."""

from collections.abc import Iterable, Iterator

from django.db.models import Q

from banzuke.database.models import ErasedEvents, Erasure, Event, Line, Pool, RatingList
from banzuke.office.erasure.erasure_plan import TextChange
from banzuke.office.lists.list_events import events_sha256_of, expected_events_sha256
from banzuke.office.lists.record_hashes import hashes_of_records


class ListHashes:
    """The hashes of a pool's lists before texts of these rows are changed, and afterwards."""

    def __init__(self, pool: Pool, texts: Iterable[TextChange]) -> None:
        rows: dict[str, list[int]] = {"Event": [], "Entry": [], "RatingList": []}
        for change in texts:
            rows.setdefault(change.table, []).append(change.row)
        self._pool = pool
        self._records = list(RatingList.objects.filter(pk__in=rows["RatingList"]).order_by("number"))
        self._before = hashes_of_records(self._records)
        named = Q(pk__in=rows["Event"]) | Q(entry__in=rows["Entry"])
        events = Event.objects.filter(named, pool=pool).values_list("event_id", flat=True).distinct()
        lines = Line.objects.filter(list__pool=pool, event_id__in=list(events))
        lists = pool.lists.filter(pk__in=lines.values("list"), events_sha256__isnull=False)
        self._lists = [one for one in lists if _hash_now(one) == expected_events_sha256(one)]

    def changed_records(self) -> Iterator[tuple[str, str]]:
        """The hashes that the journal has of these lists, and what they are now."""
        return zip(self._before, hashes_of_records(self._records), strict=True)

    def store(self, erasure: Erasure) -> None:
        """Store the hash of each list's events, where it is another one now."""
        for published in self._lists:
            now = _hash_now(published)
            if now != expected_events_sha256(published):
                ErasedEvents.objects.create(erasure=erasure, list=published, sha256=now)


def _hash_now(published: RatingList) -> str:
    events = published.lines.filter(round__gt=0).values_list("event_id", flat=True).distinct()
    return events_sha256_of(published.pool, set(events), published.entry_id)
