"""The office for a WSGI server."""

import gc
import os
import signal
from collections.abc import Iterable
from multiprocessing import parent_process
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from banzuke.server.office_folder import keep_private
from banzuke.server.processes import end_with_parent

#: After so many new objects it is looked whether some are of no more use: a batch of games makes thousands.
OBJECTS = 50_000
keep_private()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
_pages = get_wsgi_application()
from banzuke.api.live import fast_path  # noqa: E402  # models can be imported once Django is set up

get_resolver().url_patterns  # noqa: B018  # loads the pages now, not when the first visitor waits


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request."""
    plain = fast_path.answer(environ)
    if plain is None:
        return _pages(environ, start_response)
    start_response("200 OK", [*fast_path.HEADERS, ("Content-Length", str(len(plain)))])
    return [plain]


def make_worker_application() -> WSGIApplication:
    """The same for a server whose processes end with it, at once, as nobody is left to wait for them."""
    server = parent_process()
    if server is not None and server.pid is not None:
        end_with_parent(server.pid, signal.SIGKILL)
    gc.freeze()  # what is loaded stays, and is not looked through again
    gc.set_threshold(OBJECTS)
    return application
