"""What this machine itself can write: fdatasyncs a second, and the rows of a game by a bare loop.

The loop is one connection of one program: nothing is asked, rated or answered. It writes into the tables of a
throw-away office what a game that is rated leaves there: an entry, the game, its lines, two standings, how
far the standings have come; one game a transaction, or a hundred under one entry.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg

if TYPE_CHECKING:
    from pathlib import Path

BATCH = 100
PAGE, PAGES = 4096, 1024
#: How long each loop writes, in seconds.
SECONDS = 5.0
LINE = (
    '[12,true,true,138,"rated","PN 3(5)",["certified","2k+",31,12480,65,0,[],[true,true]],'
    '["certified","2k+",31,12618,66,0,[],[true,true]]]'
)
_GAME = (
    "game_id, ended, black, white, result, handicap, komi, board, moves, room, robot, fault",
    "'2026-01-01T12:00:00+09:00', 'P000001', 'P000002', 'B', 0, 13, 19, 200, '', '', ''",
)
ENTRY = (
    "INSERT INTO book_entry (pool_id, at, author, act, why) VALUES (?, ?, 'bare', 'games', '') RETURNING id"
)
GAME = f"INSERT INTO book_gogame (pool_id, entry_id, {_GAME[0]}) VALUES (?, ?, ?, {_GAME[1]})"
LINES = (
    "INSERT INTO book_livegame (pool_id, entry_id, game_id, at, black, white, black_line, white_line, stands)"
    " VALUES (?, ?, ?, ?, 'P000001', 'P000002', ?, ?, ?)"
)
SEAT = (
    "UPDATE book_livestanding SET state = ?, strength = ?, at = ?, game_id = ?"
    " WHERE pool_id = ? AND player_id = ?"
)
COME = "UPDATE book_livepool SET entry = ? WHERE pool_id = ?"
LIVE = "INSERT INTO book_livepool (pool_id, entry) SELECT id, 0 FROM book_pool"
POOL = "SELECT id FROM book_pool"


class Limit(NamedTuple):
    """How much a second."""

    syncs: float
    singles: float
    batches: float


def limit(home: Path, database_url: str, players: int) -> Limit:
    """The limit of the disk under the office, and of the database with its tables."""
    connection, mark = _connected(home, database_url)
    cursor = connection.cursor()
    cursor.execute(LIVE)
    cursor.execute(POOL)
    pool = cursor.fetchone()[0]
    cursor.execute(
        "INSERT INTO book_livestanding (pool_id, player_id, state, rung, strength, at, game_id) "
        "SELECT pool_id, player_id, '', 0, 0, 0, '' FROM book_goplayer"
    )
    connection.commit()
    bare = _Bare(connection, cursor, pool, mark, players)
    return Limit(_syncs(home), _a_second(bare, 1), _a_second(bare, BATCH))


def _connected(home: Path, database_url: str) -> tuple[Any, str]:
    """A connection, and how its statements mark a value."""
    if database_url:
        return psycopg.connect(database_url.replace("postgres://", "postgresql://")), "%s"
    connection = sqlite3.connect(home / "office.db", isolation_level="IMMEDIATE")
    connection.execute("PRAGMA synchronous=FULL")
    return connection, "?"


def _syncs(home: Path) -> float:
    """How often a second a page is made sure in a file that has its length, as databases keep their logs."""
    with tempfile.TemporaryFile(dir=home) as stream:
        os.write(stream.fileno(), bytes(PAGES * PAGE))
        os.fsync(stream.fileno())
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < SECONDS / 2:
            os.pwrite(stream.fileno(), bytes(PAGE), done % PAGES * PAGE)
            os.fdatasync(stream.fileno())
            done += 1
        return done / (time.perf_counter() - begun)


class _Bare:
    def __init__(self, connection: Any, cursor: Any, pool: int, mark: str, players: int) -> None:
        self._connection, self._cursor = connection, cursor
        self._pool, self._mark, self._players = pool, mark, players
        self._number = 0

    def write(self, games: int) -> None:
        """So many games in one transaction."""
        [(entry,)] = self._run(ENTRY, self._pool, datetime.now(UTC)).fetchall()
        numbers = range(self._number, self._number + games)
        self._number += games
        names = [f"bare-{number}" for number in numbers]
        self._run_all(GAME, [(self._pool, entry, name) for name in names])
        lines = [(self._pool, entry, name, entry, LINE, LINE, True) for name in names]
        self._run_all(LINES, lines)
        ids = [f"P{(7 * number + beside) % self._players:06}" for number in numbers for beside in (0, 1)]
        self._run_all(SEAT, [(LINE[60:], entry, entry, names[0], self._pool, player) for player in ids])
        self._run(COME, entry, self._pool)
        self._connection.commit()

    def _run(self, statement: str, *values: object) -> Any:
        return self._cursor.execute(statement.replace("?", self._mark), values)

    def _run_all(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        self._cursor.executemany(statement.replace("?", self._mark), rows)


def _a_second(bare: _Bare, games: int) -> float:
    begun, done = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        bare.write(games)
        done += games
    return done / (time.perf_counter() - begun)
