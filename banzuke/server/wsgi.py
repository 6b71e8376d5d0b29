"""The office for a WSGI server."""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from banzuke.server.parent import end_with_parent

if TYPE_CHECKING:
    from django.core.handlers.wsgi import WSGIHandler

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018  # loads the pages now, not when the first visitor waits


def of_a_server() -> WSGIHandler:
    """The same for a server whose processes end with it, at once, as nobody is left to wait for them."""
    server = parent_process()
    if server is not None and server.pid is not None:
        end_with_parent(server.pid, signal.SIGKILL)
    return application
