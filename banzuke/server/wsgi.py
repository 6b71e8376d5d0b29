"""The office for a WSGI server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
application = get_wsgi_application()
