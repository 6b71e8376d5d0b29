"""How the terminal shows an error: its place and its kind, never its text or a secret address.

The text of an error may repeat a row of the database, with a birth date in it. Whoever knows the address of
an objection's page can read it.
"""

import logging
import re
import traceback
from types import TracebackType
from typing import Any

#: The secret part of an address.
_SECRET = re.compile(r"(?<=/objections/)[^/\s]+")


class PlaceOnly(logging.Formatter):
    """A line for the request, then the places in the program and the kind of error."""

    def format(self, record: logging.LogRecord) -> str:
        """The line without what is secret of an address."""
        return _SECRET.sub("…", super().format(record))

    def formatException(  # noqa: N802  # logging's name
        self, ei: tuple[type[BaseException] | None, Any, TracebackType | None]
    ) -> str:
        """The places, and the error's kind without its text."""
        kind, _, place = ei
        return "".join(traceback.format_tb(place)) + (kind.__name__ if kind else "")


#: Django's settings of it: what the office says and faults of requests go to stderr, nothing that the reader
#: of documents does.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"place": {"()": PlaceOnly, "format": "%(asctime)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "place"}},
    "loggers": {
        "banzuke": {"handlers": ["stderr"]},
        "django.request": {"handlers": ["stderr"], "level": "ERROR"},
        "markdown_it": {"level": "WARNING"},
    },
}
