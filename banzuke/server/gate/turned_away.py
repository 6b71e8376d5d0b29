"""Answers to requests that no page sees, made without the database."""

import json
from functools import cache
from http import HTTPStatus

from django.template.loader import render_to_string

from banzuke.api import problem_types
from banzuke.database.outages import AGAIN, Outage
from banzuke.server.gate.bodies import TurnedAwayError
from banzuke.server.gate.wsgi_calls import Answer, Headers, plain

API = "/api/"
#: What the answer to a program says beyond the kind of problem.
_DETAILS = {
    "busy": Outage.BUSY.said,
    "large": "The request is larger than whoever sends it may send here.",
    "short": "The request ended before its length.",
    "full": Outage.FULL.said,
}
#: The kinds of problem documents that have another name.
_TYPES = {"large": "too-large", "length": "no-length", "short": "unreadable"}
#: Of an answer before which the body was not read.
CLOSE = ("Connection", "close")
_HEADERS: Headers = [
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("X-Frame-Options", "DENY"),
    CLOSE,
]


def busy() -> TurnedAwayError:
    """Somebody else has been writing to the database for too long."""
    return TurnedAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "busy")


def answer_to(error: TurnedAwayError, path: str) -> Answer:
    """A page, or for the API a problem document."""
    again = [("Retry-After", str(AGAIN))] if error.status is HTTPStatus.SERVICE_UNAVAILABLE else []
    if not path.startswith(API):
        return plain(
            error.status, [*_HEADERS, *again, ("Content-Type", "text/html; charset=utf-8")], _page(error.why)
        )
    document = problem_types.document(_TYPES.get(error.why, error.why), path, _DETAILS.get(error.why, ""))
    kind = ("Content-Type", "application/problem+json")
    return plain(error.status, [*_HEADERS, *again, kind], json.dumps(document).encode())


@cache
def _page(why: str) -> bytes:
    return render_to_string("turned_away.html", {"why": why}).encode()
