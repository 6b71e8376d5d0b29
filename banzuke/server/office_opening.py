"""Opening the office: Django set up, its folder made, its database brought up to date."""

import os

from banzuke.server.office_folder import keep_private, make_home


class ClosedError(Exception):
    """The office's database cannot be opened; the text says why."""


def open_office() -> None:
    """Make the database usable; on the first call it is made. Raises ClosedError where it cannot be.

    Raises RefusedError for settings by which no office can be opened. What the process writes from now on
    is for its owner only.
    """
    import django
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import Error

    keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    try:
        django.setup()
        make_home(settings.HOME)
        call_command("migrate", verbosity=0, interactive=False)
    except (Error, ImproperlyConfigured, ValueError, OSError) as error:
        raise ClosedError(str(error).strip().partition("\n")[0]) from None
