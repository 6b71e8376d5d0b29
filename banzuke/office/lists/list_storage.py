"""Storing lists that were made: all that is stored is made before anybody waits for it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import transaction

from banzuke.database.models import (
    Line,
    ListContent,
    ListFigures,
    ListRow,
    Pool,
    PreliminaryList,
    RatingList,
    Working,
)
from banzuke.engine.list_content import settings_of
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office import player_search
from banzuke.office.lists import list_statistics
from banzuke.office.lists.list_events import events_sha256
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row, WorkingRow
from banzuke.office.lists.staleness import ListBasis, last_list_number, lock_book, lock_publications
from banzuke.office.raw_sql import ReadyRows
from banzuke.office.transparency.list_contents import unpacked
from banzuke.office.transparency.list_trees import TreeHashes, make_tree, store_tree
from banzuke.office.transparency.office_log import BookHashes, append_list, hashes_of_book, salt_book
from banzuke.office.transparency.player_salts import made_salts
from banzuke.transparency.list_leaves import PERSON


class Publication(NamedTuple):
    """What a publication says of itself: the entry its lists are made from, by whom and why.

    Its new lists are preliminary up to the end of the day `preliminary_until`; None: final at once.
    """

    entry: int
    author: str
    why: str = ""
    preliminary_until: date | None = None


class PreparedList(NamedTuple):
    """A list, not stored yet, with all that is stored with it.

    `rows` are those of its tables of many rows, `words` by what players are found who are new on it.
    """

    record: RatingList
    rows: list[ReadyRows]
    figures: dict[str, dict[str, Any]]
    packed: bytes
    words: list[player_search.Word]
    tree: TreeHashes


@contextmanager
def prepared_lists(
    pool: Pool,
    all_made: Sequence[CalculatedList],
    publication: Publication,
    progress: Progress = no_progress,
) -> Iterator[list[PreparedList]]:
    """Lists as the next publications of the pool, each with all that is stored of it.

    They are good while nothing else is published in the pool, and nobody erased; their rows are there until
    the end of the block.
    """
    last, findable = last_list_number(pool), player_search.names_in_last_list(pool)
    with ExitStack() as stack:
        found = []
        for done, made in enumerate(all_made):
            progress(done, len(all_made), made.name)
            record = _record(pool, made, publication, last + 1 + done)
            rows = [stack.enter_context(each) for each in _ready_rows(made)]
            found.append(_prepare(record, made, rows, findable))
            findable = _names_in(made)
        yield found


@contextmanager
def stored_if_current(
    basis: ListBasis, all_made: Sequence[CalculatedList], publication: Publication, progress: Progress
) -> Iterator[list[RatingList]]:
    """Lists stored as the next publications of the pool, in a transaction that ends with the block.

    There are none where the basis no longer holds: they are to be made again. On PostgreSQL nobody's entry
    waits before the log gets its own.
    """
    pool = basis.pool
    with transaction.atomic():
        is_good = salt_lists(pool, all_made, basis.entry, basis)
    if not is_good:
        yield []
        return
    hashes = hashes_of_book(pool, basis.entry)
    with prepared_lists(pool, all_made, publication, progress) as prepared, transaction.atomic():
        lock_publications(pool)
        if basis.has_same_lists() and basis.has_same_book():
            lists = store_prepared(prepared, publication, progress)
            lock_book(pool)
            if basis.has_same_book():
                log_lists(prepared, hashes)
                yield lists
                return
            transaction.set_rollback(True)
        yield []


def store(
    pool: Pool, all_made: Sequence[CalculatedList], publication: Publication, progress: Progress
) -> list[RatingList]:
    """Store lists as the next publications of the pool; call it within a transaction that locked these."""
    salt_lists(pool, all_made, publication.entry)
    with prepared_lists(pool, all_made, publication) as prepared:
        lists = store_prepared(prepared, publication, progress)
        log_lists(prepared)
        return lists


def salt_lists(
    pool: Pool, all_made: Iterable[CalculatedList], until: int, basis: ListBasis | None = None
) -> bool:
    """Lock the pool, and make the salts of those whom lists and the book up to an entry are about.

    Whoever is erased afterwards takes theirs along. With a basis that no longer holds none are made, and the
    answer is no. Call it within a transaction.
    """
    lock_book(pool)
    if basis is not None and not basis.has_same_book():
        return False
    for made in all_made:
        made_salts(pool, {row.player_id for row in made.rows} | {line.player_id for line in made.lines})
    salt_book(pool, until)
    return True


def store_prepared(
    prepared: Sequence[PreparedList], publication: Publication, progress: Progress
) -> list[RatingList]:
    """Store lists, without the log's entries; call it within a transaction that locked publications."""
    for done, each in enumerate(prepared):
        record = each.record
        progress(done, len(prepared), record.name)
        record.published_at = datetime.now(UTC)
        record.save(force_insert=True)
        if publication.preliminary_until and record.revision == 0:
            PreliminaryList.objects.create(list=record, until=publication.preliminary_until)
        progress(done, len(prepared), record.name)
        for table in each.rows:
            table.insert(record.pk)
        progress(done, len(prepared), record.name)
        ListFigures.objects.bulk_create(
            ListFigures(list=record, speed=speed, figures=figures) for speed, figures in each.figures.items()
        )
        ListContent.objects.create(list=record, packed=each.packed)
        store_tree(record, each.tree)
    player_search.store_words(word for each in prepared for word in each.words)
    progress(len(prepared), len(prepared), "")
    return [each.record for each in prepared]


