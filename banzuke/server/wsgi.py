"""The office for a WSGI server."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018  # loads the pages now, not when the first visitor waits
