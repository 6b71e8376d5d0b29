"""Statements past Django's wrappers, for the one path on which a statement more or less is felt.

Their marks are `%s`, and they are good on SQLite and on PostgreSQL. Rows come in by `Rows`, values by
`in_values`. On PostgreSQL a text is then the same however many there are, so that it is prepared once and
soon not planned again: planning takes longer than the work.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from itertools import chain, count, islice
from typing import Any, Self

import orjson
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections, transaction
from django.db.models import Model

#: The most values that a statement brings to SQLite: its triggers cost more by the statement than by the row.
MOST_MARKS = 4_000


@cache
def is_postgresql() -> bool:
    """Whether the database of this process is PostgreSQL."""
    return connection.vendor == "postgresql"


class Rows:
    """The columns of rows that come into a statement, with their types: `Rows("player text, at bigint")`."""

    def __init__(self, columns: str) -> None:
        self.names = [column.split()[0] for column in columns.split(", ")]
        self._text = f"SELECT * FROM json_to_recordset(%s::json) AS given ({columns})"  # noqa: S608  # no input
        self._marks = f"({', '.join(['%s'] * len(self.names))})"

    def __call__(self, rows: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
        """What stands for rows (one at least) behind `INSERT INTO` or `WITH ... AS`, and its parameters."""
        if is_postgresql():
            cells = [dict(zip(self.names, row, strict=True)) for row in rows]
            return self._text, [orjson.dumps(cells).decode()]
        return f"VALUES {', '.join([self._marks] * len(rows))}", [cell for row in rows for cell in row]


def in_values(values: Collection[Any]) -> tuple[str, list[Any]]:
    """What stands behind a column that is to be one of the values, and its parameters."""
    if is_postgresql():
        return "= ANY(%s)", [list(values)]
    return f"IN ({', '.join(['%s'] * len(values))})", list(values)


def moment_text(moment: datetime) -> str:
    """A moment in UTC as a statement brings it to a column of Django's moments."""
    return str(moment if is_postgresql() else moment.replace(tzinfo=None))


def newest_of_pool(column: str, table: str) -> str:
    """The greatest value of a column among a pool's rows, for a statement; NULL where there are none.

    PostgreSQL may read every row of the pool for a MAX, as long as it takes a table for small.
    """
    return f"(SELECT {column} FROM {table} WHERE pool_id = %s ORDER BY {column} DESC LIMIT 1)"  # noqa: S608  # no input


_Run = Callable[[str, Sequence[Any]], Any]


class _Found:
    """What a statement found, as a cursor gives it; all of it is there already."""

    def __init__(self, rows: list[Any]) -> None:
        self._rows = rows

    def fetchall(self) -> list[Any]:
        return self._rows

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None


class Statements:
    """What runs statements on the connection of this thread. Errors are Django's."""

    def __init__(self) -> None:
        of_thread = connections[DEFAULT_DB_ALIAS]  # itself: `connection` looks it up at every word
        of_thread.ensure_connection()
        self._errors = of_thread.wrap_database_errors
        driver: Any = of_thread.connection
        if is_postgresql():
            self._mark = "%s"
            send = _pipeline().add
            self._run: _Run = partial(send, is_repeated=False)
            self._repeat: _Run = partial(send, is_repeated=True)
        else:
            # A cursor of SQLite that is not read to its end keeps from being seen what others write.
            self._mark = "?"
            self._run = self._repeat = lambda text, values: _Found(driver.execute(text, values).fetchall())

    def execute(self, text: str, values: Sequence[Any]) -> Any:
        """A cursor of its own, or what is like one, from which what is found may be fetched."""
        with self._errors:
            return self._run(text.replace("%s", self._mark), values)

    def repeat(self, text: str, values: Sequence[Any]) -> Any:
        """The same of a text that PostgreSQL plans once: of what has but one way however its tables grow."""
        with self._errors:
            return self._repeat(text.replace("%s", self._mark), values)


@contextmanager
def pipelined_transaction() -> Iterator[None]:
    """A transaction whose `Statements` go to PostgreSQL together, the last of them with its COMMIT.

    They go when something that one of them found is asked for, or when Django's own cursors are used.
    """
    commits = not connection.in_atomic_block
    with transaction.atomic():
        if not is_postgresql():
            yield
            return
        pipeline = _pipeline()
        with connection.execute_wrapper(_send_first), pipeline.collecting():
            yield
            pipeline.send(commits=commits and not connection.needs_rollback)


def _pipeline() -> Any:
    """What sends statements to PostgreSQL on the connection of this thread."""
    from banzuke.office.postgresql_statements import pipeline_of  # noqa: PLC0415  # its driver is an extra

    connection.ensure_connection()
    return pipeline_of(connection.connection, connection.wrap_database_errors)


def _send_first(execute: Callable[..., Any], *asked: Any) -> Any:
    """What Django's cursors run comes after all that was collected before."""
    _pipeline().send()
    return execute(*asked)


def insert(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows by the thousand with those columns of a table, ten times as fast as through its model.

    PostgreSQL takes them by COPY.
    """
    if not is_postgresql():
        _insert_values(_into(model, columns), len(columns), rows)
        return
    _pipeline().send()
    with connection.cursor() as cursor, cursor.copy(f"COPY {_into(model, columns)} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def insert_new(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """The same of rows some of which may be there, by the table's own key: those stay as they are."""
    _insert_values(_into(model, columns), len(columns), rows, " ON CONFLICT DO NOTHING")


class ReadyRows:
    """Rows of a table but for its first column, ready to insert.

    On SQLite an insert keeps all other writers waiting. From a temporary table it takes half as long, so the
    rows go there first. On PostgreSQL nobody waits, and they are sent at the insert.
    """

    _number = count()

    def __init__(
        self, model: type[Model], columns: Sequence[str], rows: Callable[[], Iterable[Sequence[Any]]]
    ) -> None:
        self._model, self._columns, self._rows = model, columns, rows
        self._table = "" if is_postgresql() else f"temp.ready_{next(self._number)}"

    def __enter__(self) -> Self:
        if self._table:
            names = ", ".join(map(connection.ops.quote_name, self._columns[1:]))
            Statements().execute(f"CREATE TABLE {self._table} ({names})", ())
            _insert_values(self._table, len(self._columns) - 1, self._rows())
        return self

    def insert(self, first: object) -> None:
        """Insert the rows, with that value in the first column of each."""
        if not self._table:
            insert(self._model, self._columns, ((first, *row) for row in self._rows()))
            return
        text = (
            f"INSERT INTO {_into(self._model, self._columns)} SELECT %s, * FROM {self._table} ORDER BY rowid"  # noqa: S608  # no input
        )
        Statements().execute(text, (first,))

    def __exit__(self, *_: object) -> None:
        if self._table:
            with suppress(Error):  # what is stored is stored; the table ends with the connection
                Statements().execute(f"DROP TABLE IF EXISTS {self._table}", ())


def _into(model: type[Model], columns: Sequence[str]) -> str:
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)  # noqa: SLF001 - Django's own documented way to it
    return f"{table} ({', '.join(map(quote, columns))})"


def _insert_values(into: str, columns: int, rows: Iterable[Sequence[Any]], otherwise: str = "") -> None:
    marks = f"({', '.join(['%s'] * columns)})"
    every, at_once, statements = iter(rows), max(1, MOST_MARKS // columns), Statements()
    while some := list(islice(every, at_once)):
        values = ", ".join([marks] * len(some))
        text = f"INSERT INTO {into} VALUES {values}{otherwise}"  # noqa: S608  # no input
        statements.execute(text, list(chain.from_iterable(some)))
