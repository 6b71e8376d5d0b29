"""The rows that stand in a pool's book, and changing them: a changed fact is a struck row and an added one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, QuerySet

from banzuke.book.models import Strike
from banzuke.book.reading import MODELS, columns_of
from banzuke.book.writing import add_facts
from banzuke.ledger.schema import CHESS, GO

if TYPE_CHECKING:
    from datetime import date

    from banzuke.book.models import Entry, Fact, Pool
    from banzuke.ledger.schema import Table

#: The tables by the record that they hold.
TABLES: dict[Any, Table] = {table.record: table for table in (*CHESS, *GO)}


def standing_rows(pool: Pool, record: Any) -> QuerySet[Any]:
    """The rows of a kind of record (`core.facts.Player`) that nobody struck, in the order of entry."""
    table = TABLES[record]
    struck = Strike.objects.filter(pool=pool, table=table.name, row=OuterRef("pk"))
    rows: QuerySet[Any] = QuerySet(MODELS[record])
    return rows.filter(~Exists(struck), pool=pool).order_by("pk")


def record_of(row: Fact, record: Any) -> Any:
    """A chess row as the record it holds (its `struck` is left blank)."""
    return record(**{name: getattr(row, name) for name in columns_of(TABLES[record])})


def strike(entry: Entry, record: Any, row: int, day: date) -> None:
    """Strike a row by its number. Raises IntegrityError if it is struck already."""
    Strike.objects.create(entry=entry, pool=entry.pool, table=TABLES[record].name, row=row, day=day)


def replace(entry: Entry, row: Fact, new: Any, day: date) -> None:
    """Strike a row and add what it should have been, both as of an inquiry's day."""
    record = type(new)
    strike(entry, record, row.pk, day)
    added = new._replace(added=day) if hasattr(new, "_replace") else _with_day(new, day)
    add_facts(entry, TABLES[record], [added])


def _with_day(new: Any, day: date) -> Any:
    """A frozen dataclass (an event) with the day of the inquiry that added it."""
    return dataclasses.replace(new, added=day)
