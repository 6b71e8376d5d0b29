"""A backup: everything that the office holds in one file, whichever database it is in.

The file is a zip of one table a file, a row a line of JSON, of a manifest that says how many rows each has
and their SHA-256, and of the office's signature of the manifest. Secrets of second factors are sealed with
the office's key.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.apps import apps
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import BinaryField, DateField, DateTimeField, Field, JSONField, Model, QuerySet

from banzuke.core.fault import RefusedError, fault
from banzuke.database.models import HiddenPool, Job, Pool, PoolFile
from banzuke.engine.output_file import remove_left_parts, replacing_file
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.administration import uploads
from banzuke.office.database_snapshot import database_snapshot
from banzuke.office.journal import Actor, note
from banzuke.office.office_key import KeyFileError, OfficeKey, office_key
from banzuke.office.private_file import PRIVATE
from banzuke.office.refusals import NoFileError

MANIFEST = "manifest.json"
#: The office's signature of the manifest (since kind 2), and what it is for.
SIGNATURE, SIGNED_FOR = "manifest.sig", "backup"
#: The number of this kind of file; a later kind counts on.
KIND = 2
#: The columns whose values are sealed (since kind 2), by table; a sealed value is `{"sealed": ...}`.
SEALED_COLUMNS = {"mfa.authenticator": "data"}
SEAL, SEALED_FOR = "sealed", "backup of second factors"
#: How many rows are fetched at once; progress is reported as often.
CHUNK = 10_000
#: The tables whose rows are large, and how many of these are.
LARGE, FEW = {"book.listcontent", "book.listtree", "book.reportfile", "book.registerfile"}, 10
#: Apps whose tables stay: who is signed in, failed attempts, what Django makes by itself.
LEFT_OUT_APPS = {"sessions", "axes", "contenttypes", "admin"}
#: Tables that stay: rights by which the office's roles do not go, links in mails, which soon end, and which
#: pools are hidden, of which no row is carried.
LEFT_OUT = {"auth.permission", "auth.group", "account.emailconfirmation", "book.hiddenpool"}
#: Tables that the office fills again by itself.
DERIVED = {
    *(f"book.{name}" for name in ("cominglist", "comingrow", "comingline", "waitingreport", "waitingplayer")),
    *(f"book.{name}" for name in ("nearword", "eventword", "foundupto")),
}
#: The kind of job that makes a backup from the pages, and the act of fetching it.
JOB, FETCH = "backup", "fetch-backup"


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

    It is for its owner alone: it holds birth dates, addresses and what passwords are checked by. The office
    goes on meanwhile. What killed backups left there is removed. Raises FileExistsError for a file that
    is there, OSError, and RefusedError where the office's key cannot be read; then nothing is written.
    """
    if path.exists():
        raise FileExistsError(str(path))
    with readable_key():
        key = office_key()
    remove_left_parts(path.parent)
    with replacing_file(path, PRIVATE) as stream:
        with database_snapshot():
            rows = _write(stream, key, progress)
        stream.flush()
        note(actor, "backup", rows=rows)  # before the file has its name: there is none of which nobody knows
    return rows


@contextmanager
def readable_key() -> Iterator[None]:
    """Raise RefusedError where the office's key is not what it should be."""
    try:
        yield
    except KeyFileError as error:
        raise RefusedError([fault(str(error), 0, "", "backup-key")]) from None


def _write(stream: IO[bytes], key: OfficeKey, progress: Progress) -> int:
    hidden = list(HiddenPool.objects.values_list("pk", flat=True))
    rows_of = {name: _rows(model, hidden) for name, model in tables().items()}
    of = sum(rows.count() for rows in rows_of.values())
    done: list[Table] = []
    with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=4) as archive:
        for name, rows in rows_of.items():
            before = sum(table.rows for table in done)
            done.append(_write_table(archive, name, rows, key, lambda n: progress(before + n, of, name)))  # noqa: B023
        manifest = json.dumps(_manifest(done), indent=1).encode()
        archive.writestr(MANIFEST, manifest)
        archive.writestr(SIGNATURE, json.dumps(key.sign(SIGNED_FOR, manifest)._asdict()))
    return sum(table.rows for table in done)


def _rows(model: type[Model], hidden: list[int]) -> QuerySet[Any]:
    """A table's rows but those of hidden pools (their ids)."""
    is_of_pool = any(field.name == "pool" for field in fields(model))
    pool = "pk" if model is Pool else "entry__pool" if model is PoolFile else "pool" if is_of_pool else None
    return QuerySet(model) if pool is None else QuerySet(model).exclude(**{f"{pool}__in": hidden})


