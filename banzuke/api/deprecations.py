"""What of the API and of the data files is on its way out: it is all listed here, and each answer says so.

An answer at such an address has `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to what is said
of it. What is listed stays for `LEAST` after it was deprecated: docs/api.md and the page Data promise it.
"""

import re
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import http_date

#: So many years an address or a field stays after it was deprecated.
LEAST = 2


class Deprecation(NamedTuple):
    """An address that goes, as a pattern of the whole path: since when, until when, and what is in its place.

    For a field of an answer, `path` is that of the answers that have it, and `instead` names the field.
    """

    path: re.Pattern[str]
    since: date
    until: date
    instead: str


#: What is deprecated now.
DEPRECATED: tuple[Deprecation, ...] = ()


def deprecation_of(path: str) -> Deprecation | None:
    """What goes at that path; None: nothing does."""
    return next((each for each in DEPRECATED if each.path.fullmatch(path)), None)


class DeprecationMiddleware(MiddlewareMixin):
    """Says in each answer what is on its way out."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers to an answer of an address that goes."""
        found = deprecation_of(request.path)
        if found is not None:
            about = request.build_absolute_uri(reverse("document", kwargs={"name": "api"}))
            links = [response["Link"]] if response.has_header("Link") else []
            response["Deprecation"] = f"@{_moment(found.since)}"
            response["Sunset"] = http_date(_moment(found.until))
            response["Link"] = ", ".join([*links, f'<{about}>; rel="deprecation"; type="text/html"'])
        return response


def _moment(day: date) -> int:
    """A day's first second, as Unix counts them."""
    return int(datetime.combine(day, time(), UTC).timestamp())
