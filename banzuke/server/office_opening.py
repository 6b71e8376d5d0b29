"""Opening the office: Django set up, its folder made, its database brought up to date."""

import os

from banzuke.server.environment import SQLITE
from banzuke.server.office_folder import keep_private, make_files_private, make_home


class ClosedError(Exception):
    """The office's database cannot be opened; the text says why.

    `code`: what is the matter. `closed`: the database cannot be opened; `forbidden`: the office's role may
    not bring it up to date, its owner must; `newer`: a newer version has brought it up to date already.
    """

    def __init__(self, reason: str, code: str = "closed") -> None:
        super().__init__(reason)
        self.code = code


def open_office(*, has_folder: bool = True) -> None:
    """Make the database usable; on the first call it is made. Raises ClosedError where it cannot be.

    Raises RefusedError for settings by which no office can be opened. What the process writes from now on
    is for its owner only. Without `has_folder` the office's folder is not touched.
    """
    import django
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.db import Error

    keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    try:
        django.setup()
        database = settings.DATABASES["default"]
        if has_folder:
            make_home(settings.HOME)
            make_files_private(settings.HOME, database["NAME"] if database["ENGINE"] == SQLITE else None)
        _bring_up_to_date()
    except (Error, ImproperlyConfigured, ValueError, OSError) as error:
        raise ClosedError(_reason(error), "forbidden" if _is_forbidden(error) else "closed") from None


def _bring_up_to_date() -> None:
    from django.core.management import call_command

    from banzuke.database.schema_age import needs_migrating, newer_migrations

    newer = newer_migrations()
    if newer:
        raise ClosedError(", ".join(newer), "newer")
    if needs_migrating():  # Django's command takes a tenth of a second to find that it has nothing to do
        call_command("migrate", verbosity=0, interactive=False)


def _reason(error: Exception) -> str:
    """The database's own words, where Django puts them in brackets of its own and they go on for lines."""
    from django.db.migrations.exceptions import MigrationSchemaMissing

    told = error.__context__ or error if isinstance(error, MigrationSchemaMissing) else error
    return str(told).strip().partition("\n")[0]


def _is_forbidden(error: Exception) -> bool:
    """Whether the database would not let the office's role bring it up to date."""
    from django.db import Error

    from banzuke.database.roles import is_forbidden

    return isinstance(error, Error) and is_forbidden(error)
