"""A backup: everything that the office holds in one file, whichever database it is in.

The file is a zip of one table a file, a row a line of JSON, and of a manifest that says how many rows each
has and their SHA-256.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import connection, transaction
from django.db.models import QuerySet

from banzuke.engine.output_file import replacing_file
from banzuke.engine.rating_run import no_progress
from banzuke.office.administration.backup_tables import fields, migrations, tables, written
from banzuke.office.journal import Actor, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from banzuke.engine.rating_run import Progress

MANIFEST = "manifest.json"
#: The number of this kind of file; a later kind counts on.
KIND = 1
#: A backup is for its owner alone: it holds birth dates, addresses and what passwords are checked by.
PRIVATE = 0o600
#: How many rows are fetched at once; progress is told as often.
CHUNK = 10_000


class Table(NamedTuple):
    """What the manifest says of a table: its name and columns, how many rows, the SHA-256 of its lines."""

    name: str
    columns: list[str]
    rows: int
    sha256: str

    @property
    def file(self) -> str:
        """Its file in the zip."""
        return f"{self.name}.jsonl"


def back_up(path: Path, actor: Actor, progress: Progress = no_progress) -> int:
    """Write a backup of the office as it is at this moment; gives the number of rows.

    The office goes on meanwhile. Raises FileExistsError for a file that is there, and OSError; then
    nothing is written.
    """
    if path.exists():
        raise FileExistsError(str(path))
    with replacing_file(path, PRIVATE) as stream, _one_moment():
        rows = _write(stream, progress)
    note(actor, "backup", rows=rows)
    return rows


@contextmanager
def _one_moment() -> Iterator[None]:
    """A view of the database that stays as it is, and that keeps nobody from writing."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


def _write(stream: IO[bytes], progress: Progress) -> int:
    rows_of: dict[str, QuerySet[Any]] = {name: QuerySet(model) for name, model in tables().items()}
    of = sum(rows.count() for rows in rows_of.values())
    done: list[Table] = []
    with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=4) as archive:
        for name, rows in rows_of.items():
            before = sum(table.rows for table in done)
            done.append(_write_table(archive, name, rows, lambda n: progress(before + n, of, name)))  # noqa: B023
        archive.writestr(MANIFEST, json.dumps(_manifest(done), indent=1))
    return sum(table.rows for table in done)


def _write_table(archive: ZipFile, name: str, rows: QuerySet[Any], tell: Callable[[int], None]) -> Table:
    columns = [field.attname for field in fields(rows.model)]
    table = Table(name, columns, 0, "")
    digest, count = hashlib.sha256(), 0
    with archive.open(table.file, "w", force_zip64=True) as stream:
        for row in rows.order_by("pk").values_list(*columns).iterator(chunk_size=CHUNK):
            line = written(row)
            digest.update(line)
            stream.write(line)
            count += 1
            if count % CHUNK == 0:
                tell(count)
    return table._replace(rows=count, sha256=digest.hexdigest())


def _manifest(done: list[Table]) -> dict[str, object]:
    return {
        "kind": KIND,
        "version": version("banzuke"),
        "at": datetime.now(UTC).isoformat(),
        "migrations": migrations(),
        "tables": [table._asdict() for table in done],
    }