def _write_table(
    archive: ZipFile, name: str, rows: QuerySet[Any], key: OfficeKey, tell: Callable[[int], None]
) -> Table:
    columns = [field.attname for field in fields(rows.model)]
    sealed = [place for place, column in enumerate(columns) if column == SEALED_COLUMNS.get(name)]
    table = Table(name, columns, 0, "")
    digest, count = hashlib.sha256(), 0
    with archive.open(table.file, "w", force_zip64=True) as stream:
        for row in rows.order_by("pk").values_list(*columns).iterator(chunk_size=chunk_of(name)):
            line = row_line(_seal(row, sealed, key) if sealed else row)
            digest.update(line)
            stream.write(line)
            count += 1
            if count % CHUNK == 0:
                tell(count)
    return table._replace(rows=count, sha256=digest.hexdigest())


def chunk_of(table: str) -> int:
    """How many rows of a table are in memory at once."""
    return FEW if table in LARGE else CHUNK


def _seal(row: tuple[Any, ...], places: list[int], key: OfficeKey) -> tuple[Any, ...]:
    cells = list(row)
    for place in places:
        cells[place] = {SEAL: key.seal(SEALED_FOR, json.dumps(cells[place], sort_keys=True).encode())}
    return tuple(cells)


def unseal(value: Any, key: OfficeKey) -> Any:
    """What a sealed value was; any other as it is. Raises SealError."""
    if not isinstance(value, dict) or value.keys() != {SEAL}:
        return value
    return json.loads(key.unseal(SEALED_FOR, str(value[SEAL])))


def _manifest(done: list[Table]) -> dict[str, object]:
    return {
        "kind": KIND,
        "version": version("banzuke"),
        "at": datetime.now(UTC).isoformat(),
        "migrations": migrations(),
        "tables": [table._asdict() for table in done],
    }


def tables() -> dict[str, type[Model]]:
    """The models that a backup carries, by their names (`book.pool`)."""
    return {
        model._meta.label_lower: model  # noqa: SLF001 (Django's name for what a model says of itself)
        for model in apps.get_models()
        if model._meta.app_label not in LEFT_OUT_APPS and model._meta.label_lower not in LEFT_OUT | DERIVED  # noqa: SLF001
    }


def fields(model: type[Model]) -> "list[Field[Any, Any]]":
    """A table's columns, in their order."""
    return list(model._meta.concrete_fields)  # noqa: SLF001


def migrations() -> list[str]:
    """The migrations that this database has had, of the apps whose tables are carried."""
    labels = {name.partition(".")[0] for name in tables()}
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in labels)


def row_line(row: tuple[Any, ...]) -> bytes:
    """A row as a line of JSON: days and moments in ISO 8601, bytes in base64."""
    line = json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_as_text)
    return line.encode() + b"\n"


def _as_text(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(type(value).__name__)


def reader(field: "Field[Any, Any]") -> Callable[[Any], Any] | None:
    """What makes of a column's written value one for the database; None: nothing need be done."""
    plain = _plain(field)
    if plain is None:
        return None
    return lambda value: None if value is None else field.get_db_prep_save(plain(value), connection)


def _plain(field: "Field[Any, Any]") -> Callable[[Any], Any] | None:
    if isinstance(field, DateTimeField):
        return datetime.fromisoformat
    if isinstance(field, DateField):
        return date.fromisoformat
    if isinstance(field, BinaryField):
        return base64.b64decode
    return (lambda value: value) if isinstance(field, JSONField) else None


def waiting_backup(actor: Actor) -> Job | None:
    """The last backup that this administrator asked for and can still fetch; None: there is none."""
    job = Job.objects.filter(kind=JOB, author=actor.name, state=Job.State.DONE).order_by("-pk").first()
    try:
        if job is not None:
            uploads.find((job.result or {})["file"])
    except NoFileError:
        return None
    return job


def fetch_backup(actor: Actor) -> tuple[BinaryIO, str]:
    """The backup that waits for this administrator, and its file's name.

    It is fetched once. Raises NoFileError.
    """
    job = waiting_backup(actor)
    if job is None:
        raise NoFileError
    word = (job.result or {})["file"]
    path = uploads.find(word)
    try:
        stream = path.open("rb")
    except FileNotFoundError:  # fetched just now
        raise NoFileError from None
    try:
        note(actor, FETCH, made=job.at.isoformat(timespec="minutes"), rows=(job.result or {})["rows"])
    except BaseException:  # it may be fetched again
        stream.close()
        raise
    uploads.drop(word)
    return stream, path.name
