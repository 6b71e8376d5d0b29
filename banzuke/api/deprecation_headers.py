"""Each answer at an address that is on its way out says so.

It has `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a `Link` to what is said of it.
"""

from datetime import UTC, date, datetime, time

from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import http_date

from banzuke.office.administration.deprecations import deprecation_of


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
