"""The office for a WSGI server, and behind its gate for the server that it brings along."""

import asyncio
import os
import signal
from collections.abc import Iterable
from http import HTTPStatus
from multiprocessing import parent_process
from wsgiref.types import StartResponse, WSGIEnvironment

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from banzuke.database.outages import BusyError
from banzuke.server.log_format import print_places_only
from banzuke.server.office_folder import keep_private
from banzuke.server.processes import end_with_parent
from banzuke.server.request_process import prepare_for_requests

keep_private()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
_pages = get_wsgi_application()
from banzuke.api.live import fast_path  # noqa: E402  # models can be imported once Django is set up
from banzuke.server.gate.gate import Gate  # noqa: E402
from banzuke.server.gate.turned_away import answer_to, busy  # noqa: E402

get_resolver().url_patterns  # noqa: B018  # loads the pages now, not when the first visitor waits


def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer a request."""
    try:
        plain = fast_path.answer(environ)
    except BusyError:
        turned_away = answer_to(busy(), environ["PATH_INFO"])
        start_response(f"{turned_away.status} {HTTPStatus(turned_away.status).phrase}", turned_away.headers)
        return [turned_away.body]
    if plain is None:
        return _pages(environ, start_response)
    start_response(plain.status, [*plain.headers, ("Content-Length", str(len(plain.body)))])
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [plain.body]


class _ServedGate(Gate):
    """The gate in a process of the server."""

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start. asyncio hears of a signal by its wake-up file, and tells the server, whoever else does."""
        super().__rsgi_init__(loop)
        signal.signal(signal.SIGTERM, lambda *_: self.end_streams())


def make_worker_application() -> Gate:
    """The same behind the gate, in a process that ends with its server: at once, as nobody waits for it."""
    print_places_only()
    server = parent_process()
    if server is not None and server.pid is not None:
        end_with_parent(server.pid, signal.SIGKILL)
    prepare_for_requests()
    return _ServedGate(application)
