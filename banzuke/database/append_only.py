"""Tables whose rows the database refuses to change or take out, whoever asks."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ACTS = ("UPDATE", "DELETE")
REFUSAL = "the book is append-only"
POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
RAISE EXCEPTION '{REFUSAL}: %', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only(*names: str) -> migrations.RunPython:
    """The migration's operation that closes these tables of the book (names as `entry`, `ratinglist`)."""

    def close(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(POSTGRESQL, params=None)
        for table in names:
            for statement in _triggers(table, editor.connection.vendor):
                editor.execute(statement)

    def reopen(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in names:
            if editor.connection.vendor == "postgresql":
                editor.execute(f"DROP TRIGGER book_{table}_stays ON book_{table}")
            else:
                for act in ACTS:
                    editor.execute(f"DROP TRIGGER book_{table}_no_{act.lower()}")

    return migrations.RunPython(close, reopen)


def _triggers(table: str, vendor: str) -> list[str]:
    if vendor == "postgresql":
        acts = " OR ".join((*ACTS, "TRUNCATE"))
        when = f"BEFORE {acts} ON book_{table} FOR EACH STATEMENT"
        return [f"CREATE TRIGGER book_{table}_stays {when} EXECUTE FUNCTION book_refuse()"]
    return [
        f"CREATE TRIGGER book_{table}_no_{act.lower()} BEFORE {act} ON book_{table} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: book_{table}'); END"
        for act in ACTS
    ]
