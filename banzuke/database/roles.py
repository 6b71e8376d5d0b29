"""Two roles on PostgreSQL: one owns the tables; as the other the office works, and opens nothing closed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import ProgrammingError, connection, transaction
from django.db.utils import Error

from banzuke.database.append_only import CLOSED, closing_statements
from banzuke.database.guards import can_be_taken_away

#: PostgreSQL's word for a role that may not do something.
FORBIDDEN = "42501"
#: The closed table whose rows entries wait for: to hold a row, a role must be allowed to change some column.
_HELD_TABLE, _HELD_COLUMN = "book_pool", "id"


class OneRoleError(Exception):
    """The owner and the office have the same role."""


class TooStrongError(Exception):
    """The office's role could still open what is closed."""


class NotAllowedError(Exception):
    """The owner may not do what a superuser can; the text is the statement."""


def is_forbidden(error: Error) -> bool:
    """Whether the database refused because of the office's role."""
    found: BaseException | None = error
    while found is not None and getattr(found, "sqlstate", "") != FORBIDDEN:
        found = found.__cause__ or found.__context__
    return found is not None


def close_tables() -> None:
    """Make every trigger as it should be, whatever there is."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in closing_statements(connection):
            cursor.execute(statement)


def take_over(role: str, password: str) -> None:
    """Make the office's role where there is none; what it owns becomes the owner's.

    One that is there gets the password (blank: keeps its own), which may have been changed; where the owner
    may not do that, the role must be able to sign in with it.
    Raises OneRoleError and NotAllowedError.
    """
    owner = connection.settings_dict["USER"]
    if role == owner:
        raise OneRoleError
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        is_there = cursor.fetchone() is not None
    if not is_there:
        with _refer_to_superuser(f"CREATE ROLE {_quoted(role)} LOGIN PASSWORD '...'"):
            _run("CREATE ROLE {} LOGIN PASSWORD {}", role, password)
        return
    if password:
        _change_password(role, password)
    if _owns(role):
        with _refer_to_superuser(f"GRANT {_quoted(role)} TO {_quoted(owner)}"):
            _run("REASSIGN OWNED BY {} TO CURRENT_USER", role)


def _change_password(role: str, password: str) -> None:
    with _refer_to_superuser(f"ALTER ROLE {_quoted(role)} PASSWORD '...'"):
        try:
            _run("ALTER ROLE {} PASSWORD {}", role, password)
        except ProgrammingError as error:
            if not is_forbidden(error) or not _signs_in(role, password):
                raise


def _signs_in(role: str, password: str) -> bool:
    from psycopg import OperationalError, connect  # noqa: PLC0415  # an extra

    try:
        connect(**(connection.get_connection_params() | {"user": role, "password": password})).close()
    except OperationalError:
        return False
    return True


def grant(role: str) -> None:
    """Let the office's role work, and no more. Raises TooStrongError where it could open what is closed."""
    closed = ", ".join(f"book_{table}" for table in CLOSED)
    with transaction.atomic():
        for statement in (
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC, {}",
            "GRANT USAGE ON SCHEMA public TO {}",
            "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}",
            f"REVOKE UPDATE, DELETE ON {closed}, django_migrations FROM {{}}",
            f"GRANT UPDATE ({_HELD_COLUMN}) ON {_HELD_TABLE} TO {{}}",
            "REVOKE INSERT ON django_migrations FROM {}",
            "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO {}",
        ):
            _run(statement, role)
    if can_be_taken_away(role):
        raise TooStrongError


def _owns(role: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_class WHERE relowner = %s::regrole"
            " UNION SELECT 1 FROM pg_database WHERE datname = current_database() AND datdba = %s::regrole"
            " UNION SELECT 1 FROM pg_namespace WHERE nspname = current_schema() AND nspowner = %s::regrole",
            [_quoted(role)] * 3,
        )
        return cursor.fetchone() is not None


@contextmanager
def _refer_to_superuser(statement: str) -> Iterator[None]:
    """Where the owner may not do what follows, name the statement by which a superuser does it.

    Raises NotAllowedError.
    """
    try:
        yield
    except ProgrammingError as error:
        if not is_forbidden(error):
            raise
        raise NotAllowedError(statement) from None


def _run(statement: str, role: str, password: str | None = None) -> None:
    from psycopg import sql  # noqa: PLC0415  # an extra

    parts: list[Any] = [sql.Identifier(role)]
    with connection.cursor() as cursor:
        if password is not None:  # hashed here, as PostgreSQL may write statements into its log
            of = connection.connection.pgconn
            parts.append(sql.Literal(of.encrypt_password(password.encode(), role.encode()).decode()))
        cursor.execute(sql.SQL(statement).format(*parts))


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
