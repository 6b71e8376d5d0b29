"""A backup back into an office that is empty: all of it or, on a failure, nothing."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.core.management.color import no_style
from django.core.validators import slug_re
from django.db import Error, connection, transaction
from django.db.models import Model, QuerySet

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.database.roles import is_forbidden
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.pool_files import is_plain_name
from banzuke.office.administration.backup import (
    KIND,
    SEALED_COLUMNS,
    Table,
    chunk_of,
    fields,
    migrations,
    readable_key,
    reader,
    tables,
    unseal,
)
from banzuke.office.administration.backup_contents import (
    DAMAGE,
    Manifest,
    NoManifestError,
    Signer,
    is_whole,
    open_zip,
    read_manifest,
    read_signer,
    table_lines,
)
from banzuke.office.administration.hidden_pools import remove_abandoned_pools
from banzuke.office.administration.restored_work import stop_restored_work
from banzuke.office.journal import Actor, note
from banzuke.office.office_key import FILE as KEY_FILE
from banzuke.office.office_key import OfficeKey, SealError, key_path, known_key
from banzuke.office.raw_sql import insert

#: So many tables of an office that is not empty are named.
MOST_NAMED = 3
#: What a database raises for a row that it does not take, and Python for a cell that is no such value.
UNFIT = (Error, ValueError, TypeError, LookupError, ArithmeticError, RecursionError)
#: Cells that become names of files or folders, by table and column, and what they must be.
NAMES: dict[tuple[str, str], Callable[[str], object]] = {
    ("book.pool", "slug"): slug_re.fullmatch,
    ("book.poolfile", "name"): is_plain_name,
}


class RestoreResult(NamedTuple):
    """How many rows came back, from a backup of which moment; how many second factors nobody can open."""

    rows: int
    at: str
    lost: int


def restore(
    path: Path,
    actor: Actor,
    progress: Progress = no_progress,
    *,
    is_foreign: bool = False,
    afterwards: Callable[[Actor], object] = lambda _: None,
) -> RestoreResult:
    """Put a backup into the office's empty database.

    The whole file is checked before anything is written. One that this office's key did not sign is taken
    only where whoever restores says that it may be foreign. What waited or was planned stops; what is to be
    done `afterwards` belongs to it, so that nobody sees the office without it. Raises
    RefusedError, with everything that is wrong with the file or the office, and OSError.
    """
    with readable_key():
        key = known_key()
    with path.open("rb") as stream:
        try:
            archive = open_zip(stream)
            manifest = _manifest(archive, path.name)
            signer = read_signer(archive, key)
            if not is_foreign:
                _check_signer(signer, path.name)
            rows = sum(table.rows for table in manifest.tables)
            _check(archive, manifest.tables, lambda done, name: progress(done, 2 * rows, name))
            with transaction.atomic():
                filling = _Filling(archive, key)
                filling.fill(manifest.tables, lambda done, name: progress(rows + done, 2 * rows, name))
                stop_restored_work(datetime.now(UTC))
                signed_by = signer.key if signer.is_good else ""
                note(actor, "restore", made=manifest.at, rows=rows, signed_by=signed_by)
                afterwards(actor)
        except DAMAGE as error:
            raise _refusal("backup-damaged", path.name, reason=error) from None
        except Error as error:  # a row that names another that is not there is found at the end
            if is_forbidden(error):  # of who was erased, and is erased again
                raise _refusal("backup-erases", path.name) from None
            raise _refusal("backup-row-refused", path.name, reason=_first_line(error)) from None
    return RestoreResult(rows, manifest.at, filling.lost)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _refusal(code: str, file: str, **facts: object) -> RefusedError:
    return RefusedError([fault(file, 0, "", code, **facts)])


def _manifest(archive: ZipFile, file: str) -> Manifest:
    """What the backup says of itself, seen to be one that this office can take."""
    try:
        manifest = read_manifest(archive)
    except NoManifestError:
        raise _refusal("backup-none", file) from None
    newer = sorted(set(manifest.migrations) - set(migrations()))
    if manifest.kind > KIND or newer or not _has_all(manifest.tables):
        facts = {
            "version": manifest.version,
            "day": manifest.at[:10],
            "newer": ", ".join(newer[:MOST_NAMED]) or "-",
        }
        raise _refusal("backup-newer", file, **facts)
    remove_abandoned_pools()
    full = [name for name, model in tables().items() if QuerySet(model).exists()]
    if full:
        raise _refusal("backup-office-not-empty", file, tables=", ".join(full[:MOST_NAMED]))
    return manifest


def _check_signer(signer: Signer, file: str) -> None:
    """See that this office signed the backup."""
    if not signer.key:
        raise _refusal("backup-unsigned", file)
    if not signer.is_known:
        raise _refusal("backup-foreign", file, signer=signer.key, key_file=KEY_FILE, folder=key_path().parent)
    if not signer.is_good:
        raise _refusal("backup-signature", file)


def _has_all(of_tables: list[Table]) -> bool:
    """Whether the office has all of those tables and columns, each once; it may have more by now."""
    known, names = tables(), [table.name for table in of_tables]
    return len(set(names)) == len(names) and all(
        table.name in known
        and len(set(table.columns)) == len(table.columns)
        and set(table.columns) <= {field.attname for field in fields(known[table.name])}
        for table in of_tables
    )


def _check(archive: ZipFile, of_tables: list[Table], tell: Callable[[int, str], None]) -> None:
    """See that every table's file is there, byte for byte as it was written."""
    faults: list[Fault] = []
    done, there = 0, set(archive.namelist())
    for table in of_tables:
        if table.file not in there:
            faults.append(fault(table.file, 0, "", "backup-table-missing"))
        elif not is_whole(archive, table, partial(_tell_from, tell, table.name, done)):
            faults.append(fault(table.file, 0, "", "backup-table-changed", rows=table.rows))
        done += table.rows
    refuse_any(faults)


