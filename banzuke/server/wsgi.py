"""The office for a WSGI server."""

from __future__ import annotations

import gc
import os
import signal
from multiprocessing import parent_process
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from banzuke.server.parent import end_with_parent

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
#: A Go server's games go past what only pages need (sessions, languages, policies for browsers): a tenth of
#: the time that a single game takes.
GAMES_MIDDLEWARE = [
    "banzuke.web.accounts.forwarded.ForwardedMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.common.CommonMiddleware",
]


def _handler(middleware: list[str]) -> WSGIHandler:
    """Django's handler with other middleware than the settings say, where it reads it once."""
    whole = settings.MIDDLEWARE
    settings.MIDDLEWARE = middleware
    try:
        return WSGIHandler()
    finally:
        settings.MIDDLEWARE = whole


_pages = get_wsgi_application()
_games = _handler(GAMES_MIDDLEWARE)
get_resolver().url_patterns  # noqa: B018  # loads the pages now, not when the first visitor waits


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request."""
    path: str = environ["PATH_INFO"]
    is_games = environ["REQUEST_METHOD"] == "POST" and path.startswith("/api/") and path.endswith("/games")
    return (_games if is_games else _pages)(environ, start_response)


def of_a_server() -> WSGIApplication:
    """The same for a server whose processes end with it, at once, as nobody is left to wait for them."""
    server = parent_process()
    if server is not None and server.pid is not None:
        end_with_parent(server.pid, signal.SIGKILL)
    gc.freeze()  # what is loaded stays, and is not looked through again
    return application
