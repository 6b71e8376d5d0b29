"""What many tests begin with is worked out once a process, and put into the empty database again row by row.

To enter a ledger and publish its lists takes 0.4 s of processor time, to put its rows back a twentieth of that.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.db import connection

from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Pool
from banzuke.office import office_key
from banzuke.office.private_file import write_once

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

#: By what was asked for: the number of its pool, and the statements that insert its rows.
_MADE: dict[Hashable, tuple[int, list[str]]] = {}


def repeated(asked: Hashable, make: Callable[[], Pool]) -> Pool:
    """The pool that `make` makes; where nothing is in the database yet, by the rows of the first time."""
    _share_key()
    if connection.vendor != "sqlite" or not connection.in_atomic_block or _filled():
        return make()
    if asked not in _MADE:
        pool = make()
        _MADE[asked] = pool.pk, [line for table in _filled() for line in _statements(table)]
        return pool
    number, statements = _MADE[asked]
    for statement in statements:
        connection.connection.execute(statement)
    return Pool.objects.get(pk=number)


def entered_pool(slug: str, folder: Path, who: str = "test") -> Pool:
    """A pool with a folder's ledger; the folder's files stay as they are while tests run."""
    return repeated((slug, folder, who), lambda: enter_folder(slug, folder, who))


def _share_key() -> None:
    """The log of what is put back was signed before: an office whose folder a test has changed needs that key."""
    key = _shared_key()  # where the office's folder is the shared one, its file is there now
    if not office_key.key_path().exists():
        office_key.key_path().write_bytes(key)


@cache
def _shared_key() -> bytes:
    """The key of the folder that all processes of a run share."""
    path = Path(os.environ["BANZUKE_HOME"]) / office_key.FILE
    if not path.exists():
        pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        write_once(path, pem)
    return path.read_bytes()


def _filled() -> list[str]:
    """The tables of the book that have rows."""
    tables = [name for name in connection.introspection.table_names() if name.startswith("book_")]
    found = connection.connection.execute(
        " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in tables)
    )
    return [name for (name,) in found]


def _statements(table: str) -> list[str]:
    """An insert for each five hundred rows, as SQLite itself writes their values."""
    columns = [column for (_, column, *_) in connection.connection.execute(f"PRAGMA table_info({table})")]
    row = " || ',' || ".join(f'quote("{column}")' for column in columns)
    rows = [text for (text,) in connection.connection.execute(f"SELECT {row} FROM {table}")]
    names = ", ".join(f'"{column}"' for column in columns)
    return [
        f"INSERT INTO {table} ({names}) VALUES " + ", ".join(f"({text})" for text in rows[at : at + 500])
        for at in range(0, len(rows), 500)
    ]
