"""The office's log: what it published and changed, entry after entry, each in the transaction of its act.

Before an entry come those that are due: that the office signs with other keys, that the rules of the entry's
pool are others than the log has them, that its ratings were adjusted. So nothing is missing that came in past
the pages.
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connection

from banzuke.database.book_reader import files_of
from banzuke.database.models import Entry, LogEntry, Pool, PreliminaryList, RatingList
from banzuke.office.office_key import office_key
from banzuke.office.raw_sql import is_postgresql
from banzuke.office.transparency.book_hashes import EntryRange, book_sha256, make_salts, persons_sha256
from banzuke.office.transparency.entry_signatures import entry_signature
from banzuke.office.transparency.erasure_hashes import left_sha256, tombstone_sha256
from banzuke.office.transparency.list_trees import TreeHashes
from banzuke.office.transparency.log_origin import origin_of, public_keys
from banzuke.office.transparency.logged_adjustments import unlogged_adjustments
from banzuke.transparency import log_entries
from banzuke.transparency.log_entries import KINDS, entry_body, moment_text, read_entry

#: By this number PostgreSQL lets acts wait for one another that append to the log.
LOCK = 0x62616E7A756B65
SECRET_BYTES = 32


def append(kind: str, facts: Mapping[str, Any]) -> LogEntry:
    """Append an entry; call it in the transaction of the act that it tells of, as late as possible.

    `facts` are those of the kind (`banzuke.transparency.log_entries`), the moment may be left out. Acts that
    append wait for one another until they are committed, so that no number is left out.
    """
    lock_log()
    note_keys()
    return _append(kind, facts, new_secret())


class BookHashes(NamedTuple):
    """The hashes over what came into a pool's book after an entry, with their secret."""

    after: int
    secret: bytes
    book: str
    persons: str


def salt_book(pool: Pool, until: int) -> None:
    """Make the salts that `hashes_of_book` needs; call it with the pool locked, so that nobody is erased."""
    make_salts(EntryRange(pool, logged_until(pool), until))


def hashes_of_book(pool: Pool, until: int) -> BookHashes:
    """The hashes for a list's entry, up to the entry of the book that it is made from; the salts are made."""
    of = EntryRange(pool, logged_until(pool), until)
    secret = new_secret()
    return BookHashes(of.after, secret, book_sha256(of, secret), persons_sha256(of, secret))


def append_list(
    published: RatingList, tree: TreeHashes, hashes: BookHashes | None = None, *, late: bool = False
) -> LogEntry:
    """Append that a list was published; `hashes` where they were made before, and nobody waits for them."""
    lock_log()
    note_keys()
    note_rules(published.pool)
    note_adjustments(published.pool)
    if hashes is None or hashes.after != logged_until(published.pool):
        salt_book(published.pool, published.entry_id)
        hashes = hashes_of_book(published.pool, published.entry_id)
    facts = facts_of_list(published) | {
        "players": len(tree.leaves),
        "root": tree.root,
        "book": hashes.book,
        "persons": hashes.persons,
        "late": late,
    }
    return _append("list", facts, hashes.secret, published)


def facts_of_list(published: RatingList) -> dict[str, Any]:
    """What an entry has of what the list says of itself."""
    return {
        "pool": published.pool.slug,
        "list": published.name,
        "revision": published.revision,
        "number": published.number,
        "day": published.day.isoformat(),
        "entry": published.entry_id,
        "sha256": published.sha256,
        "events_sha256": published.events_sha256,
        "published": moment_text(published.published_at),
        "preliminary_until": _preliminary_until(published),
    }


def _preliminary_until(published: RatingList) -> str | None:
    found = PreliminaryList.objects.filter(list=published).values_list("until", flat=True).first()
    return None if found is None else found.isoformat()


