"""The hashes by which the log holds the office to an erasure: of what was noted of it, and what is left."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import orjson
from django.db.models import Q, QuerySet

from banzuke.database.models import ErasedEvents, ErasedFile, ErasedRow, Erasure, ListRow, Pool, RatingList
from banzuke.office.transparency.book_hashes import ABOUT_PLAYERS, EntryRange, row_hashes
from banzuke.office.transparency.text_salts import BookRow
from banzuke.transparency.list_leaves import PERSON


def hashes_in_log(of: EntryRange, ids: Collection[str], texts: Collection[BookRow]) -> dict[BookRow, bytes]:
    """The hashes that the rows of these ids, and those with these texts, have in what the log covers."""
    of_ids = dict.fromkeys(ABOUT_PLAYERS, Q(player_id__in=list(ids)))
    return dict(row_hashes(of, of_ids | _those(texts)))


def hashes_before(erasures: QuerySet[Erasure]) -> dict[BookRow, bytes]:
    """The hashes that rows had before these erasures."""
    rows = ErasedRow.objects.filter(erasure__in=erasures).values_list("table", "row", "before")
    return {BookRow(table, row): bytes(before) for table, row, before in rows}


def erasures_of(pool: Pool, entry: int) -> QuerySet[Erasure]:
    """What an erasure noted: a row for each id."""
    return Erasure.objects.filter(pool=pool, entry=entry).order_by("pk")


def tombstone_sha256(pool: Pool, entry: int, secret: bytes) -> str:
    """The hash over all that was noted about an erasure."""
    digest = hashlib.sha256(secret)
    for line in _tombstone(erasures_of(pool, entry)):
        digest.update(_line(line))
    return digest.hexdigest()


def left_sha256(
    pool: Pool, entry: int, secret: bytes, before: Mapping[BookRow, bytes], lists: QuerySet[RatingList]
) -> str:
    """The hash over what is left of the erased rows, in the book and in the lists that the log had then.

    `before` has the hashes of rows in which somebody was erased since.
    """
    erasures, digest = erasures_of(pool, entry), hashlib.sha256(secret)
    which = _those(hashes_before(erasures))
    for row, now in row_hashes(EntryRange(pool, 0, entry), which):
        digest.update(before.get(row, now))
    ids = erasures.values("player_id")
    for row in (
        ListRow.objects.filter(list__in=lists, player_id__in=ids).order_by("pk").values_list("pk", *PERSON)
    ):
        digest.update(_line(row))
    return digest.hexdigest()


def _those(rows: Iterable[BookRow]) -> dict[str, Q]:
    """What chooses these rows, by their tables."""
    numbers: dict[str, list[int]] = {}
    for table, row in rows:
        numbers.setdefault(table, []).append(row)
    return {table: Q(pk__in=each) for table, each in numbers.items()}


def _tombstone(erasures: QuerySet[Erasure]) -> Iterator[Any]:
    yield from erasures.values_list("player_id", "entry_id", "day", "author", "rows")
    yield from erasures.exclude(former=None).values_list("former")
    rows = ErasedRow.objects.filter(erasure__in=erasures).order_by("pk")
    for table, row, before in rows.values_list("table", "row", "before"):
        yield table, row, bytes(before).hex()
    yield from ErasedFile.objects.filter(erasure__in=erasures).order_by("pk").values_list("file_id", "size")
    events = ErasedEvents.objects.filter(erasure__in=erasures).order_by("pk")
    yield from events.values_list("list_id", "sha256")


def _line(row: Any) -> bytes:
    return orjson.dumps(list(row), option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)
