"""What went wrong, as a problem document (RFC 9457)."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from math import ceil
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse
from django.utils.log import log_response
from ninja import NinjaAPI
from ninja.errors import HttpError, Throttled, ValidationError

from banzuke.api import problem_types
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.outages import AGAIN, Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.words import fault_text

TYPE = "application/problem+json"
LOG = logging.getLogger("django.request")
#: What the place of a fault has of the description of bodies, not of what was sent.
_OF_BODIES = ("body", "sent", "game", "games", "newcomer", "newcomers")
#: The schema of a problem document, for the description of the API.
SCHEMA = {
    "title": "Problem",
    "type": "object",
    "properties": {
        "type": {
            "type": "string",
            "enum": [problem_types.uri(word) for word in problem_types.TYPES],
            "description": "The kind of problem, for programs",
        },
        "title": {"type": "string", "description": "What the HTTP status is called"},
        "status": {"type": "integer", "description": "The HTTP status"},
        "detail": {"type": "string", "description": "What is wrong, for people"},
        "instance": {"type": "string", "description": "The address that was asked"},
        "kept": {"type": "string", "description": "Of a merged player: the id that is kept"},
        "errors": {
            "type": "array",
            "description": "Everything that is wrong with what was asked or sent",
            "items": {
                "type": "object",
                "properties": {
                    "where": {"type": "string", "description": "The field; `2.komi`: of the third game sent"},
                    "message": {"type": "string", "description": "What is wrong, and what would be right"},
                    "code": {"type": "string", "description": "What is wrong, for programs"},
                },
                "required": ["where", "message", "code"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "instance"],
}
#: The kind of a problem of which only the status is known.
_OF_STATUS = {
    400: "unreadable", 401: "no-key", 403: "no-right", 404: "unknown-address", 405: "wrong-method",
    409: "conflict", 413: "too-large", 422: "invalid", 429: "too-many", 500: "failed", 503: "busy",
}  # fmt: skip


class ProblemError(HttpError):
    """A problem of a kind of `problem_types`; `detail` says more than the kind does."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(problem_types.TYPES[kind].status, detail)
        self.kind = kind


class KeptElsewhereError(Exception):
    """The player was put together with another, under the id that is kept."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept


def problem(request: HttpRequest, kind: str, detail: str = "", **more: Any) -> HttpResponse:
    """A problem document of a kind of `problem_types`; `detail` says more than the kind does."""
    document = problem_types.document(kind, request.path, detail)
    return JsonResponse(document | more, status=document["status"], content_type=TYPE)


def add_problem_handlers(api: NinjaAPI) -> None:
    """Have every failure of the API answered with a problem document."""
    api.add_exception_handler(Http404, lambda request, _: problem(request, "unknown-address"))
    api.add_exception_handler(KeptElsewhereError, _merged)
    api.add_exception_handler(HttpError, _refused)
    api.add_exception_handler(ValidationError, _invalid)
    for error in (BadRequest, SuspiciousOperation, MultiPartParserError):
        api.add_exception_handler(error, lambda request, _: problem(request, "unreadable"))
    api.add_exception_handler(RequestDataTooBig, lambda request, _: problem(request, "too-large"))
    api.add_exception_handler(MissingBookError, _no_book)
    api.add_exception_handler(SpoiledRulesError, _spoiled)
    api.add_exception_handler(Exception, _failed)


def _merged(request: HttpRequest, error: Any) -> HttpResponse:
    """The same question of the player who is kept."""
    at, asked = request.resolver_match, request.META.get("QUERY_STRING", "")
    address = reverse(at.view_name, kwargs=at.kwargs | {"player": error.kept}) if at else ""
    answer = problem(request, "merged-player", kept=error.kept)
    answer["Location"] = f"{address}?{asked}" if asked else address
    return answer


def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    detail = "" if error.message in {"Unauthorized", "Forbidden", "Too many requests."} else error.message
    kind = error.kind if isinstance(error, ProblemError) else _OF_STATUS[error.status_code]
    if kind == "no-key" and "Authorization" in request.headers:
        kind = "wrong-key"
    answer = problem(request, kind, detail)
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = "Bearer"
    if error.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        answer["Retry-After"] = str(AGAIN)
    elif isinstance(error, Throttled) and error.wait:
        answer["Retry-After"] = str(ceil(error.wait))
    return answer


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """Which parameters are wrong and how; never what they were."""
    errors = [
        {"where": _where(found["loc"]), "message": str(found["msg"]), "code": str(found["type"])}
        for found in error.errors
    ]
    return problem(request, "invalid", errors=errors)


def _where(place: Sequence[str | int]) -> str:
    """The field of a question; in a body the number of what was sent, from 0, and the field of it."""
    if place[0] != "body":
        return ".".join(map(str, place))
    words = [str(part) for part in place if part not in _OF_BODIES]
    return ".".join(words if words and words[0].isdecimal() else ["0", *words])


def _no_book(request: HttpRequest, error: Any) -> HttpResponse:
    """A rule book is not installed: whoever runs the office has to install it."""
    return problem(request, "no-rule-book", fault_text(error.faults[0], "en"))


def _spoiled(request: HttpRequest, error: Any) -> HttpResponse:
    """The pool's rules in the database are none any more; the log says what is wrong."""
    LOG.error(error.said)
    return problem(request, "spoiled-rules")


def _failed(request: HttpRequest, error: Any) -> HttpResponse:
    why = outage_of(error)
    if why is Outage.BUSY:
        wait_no_more()
    answer = problem(request, why or "failed", why.said if why else "")
    if why:
        answer["Retry-After"] = str(AGAIN)
    log_response(
        "%s: %s", answer.reason_phrase, request.path, response=answer, request=request, exception=error
    )
    return answer
