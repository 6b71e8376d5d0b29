"""The pool of an entry or a fact has no index of its own: each table has one that begins with the pool.

One index less is kept with every row, and PostgreSQL cannot choose it where it would read the whole pool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import django.db.models.deletion
from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES = (
    "adjustment", "bye", "club", "contact", "declaration", "entry", "event", "game", "gogame", "goopening",
    "goplayer", "gorobot", "govoid", "membership", "merge", "opening", "player", "seed",
)  # fmt: skip
#: An index of the pool for some rows alone.
KEPT = "contact_by_id_only"


def drop_indexes(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the indexes of the pool alone: altering the columns would write SQLite's tables anew."""
    connection = schema_editor.connection
    for table in TABLES:
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, f"book_{table}")
        for name, about in found.items():
            if about["index"] and about["columns"] == ["pool_id"] and not about["unique"] and name != KEPT:
                schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def _without_index(table: str) -> migrations.AlterField:
    name = "entries" if table == "entry" else "+"
    protect = django.db.models.deletion.PROTECT
    return migrations.AlterField(
        table, "pool", models.ForeignKey("book.pool", protect, related_name=name, db_index=False)
    )


class Migration(migrations.Migration):
    """Indexes; no column changes."""

    dependencies: ClassVar = [("book", "0036_former_ids")]
    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop_indexes, migrations.RunPython.noop)],
            state_operations=[_without_index(table) for table in TABLES],
        ),
        migrations.AddIndex("club", models.Index(fields=["pool"], name="clubs_of_pool")),
        migrations.AddIndex("merge", models.Index(fields=["pool", "merged"], name="merges_of_pool")),
    ]
