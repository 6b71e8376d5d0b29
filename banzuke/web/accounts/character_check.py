"""Requests with signs that no text has: refused at the door, as no database takes them.

A NUL, or half of a surrogate pair, stands in nothing that is typed; PostgreSQL has no room for either. The
API's questions say by themselves which signs they take.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.core.exceptions import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest, HttpResponseBase

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
API = "/api/"


class SoundMiddleware:
    """Refuses what is no text: in the address and cookies at once, in a form when its view is found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer. Raises BadRequest."""
        _check(request.COOKIES.values())
        if not request.path.startswith(API):
            _check((request.path, *(each for _, values in request.GET.lists() for each in values)))
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Look at what was sent, now that it is known to come from a page of ours. Raises BadRequest."""
        if request.method == "POST" and not request.path.startswith(API):
            _check(each for _, values in request.POST.lists() for each in values)


def _check(texts: Iterable[Any]) -> None:
    if any(_NO_TEXT.search(text) for text in texts):
        raise BadRequest
