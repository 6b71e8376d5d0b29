"""Opening the office: Django set up, its folder made, its database brought up to date."""

import os

from banzuke.server.office_folder import keep_private, make_home


class ClosedError(Exception):
    """The office's database cannot be opened; the text says why.

    `is_forbidden`: the office's role may not bring it up to date, its owner must.
    """

    def __init__(self, reason: str, *, is_forbidden: bool = False) -> None:
        super().__init__(reason)
        self.is_forbidden = is_forbidden


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
        reason = str(error).strip().partition("\n")[0]
        raise ClosedError(reason, is_forbidden=_is_forbidden(error)) from None


def _is_forbidden(error: Exception) -> bool:
    """Whether the database would not let the office's role bring it up to date."""
    from django.db import Error

    from banzuke.database.roles import is_forbidden

    return isinstance(error, Error) and is_forbidden(error)
