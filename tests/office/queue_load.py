"""A program that inserts games into the office's queue, and consumers that are killed meanwhile."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import threading
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from office.faulty_load import sendings
from office.live_service import COMMAND, PATIENCE, POOL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from office.live_service import Service

INSERT = "INSERT INTO book_queuedgame (pool, game) VALUES ({0}, {0})"
WAITING = "SELECT EXISTS (SELECT 1 FROM book_queuedgame WHERE refused IS NULL)"
TAKEN = "SELECT count(*) FROM book_gogame"
REFUSED = "SELECT game, fault FROM book_queuedgame WHERE refused IS NOT NULL"


@contextmanager
def connected(service: Service) -> Iterator[Any]:
    """The office's database as a program opens it: each statement is a transaction, unless it says otherwise."""
    if url := service.environment["DATABASE_URL"]:
        import psycopg

        with psycopg.connect(url, autocommit=True) as database:
            yield database
    else:
        path = service.home / "office.db"
        with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as database:
            yield database


def failures(service: Service) -> tuple[type[Exception], ...]:
    """What a database that is away raises."""
    if not service.environment["DATABASE_URL"]:
        return ()
    import psycopg

    return (psycopg.OperationalError,)


def insert(service: Service, database: Any, games: Sequence[dict[str, object]]) -> None:
    """Games in one statement: on PostgreSQL several come by COPY."""
    rows = [(POOL, json.dumps(game)) for game in games]
    is_postgresql = bool(service.environment["DATABASE_URL"])
    if is_postgresql and len(rows) > 1:
        with database.cursor().copy("COPY book_queuedgame (pool, game) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    marks = ", ".join(["(?, ?)"] * len(rows))
    text = INSERT.format("%s") if is_postgresql else f"{INSERT.partition('(')[0]}(pool, game) VALUES {marks}"
    database.execute(text, [cell for row in rows for cell in row])


def has_waiting(service: Service) -> bool:
    with connected(service) as database:
        return bool(database.execute(WAITING).fetchone()[0])


def taken(service: Service) -> int:
    """How many games are in the book."""
    with connected(service) as database:
        count: int = database.execute(TAKEN).fetchone()[0]
        return count


def refused(service: Service) -> list[Any]:
    with connected(service) as database:
        return list(database.execute(REFUSED).fetchall())


class Consumers:
    """Some `banzuke consume` beside each other, killed and started again."""

    def __init__(self, service: Service, count: int, log: Path) -> None:
        self._service = service
        self._log = log
        self._running = [self._started() for _ in range(count)]

    def _started(self) -> subprocess.Popen[bytes]:
        with self._log.open("a") as log:
            command = [*COMMAND, "consume"]
            return subprocess.Popen(command, env=self._service.environment, stdout=log, stderr=log)

    def kill(self, rng: random.Random) -> None:
        """End one at once while games are taken, and start another."""
        before, until = taken(self._service), time.monotonic() + PATIENCE
        while taken(self._service) == before:
            assert time.monotonic() < until
            self.revive()
            time.sleep(0.005)
        time.sleep(rng.random() / 20)
        each = rng.choice(self._running)
        each.send_signal(signal.SIGKILL)
        each.wait(PATIENCE)
        self.revive()

    def revive(self) -> None:
        """Start those again that have ended, as a supervisor does: one that finds no database does."""
        self._running = [each if each.poll() is None else self._started() for each in self._running]

    def work_off(self) -> None:
        """Wait until no row of the queue waits."""
        until = time.monotonic() + PATIENCE
        while has_waiting(self._service):
            assert time.monotonic() < until
            self.revive()
            time.sleep(0.05)

    def stop(self) -> list[int]:
        """Have all end after their batch: with which status each did."""
        for each in self._running:
            each.terminate()
        return [each.wait(PATIENCE) for each in self._running]


class Program:
    """Inserts games, some late, some twice; where the database fails it inserts the same again."""

    def __init__(self, service: Service, halves: list[int], seed: int, first: int = 0) -> None:
        self.inserted: set[object] = set()
        self.twice = 0
        self._service = service
        self._sendings = sendings(halves, random.Random(seed), first)
        self._failures = failures(service)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def wait_for(self, more: int) -> None:
        """Wait until so many more games are inserted."""
        wanted, until = len(self.inserted) + more, time.monotonic() + PATIENCE
        while len(self.inserted) < wanted:
            assert time.monotonic() < until
            time.sleep(0.005)

    def _run(self) -> None:
        games = next(self._sendings).games
        while not self._stopped.is_set():
            try:
                with connected(self._service) as database:
                    while not self._stopped.is_set():
                        insert(self._service, database, games)
                        ids = {game["game_id"] for game in games}
                        self.twice += len(ids & self.inserted)
                        self.inserted |= ids
                        games = next(self._sendings).games
                        time.sleep(0.001 * len(games))
            except self._failures:  # the database is away
                time.sleep(0.05)
