"""What this machine itself can write: fdatasyncs a second, and games by a bare loop.

The loop is one connection of one program: nothing is asked, rated or answered. It writes into a copy of the
office's database what a game that is rated leaves there: an entry, the game, its lines, two standings, how
far the standings have come; one game a transaction.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psycopg
from live_clients import Ran

from banzuke.server.environment import SQLITE_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PAGE, PAGES = 4096, 1024
#: How long pages are made sure, in seconds.
SECONDS = 2.5
#: A player's state, and a line that ends with it, as the office stores them.
STATE = '["certified","2k+",31,12618,66,0,[],[true,true]]'
LINE = f'[12,true,true,138,"rated","PN 3(5)",["certified","2k+",31,12480,65,0,[],[true,true]],{STATE}]'
ENTRY = (
    "INSERT INTO book_entry (pool_id, at, author, act, why) VALUES (?, ?, 'bare', 'games', '') RETURNING id"
)
#: What a game has that was posted, and what the table has besides.
SENT = ("game_id", "ended", "black", "white", "result", "handicap", "board", "moves")
GAME = (
    f"INSERT INTO book_gogame (pool_id, entry_id, {', '.join(SENT)}, komi, room, robot, fault)"
    f" VALUES (?, ?, {', '.join(['?'] * len(SENT))}, 13, '', '', '')"
)
LINES = (
    "INSERT INTO book_livegame (pool_id, entry_id, game_id, at, black, white, black_line, white_line, stands)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
SEAT = (
    "UPDATE book_livestanding SET state = ?, strength = ?, at = ?, game_id = ?"
    " WHERE pool_id = ? AND player_id = ?"
)
COME = "UPDATE book_livepool SET entry = ? WHERE pool_id = ?"
POOL = "SELECT pool_id FROM book_livepool"


def syncs_a_second(home: Path) -> float:
    """How often a second a page is made sure in a file that has its length, as databases keep their logs."""
    with tempfile.TemporaryFile(dir=home) as stream:
        os.write(stream.fileno(), bytes(PAGES * PAGE))
        os.fsync(stream.fileno())
        begun, done = time.perf_counter(), 0
        while time.perf_counter() - begun < SECONDS:
            os.pwrite(stream.fileno(), bytes(PAGE), done % PAGES * PAGE)
            os.fdatasync(stream.fileno())
            done += 1
        return done / (time.perf_counter() - begun)


class BareLoop:
    """Writes games into the copy of an office's database: a file of SQLite, or PostgreSQL's address."""

    def __init__(self, database: str) -> None:
        self._connection, self._mark = _connected(database)
        self._cursor = self._connection.cursor()
        [(self._pool,)] = self._run(POOL).fetchall()
        self._connection.commit()

    def write(self, games: Sequence[dict[str, object]]) -> Ran:
        """Write games that were made to be posted: how long it took, and the milliseconds of each."""
        times, begun = [], time.perf_counter()
        for game in games:
            one = time.perf_counter()
            self._write(game)
            times.append(1000 * (time.perf_counter() - one))
        return Ran(time.perf_counter() - begun, {"game": times})

    def _write(self, game: dict[str, object]) -> None:
        game_id, players = game["game_id"], (game["black"], game["white"])
        at = int(datetime.fromisoformat(str(game["ended"])).timestamp()) * 1_000_000
        [(entry,)] = self._run(ENTRY, self._pool, str(datetime.now(UTC))).fetchall()
        self._run(GAME, self._pool, entry, *(game[name] for name in SENT))
        self._run(LINES, self._pool, entry, game_id, at, *players, LINE, LINE, True)
        for player in players:
            self._run(SEAT, STATE, entry, at, game_id, self._pool, player)
        self._run(COME, entry, self._pool)
        self._connection.commit()

    def _run(self, statement: str, *values: object) -> Any:
        return self._cursor.execute(statement.replace("?", self._mark), values)


def _connected(database: str) -> tuple[Any, str]:
    """A connection, and how its statements mark a value."""
    if "://" in database:
        return psycopg.connect(database.replace("postgres://", "postgresql://")), "%s"
    connection = sqlite3.connect(database, isolation_level="IMMEDIATE")
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)
    return connection, "?"
