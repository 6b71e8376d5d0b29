"""Sessions where the database cannot be written to: it is said as such, and pages are read all the same."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from banzuke.database.outages import outage_of

READING = ("GET", "HEAD")


class SessionStore(db.SessionStore):
    """Django's, with an error of its own only where the session is gone. Its name is in what it signs."""

    def save(self, must_create: bool = False) -> None:
        """Store the session. Raises UpdateError where it is gone, Error where nothing can be written."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if error.__context__ is not None and outage_of(error.__context__):
                raise error.__context__ from error.__context__.__cause__
            raise


class OfficeSessionMiddleware(SessionMiddleware):
    """Django's, which answers who only reads even where the session cannot be stored."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The answer, with the session's cookie where it is stored. Raises Error for what was to be done."""
        try:
            return super().process_response(request, response)
        except Error as error:
            if request.method not in READING or outage_of(error) is None:
                raise
            patch_vary_headers(response, ("Cookie",))
            return response
