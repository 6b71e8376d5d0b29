"""What an office serves to everybody: bytes over HTTP, within limits of size and time, from one host."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from threading import Timer
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from banzuke.client.api_client import AddressError, AwayError, RefusedByOfficeError
from banzuke.transparency.strict_text import NUMBER

#: Seconds: until something comes, until everything has come; how long one is put off at least, and at most.
ANSWERS_WITHIN, ALL_WITHIN, SHORTEST_WAIT, LONGEST_WAIT = 60, 900, 1, 60
MOST_REDIRECTS = 3
_STEP, _MOST_SAID = 2**16, 1_000
_PATH_SIGNS = "/%:@!$&'*+,;=~()"
_QUERY_SIGNS = f"{_PATH_SIGNS}?"
_MOVED = frozenset((301, 302, 303, 307, 308))
#: Answers that say when to ask again, of what is being made or was asked for too often.
_LATER = frozenset((HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS))
_KINDS = {"http": HTTPConnection, "https": HTTPSConnection}


class TooLargeError(Exception):
    """The office sends more than was asked for, or without end; the text is the address."""


class Download(NamedTuple):
    """Bytes, and the address that had them in the end."""

    address: str
    data: bytes


class _Moved(NamedTuple):
    address: str


class _Later(NamedTuple):
    seconds: int
    refused: RefusedByOfficeError


class Downloads:
    """Downloads from one office, all of them together within a time.

    `waiting`: what the office is still making is waited for, and this told each time for how many seconds.
    """

    def __init__(self, within: float = ALL_WITHIN, *, waiting: Callable[[int], object] | None = None) -> None:
        self._until = time.monotonic() + within
        self._waiting = waiting

    def get(self, address: str, most: int) -> Download:
        """What is at an address, at most so many bytes.

        Raises AddressError for what is no address, AwayError where nobody answers, RefusedByOfficeError for
        any answer but a good one, and TooLargeError.
        """
        first, moves = _parts(address), 0
        while moves <= MOST_REDIRECTS:
            parts = _parts(address)
            if parts.hostname != first.hostname:
                raise AddressError(address)
            found = self._answer(parts, address, most)
            match found:
                case bytes():
                    return Download(address, found)
                case _Moved():
                    address, moves = _joined(address, found.address), moves + 1
                case _Later():
                    self._wait(found)
        raise AwayError(HTTPStatus.LOOP_DETECTED.phrase)

    def _answer(self, parts: SplitResult, address: str, most: int) -> bytes | _Moved | _Later:
        left = self._until - time.monotonic()
        try:
            found = _ask(parts, address, most, left)
            if time.monotonic() >= self._until:
                raise TimeoutError(HTTPStatus.REQUEST_TIMEOUT.phrase)
        except (OSError, HTTPException, ValueError) as error:  # http.client reads a negative length, too
            raise AwayError(str(error) or type(error).__name__) from None
        return found

    def _wait(self, later: _Later) -> None:
        """Wait as long as the office asks for, where there is patience and time."""
        seconds = max(SHORTEST_WAIT, min(later.seconds, LONGEST_WAIT))
        if self._waiting is None or time.monotonic() + seconds >= self._until:
            raise later.refused
        self._waiting(seconds)
        time.sleep(seconds)


def download(address: str, most: int) -> bytes:
    """The bytes at an address, at most so many. Raises as `Downloads.get`."""
    return Downloads().get(address, most).data


def beside(address: str, relative: str) -> str:
    """The address of a file that another names: on the same host, whatever that says. Raises AddressError."""
    found = _joined(address, relative)
    if _parts(found)[:2] != _parts(address)[:2]:
        raise AddressError(found)
    return found


def _joined(address: str, relative: str) -> str:
    """An address that is said beginning at another. Raises AddressError."""
    try:
        return urljoin(address, relative)
    except ValueError:
        raise AddressError(relative) from None


def _parts(address: str) -> SplitResult:
    """An address as its parts. Raises AddressError."""
    try:
        parts = urlsplit(address)
        is_good = parts.scheme in _KINDS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good:
        raise AddressError(address)
    return parts


def _ask(parts: SplitResult, address: str, most: int, seconds: float) -> bytes | _Moved | _Later:
    """What is answered within that time."""
    until, patience = time.monotonic() + seconds, min(ANSWERS_WITHIN, max(seconds, 0.001))
    connection = _KINDS[parts.scheme](parts.hostname or "", parts.port, timeout=patience)
    query = f"?{quote(parts.query, safe=_QUERY_SIGNS)}" if parts.query else ""
    path = quote(parts.path or "/", safe=_PATH_SIGNS) + query
    try:
        connection.connect()
        with cut_off(connection.sock, until - time.monotonic()):
            connection.request("GET", path)
            with connection.getresponse() as answer:  # closing the connection leaves it open
                if answer.status in _MOVED:
                    return _Moved(answer.getheader("Location") or "")
                if answer.status != HTTPStatus.OK:
                    return _not_given(answer)
                return _all_of(answer, address, most)
    finally:
        connection.close()


@contextmanager
def cut_off(connected: socket.socket, seconds: float) -> Iterator[None]:
    """End a connection after that time, however slowly something still comes."""

    def end() -> None:
        with suppress(OSError):  # it is closed already
            # past TLS, which would wait for the other side
            socket.socket.shutdown(connected, socket.SHUT_RDWR)

    timer = Timer(max(0, seconds), end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _not_given(answer: HTTPResponse) -> _Later:
    """When to ask again. Raises RefusedByOfficeError where the office does not say so."""
    refused = RefusedByOfficeError(answer.status, _why(answer), [])
    wait = answer.getheader("Retry-After") or ""
    if answer.status in _LATER and NUMBER.fullmatch(wait):
        return _Later(int(wait), refused)
    raise refused


def _why(answer: HTTPResponse) -> str:
    """What the office says of a refusal, where it says it as text; else what the status is called."""
    is_text = (answer.getheader("Content-Type") or "").startswith("text/plain")
    said = answer.read(_MOST_SAID).decode("utf-8", "replace").strip() if is_text else ""
    return said or answer.reason


def _all_of(answer: HTTPResponse, address: str, most: int) -> bytes:
    found = bytearray()
    while block := answer.read(min(_STEP, most + 1 - len(found))):
        found += block
        if len(found) > most:
            raise TooLargeError(address)
    if answer.length:
        raise IncompleteRead(bytes(found), answer.length)
    return bytes(found)
