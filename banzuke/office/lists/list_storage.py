"""Storing a list that was made: its record, and by the thousand its rows, lines and workings."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db.models import Max

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
from banzuke.engine.rating_run import Progress
from banzuke.office import player_search
from banzuke.office.lists import list_statistics
from banzuke.office.lists.list_events import events_sha256
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row, WorkingRow
from banzuke.office.raw_sql import insert
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import plant_tree
from banzuke.office.transparency.office_log import BookHashes, append_list


class Publication(NamedTuple):
    """What a publication says of itself: the entry its lists are made from, by whom and why.

    Its new lists are preliminary up to the end of the day `preliminary_until`; None: final at once.
    """

    entry: int
    author: str
    why: str = ""
    preliminary_until: date | None = None


def store(
    pool: Pool,
    all_made: Sequence[CalculatedList],
    publication: Publication,
    progress: Progress,
    hashes: BookHashes | None = None,
    is_current: Callable[[], bool] = lambda: True,
) -> list[RatingList]:
    """Store lists as the next publications of the pool; call it within a transaction that locked these.

    `hashes` are those of the first list, where they were made before. `is_current` locks the pool last, so
    that games wait for little; if it says no, there are no lists, and the transaction is to be rolled back.
    """
    published = []
    for done, made in enumerate(all_made):
        progress(done, len(all_made), made.name)
        record = _record(pool, made, publication)
        if publication.preliminary_until and record.revision == 0:
            PreliminaryList.objects.create(list=record, until=publication.preliminary_until)
        insert(ListRow, ("list_id", *Row._fields), _rows(record.pk, made.rows))
        progress(done, len(all_made), made.name)
        insert(Line, ("list_id", *LineRow._fields), ((record.pk, *line) for line in made.lines))
        insert(Working, ("list_id", *WorkingRow._fields), ((record.pk, *each) for each in made.working_texts))
        progress(done, len(all_made), made.name)
        ListFigures.objects.bulk_create(_figures(record, made))
        ListContent.objects.create(list=record, packed=made.packed_content(publication.entry))
        player_search.index_list(pool, record)
        published.append(record)
    trees = [plant_tree(record, content_of(record) or b"") for record in published]
    if not is_current():
        return []
    for record, tree in zip(published, trees, strict=True):  # others wait with their acts from here on
        append_list(record, tree, hashes)
        hashes = None
    progress(len(all_made), len(all_made), "")
    return published


def _record(pool: Pool, made: CalculatedList, publication: Publication) -> RatingList:
    last = RatingList.objects.filter(pool=pool).aggregate(Max("number"))["number__max"]
    return RatingList.objects.create(
        pool=pool,
        name=made.name,
        number=(last or 0) + 1,
        revision=RatingList.objects.filter(pool=pool, name=made.name).count(),
        entry_id=publication.entry,
        day=made.day,
        closes=made.closes,
        rulebook=made.edition.book.name,
        in_force_from=made.edition.start,
        stands_in=made.edition.stands_in,
        settings=settings_of(made.edition),
        published_at=datetime.now(UTC),
        author=publication.author,
        why=publication.why,
        sha256=made.content_sha256(publication.entry),
        events_sha256=events_sha256(pool, made.lines, publication.entry),
    )


def _rows(record: int, rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        *cells, more = row
        yield record, *cells, more and json.dumps(more)


def _figures(record: RatingList, made: CalculatedList) -> Iterator[ListFigures]:
    for speed, figures in statistics_by_speed(made).items():
        yield ListFigures(list=record, speed=speed, figures=figures)


def statistics_by_speed(made: CalculatedList) -> dict[str, dict[str, Any]]:
    """What statistics pages need of a list, at each speed at which somebody is on it."""
    found = {}
    for speed in dict.fromkeys(row.speed for row in made.rows):
        rows = [row for row in made.rows if row.speed == speed]
        lines = [line for line in made.lines if line.speed == speed]
        found[speed] = list_statistics.statistics_of(rows, lines)._asdict()
    return found
