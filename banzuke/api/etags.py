"""How an answer leaves: with a tag by which the same question is answered with "unchanged"."""

from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

from banzuke.api.problems import problem
from banzuke.database.models import RatingList
from banzuke.office.pages.list_files import tag


def tag_of(content: bytes) -> str:
    """The tag of an answer with that content, as it stands in `ETag`."""
    return f'"{sha256(content).hexdigest()}"'


def not_modified(request: HttpRequest, published: RatingList) -> HttpResponse | None:
    """The answer to a program that has the list already; None: it does not have it.

    The tag is the list's SHA-256, with that of the ids of those who are shown by id only, if there are any.
    """
    request.api_tag = f'"{tag(published, "json", "en")}"'  # type: ignore[attr-defined]
    found = _unchanged(request, request.api_tag)  # type: ignore[attr-defined]
    return None if found is None else HttpResponse(status=304)


def _unchanged(request: HttpRequest, etag: str, response: HttpResponse | None = None) -> HttpResponse | None:
    """The answer 304, if it is the right one.

    `If-Match` and `If-Unmodified-Since` are for changes, and count for nothing where one only reads.
    """
    found = get_conditional_response(request, etag=etag, response=response)
    return found if found is not None and found.status_code == 304 else None  # noqa: PLR2004


def with_etag(view: Callable[..., Any]) -> Callable[..., HttpResponse]:
    """A view whose answers have a tag, and may be kept if they are asked after each time."""

    @wraps(view)
    def get(request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        response: HttpResponse = view(request, *args, **words)
        if response.status_code == 405:  # noqa: PLR2004
            allowed = response["Allow"].replace("GET", "GET, HEAD")
            response = problem(request, "wrong-method")
            response["Allow"] = allowed
        patch_vary_headers(response, ("Authorization", "Accept-Language"))
        is_kept = request.method == "GET" and not response.streaming
        response["Cache-Control"] = "no-cache" if is_kept else "no-store"
        if not is_kept or response.status_code not in {200, 304}:
            return response
        etag = getattr(request, "api_tag", None) or tag_of(response.content)
        response["ETag"] = etag
        return _unchanged(request, etag, response) or response

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        if request.method != "HEAD":
            return get(request, *args, **words)
        request.method = "GET"
        response = get(request, *args, **words)
        request.method = "HEAD"
        if response.streaming:
            return HttpResponse(status=response.status_code, headers=response.headers)
        if response.content:
            response["Content-Length"] = str(len(response.content))
        response.content = b""
        return response

    return answer
