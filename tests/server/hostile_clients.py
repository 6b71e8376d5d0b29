"""Clients that are slow, or lock the database, and how long others wait for their answers meanwhile."""

from __future__ import annotations

import http.client
import socket
import sqlite3
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
#: Requests that are begun and never ended.
UNFINISHED = {
    "body": f"POST /accounts/login/ HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\nlogin=",
    "api": f"POST /api/v1/pools/go/games HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\n[",
    "get": f"GET / HTTP/1.1\r\n{HEAD}Content-Length: 1000\r\n\r\n[",
    "headers": "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    "nothing": "",
}
#: What is asked over and over by somebody who reads none of it.
UNREAD = b"GET /static/banzuke/banzuke.css HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200


class Answer(NamedTuple):
    status: int
    seconds: float
    headers: dict[str, str]
    body: bytes


def asked(port: int, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """One answer, on a connection of its own; a server may answer before it has read everything."""
    begun = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        with suppress(BrokenPipeError):
            connection.request("POST" if body is not None else "GET", path, body, headers)
        got = connection.getresponse()
        data = got.read()
    return Answer(got.status, time.monotonic() - begun, {k.lower(): v for k, v in got.getheaders()}, data)


@contextmanager
def unfinished(port: int, kind: str, clients: int) -> Iterator[list[socket.socket]]:
    """So many clients that have begun to send, and send no more."""
    with ExitStack() as opened:
        found = []
        for _ in range(clients):
            one = opened.enter_context(socket.create_connection(("127.0.0.1", port), 60))
            one.sendall(UNFINISHED[kind].encode())
            found.append(one)
        yield found


@contextmanager
def unread(port: int, clients: int) -> Iterator[None]:
    """So many clients that ask for much and read nothing."""
    with ExitStack() as opened:
        for _ in range(clients):
            one = opened.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", port))
            one.sendall(UNREAD)
        yield


@contextmanager
def locked(service) -> Iterator[None]:
    """The office's database while another program writes to it, and does not end."""
    if url := service.environment["DATABASE_URL"]:
        import psycopg

        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE book_game, book_gogame, book_entry, book_pool IN EXCLUSIVE MODE")
            yield
            other.rollback()
    else:
        with closing(sqlite3.connect(service.home / "office.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")


def closed_after(one: socket.socket, patience: float) -> float:
    """The seconds until the server closes a connection."""
    begun = time.monotonic()
    one.settimeout(patience)
    while one.recv(4096):
        pass
    return time.monotonic() - begun
