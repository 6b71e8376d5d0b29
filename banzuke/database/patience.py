"""How long a process waits for others to finish writing: who serves pages cannot wait as long as a job."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.db import Error, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from banzuke.database.outages import BusyError

#: Seconds until a database that does not answer is given up on.
CONNECTS_WITHIN = 3
#: Seconds between two looks whether a file is unlocked; shorter waiting (milliseconds) is not counted.
STEP, SHORT = 0.001, 50
#: The milliseconds that this process waits at most; None: as long as it takes.
_limits: dict[str, int | None] = {"milliseconds": None}


def limit_waiting(milliseconds: int) -> None:
    """From now on this process waits so long at most for whoever writes, on connections yet to be made."""
    database: dict[str, Any] = connections.settings["default"]
    options = database.setdefault("OPTIONS", {})
    if connections["default"].vendor == "sqlite":
        options["timeout"] = milliseconds / 1000
    else:
        options.setdefault("connect_timeout", CONNECTS_WITHIN)
    _limits["milliseconds"] = milliseconds
    connection_created.connect(_limit, dispatch_uid="banzuke-patience")


def _limit(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Tell PostgreSQL by a statement: not every proxy takes it as an option."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {_limits['milliseconds']:d}")


@contextmanager
def waiting_at_most(milliseconds: int) -> Iterator[None]:
    """In this block, whoever writes is waited for so long at most (PostgreSQL: `SHORT` at least)."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout" if is_sqlite else "SHOW lock_timeout")
        before = cursor.fetchone()[0]
        _set_waiting(milliseconds if is_sqlite else max(milliseconds, SHORT))
        try:
            yield
        finally:
            with suppress(Error):  # in a transaction that has failed, which ends with the connection
                _set_waiting(before)


def _set_waiting(value: object) -> None:
    statement = "PRAGMA busy_timeout = {}" if connection.vendor == "sqlite" else "SET lock_timeout = '{}'"
    with connection.cursor() as cursor:
        cursor.execute(statement.format(value))


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """A file locked for this thread. The time spent waiting for it is taken off that for the database.

    Raises BusyError.
    """
    most = _limits["milliseconds"]
    with ExitStack() as within:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        within.callback(os.close, file)
        if most is None:
            fcntl.flock(file, fcntl.LOCK_EX)
        elif (took := _wait(file, most)) > SHORT:
            within.enter_context(waiting_at_most(max(most - took, SHORT)))
        yield


def _wait(file: int, most: int) -> int:
    """Lock the file; gives the milliseconds that it took."""
    began = time.monotonic()
    while True:
        took = int(1000 * (time.monotonic() - began))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if took >= most:
                raise BusyError from None
            time.sleep(STEP)
        else:
            return took


def wait_no_more() -> None:
    """After waiting in vain: wait no more in this request, at the end of which the connection is closed."""
    if connection.connection is None:
        return
    with suppress(Error):
        _set_waiting(0 if connection.vendor == "sqlite" else 1)
    connection.close_at = time.monotonic()
