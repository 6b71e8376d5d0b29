"""Whether a newer version of Banzuke has had the database: then this one must not work in it."""

from pkgutil import iter_modules

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from banzuke.database import migrations
from banzuke.database.apps import BookConfig


def newer_migrations() -> list[str]:
    """The migrations of the office's tables that the database has had and this version does not know."""
    known = {module.name for module in iter_modules(migrations.__path__)}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(name for app, name in applied if app == BookConfig.label and name not in known)
