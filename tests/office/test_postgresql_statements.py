"""Statements that go to a real PostgreSQL together, on a connection of its driver."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import nullcontext

import pytest

psycopg = pytest.importorskip("psycopg")
from banzuke.office import postgresql_statements  # noqa: E402
from banzuke.office.postgresql_statements import StatementPipeline  # noqa: E402

pytestmark = pytest.mark.slow  # a server is made
INSERT = "INSERT INTO words (word) VALUES (%s) RETURNING id"


@pytest.fixture
def driver(postgresql_server):
    url = postgresql_server.url().replace("postgres://", "postgresql://")
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("CREATE TABLE words (id bigserial PRIMARY KEY, word text UNIQUE)")
        driver = psycopg.connect(url)
        yield driver
        driver.close()
        owner.execute("DROP TABLE words")


@pytest.fixture
def sender(driver):
    return StatementPipeline(driver, nullcontext())


def rows(driver, statement: str = "SELECT word FROM words ORDER BY id") -> list[object]:
    """What the table has for another connection."""
    with psycopg.connect(driver.info.dsn, autocommit=True) as other:
        return [value for (value,) in other.execute(statement).fetchall()]


def repeat(sender: StatementPipeline, text: str, *values: object):
    return sender.add(text, values, is_repeated=True)


def test_values_and_rows(sender):
    found = repeat(
        sender,
        "SELECT %s::text, %s::bigint, %s::boolean, %s::bytea, %s::text, 5 WHERE 'b' = ANY(%s)",
        *("駒'\"\\%s", -(2**40), True, b"\x00\xff", None, ["a,}", 'b"', "b", "\\"]),
    )
    assert found.fetchall() == [("駒'\"\\%s", -(2**40), True, b"\x00\xff", None, 5)]
    assert found.fetchone() == found.fetchall()[0]
    assert repeat(sender, "SELECT 1 WHERE %s = 2", 3).fetchone() is None


def test_without_collecting_each_goes_at_once(sender, driver):
    repeat(sender, INSERT, "ko")
    assert driver.execute("SELECT word FROM words").fetchall() == [("ko",)]
    assert rows(driver) == []  # in the transaction that was begun
    driver.commit()
    assert rows(driver) == ["ko"]


def test_together_and_committed(sender, driver):
    with sender.collecting():
        first, second = repeat(sender, INSERT, "ko"), repeat(sender, INSERT, "seki")
        sender.add("UPDATE words SET word = %s WHERE word = 'ko'", ["joseki"], is_repeated=False)
        assert first.rows is None  # nothing has gone out
        sender.send(commits=True)
    assert driver.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    assert rows(driver, "SELECT word FROM words ORDER BY word") == ["joseki", "seki"]
    assert first.fetchone()[0] < second.fetchone()[0]


def test_after_a_failure_nothing_stays(sender, driver):
    with sender.collecting():
        for word in ("ko", "ko", "seki"):
            repeat(sender, INSERT, word)
        with pytest.raises(psycopg.errors.UniqueViolation):
            sender.send(commits=True)
    driver.rollback()
    assert rows(driver) == []
    assert repeat(sender, INSERT, "seki").fetchone()


def test_what_waits_after_an_error_is_never_sent(sender, driver):
    def fail() -> None:
        repeat(sender, INSERT, "ko")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), sender.collecting():
        fail()
    sender.send(commits=True)
    assert rows(driver) == []


def test_a_failed_transaction_is_not_said_to_be_committed(sender, driver):
    with pytest.raises(psycopg.errors.UndefinedTable):
        sender.add("SELECT * FROM nowhere", [], is_repeated=False)
    with pytest.raises(psycopg.OperationalError):
        sender.send(commits=True)
    assert driver.execute("SELECT 1").fetchone() == (1,)


def test_a_text_that_ends_within_is_refused(sender):
    with pytest.raises(psycopg.DataError):
        repeat(sender, INSERT, "ko\0seki")


def test_prepared_statements_do_not_grow_without_end(sender, driver, monkeypatch):
    monkeypatch.setattr(postgresql_statements, "MOST_PREPARED", 5)
    for _ in range(2):
        for number in range(20):
            assert repeat(sender, f"SELECT {number} + %s::int", 1).fetchone() == (number + 1,)
    (kept,) = driver.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    assert kept <= 6


def test_a_text_that_comes_twice_is_prepared_once(sender, driver):
    with sender.collecting():
        for word in ("ko", "seki"):
            repeat(sender, INSERT, word)
        sender.send()
    assert driver.execute("SELECT statement FROM pg_prepared_statements").fetchall() == [
        ("INSERT INTO words (word) VALUES ($1) RETURNING id",)
    ]


def test_after_a_failure_all_is_prepared_anew(sender, driver):
    """As a table may have been altered: what was prepared for it fails as long as it is used."""
    repeat(sender, "SELECT word FROM words")
    driver.commit()
    with psycopg.connect(driver.info.dsn, autocommit=True) as other:
        other.execute("ALTER TABLE words ALTER word TYPE varchar")
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        repeat(sender, "SELECT word FROM words")
    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        repeat(sender, "SELECT word FROM words")
    driver.rollback()
    assert repeat(sender, "SELECT word FROM words").fetchall() == []


def test_only_so_many_wait(sender):
    """Whoever writes a large pool's games would keep them all in memory."""
    with sender.collecting():
        sent = [repeat(sender, INSERT, str(number)) for number in range(postgresql_statements.MOST_WAITING)]
        assert all(each.rows for each in sent)
        assert repeat(sender, INSERT, "ko").rows is None


def test_more_than_a_socket_takes_at_once(sender):
    """Both sides send at the same time: neither waits for the other without end."""
    long = "駒" * 300_000
    with sender.collecting():
        sent = [repeat(sender, "SELECT %s::text, %s::int", long, number) for number in range(20)]
        assert [each.fetchone() for each in sent] == [(long, number) for number in range(20)]


def test_a_signal_while_it_waits_closes_the_connection(sender, driver):
    """What would come next on it is the answer to the statement that was given up."""
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sender.add("SELECT pg_sleep(20)", [], is_repeated=False)
    assert time.monotonic() - begun < 10
    assert driver.closed


def test_a_server_that_ends_the_connection(sender, driver):
    with psycopg.connect(driver.info.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [driver.info.backend_pid])
    with pytest.raises(psycopg.OperationalError):
        repeat(sender, "SELECT 1")
    with pytest.raises(psycopg.OperationalError):
        repeat(sender, "SELECT 1")
