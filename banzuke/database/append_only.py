"""Tables whose rows the database refuses to change, replace or take out, whoever asks."""

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager

from django.apps.registry import Apps
from django.db import OperationalError, migrations, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ACTS = ("UPDATE", "DELETE")
REFUSAL = "the book is append-only"
FUNCTION = "book_refuse"
#: What the function says, as PostgreSQL keeps it.
BODY = f"""BEGIN
RAISE EXCEPTION '{REFUSAL}: %', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END"""
POSTGRESQL = f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$ {BODY} $$"
#: How long a table's lock is waited for in milliseconds, and what PostgreSQL says then, or of a deadlock.
LOCK_WAIT, NOT_LOCKED = 400, ("55P03", "40P01")
_WITHOUT_OTHER_KEYS = (
    "entry", "poolfile", "player", "club", "membership", "event", "game", "opening", "goplayer", "bye",
    "adjustment", "declaration", "goopening", "contact", "merge", "seed", "line", "reportfile", "reportsaid",
    "reportdecision", "reportstep", "sanctionstep", "payment", "inquirystep", "reformstep", "ratingerrors",
    "journalentry",
)  # fmt: skip
#: Every table that is closed (`entry` is book_entry), with the keys besides `id` that no two rows share.
CLOSED: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(_WITHOUT_OTHER_KEYS, ()),
    "pool": (("slug",),),
    "strike": (("table", "row"),),
    "gogame": (("pool_id", "game_id"),),
    "govoid": (),
    "gorobot": (),
    "invoice": (("pool_id", "number"),),
    "ratinglist": (("pool_id", "number"), ("pool_id", "name", "revision")),
    "listrow": (("list_id", "speed", "player_id"),),
    "listfigures": (("list_id", "speed"),),
    "working": (("list_id", "speed", "player_id"),),
    "listcontent": (("list_id",),),
    "listtree": (("list_id",),),
    "logentry": (("number",), ("list_id",)),
    "preliminarylist": (("list_id",),),
    "finallist": (("list_id",),),
    "reform": (("pool_id", "number"),),
    "erasure": (("pool_id", "player_id", "entry_id"),),
    "erasedrow": (("erasure_id", "table", "row"),),
    "erasedfile": (("file_id",),),
    "erasedevents": (),
}


@contextmanager
def opened(connection: BaseDatabaseWrapper, tables: Iterable[str]) -> Iterator[None]:
    """Tables (names as `entry`) that may be changed until the end, within a transaction.

    For two acts alone: an erasure, and taking out a pool that nobody has seen yet. Nobody else writes to
    these tables meanwhile, and whatever ends the transaction before its time leaves them closed. Raises
    Django's ProgrammingError where the role does not own them.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("closed tables opened outside a transaction")
    wanted = sorted(set(tables) & CLOSED.keys())
    with connection.cursor() as cursor:
        for table in wanted:
            for statement in _drops(triggers_of(table, connection.vendor), table, connection):
                cursor.execute(statement)
    yield
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # no trigger is made while a row still waits to be checked
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in closing_statements(connection, {f"book_{table}" for table in wanted}):
            cursor.execute(statement)


def lock_tables(connection: BaseDatabaseWrapper, tables: Iterable[str]) -> bool:
    """Keep everybody else out of closed tables (names as `entry`) until the transaction ends, on PostgreSQL.

    Whether that was possible: nobody is waited for as long as PostgreSQL waits before it looks for a deadlock
    (1 s), so that it never ends another's transaction for it. Where not, nothing is locked.
    """
    names = ", ".join(f"book_{table}" for table in sorted(set(tables) & CLOSED.keys()))
    if connection.vendor != "postgresql" or not names:
        return True
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('lock_timeout')")
            before = cursor.fetchone()[0]
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT}ms'")
            cursor.execute(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE")
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [before])
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") not in NOT_LOCKED:
            raise
        return False
    return True


def append_only(*names: str) -> migrations.RunPython:
    """The migration's operation that closes these tables of the book (names as `entry`, `ratinglist`)."""

    def close(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(POSTGRESQL, params=None)
        for table in names:
            for statement in _first_triggers(table, editor.connection.vendor).values():
                editor.execute(statement)

    def reopen(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in names:
            triggers = _first_triggers(table, editor.connection.vendor)
            for statement in _drops(triggers, table, editor.connection):
                editor.execute(statement)

    return migrations.RunPython(close, reopen)


def closed_for_good() -> migrations.RunPython:
    """The migration's operation that closes every table that is there anew, against replacing, too."""

    def close(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        there = set(editor.connection.introspection.table_names())
        for statement in closing_statements(editor.connection, there):
            editor.execute(statement, params=None)

    return migrations.RunPython(close, migrations.RunPython.noop)


def closing_statements(connection: BaseDatabaseWrapper, there: Container[str] | None = None) -> Iterator[str]:
    """What makes every trigger as it should be, whatever there is; of the tables `there`, or of all."""
    if connection.vendor == "postgresql":
        yield POSTGRESQL
    for table in (name for name in CLOSED if there is None or f"book_{name}" in there):
        triggers = triggers_of(table, connection.vendor)
        yield from _drops(triggers, table, connection)
        yield from triggers.values()
        if connection.vendor == "postgresql":  # also where changes come as from another server
            yield from (f"ALTER TABLE book_{table} ENABLE ALWAYS TRIGGER {name}" for name in triggers)


def triggers_of(table: str, vendor: str) -> dict[str, str]:
    """The triggers that close a table, by name, each with the statement that makes it."""
    first = _first_triggers(table, vendor)
    return first if vendor == "postgresql" else first | {f"book_{table}_no_replace": _no_replace(table)}


def _first_triggers(table: str, vendor: str) -> dict[str, str]:
    if vendor == "postgresql":
        acts = " OR ".join((*ACTS, "TRUNCATE"))
        when = f"BEFORE {acts} ON book_{table} FOR EACH STATEMENT"
        name = f"book_{table}_stays"
        return {name: f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION {FUNCTION}()"}
    return {
        f"book_{table}_no_{act.lower()}": f"CREATE TRIGGER book_{table}_no_{act.lower()} "
        f"BEFORE {act} ON book_{table} BEGIN SELECT RAISE(ABORT, '{REFUSAL}: book_{table}'); END"
        for act in ACTS
    }


def _no_replace(table: str) -> str:
    """On SQLite `INSERT OR REPLACE` takes out the row that has the id or a key; no DELETE trigger fires."""
    there = f"SELECT 1 FROM book_{table} WHERE"  # noqa: S608  # our own words
    taken = " OR ".join(f"EXISTS ({there} {_is_same(key)})" for key in (("id",), *CLOSED[table]))
    return (
        f"CREATE TRIGGER book_{table}_no_replace BEFORE INSERT ON book_{table} WHEN {taken} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}: book_{table}'); END"
    )


def _is_same(key: Iterable[str]) -> str:
    return " AND ".join(f'"{column}" = NEW."{column}"' for column in key)


def _drops(triggers: Iterable[str], table: str, connection: BaseDatabaseWrapper) -> list[str]:
    on = f" ON book_{table}" if connection.vendor == "postgresql" else ""
    return [f"DROP TRIGGER IF EXISTS {name}{on}" for name in triggers]
