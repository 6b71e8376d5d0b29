"""Whether the log, the book and the lists are as the log has them: what was changed past the office is found.

A person who was erased is not in the way: of rows in which somebody was erased later, the hash is known that
they had before, and the log has a hash over that. A row in which nobody was erased is as it was.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from django.db.migrations.recorder import MigrationRecorder

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.database.book_reader import files_of
from banzuke.database.models import FinalList, ListContent, LogEntry, Pool, RatingList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.transparency.book_hashes import EntryRange, book_sha256, persons_sha256
from banzuke.office.transparency.entry_signatures import unsigned_entries
from banzuke.office.transparency.erasure_hashes import erasures_of, hashes_before
from banzuke.office.transparency.erasure_verification import unlogged_erasures, wrong_erasure
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import (
    NOBODY,
    TreeHashes,
    commitments_of,
    leaf_hashes,
    persons_of,
    stored_hashes,
)
from banzuke.office.transparency.log_checkpoints import contradiction
from banzuke.office.transparency.logged_adjustments import wrong_adjustments
from banzuke.office.transparency.logged_rows import changed_rows
from banzuke.office.transparency.office_log import facts_of_list, logged_until
from banzuke.office.transparency.player_salts import known_salts
from banzuke.transparency.list_leaves import SplitContent, split_content
from banzuke.transparency.log_entries import (
    AdjustmentEntry,
    ErasureEntry,
    FinalEntry,
    ListEntry,
    RulesEntry,
    read_entry,
)
from banzuke.transparency.proof_error import ProofError

if TYPE_CHECKING:
    from banzuke.office.transparency.text_salts import BookRow

#: Since when an office keeps a log.
SINCE = {"app": "book", "name": "0021_transparency"}
LOG = "log"
#: So many players are named.
MOST_NAMED = 3
_Entry = TypeVar("_Entry")


class _Row(NamedTuple):
    """A row of the log with the entry that it holds; `list` is the number of the list's row."""

    number: int
    said: object
    secret: bytes
    list: int | None


class _Told(NamedTuple):
    """A list with what the log says of it; `erased` are the ids of persons who were erased since."""

    number: int
    said: ListEntry
    published: RatingList
    erased: frozenset[str]

    def fault(self, code: str, **facts: object) -> Fault:
        """What is wrong with it."""
        return fault(
            self.published.pool.slug, 0, "", code, number=self.number, list=str(self.published), **facts
        )


class LogFindings(NamedTuple):
    """What was found."""

    faults: list[Fault]
    remarks: list[Fault]


def verify_log(progress: Progress = no_progress) -> LogFindings:
    """Verify the log, and by it the book and the lists of every pool."""
    faults: list[Fault] = []
    rows = list(_rows(faults))
    faults += [*_wrong_signatures(), *changed_rows()]
    pools = {pool.slug: pool for pool in Pool.objects.order_by("slug")}
    for done, pool in enumerate(pools.values()):
        progress(done, len(pools), pool.slug)
        of_pool = [row for row in rows if getattr(row.said, "pool", None) == pool.slug]
        faults += _wrong_lists(pool, of_pool)
        faults += _wrong_book(pool, of_pool)
        faults += unlogged_erasures(pool, (said for _, said in _of_kind(of_pool, ErasureEntry)))
        faults += _wrong_rules(pool, of_pool)
        faults += _wrong_finals(pool, of_pool)
        faults += wrong_adjustments(pool, _of_kind(of_pool, AdjustmentEntry), logged_until(pool))
        faults += _missing_entries(pool)
    gone = {getattr(row.said, "pool", None) for row in rows} - pools.keys() - {None}
    faults += [fault(str(slug), 0, "", "log-pool-missing") for slug in sorted(map(str, gone))]
    return LogFindings(faults, _waiting())


def _rows(faults: list[Fault]) -> Iterator[_Row]:
    columns = ("number", "body", "secret", "list_id")
    for place, (number, body, secret, of) in enumerate(
        LogEntry.objects.order_by("number").values_list(*columns).iterator()
    ):
        if number != place and not any(each.code == "log-numbers" for each in faults):
            faults.append(fault(LOG, 0, "", "log-numbers", number=place))
        try:
            yield _Row(number, read_entry(body.encode()), bytes(secret), of)
        except ProofError:
            faults.append(fault(LOG, 0, "", "log-entry-unreadable", number=number))


def _wrong_signatures() -> Iterator[Fault]:
    """That the log does not go on from what was signed; entries that the office's key did not sign."""
    try:
        found = contradiction()
    except RefusedError as refused:  # a key that cannot be read
        yield from refused.faults
        return
    if found:
        yield found
    numbers = unsigned_entries()
    if numbers:
        named = ", ".join(map(str, numbers[:MOST_NAMED]))
        yield fault(LOG, 0, "", "log-entries-unsigned", count=len(numbers), numbers=named)


def _wrong_lists(pool: Pool, rows: list[_Row]) -> Iterator[Fault]:
    """Entries of lists that are not there, or not as the entry says, with their content and their tree."""
    lists = {(each.name, each.revision): each for each in pool.lists.select_related("pool")}
    erased, salts = list(_erased_ids(pool, rows)), known_salts(pool)
    seen = set()
    for number, said, _, row_of_list in rows:
        if not isinstance(said, ListEntry):
            continue
        published = lists.get((said.list, said.revision))
        if published is None:
            called = f"{said.list} r{said.revision}"
            yield fault(pool.slug, 0, "", "log-list-missing", number=number, list=called)
            continue
        since = frozenset(player for at, player in erased if at > number)
        told = _Told(number, said, published, since)
        if published.pk in seen:
            yield told.fault("log-list-twice")
            continue
        seen.add(published.pk)
        now = facts_of_list(published)
        differing = [name for name, fact in said._asdict().items() if now.get(name, fact) != fact]
        if differing or row_of_list != published.pk:
            yield told.fault("log-list-differs", facts=", ".join(differing) or "list")
        yield from _wrong_content(told, salts)


