"""One signed message posted to a stranger's address, as the Standard Webhooks specification (1.0.0) has it.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import base64
import hashlib
import hmac
import ssl
import time
from collections.abc import Mapping
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from banzuke.client.downloads import cut_off

#: Seconds within which an answer has to come.
ANSWERS_WITHIN = 15.0
_KINDS = {"http": HTTPConnection, "https": HTTPSConnection}
_MOVED = range(300, 400)


class WebhookMessage(NamedTuple):
    """What is posted: an id, the same each time it is sent, and the body (JSON)."""

    id: str
    body: bytes


class PostResult(NamedTuple):
    """What came of it: `failure` is blank where it was taken, else its kind, with facts for its sentence.

    `wait`: for how many seconds the receiver asked to be left alone. `is_gone`: it wants nothing any more.
    """

    failure: str
    facts: dict[str, str]
    wait: int = 0
    is_gone: bool = False


TAKEN = PostResult("", {})


def signature(secret: bytes, message: WebhookMessage, timestamp: int) -> str:
    """The signature of a message that is sent at that second since 1970."""
    signed = f"{message.id}.{timestamp}.".encode() + message.body
    return "v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


def post(
    address: str, secret: bytes, message: WebhookMessage, *, within: float = ANSWERS_WITHIN
) -> PostResult:
    """Post a message. Nothing is raised, no redirect followed, and nothing read but the answer's head."""
    now = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "banzuke",
        "webhook-id": message.id,
        "webhook-timestamp": str(now),
        "webhook-signature": signature(secret, message, now),
    }
    try:
        return _posted(urlsplit(address), message.body, headers, within)
    except TimeoutError:
        return PostResult("timeout", {"seconds": f"{within:g}"})
    except ssl.SSLError as error:
        return PostResult("tls", {"why": _short(error)})
    except (OSError, HTTPException, ValueError) as error:
        return PostResult("network", {"why": _short(error)})


def _posted(parts: SplitResult, body: bytes, headers: Mapping[str, str], within: float) -> PostResult:
    until = time.monotonic() + within
    connection = _KINDS[parts.scheme](parts.hostname or "", parts.port, timeout=within)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.connect()
        with cut_off(connection.sock, until - time.monotonic()):
            try:
                connection.request("POST", path, body, headers)
                answer = connection.getresponse()
            except (OSError, HTTPException):
                if time.monotonic() >= until:
                    raise TimeoutError from None
                raise
        status, wait = answer.status, answer.getheader("Retry-After") or ""
    finally:
        connection.close()
    if HTTPStatus(200) <= status < _MOVED.start:
        return TAKEN
    kind = "moved" if status in _MOVED else "status"
    seconds = int(wait) if wait.isascii() and wait.isdecimal() and len(wait) < 10 else 0  # noqa: PLR2004
    return PostResult(kind, {"status": str(status)}, seconds, status == HTTPStatus.GONE)


def _short(error: Exception) -> str:
    """What the system says of an error, in brief; nothing that the other side said."""
    said = str(error) if isinstance(error, OSError) else ""
    return " ".join(said.split())[:200] or type(error).__name__
