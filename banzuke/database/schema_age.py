"""How old the tables are: whether this version must bring them up to date, or a newer one has had them."""

from pkgutil import iter_modules

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from banzuke.database import migrations
from banzuke.database.apps import BookConfig


def newer_migrations() -> list[str]:
    """The migrations of the office's tables that the database has had and this version does not know."""
    known = {module.name for module in iter_modules(migrations.__path__)}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(name for app, name in applied if app == BookConfig.label and name not in known)


def needs_migrating() -> bool:
    """Whether migrations that this version knows, of whichever app, are still to be applied."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