def _of_kind(rows: list[_Row], kind: type[_Entry]) -> list[tuple[int, _Entry]]:
    """The entries of a kind with their numbers."""
    return [(row.number, row.said) for row in rows if isinstance(row.said, kind)]


def _erased_ids(pool: Pool, rows: list[_Row]) -> Iterator[tuple[int, str]]:
    """Whom the log's entries erased, with their numbers."""
    for number, said in _of_kind(rows, ErasureEntry):
        for erasure in erasures_of(pool, said.entry):
            yield number, erasure.player_id


def _wrong_content(told: _Told, salts: dict[str, bytes]) -> Iterator[Fault]:
    content, stored = content_of(told.published), stored_hashes(told.published)
    if content is None or hashlib.sha256(content).hexdigest() != told.said.sha256:
        yield told.fault("log-content-changed")
        return
    if stored is None or (stored.root, len(stored.leaves)) != (told.said.root, told.said.players):
        yield told.fault("log-tree-changed")
        return
    split = split_content(content)
    if len(stored.persons) != len(split.players):
        yield told.fault("log-tree-changed")
        return
    if leaf_hashes(told.published, split, stored.commitments(split.players)) != stored.leaves:
        yield told.fault("log-tree-changed")
    others = _other_persons(told, split, salts, stored)
    if others:
        yield told.fault("log-persons-differ", count=len(others), named=", ".join(others[:MOST_NAMED]))


def _other_persons(
    told: _Told, split: SplitContent, salts: dict[str, bytes], stored: TreeHashes
) -> list[str]:
    """The players to whom the list's commitments are not those of its rows."""
    persons = persons_of(told.published)
    again = commitments_of(told.published, split, salts, persons)
    differing = [player for player, one in stored.commitments(again).items() if again[player] != one]
    return [
        player
        for player in differing
        if not (player in told.erased and _is_nameless(player, persons.get(player, NOBODY)))
    ]


def _is_nameless(player: str, facts: tuple[str, ...]) -> bool:
    """Whether a list has only the id and a group of a player, or never had a row."""
    name, *others, _ = facts
    return name in ("", player) and not any(others)


def _wrong_book(pool: Pool, rows: list[_Row]) -> Iterator[Fault]:
    """Hashes over what was entered that are not those of what stands there, the last entries first."""
    before: dict[BookRow, bytes] = {}
    for row, said, after in reversed(list(_hashing(rows))):
        if isinstance(said, ErasureEntry):
            yield from wrong_erasure(pool, row.number, said, row.secret, before)
            before |= hashes_before(erasures_of(pool, said.entry))
            continue
        of = EntryRange(pool, after, said.entry)
        named = {"number": row.number, "after": of.after, "until": of.until}
        if book_sha256(of, row.secret) != said.book:
            yield fault(pool.slug, 0, "", "log-book-changed", **named)
        if persons_sha256(of, row.secret, before) != said.persons:
            yield fault(pool.slug, 0, "", "log-persons-changed", **named)


def _hashing(rows: list[_Row]) -> Iterator[tuple[_Row, ListEntry | ErasureEntry, int]]:
    """The entries with hashes over the book, each with the entry of the book after which its list's begin."""
    until = 0
    for row in rows:
        if isinstance(row.said, ListEntry):
            yield row, row.said, until
            until = max(until, row.said.entry)
        elif isinstance(row.said, ErasureEntry):
            yield row, row.said, until


def _wrong_finals(pool: Pool, rows: list[_Row]) -> Iterator[Fault]:
    """Preliminary lists that became final by the log alone, or without it."""
    told = {(said.list, said.revision) for _, said in _of_kind(rows, FinalEntry)}
    finals = FinalList.objects.filter(list__pool=pool).order_by("pk")
    made = set(finals.values_list("list__name", "last__revision"))
    for name, revision in sorted(told ^ made):
        yield fault(pool.slug, 0, "", "log-final-differs", list=f"{name} r{revision}")


def _wrong_rules(pool: Pool, rows: list[_Row]) -> Iterator[Fault]:
    """Rule files that are not those of the log."""
    told = [said.files for _, said in _of_kind(rows, RulesEntry)]
    try:
        files = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files_of(pool).items()}
    except RefusedError:  # whoever reads the pool's lists says so
        return
    if told and dict(told[-1]) != files:
        yield fault(pool.slug, 0, "", "log-rules-changed")


def _missing_entries(pool: Pool) -> Iterator[Fault]:
    """Lists that were in the log, or must have been, and are not."""
    since = MigrationRecorder.Migration.objects.filter(**SINCE).first()
    logged = pool.lists.exclude(log_entry=None).order_by("-number").first()
    for published in pool.lists.filter(log_entry=None).order_by("number"):
        is_later = since is not None and published.published_at > since.applied
        is_after_others = logged is not None and logged.number < published.number
        if is_later or is_after_others or ListContent.objects.filter(list=published).exists():
            yield fault(pool.slug, 0, "", "log-entry-missing", list=str(published))


def _waiting() -> list[Fault]:
    """How many lists of before wait for their entries."""
    slugs = RatingList.objects.filter(log_entry=None).values_list("pool__slug", flat=True)
    waiting = Counter(slugs)
    return [fault(slug, 0, "", "log-late", count=count) for slug, count in sorted(waiting.items())]
