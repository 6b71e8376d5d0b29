"""What went wrong, as a problem document (RFC 9457)."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse
from django.utils.log import log_response
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.outages import Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.words import fault_text

TYPE = "application/problem+json"
#: Seconds after which what the office could not do may be tried again.
AGAIN = 5
LOG = logging.getLogger("django.request")
#: What the place of a fault has of the description of bodies, not of what was sent.
_OF_BODIES = ("body", "sent", "game", "games")
#: The schema of a problem document, for the description of the API.
SCHEMA = {
    "title": "Problem",
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "kept": {"type": "string"},
        "errors": {
            "type": "array",
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
#: How questions may fail.
ANSWERS = {
    307: "The player was put together with another: `Location` is the address of the one who is kept.",
    400: "The request cannot be read.",
    401: "The key is missing, or it does not hold (any more).",
    403: "The key does not have the scope that this needs.",
    404: "There is no such thing.",
    405: "This cannot be done here.",
    409: "The office has something else under this id, or it comes too late; `errors` says which.",
    413: "The request is too large.",
    422: "A parameter is not as it should be; `errors` says which.",
    429: "Too many requests; `Retry-After` says for how many seconds to wait.",
    503: "The office cannot read or write just now, or is too busy; nothing was taken. See `Retry-After`.",
}


class KeptElsewhereError(Exception):
    """The player was put together with another, under the id that is kept."""

    def __init__(self, kept: str) -> None:
        super().__init__(kept)
        self.kept = kept


def problem(request: HttpRequest, status: int, detail: str = "", **more: Any) -> HttpResponse:
    """A problem document; `detail` says more than the status does."""
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or ANSWERS.get(status, HTTPStatus(status).description),
        "instance": request.path,
    }
    return JsonResponse(document | more, status=status, content_type=TYPE)


def add_problem_handlers(api: NinjaAPI) -> None:
    """Have every failure of the API answered with a problem document."""
    api.add_exception_handler(Http404, lambda request, _: problem(request, 404))
    api.add_exception_handler(KeptElsewhereError, _merged)
    api.add_exception_handler(HttpError, _refused)
    api.add_exception_handler(ValidationError, _invalid)
    for error in (BadRequest, SuspiciousOperation, MultiPartParserError):
        api.add_exception_handler(error, lambda request, _: problem(request, 400))
    api.add_exception_handler(RequestDataTooBig, lambda request, _: problem(request, 413))
    api.add_exception_handler(MissingBookError, _no_book)
    api.add_exception_handler(SpoiledRulesError, _spoiled)
    api.add_exception_handler(Exception, _failed)


def _merged(request: HttpRequest, error: Any) -> HttpResponse:
    """The same question of the player who is kept."""
    at, asked = request.resolver_match, request.META.get("QUERY_STRING", "")
    address = reverse(at.view_name, kwargs=at.kwargs | {"player": error.kept}) if at else ""
    answer = problem(request, 307, kept=error.kept)
    answer["Location"] = f"{address}?{asked}" if asked else address
    return answer


def _refused(request: HttpRequest, error: Any) -> HttpResponse:
    detail = "" if error.message in {"Unauthorized", "Forbidden", "Too many requests."} else error.message
    answer = problem(request, error.status_code, detail)
    if error.status_code == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = "Bearer"
    if error.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        answer["Retry-After"] = str(AGAIN)
    return answer


def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """Which parameters are wrong and how; never what they were."""
    errors = [
        {"where": _where(found["loc"]), "message": str(found["msg"]), "code": str(found["type"])}
        for found in error.errors
    ]
    return problem(request, 422, errors=errors)


def _where(place: Sequence[str | int]) -> str:
    """The field of a question; in a body the number of what was sent, from 0, and the field of it."""
    if place[0] != "body":
        return ".".join(map(str, place))
    words = [str(part) for part in place if part not in _OF_BODIES]
    return ".".join(words if words and words[0].isdecimal() else ["0", *words])


def _no_book(request: HttpRequest, error: Any) -> HttpResponse:
    """A rule book is not installed: whoever runs the office has to install it."""
    return problem(request, 503, fault_text(error.faults[0], "en"))


def _spoiled(request: HttpRequest, error: Any) -> HttpResponse:
    """The pool's rules in the database are none any more; the log says what is wrong."""
    LOG.error(error.said)
    return problem(request, 503, "The rules of this pool in the office's database cannot be used.")


def _failed(request: HttpRequest, error: Any) -> HttpResponse:
    why = outage_of(error)
    if why is Outage.BUSY:
        wait_no_more()
    answer = problem(request, 503 if why else 500, why.said if why else "")
    if why:
        answer["Retry-After"] = str(AGAIN)
    log_response(
        "%s: %s", answer.reason_phrase, request.path, response=answer, request=request, exception=error
    )
    return answer