def log_lists(prepared: Iterable[PreparedList], hashes: BookHashes | None = None) -> None:
    """Append to the log that lists were published; others wait with their acts from here on.

    `hashes` are those of the first list, where they were made before.
    """
    for each in prepared:
        append_list(each.record, each.tree, hashes)
        hashes = None


def _prepare(
    record: RatingList, made: CalculatedList, rows: list[ReadyRows], findable: set[player_search.Named]
) -> PreparedList:
    packed = made.packed_content(record.entry_id)
    persons = {row.player_id: tuple(getattr(row, fact) for fact in PERSON) for row in made.rows}
    new = sorted(_names_in(made) - findable)
    return PreparedList(
        record,
        rows,
        statistics_by_speed(made),
        packed,
        list(player_search.words_of(record.pool, new)),
        make_tree(record, unpacked(packed), persons),
    )


def _names_in(made: CalculatedList) -> set[player_search.Named]:
    return {(row.player_id, row.name, row.name_native) for row in made.rows}


def _record(pool: Pool, made: CalculatedList, publication: Publication, number: int) -> RatingList:
    return RatingList(
        pool=pool,
        name=made.name,
        number=number,
        revision=RatingList.objects.filter(pool=pool, name=made.name).count(),
        entry_id=publication.entry,
        day=made.day,
        closes=made.closes,
        rulebook=made.edition.book.name,
        in_force_from=made.edition.start,
        stands_in=made.edition.stands_in,
        settings=settings_of(made.edition),
        author=publication.author,
        why=publication.why,
        sha256=made.content_sha256(publication.entry),
        events_sha256=events_sha256(pool, made.lines, publication.entry),
    )


def _ready_rows(made: CalculatedList) -> Iterator[ReadyRows]:
    def rows() -> Iterator[tuple[Any, ...]]:
        return ((*row[:-1], row.more and json.dumps(row.more)) for row in made.rows)

    yield ReadyRows(ListRow, ("list_id", *Row._fields), rows)
    yield ReadyRows(Line, ("list_id", *LineRow._fields), lambda: made.lines)
    yield ReadyRows(Working, ("list_id", *WorkingRow._fields), lambda: made.working_texts)


def statistics_by_speed(made: CalculatedList) -> dict[str, dict[str, Any]]:
    """What statistics pages need of a list, at each speed at which somebody is on it."""
    found = {}
    for speed in dict.fromkeys(row.speed for row in made.rows):
        rows = [row for row in made.rows if row.speed == speed]
        lines = [line for line in made.lines if line.speed == speed]
        found[speed] = list_statistics.statistics_of(rows, lines)._asdict()
    return found
