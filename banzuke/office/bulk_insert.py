"""Rows by the thousand into a table, past the models: ten times as fast as by objects of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import Model


def insert(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with those columns of a model's table; PostgreSQL takes them by COPY."""
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)  # noqa: SLF001 - Django's own documented way to it
    into = f"{table} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            told = f"INSERT INTO {into} VALUES ({marks})"  # noqa: S608 - our own names
            cursor.executemany(told, rows)  # type: ignore[arg-type]  # any iterable does
