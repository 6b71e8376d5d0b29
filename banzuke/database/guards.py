"""Whether the database still refuses to change the book: its triggers, and who could take them away."""

from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection

from banzuke.database import queue_trigger
from banzuke.database.append_only import BODY, CLOSED, FUNCTION, triggers_of

#: What PostgreSQL says of a trigger before any UPDATE, DELETE and TRUNCATE, for a statement, always (`A`).
STAYS = (58, "A", FUNCTION, BODY, True, False)
_POSTGRESQL_TRIGGERS = """
SELECT relname, tgname, tgtype, tgenabled::text, proname, btrim(prosrc), tgqual IS NULL, tgattr::text <> ''
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""
#: Without the rule that makes a view.
_POSTGRESQL_RULES = """
SELECT relname, rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
WHERE relnamespace = current_schema()::regnamespace AND (rulename <> '_RETURN' OR relname LIKE 'book\\_%')
UNION SELECT relname, polname FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
WHERE relnamespace = current_schema()::regnamespace
"""
#: Whether a role owns the tables, the schema or the database, may become who does, or may make itself so.
_POSTGRESQL_OWNER = """
WITH asked AS (SELECT oid, rolcreaterole FROM pg_roles WHERE rolname = COALESCE(%s, current_user)),
owners AS (
    SELECT relowner AS owner FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname LIKE 'book\\_%%'
    UNION SELECT nspowner FROM pg_namespace WHERE nspname = current_schema()
    UNION SELECT datdba FROM pg_database WHERE datname = current_database()
    UNION SELECT oid FROM pg_roles
    WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files')
)
SELECT bool_or(rolcreaterole OR pg_has_role(asked.oid, owner, 'MEMBER')) FROM asked, owners
"""


class Gap(NamedTuple):
    """A table that is not closed: `kind` is missing, changed or foreign; `trigger` its name."""

    table: str
    trigger: str
    kind: str


def gaps() -> list[Gap]:
    """Every trigger that is not there or not as it should be, and every other of whatever table."""
    is_postgresql = connection.vendor == "postgresql"
    there = _triggers_of_postgresql() if is_postgresql else _triggers_of_sqlite()
    wanted = {
        (f"book_{table}", name): STAYS if is_postgresql else statement
        for table in CLOSED
        for name, statement in triggers_of(table, connection.vendor).items()
    }
    rules = _rows(_POSTGRESQL_RULES) if is_postgresql else []
    ours = wanted | {(queue_trigger.TABLE, queue_trigger.TRIGGER): queue_trigger.WAKES}
    others = [
        *(place for place, how in there.items() if place not in wanted and how != ours.get(place)),
        *rules,
    ]
    found = [Gap(*place, "missing") for place in wanted if place not in there]
    found += [Gap(*place, "changed") for place, how in wanted.items() if there.get(place, how) != how]
    # SQLite has but one trigger of a name: one of ours that went with a table renamed is said to be missing.
    moved = set() if is_postgresql else {name for _, name in wanted}
    found += [Gap(table, name, "foreign") for table, name in others if name not in moved]
    return sorted(found)


def missing_columns() -> dict[str, list[str]]:
    """The columns that the office needs and does not find, by table; of a table that is not there, all."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        found = {}
        for model in apps.get_app_config("book").get_models():
            table = model._meta.db_table  # noqa: SLF001 (Django's name for what a model says of itself)
            columns = {field.column or "" for field in model._meta.concrete_fields}  # noqa: SLF001
            if table in tables:
                # Django's description of a table reads on SQLite the statement that made it: 10 ms for each.
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608 (our own names)
                columns -= {name for name, *_ in cursor.description}
            if columns:
                found[table] = sorted(columns)
    return found


def can_be_taken_away(role: str | None = None) -> bool:
    """Whether a role of PostgreSQL (None: the office's own) could take the triggers away."""
    with connection.cursor() as cursor:
        cursor.execute(_POSTGRESQL_OWNER, [role])
        return bool(cursor.fetchone()[0])


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def _triggers_of_sqlite() -> dict[tuple[str, str], Any]:
    """The triggers by table and name, each with the statement that made it; names are kept as typed."""
    rows = _rows("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
    return {(table.lower(), name.lower()): statement for table, name, statement in rows}


def _triggers_of_postgresql() -> dict[tuple[str, str], Any]:
    """The triggers by table and name, each with what `STAYS` says of one that is as it should be."""
    return {(table, name): tuple(how) for table, name, *how in _rows(_POSTGRESQL_TRIGGERS)}
