"""The closed tables of the office's database, opened."""

from __future__ import annotations

from contextlib import contextmanager

from django.db import connection

from banzuke.database.append_only import closing_statements
from banzuke.database.guards import gaps


@contextmanager
def opened():
    """The database as somebody with all rights can open it, closed again as if nothing had been."""
    connection.check_constraints()  # PostgreSQL alters no table of which something is pending
    with connection.cursor() as cursor:
        for statement in closing_statements(connection):
            if statement.startswith("DROP"):
                cursor.execute(statement)
        yield
        connection.check_constraints()
        for statement in closing_statements(connection):
            cursor.execute(statement)
    assert gaps() == []
