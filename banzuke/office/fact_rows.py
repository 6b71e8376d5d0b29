"""The rows that stand in a pool's book; changing them: a changed fact is a struck row and an added one."""

import dataclasses
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from banzuke.database.added_columns import more_from_json
from banzuke.database.book_reader import LATER, MODELS, columns_of, text_of
from banzuke.database.book_writer import CHUNK, add_facts
from banzuke.database.models import Entry, Fact, Pool, Strike
from banzuke.ledger.records import MORE
from banzuke.ledger.schema import BYES, CHESS, GO, Table

#: The tables by the record that they hold.
TABLES: dict[Any, Table] = {table.record: table for table in (*CHESS, BYES, *GO)}


def standing_rows(pool: Pool, record: Any) -> QuerySet[Any]:
    """The rows of a kind of record (`core.facts.Player`) that nobody struck, in the order of entry."""
    table = TABLES[record]
    struck = Strike.objects.filter(pool=pool, table=table.name, row=OuterRef("pk"))
    rows: QuerySet[Any] = QuerySet(MODELS[record])
    return rows.filter(~Exists(struck), pool=pool).order_by("pk")


def record_of(row: Fact, record: Any) -> Any:
    """A row as the record it holds: its `struck` is left blank, a moment is the text that the book has."""
    cells = {name: getattr(row, name) for name in columns_of(TABLES[record])}
    cells |= {name: text_of(cells[name]) for name in LATER.get(record, ())}
    if MORE in cells:
        cells[MORE] = more_from_json(cells[MORE])
    return record(**cells)


def with_more_of(row: Any, new: Any) -> Any:
    """A record that takes a row's place, with what the row has in the columns that a book adds."""
    more = more_from_json(getattr(row, MORE, None))
    return with_values(new, more=more) if more and not new.more else new


def strike(entry: Entry, record: Any, row: int, day: date) -> None:
    """Strike a row by its number. Raises IntegrityError if it is struck already."""
    Strike.objects.create(entry=entry, pool=entry.pool, table=TABLES[record].name, row=row, day=day)


def replace(entry: Entry, row: Fact, new: Any, day: date) -> None:
    """Strike a row and add what it should have been, both as of an inquiry's day."""
    replace_all(entry, type(new), [(row, new)], day)


def replace_all(entry: Entry, record: Any, changed: Iterable[tuple[Any, Any]], day: date) -> None:
    """Strike rows and add what they should have been; of the pairs, the row and the record.

    A row that an inquiry added later than `day` is changed as of its own day: two rows of one fact never
    stand together. `date.min` is the day of what no list knew: what is struck then never stood.
    """
    pairs = list(changed)
    strike_all(entry, record, [row for row, _ in pairs], day)
    add_facts(
        entry, TABLES[record], [with_day(with_more_of(row, new), day_for(row, day)) for row, new in pairs]
    )


def strike_all(entry: Entry, record: Any, rows: Iterable[Any], day: date) -> None:
    """Strike rows. Raises IntegrityError if one is struck already."""
    table = TABLES[record].name
    Strike.objects.bulk_create(
        [
            Strike(entry=entry, pool=entry.pool, table=table, row=row.pk, day=day_for(row, day))
            for row in rows
        ],
        batch_size=CHUNK,
    )


def last_struck(pool: Pool, named: Mapping[Any, Q]) -> date:
    """The last day on which a row was struck of those that `named` says by kind; `date.min`: none was."""
    days = [date.min]
    for record, which in named.items():
        rows: QuerySet[Any] = QuerySet(MODELS[record])
        numbers = rows.filter(which, pool=pool).values("pk")
        strikes = Strike.objects.filter(pool=pool, table=TABLES[record].name, row__in=numbers)
        days.append(strikes.aggregate(last=Max("day"))["last"] or date.min)
    return max(days)


def day_for(row: Any, day: date) -> date:
    """The day as of which a row is changed: not before the one that added it."""
    return max(day, getattr(row, "added", None) or date.min)


def with_day(new: Any, day: date) -> Any:
    """A record with the day of the inquiry that added it, where its table has such a day."""
    if "added" not in columns_of(TABLES[type(new)]):
        return new
    added = None if day == date.min else day
    return with_values(new, added=added)


def with_values(record: Any, **changed: Any) -> Any:
    """A record, a tuple or a frozen dataclass, with other values."""
    return (
        record._replace(**changed) if hasattr(record, "_replace") else dataclasses.replace(record, **changed)
    )
