"""What an office serves to everybody: bytes over HTTP, within limits of size and time, from one host."""

import time
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from banzuke.client.api_client import AddressError, AwayError, RefusedByOfficeError

#: Seconds: until something comes, and until everything has come.
ANSWERS_WITHIN, ALL_WITHIN = 60, 900
MOST_REDIRECTS = 3
_STEP, _MOST_SAID = 2**16, 1_000
_PATH_SIGNS = "/%:@!$&'*+,;=~()"
_MOVED = frozenset((301, 302, 303, 307, 308))
_KINDS = {"http": HTTPConnection, "https": HTTPSConnection}


class TooLargeError(Exception):
    """The office sends more than was asked for, or without end; the text is the address."""


def download(address: str, most: int) -> bytes:
    """The bytes at an address, at most so many.

    Raises AddressError for what is no address, AwayError where nobody answers, RefusedByOfficeError for any
    answer but a good one, and TooLargeError.
    """
    until, first = time.monotonic() + ALL_WITHIN, _parts(address)
    for _ in range(MOST_REDIRECTS + 1):
        parts = _parts(address)
        if parts.netloc.partition(":")[0] != first.netloc.partition(":")[0]:
            raise AddressError(address)
        try:
            found = _ask(parts, address, most, until)
        except (OSError, HTTPException) as error:
            raise AwayError(str(error) or type(error).__name__) from None
        if isinstance(found, bytes):
            return found
        address = urljoin(address, found)
    raise AwayError(HTTPStatus.LOOP_DETECTED.phrase)


def beside(address: str, relative: str) -> str:
    """The address of a file that another names: on the same host, whatever that says. Raises AddressError."""
    found = urljoin(address, relative)
    if _parts(found)[:2] != _parts(address)[:2]:
        raise AddressError(found)
    return found


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


def _ask(parts: SplitResult, address: str, most: int, until: float) -> bytes | str:
    """The bytes, or where they have gone."""
    connection = _KINDS[parts.scheme](parts.hostname or "", parts.port, timeout=ANSWERS_WITHIN)
    query = f"?{parts.query}" if parts.query else ""
    path = quote(parts.path or "/", safe=_PATH_SIGNS) + query
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.status in _MOVED:
            return answer.getheader("Location") or ""
        if answer.status != HTTPStatus.OK:
            raise RefusedByOfficeError(answer.status, _why(answer), [])
        return _all_of(answer, address, most, until)
    finally:
        connection.close()


def _why(answer: HTTPResponse) -> str:
    """What the office says of a refusal, where it says it as text; else what the status is called."""
    is_text = (answer.getheader("Content-Type") or "").startswith("text/plain")
    said = answer.read(_MOST_SAID).decode("utf-8", "replace").strip() if is_text else ""
    return said or answer.reason


def _all_of(answer: HTTPResponse, address: str, most: int, until: float) -> bytes:
    found = bytearray()
    while block := answer.read(min(_STEP, most + 1 - len(found))):
        found += block
        if len(found) > most or time.monotonic() > until:
            raise TooLargeError(address)
    return bytes(found)
