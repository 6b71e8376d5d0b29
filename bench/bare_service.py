"""A service that only inserts the games that are posted, as an engineer would begin one: FastAPI and uvicorn.

One row a game, committed before it is answered, on the disk as the office's are. No key, no rating, nothing
is asked of the database. `bench/live.py` measures it beside the office.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The database's file, or PostgreSQL's address.
DATABASE = "BARE_DATABASE"
CONNECTIONS = 16
COLUMNS = ("game_id", "ended", "black", "white", "result", "handicap", "komi", "board", "moves")
TABLE = (
    "CREATE TABLE IF NOT EXISTS games (game_id TEXT PRIMARY KEY, ended TEXT, black TEXT, white TEXT,"
    " result TEXT, handicap INTEGER, komi TEXT, board INTEGER, moves INTEGER)"
)


def make_app() -> Any:
    """The service: `POST /api/v1/pools/go/games`, the address of the office's."""
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Game(BaseModel):
        game_id: str
        ended: str
        black: str
        white: str
        result: str
        handicap: int = 0
        komi: str
        board: int = 19
        moves: int

    app = FastAPI()
    insert = _on_postgresql() if "://" in os.environ[DATABASE] else _on_sqlite()

    async def post(game: Game) -> dict[str, str]:
        await insert([getattr(game, name) for name in COLUMNS])
        return {"game": game.game_id}

    post.__annotations__ = {"game": Game, "return": dict[str, str]}
    app.post("/api/v1/pools/go/games")(post)
    return app


def _on_sqlite() -> Any:
    connection = sqlite3.connect(os.environ[DATABASE], isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(TABLE)
    statement = f"INSERT INTO games VALUES ({', '.join('?' * len(COLUMNS))})"

    async def insert(row: list[object]) -> None:
        connection.execute(statement, row)

    return insert


def _on_postgresql() -> Any:
    import psycopg

    address = os.environ[DATABASE].replace("postgres://", "postgresql://")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(TABLE)
    statement = f"INSERT INTO games VALUES ({', '.join(['%s'] * len(COLUMNS))})"
    free: asyncio.Queue[Any] = asyncio.Queue()
    made = 0

    async def insert(row: list[object]) -> None:
        nonlocal made
        if free.empty() and made < CONNECTIONS:
            made += 1
            free.put_nowait(await psycopg.AsyncConnection.connect(address, autocommit=True))
        connection = await free.get()
        try:
            await connection.execute(statement, row)
        finally:
            free.put_nowait(connection)

    return insert


def is_installed() -> bool:
    """Whether the extra `bench` is."""
    return find_spec("fastapi") is not None and find_spec("uvicorn") is not None


@contextmanager
def serving(database: str, port: int) -> Iterator[None]:
    """The service on loopback, as long as the block runs."""
    command = [
        sys.executable, "-m", "uvicorn", "bare_service:make_app", "--factory", "--port", str(port),
        "--log-level", "error", "--app-dir", str(Path(__file__).parent),
    ]  # fmt: skip
    process = subprocess.Popen(command, env=os.environ | {DATABASE: database})
    try:
        while True:
            assert process.poll() is None
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()