def _tell_from(tell: Callable[[int, str], None], name: str, before: int, count: int) -> None:
    tell(before + count, name)


class _Filling:
    """The database as it is filled; `lost` are the second factors that this office's key does not open."""

    def __init__(self, archive: ZipFile, key: OfficeKey) -> None:
        self._archive, self._key, self.lost = archive, key, 0

    def fill(self, of_tables: list[Table], tell: Callable[[int, str], None]) -> None:
        """Add the tables' rows. Raises RefusedError for one that cannot be."""
        known, done = tables(), 0
        for table in of_tables:
            tell(done, table.name)
            try:
                with connection.wrap_database_errors:  # COPY tells of its own
                    for count in self._insert(table, known[table.name]):
                        done += count
                        tell(done, table.name)
            except UNFIT as error:
                raise _refusal("backup-row-refused", table.file, reason=_first_line(error)) from None
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
                cursor.execute(statement)

    def _insert(self, table: Table, model: type[Model]) -> Iterator[int]:
        """Add rows, so many at once; a column that the backup does not have yet is as in a new row."""
        by_name = {field.attname: field for field in fields(model)}
        later = [field for name, field in by_name.items() if name not in table.columns]
        blank = [field.get_db_prep_save(field.get_default(), connection) for field in later]
        readers = list(self._readers(table, model))
        columns = [field.column or "" for field in (*(by_name[name] for name in table.columns), *later)]
        lines = table_lines(self._archive, table)
        while some := list(islice(lines, chunk_of(table.name))):
            rows = [row + blank for row in (self._row(line, readers) for line in some) if row is not None]
            insert(model, columns, rows)
            yield len(some)

    def _readers(self, table: Table, model: type[Model]) -> Iterator[tuple[int, Callable[[Any], Any]]]:
        """What makes of cells values for the database, by their places."""
        by_name = {field.attname: field for field in fields(model)}
        for place, name in enumerate(table.columns):
            if (is_good := NAMES.get((table.name, name))) is not None:
                yield place, partial(_as_name, is_good)
            if SEALED_COLUMNS.get(table.name) == name:
                yield place, partial(unseal, key=self._key)
            if (read := reader(by_name[name])) is not None:
                yield place, read

    def _row(self, line: bytes, readers: list[tuple[int, Callable[[Any], Any]]]) -> list[Any] | None:
        """The row of a line; None where it is sealed by a key that the office does not have."""
        row = json.loads(line)
        if not isinstance(row, list):
            raise TypeError(line[:MOST_NAMED].decode("utf-8", "replace"))
        try:
            for place, read in readers:
                row[place] = read(row[place])
        except SealError:
            self.lost += 1
            return None
        return row


def _as_name(is_good: Callable[[str], object], cell: Any) -> Any:
    if not isinstance(cell, str) or not is_good(cell):
        raise ValueError(repr(cell))
    return cell
