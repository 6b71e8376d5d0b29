"""A backup back into an office that is empty: all of it or, on a failure, nothing."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from django.core.management.color import no_style
from django.db import Error, connection, transaction
from django.db.models import Model, QuerySet

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.administration.backup import (
    CHUNK,
    KIND,
    MANIFEST,
    Table,
    fields,
    migrations,
    reader,
    tables,
)
from banzuke.office.journal import Actor, note
from banzuke.office.raw_sql import insert

#: So many tables of an office that is not empty are named.
MOST_NAMED = 3
#: What a zip raises whose bytes are not those that were written.
DAMAGE = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
#: What a database raises for a row that it does not take, and Python for a cell that is no such value.
UNFIT = (Error, ValueError, TypeError, OverflowError)


class Manifest(NamedTuple):
    """What a backup says of itself."""

    version: str
    at: str
    migrations: list[str]
    tables: list[Table]


class RestoreResult(NamedTuple):
    """How many rows came back, from a backup of which moment."""

    rows: int
    at: str


def restore(path: Path, actor: Actor, progress: Progress = no_progress) -> RestoreResult:
    """Put a backup into the office's empty database.

    The whole file is checked before anything is written. Raises RefusedError, with everything that is
    wrong with the file or the office, and OSError.
    """
    with path.open("rb") as stream:
        try:
            archive = ZipFile(stream)
            manifest = _manifest(archive, path.name)
            rows = sum(table.rows for table in manifest.tables)
            _check(archive, manifest.tables, lambda done, name: progress(done, 2 * rows, name))
        except DAMAGE as error:
            raise _refused("backup-damaged", path.name, reason=error) from None
        with transaction.atomic():
            _fill(archive, manifest.tables, lambda done, name: progress(rows + done, 2 * rows, name))
            note(actor, "restore", made=manifest.at, rows=rows)
    return RestoreResult(rows, manifest.at)


def _refused(code: str, file: str, **facts: object) -> RefusedError:
    return RefusedError([fault(file, 0, "", code, **facts)])


def _manifest(archive: ZipFile, file: str) -> Manifest:
    """What the backup says of itself, seen to be one that this office can take."""
    try:
        said = json.loads(archive.read(MANIFEST))
        kind = int(said["kind"])
        of_tables = [Table(**table) for table in said["tables"]] if kind == KIND else []
        manifest = Manifest(said["version"], said["at"], said["migrations"], of_tables)
    except (KeyError, TypeError, ValueError):
        raise _refused("backup-none", file) from None
    if kind > KIND or set(manifest.migrations) - set(migrations()) or not _known(of_tables):
        raise _refused("backup-newer", file, version=manifest.version)
    full = [name for name, model in tables().items() if QuerySet(model).exists()]
    if full:
        raise _refused("backup-office-not-empty", file, tables=", ".join(full[:MOST_NAMED]))
    return manifest


def _known(of_tables: list[Table]) -> bool:
    """Whether the office has all of those tables and columns; it may have more by now."""
    known = tables()
    return all(
        table.name in known and set(table.columns) <= {field.attname for field in fields(known[table.name])}
        for table in of_tables
    )


def _check(archive: ZipFile, of_tables: list[Table], tell: Callable[[int, str], None]) -> None:
    """See that every table's file is there, byte for byte as it was written."""
    faults: list[Fault] = []
    done, there = 0, set(archive.namelist())
    for table in of_tables:
        if table.file not in there:
            faults.append(fault(table.file, 0, "", "backup-table-missing"))
        elif not _is_whole(archive, table, partial(_tell_from, tell, table.name, done)):
            faults.append(fault(table.file, 0, "", "backup-table-changed", rows=table.rows))
        done += table.rows
    refuse_any(faults)


def _tell_from(tell: Callable[[int, str], None], name: str, before: int, count: int) -> None:
    tell(before + count, name)


def _is_whole(archive: ZipFile, table: Table, tell: Callable[[int], None]) -> bool:
    digest, count = hashlib.sha256(), 0
    with archive.open(table.file) as stream:
        for count, line in enumerate(stream, 1):
            digest.update(line)
            if count % CHUNK == 0:
                tell(count)
    return (count, digest.hexdigest()) == (table.rows, table.sha256)


def _fill(archive: ZipFile, of_tables: list[Table], tell: Callable[[int, str], None]) -> None:
    known, done = tables(), 0
    for table in of_tables:
        tell(done, table.name)
        try:
            with connection.wrap_database_errors:  # COPY tells of its own
                for count in _insert(archive, table, known[table.name]):
                    done += count
                    tell(done, table.name)
        except UNFIT as error:
            reason = str(error).partition("\n")[0]
            raise _refused("backup-row-refused", table.file, reason=reason) from None
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
            cursor.execute(statement)


def _insert(archive: ZipFile, table: Table, model: type[Model]) -> Iterator[int]:
    """Add a table's rows, so many at once; a column that the backup does not have yet is as in a new row."""
    by_name = {field.attname: field for field in fields(model)}
    later = [field for name, field in by_name.items() if name not in table.columns]
    blank = [field.get_db_prep_save(field.get_default(), connection) for field in later]
    readers = [(place, read) for place, name in enumerate(table.columns) if (read := reader(by_name[name]))]
    columns = [field.column or "" for field in (*(by_name[name] for name in table.columns), *later)]
    with archive.open(table.file) as stream:
        while lines := list(islice(stream, CHUNK)):
            insert(model, columns, [_row(line, readers) + blank for line in lines])
            yield len(lines)


def _row(line: bytes, readers: list[tuple[int, Callable[[Any], Any]]]) -> list[Any]:
    row: list[Any] = json.loads(line)
    for place, read in readers:
        row[place] = read(row[place])
    return row
