"""Statements past Django's wrappers."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connection, connections, transaction

from banzuke.office.raw_sql import Rows, Statements, in_values, pipelined_transaction


@pytest.mark.skipif(connection.vendor != "sqlite", reason="of SQLite alone")
@pytest.mark.django_db(transaction=True)
def test_what_is_not_fetched_leaves_nothing_open():
    """Else the connection would no longer see what others write, and could not write itself."""
    Statements().execute("SELECT 1 UNION ALL SELECT 2", [])
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")


@pytest.mark.django_db
def test_rows_and_values():
    rows = [(1, "a'\\\"b"), (2, "\u99d2\U0001f600%s")]
    given, values = Rows("number bigint, word text")(rows)
    found = Statements().repeat(f"WITH given (number, word) AS ({given}) SELECT * FROM given", values)
    assert list(map(tuple, found.fetchall())) == rows
    one_of, values = in_values(["aoi", "%s"])
    assert Statements().execute(f"SELECT 1 WHERE 'aoi' {one_of}", values).fetchone() == (1,)
    assert Statements().execute(f"SELECT 1 WHERE 'kei' {one_of}", values).fetchone() is None


@pytest.mark.django_db
def test_errors_are_djangos():
    with pytest.raises(DatabaseError), transaction.atomic():
        Statements().execute("SELECT nothing FROM nowhere", [])
    assert Statements().execute("SELECT 1", []).fetchone() == (1,)


def put(word: str) -> None:
    Statements().repeat("INSERT INTO words (word) VALUES (%s)", [word])


def words() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT word FROM words ORDER BY word")
        return [word for (word,) in cursor.fetchall()]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL alone")
class TestTransactionTogether:
    @pytest.fixture(autouse=True)
    def own_connection(self, db):
        """Not in the transaction of the test, so that there is something to commit."""
        of_test = connections["default"]
        connections["default"] = of_test.copy()
        with connection.cursor() as cursor:
            cursor.execute("CREATE TEMPORARY TABLE words (word text UNIQUE)")
        yield
        connection.close()
        connections["default"] = of_test

    def test_what_django_would_roll_back_is_not_committed(self):
        with pipelined_transaction():
            put("ko")
            transaction.set_rollback(True)
        assert words() == []
        with pipelined_transaction():
            put("seki")
        assert words() == ["seki"]

    def test_an_error_takes_back_the_inner_transaction_alone(self):
        with pipelined_transaction():
            put("ko")
            with pytest.raises(IntegrityError), transaction.atomic():
                put("ko")
            put("seki")
        assert words() == ["ko", "seki"]

    def test_errors_are_djangos_wherever_they_come(self):
        with pipelined_transaction():
            put("ko")
            found = Statements().repeat("INSERT INTO words (word) VALUES ('ko') RETURNING word", [])
            with pytest.raises(IntegrityError):
                found.fetchone()
            transaction.set_rollback(True)
        assert words() == []
