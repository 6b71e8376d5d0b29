"""Entering facts into a pool's book: all of an entry or, on a failure, nothing of it."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import QuerySet

from banzuke.core.facts import Bye
from banzuke.database import models
from banzuke.database.added_columns import more_to_json
from banzuke.database.book_reader import MODELS, columns_of, refuse_names
from banzuke.ledger.cells import MOMENT
from banzuke.ledger.folder import GoLedger, Ledger, records_of
from banzuke.ledger.records import MORE
from banzuke.ledger.schema import BYES, CHESS, GO, Table

#: How many rows are written at once.
CHUNK = 1_000


class Act(NamedTuple):
    """An act on a book: by whom, the act's name (`import-ledger`), and why."""

    author: str
    name: str
    why: str = ""


def enter_ledger(
    slug: str, ledger: Ledger, files: Mapping[str, str], act: Act, byes: Iterable[Bye] = ()
) -> models.Pool:
    """A new pool with all that a ledger holds, strikes included. Raises IntegrityError for a slug taken."""
    with transaction.atomic():
        entry = enter_pool(slug, files, act)
        for table, records in records_in_parts(ledger, byes):
            add_facts(entry, table, records)
    return entry.pool


def enter_pool(slug: str, files: Mapping[str, str], act: Act) -> models.Entry:
    """A new pool without a ledger's records yet; call it within a transaction. Raises as `enter_ledger`."""
    entry = open_entry(models.Pool.objects.create(slug=slug), act)
    add_files(entry, files)
    return entry


def records_in_parts(ledger: Ledger, byes: Iterable[Bye]) -> Iterator[tuple[Table, list[Any]]]:
    """All records of a ledger in the order in which they are entered, `CHUNK` of a table at the most."""
    tables = GO if isinstance(ledger, GoLedger) else CHESS
    for table, records in [*((table, records_of(ledger, table)) for table in tables), (BYES, byes)]:
        rows = iter(records)
        while some := list(islice(rows, CHUNK)):
            yield table, some


def open_entry(pool: models.Pool, act: Act) -> models.Entry:
    """The entry under which facts are added; call it within a transaction.

    Entries into one pool wait for each other, so that their numbers are in the order in which they are seen.
    """
    models.Pool.objects.select_for_update().get(pk=pool.pk)
    now = datetime.now(UTC)
    return models.Entry.objects.create(pool=pool, at=now, author=act.author, act=act.name, why=act.why)


@contextmanager
def new_entry(pool: models.Pool, act: Act) -> Iterator[models.Entry]:
    """The entry of an act, in a transaction of its own."""
    with transaction.atomic():
        yield open_entry(pool, act)


def add_files(entry: models.Entry, texts: Mapping[str, str]) -> None:
    """Add files that say how the pool is rated. Raises RefusedError for a name that none can have."""
    refuse_names(texts)
    files = [models.PoolFile(entry=entry, name=name, text=text) for name, text in texts.items()]
    models.PoolFile.objects.bulk_create(files)


def add_facts(entry: models.Entry, table: Table, records: Iterable[Any]) -> None:
    """Add rows of a table, in their order; a row that is struck gets its strike too."""
    model, stored = MODELS[table.record], columns_of(table)
    rows = list(records)
    has_strikes = any(getattr(row, "struck", None) is not None for row in rows)
    if table in GO and not has_strikes and connection.vendor == "sqlite":
        _add_many(entry, table, rows)
        return
    table_rows: QuerySet[models.Fact] = QuerySet(model)
    made = table_rows.bulk_create(
        [
            model(entry=entry, pool=entry.pool, **{name: _cell(table, name, row) for name in stored})
            for row in rows
        ],
        batch_size=CHUNK,
    )
    struck = [
        models.Strike(entry=entry, pool=entry.pool, table=table.name, row=fact.pk, day=row.struck)
        for fact, row in zip(made, rows, strict=True)
        if getattr(row, "struck", None) is not None
    ]
    models.Strike.objects.bulk_create(struck, batch_size=CHUNK)


def _add_many(entry: models.Entry, table: Table, rows: Iterable[Any]) -> None:
    """Rows of a Go table past Django's objects: on SQLite nobody else writes meanwhile."""
    stored = columns_of(table)
    names = ", ".join(f'"{name}"' for name in ("entry_id", "pool_id", *stored))
    into = f"{MODELS[table.record]._meta.db_table} ({names})"  # noqa: SLF001  # Django's own documented way
    marks = ", ".join(["%s"] * (len(stored) + 2))
    values = [(entry.pk, entry.pool_id, *(_cell(table, name, row) for name in stored)) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", values)  # noqa: S608  # no input


def _cell(table: Table, column: str, row: Any) -> Any:
    """A cell as the book keeps it: a moment as text, with the offset that it was written with."""
    value = getattr(row, column)
    if column == MORE:
        return more_to_json(value)
    return value.isoformat() if table.columns[column] is MOMENT else value
