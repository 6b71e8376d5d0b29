"""How the terminal shows an error: its place and its kind, never its text or a secret address.

The text of an error may repeat a row of the database, with a birth date in it. Whoever knows the address of
an objection's page can read it.
"""

import logging
import re
import sys
import threading
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


def print_places_only() -> None:
    """From now on an error that ends this process or a thread, or that nobody caught, is shown so, too."""
    sys.excepthook = lambda kind, error, place: _print((kind, error, place))
    sys.unraisablehook = lambda error: _print((error.exc_type, error.exc_value, error.exc_traceback))
    threading.excepthook = lambda error: _print((error.exc_type, error.exc_value, error.exc_traceback))


def _print(error: tuple[type[BaseException] | None, Any, TracebackType | None]) -> None:
    if error[0] is not SystemExit:
        sys.stderr.write(f"{PlaceOnly().formatException(error)}\n")


#: Django's settings of it: what the office says and faults of requests go to stderr, and what is amiss
#: elsewhere; nothing that the reader of documents does, or that any stranger's request can cause.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"place": {"()": PlaceOnly, "format": "%(asctime)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "place", "level": "WARNING"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},
        "markdown_it": {"level": "WARNING"},
    },
}