def append_erasure(entry: Entry, rows: int) -> LogEntry:
    """Append that a person was erased by that entry in so many rows; all else about it is noted already."""
    lock_log()
    note_keys()
    pool, secret = entry.pool, new_secret()
    logged = pool.lists.exclude(log_entry=None)
    hashes = {
        "book": tombstone_sha256(pool, entry.pk, secret),
        "persons": left_sha256(pool, entry.pk, secret, {}, logged),
    }
    return _append("erasure", {"pool": pool.slug, "rows": rows, "entry": entry.pk, **hashes}, secret)


def note_adjustments(pool: Pool) -> None:
    """Append the pool's adjustments that no entry tells of, as one that came with an imported ledger."""
    for facts in unlogged_adjustments(pool):
        append("adjustment", facts)


def note_rules(pool: Pool) -> None:
    """Append what the pool's rule files are, where the log has others or none."""
    files = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files_of(pool).items()}
    if files != rules_in_log(pool):
        append("rules", {"pool": pool.slug, "files": files})


def rules_in_log(pool: Pool) -> Mapping[str, str] | None:
    """The pool's rule files as the log has them last; None before the first time."""
    found = _last_of("rules", pool)
    return found.files if isinstance(found, log_entries.RulesEntry) else None


def logged_until(pool: Pool) -> int:
    """Up to which entry the pool's book is in the log's hashes."""
    lists = LogEntry.objects.filter(list__pool=pool)
    found: int | None = lists.order_by("-list__entry_id").values_list("list__entry_id", flat=True).first()
    return found or 0


def read_log() -> Iterator[tuple[int, log_entries.LogEntry]]:
    """The entries with their numbers, in their order."""
    for number, body in bodies():
        yield number, read_entry(body.encode())


def bodies(first: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
    """The numbers and texts of the entries from one on; `end` is the first that is left out."""
    rows = LogEntry.objects.filter(number__gte=first)
    rows = rows if end is None else rows.filter(number__lt=end)
    yield from rows.order_by("number").values_list("number", "body").iterator()


def lock_log() -> None:
    """Let nobody else append until the transaction is committed."""
    if not connection.in_atomic_block:
        raise RuntimeError("an entry of the log outside a transaction")
    if is_postgresql():  # SQLite has one writer at a time
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _append(
    kind: str, facts: Mapping[str, Any], secret: bytes, published: RatingList | None = None
) -> LogEntry:
    made = KINDS[kind]
    given = dict(facts)
    if "at" in made._fields:
        given.setdefault("at", moment_text(datetime.now(UTC)))
    last = LogEntry.objects.order_by("-number").values_list("number", flat=True).first()
    number = 0 if last is None else last + 1
    body = entry_body(made(**given))
    return LogEntry.objects.create(
        number=number, body=body, secret=secret, list=published, signature=_signature(number, body)
    )


def _signature(number: int, body: str) -> bytes | None:
    """The office's signature; None where the key cannot be read, which keeps nobody from publishing."""
    try:
        return entry_signature(office_key(), number, body)
    except OSError:
        return None


def new_secret() -> bytes:
    """What goes into the hashes of an entry, so that nobody finds out by guessing what they are over."""
    return secrets.token_bytes(SECRET_BYTES)


def note_keys() -> None:
    """Append by which keys the office signs, where the log has others or none; the log must be locked."""
    with suppress(OSError):  # a key that cannot be read keeps nobody from publishing; nothing is signed then
        keys = tuple(map(str, public_keys(office_key(), origin_of(office_key()))))
        found = _last_of("key")
        if not isinstance(found, log_entries.KeyEntry) or found.keys != keys:
            _append("key", {"keys": keys}, new_secret())


def _last_of(kind: str, pool: Pool | None = None) -> log_entries.LogEntry | None:
    mark = "" if pool is None else f'"pool":"{pool.slug}"'
    rows = LogEntry.of_kind(kind).order_by("-number").values_list("body", flat=True)
    found = next((body for body in rows.iterator() if mark in body), None)
    return None if found is None else read_entry(found.encode())
