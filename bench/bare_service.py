"""Services that only insert the games that are posted, with FastAPI and uvicorn; `bench/live.py` uses them.

One row a game, committed before it is answered, on the disk as the office's are: SQLite is told the same. No
key, no rating. The lean one (`make_lean_app`) is asynchronous and spares what it can; the threaded one
(`make_threaded_app`) speaks to the database's driver as that one's own guide has it; the third
(`make_guide_app`) is built with SQLModel, as FastAPI's guide to SQL databases has it.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from banzuke.server.environment import SQLITE_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The environment variable with the database's file, or PostgreSQL's address.
DATABASE_VARIABLE = "BARE_DATABASE"
ADDRESS = "/api/v1/pools/go/games"
CONNECTIONS = 16
PACKAGES = ("fastapi", "psycopg_pool", "sqlmodel", "uvicorn")
COLUMNS = ("game_id", "ended", "black", "white", "result", "handicap", "komi", "board", "moves")
#: Of each service that makes its own; by SQLModel it is `game`.
TABLE = (
    "CREATE TABLE IF NOT EXISTS {} (game_id TEXT PRIMARY KEY, ended TEXT, black TEXT, white TEXT,"
    " result TEXT, handicap INTEGER, komi TEXT, board INTEGER, moves INTEGER)"
)


def make_lean_app() -> Any:
    """`POST` at the address of the office's own games."""
    from fastapi import FastAPI

    app, model = FastAPI(), _game_model()
    insert = _on_postgresql() if _is_postgresql() else _on_sqlite()

    async def post(game: Any) -> dict[str, str]:
        await insert(_row(game))
        return {"game": game.game_id}

    post.__annotations__ = {"game": model, "return": dict[str, str]}
    app.post(ADDRESS)(post)
    return app


def make_threaded_app() -> Any:
    """The same at the same address: each request in a thread, with a connection and a transaction."""
    from fastapi import FastAPI

    app, model = FastAPI(), _game_model()
    insert = _pooled() if _is_postgresql() else _by_thread()

    def post(game: Any) -> dict[str, str]:
        insert(_row(game))
        return {"game": game.game_id}

    post.__annotations__ = {"game": model, "return": dict[str, str]}
    app.post(ADDRESS)(post)
    return app


def make_guide_app() -> Any:
    """The same at the same address: a session for each request, and the row read again for the answer."""
    from fastapi import Depends, FastAPI
    from sqlalchemy import event
    from sqlmodel import Field, Session, SQLModel, create_engine

    class Game(SQLModel, table=True):
        game_id: str = Field(primary_key=True)
        ended: str
        black: str
        white: str
        result: str
        handicap: int = 0
        komi: str
        board: int = 19
        moves: int

    database = os.environ[DATABASE_VARIABLE]
    if "://" in database:
        engine = create_engine(f"postgresql+psycopg://{database.partition('://')[2]}", pool_size=CONNECTIONS)
    else:
        engine = create_engine(f"sqlite:///{database}", connect_args={"check_same_thread": False})

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            for setting in SQLITE_SETTINGS:
                connection.execute(setting)

    SQLModel.metadata.create_all(engine)
    app = FastAPI()

    def session() -> Iterator[Session]:
        with Session(engine) as opened:
            yield opened

    def post(game: Game, opened: Session) -> Game:
        opened.add(game)
        opened.commit()
        opened.refresh(game)
        return game

    post.__annotations__ = {"game": Game, "opened": Annotated[Session, Depends(session)], "return": Game}
    app.post(ADDRESS)(post)
    return app


def _game_model() -> Any:
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

    return Game


def _row(game: Any) -> list[object]:
    return [getattr(game, name) for name in COLUMNS]


def _insert(table: str, mark: str) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join([mark] * len(COLUMNS))})"


def _is_postgresql() -> bool:
    return "://" in os.environ[DATABASE_VARIABLE]


def _sqlite(table: str, **settings: Any) -> sqlite3.Connection:
    connection = sqlite3.connect(os.environ[DATABASE_VARIABLE], **settings)
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)
    connection.execute(TABLE.format(table))
    return connection


def _on_sqlite() -> Any:
    connection, statement = _sqlite("lean", isolation_level=None), _insert("lean", "?")

    async def insert(row: list[object]) -> None:
        connection.execute(statement, row)

    return insert


def _by_thread() -> Any:
    _sqlite("threaded").close()  # two that make the file's log at once do not wait for each other
    local, statement = threading.local(), _insert("threaded", "?")

    def insert(row: list[object]) -> None:
        if not hasattr(local, "connection"):
            local.connection = _sqlite("threaded")
        with local.connection as connection:
            connection.execute(statement, row)

    return insert


def _postgresql(table: str) -> str:
    """The address, once the table is there."""
    import psycopg

    address = os.environ[DATABASE_VARIABLE].replace("postgres://", "postgresql://")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(TABLE.format(table))
    return address


def _on_postgresql() -> Any:
    import psycopg

    address, statement = _postgresql("lean"), _insert("lean", "%s")
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


def _pooled() -> Any:
    from psycopg_pool import ConnectionPool

    pool = ConnectionPool(_postgresql("threaded"), max_size=CONNECTIONS, open=True)
    statement = _insert("threaded", "%s")

    def insert(row: list[object]) -> None:
        with pool.connection() as connection:
            connection.execute(statement, row)

    return insert


def is_installed() -> bool:
    """Whether the extra `bench` is."""
    return all(find_spec(name) is not None for name in PACKAGES)


@contextmanager
def serving(app: str, database: str, port: int) -> Iterator[None]:
    """The service of that name on loopback, as long as the block runs."""
    command = [
        sys.executable, "-m", "uvicorn", f"bare_service:{app}", "--factory", "--port", str(port),
        "--log-level", "error", "--app-dir", str(Path(__file__).parent),
    ]  # fmt: skip
    process = subprocess.Popen(command, env=os.environ | {DATABASE_VARIABLE: database})
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
