"""The database refuses to change or take out a row of the book, whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.db import migrations

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLES = (
    *("pool", "entry", "poolfile", "player", "club", "membership", "event", "game", "opening", "strike"),
    *("goplayer", "gogame", "declaration", "goopening"),
)
ACTS = ("UPDATE", "DELETE")
REFUSAL = "the book is append-only"
POSTGRESQL = f"""
CREATE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{REFUSAL}: %', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation'; END $$
"""


def _add(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(POSTGRESQL, params=None)
        for table in TABLES:
            editor.execute(
                f"CREATE TRIGGER book_{table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON book_{table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION book_refuse()"
            )
        return
    for table in TABLES:
        for act in ACTS:
            editor.execute(
                f"CREATE TRIGGER book_{table}_no_{act.lower()} BEFORE {act} ON book_{table} "
                f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: book_{table}'); END"
            )


def _drop(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP FUNCTION book_refuse() CASCADE")
        return
    for table in TABLES:
        for act in ACTS:
            editor.execute(f"DROP TRIGGER book_{table}_no_{act.lower()}")


class Migration(migrations.Migration):
    """Triggers on every table of the book."""

    dependencies: ClassVar = [("book", "0001_initial")]
    operations: ClassVar = [migrations.RunPython(_add, _drop)]
