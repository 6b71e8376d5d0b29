"""The queue of games on PostgreSQL: whoever waits for games is woken, and who inserts one is named.

If each commit notified, all who insert would wait for one another: PostgreSQL holds a lock for it until the
commit is on the disk. So whoever waits for games holds a lock meanwhile, and only then anybody notifies.
"""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE, TRIGGER, FUNCTION = "book_queuedgame", "book_queuedgame_wakes", "book_wake"
CHANNEL = "banzuke_games"
#: By this number somebody waits for games (an advisory lock).
WAITING = 0x62616E7A756B66
BODY = f"""BEGIN
IF NOT pg_try_advisory_xact_lock_shared({WAITING}) THEN PERFORM pg_notify('{CHANNEL}', ''); END IF;
RETURN NULL;
END"""
#: What PostgreSQL says of the trigger, as `guards.STAYS`: after INSERT, for a statement.
WAKES = (4, "O", FUNCTION, BODY, True, False)
_MAKE = (
    f"CREATE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$ {BODY} $$",
    f"CREATE TRIGGER {TRIGGER} AFTER INSERT ON {TABLE} FOR EACH STATEMENT EXECUTE FUNCTION {FUNCTION}()",
    f"ALTER TABLE {TABLE} ALTER COLUMN author SET DEFAULT session_user",
)
_TAKE_AWAY = (
    f"ALTER TABLE {TABLE} ALTER COLUMN author SET DEFAULT ''",
    f"DROP TRIGGER {TRIGGER} ON {TABLE}",
    f"DROP FUNCTION {FUNCTION}()",
)


def wakes() -> migrations.RunPython:
    """The migration's operation that makes the trigger, on PostgreSQL."""

    def make(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        _run(editor, _MAKE)

    def take_away(_: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        _run(editor, _TAKE_AWAY)

    return migrations.RunPython(make, take_away)


def _run(editor: BaseDatabaseSchemaEditor, statements: tuple[str, ...]) -> None:
    if editor.connection.vendor == "postgresql":
        for statement in statements:
            editor.execute(statement, params=None)
