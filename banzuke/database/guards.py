"""Whether the database still refuses to change the book: its triggers, and who could take them away."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection

from banzuke.database.append_only import BODY, CLOSED, FUNCTION, triggers_of

#: What PostgreSQL says of a trigger before any UPDATE, DELETE and TRUNCATE, for a statement, always (`A`).
STAYS = (58, "A", FUNCTION, BODY, True, False)
_POSTGRESQL_TRIGGERS = """
SELECT relname, tgname, tgtype, tgenabled::text, proname, btrim(prosrc), tgqual IS NULL, tgattr::text <> ''
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
"""
_POSTGRESQL_RULES = """
SELECT relname, rulename FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
WHERE relnamespace = current_schema()::regnamespace
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
    """A table that is not closed: `kind` is missing, changed or foreign; `trigger` what that is said of."""

    table: str
    trigger: str
    kind: str


def gaps() -> list[Gap]:
    """Every trigger that is not there or not as it should be, and every other that may stand in its way."""
    found = _on_postgresql() if connection.vendor == "postgresql" else _on_sqlite()
    return sorted(set(found))


def missing_columns() -> dict[str, list[str]]:
    """The columns that the office needs and does not find, by table; of a table that is not there, all."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        found = {}
        for model in apps.get_app_config("book").get_models():
            table = model._meta.db_table  # noqa: SLF001 (Django's name for what a model says of itself)
            columns = {field.column or "" for field in model._meta.concrete_fields}  # noqa: SLF001
            if table in tables:
                columns -= {
                    each.name for each in connection.introspection.get_table_description(cursor, table)
                }
            if columns:
                found[table] = sorted(columns)
    return found


def has_roles() -> bool:
    """Whether the database knows who asks; a file of SQLite does not."""
    return connection.vendor == "postgresql"


def can_be_taken_away(role: str | None = None) -> bool:
    """Whether a role in the database (None: the office's own) could take the triggers away."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(_POSTGRESQL_OWNER, [role])
        return bool(cursor.fetchone()[0])


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def _on_sqlite() -> Iterator[Gap]:
    rows = _rows("SELECT name, tbl_name, type, sql FROM sqlite_master")
    tables = {name for name, _, kind, _ in rows if kind == "table"}
    there = {(table, name): sql for name, table, kind, sql in rows if kind == "trigger"}
    for table in CLOSED:
        wanted = triggers_of(table, "sqlite")
        yield from _compare(f"book_{table}", wanted, there)
        if f"book_{table}" not in tables:
            yield Gap(f"book_{table}", f"book_{table}", "missing")
    named = {f"book_{table}" for table in CLOSED}
    known = {name for table in CLOSED for name in triggers_of(table, "sqlite")}
    yield from (Gap(table, name, "foreign") for table, name in there if table in named and name not in known)


def _on_postgresql() -> Iterator[Gap]:
    there = {(table, name): tuple(how) for table, name, *how in _rows(_POSTGRESQL_TRIGGERS)}
    named = {f"book_{table}" for table in CLOSED}
    for table in CLOSED:
        yield from _compare(f"book_{table}", dict.fromkeys(triggers_of(table, "postgresql"), STAYS), there)
    known = {name for table in CLOSED for name in triggers_of(table, "postgresql")}
    others = [*there, *((table, name) for table, name in _rows(_POSTGRESQL_RULES))]
    yield from (Gap(table, name, "foreign") for table, name in others if table in named and name not in known)


def _compare(table: str, wanted: dict[str, Any], there: dict[tuple[str, str], Any]) -> Iterator[Gap]:
    for name, how in wanted.items():
        if (table, name) not in there:
            yield Gap(table, name, "missing")
        elif there[table, name] != how:
            yield Gap(table, name, "changed")
