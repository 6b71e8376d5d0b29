"""Services that only insert the games that are posted, with FastAPI and uvicorn; `bench/live.py` uses them.

One row a game, committed before it is answered, on the disk as the office's are. No key, no rating. The lean
one (`make_lean_app`) speaks to the database's driver and asks nothing of it; the other (`make_guide_app`) is
built with SQLModel, as FastAPI's own guide to SQL databases has it.
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
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The environment variable with the database's file, or PostgreSQL's address.
DATABASE_VARIABLE = "BARE_DATABASE"
ADDRESS = "/api/v1/pools/go/games"
CONNECTIONS = 16
#: What SQLite is told, as the office tells it.
SETTINGS = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL")
COLUMNS = ("game_id", "ended", "black", "white", "result", "handicap", "komi", "board", "moves")
TABLE = (
    "CREATE TABLE IF NOT EXISTS games (game_id TEXT PRIMARY KEY, ended TEXT, black TEXT, white TEXT,"
    " result TEXT, handicap INTEGER, komi TEXT, board INTEGER, moves INTEGER)"
)


def make_lean_app() -> Any:
    """`POST` at the address of the office's own games."""
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
    insert = _on_postgresql() if "://" in os.environ[DATABASE_VARIABLE] else _on_sqlite()

    async def post(game: Game) -> dict[str, str]:
        await insert([getattr(game, name) for name in COLUMNS])
        return {"game": game.game_id}

    post.__annotations__ = {"game": Game, "return": dict[str, str]}
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
            for setting in SETTINGS:
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


def _on_sqlite() -> Any:
    connection = sqlite3.connect(os.environ[DATABASE_VARIABLE], isolation_level=None)
    for setting in SETTINGS:
        connection.execute(setting)
    connection.execute(TABLE)
    statement = f"INSERT INTO games VALUES ({', '.join('?' * len(COLUMNS))})"

    async def insert(row: list[object]) -> None:
        connection.execute(statement, row)

    return insert


def _on_postgresql() -> Any:
    import psycopg

    address = os.environ[DATABASE_VARIABLE].replace("postgres://", "postgresql://")
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
    return all(find_spec(name) is not None for name in ("fastapi", "sqlmodel", "uvicorn"))


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
