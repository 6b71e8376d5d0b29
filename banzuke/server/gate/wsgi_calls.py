"""A request of the server (RSGI) as WSGI has it, and a WSGI answer as a whole."""

import os
from collections.abc import Iterator
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from sys import stderr
from typing import IO, Any, NamedTuple
from wsgiref.types import WSGIApplication, WSGIEnvironment

from banzuke.api.live.feed_events import FeedRequest, FeedResponse

Headers = list[tuple[str, str]]
#: A larger file goes out from the disk.
MOST_IN_MEMORY = 1 << 20
_PROTOCOLS = {"1": "HTTP/1.0", "1.1": "HTTP/1.1", "2": "HTTP/2"}


class Answer(NamedTuple):
    """What goes out: `body`, all of an open file by its number, which whoever sends it closes, or a feed."""

    status: int
    headers: Headers
    body: bytes
    file: int | None = None
    feed: FeedRequest | None = None


class _File:
    """A file that the application answers with (`wsgi.file_wrapper`)."""

    def __init__(self, file: Any, _block: int = 0) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        yield self.file.read()

    def close(self) -> None:
        """Close the file; Django ends the request by it."""
        self.file.close()

    def number_if_large(self) -> int | None:
        """A number of its own for a file on the disk of more than `MOST_IN_MEMORY`; None for any other."""
        try:
            number: int = self.file.fileno()
            is_large = os.fstat(number).st_size > MOST_IN_MEMORY and self.file.tell() == 0
        except (AttributeError, OSError):
            return None
        return os.dup(number) if is_large else None


#: What is the same for every request.
_SAME: dict[str, Any] = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
    "wsgi.file_wrapper": _File,
}


def environ_of(scope: Any) -> WSGIEnvironment:
    """The request, still without its body."""
    host, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        **_SAME,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_PROTOCOL": _PROTOCOLS.get(scope.http_version, "HTTP/1.1"),
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": BytesIO(),
    }
    for name, value in scope.headers.items():
        if "_" not in name:  # else it could stand in for one with a hyphen, such as a proxy's
            key = _key_of(name)
            there = environ.get(key)
            environ[key] = value if there is None else f"{there}{';' if name == 'cookie' else ','}{value}"
    if "HTTP_HOST" not in environ and scope.authority:
        environ["HTTP_HOST"] = scope.authority
    return environ


@lru_cache  # programs send the same ones with each request
def _key_of(name: str) -> str:
    """What WSGI calls a header."""
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def answer_of(application: WSGIApplication, environ: WSGIEnvironment, body: IO[bytes]) -> Answer:
    """What the application answers, all of it: a client that reads slowly keeps no thread waiting."""
    head: list[Any] = []

    def start(status: str, headers: Headers, _error: object = None) -> Any:
        head[:] = [int(status.split(" ", 1)[0]), headers]

    environ["wsgi.input"] = body
    try:
        parts = application(environ, start)
        try:
            file = parts.number_if_large() if isinstance(parts, _File) else None
            feed = parts.feed if isinstance(parts, FeedResponse) else None
            data = b"" if file is not None or feed is not None else b"".join(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
    finally:
        body.close()
    return Answer(head[0], head[1], data, file, feed)


def plain(status: HTTPStatus, headers: Headers, body: bytes) -> Answer:
    """An answer of our own."""
    return Answer(status, [*headers, ("Content-Length", str(len(body)))], body)
