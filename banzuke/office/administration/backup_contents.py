"""A backup's file as it is opened: what it says of itself, who signed it, and its tables' lines.

Nothing in it is taken at its word: whatever does not fit is damage, and nothing is read without a bound.
"""

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any, NamedTuple, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from banzuke.office.administration.backup import CHUNK, KIND, MANIFEST, SIGNATURE, SIGNED_FOR, Table
from banzuke.office.office_key import OfficeKey, Signature

#: What a zip raises whose bytes are not those that were written: NotImplementedError for a version or a
#: compression that Python does not know, RuntimeError for a file that is said to be encrypted.
DAMAGE = (BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError)
#: The most bytes of a manifest (one of today has 30,000), and of a row (it may hold a file of a report).
MOST_MANIFEST, MOST_LINE = 1 << 20, 1 << 28
#: The most characters of a name, and the most rows that a table can have.
MOST_NAME, MOST_ROWS = 200, 1 << 63


class NoManifestError(Exception):
    """The file does not say what it is, so it is no backup."""


class Manifest(NamedTuple):
    """What a backup says of itself; a later kind's tables are not read."""

    kind: int
    version: str
    at: str
    migrations: list[str]
    tables: list[Table]


class Signer(NamedTuple):
    """Who signed a backup: the key's id, blank where nobody did; and whether it is the office's own."""

    key: str
    is_known: bool
    is_good: bool


def open_zip(stream: Any) -> ZipFile:
    """The zip. Raises an error of `DAMAGE`."""
    archive = ZipFile(stream)
    if any(member.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for member in archive.infolist()):
        raise BadZipFile(archive.infolist()[0].filename)
    return archive


def read_manifest(archive: ZipFile) -> Manifest:
    """What the backup says of itself. Raises NoManifestError, or an error of `DAMAGE`."""
    data = _read(archive, MANIFEST)
    try:
        said = json.loads(data)
        kind = _number(said["kind"])
        tables = [_table(each) for each in said["tables"]] if kind <= KIND else []
        migrations = [_name(each) for each in said["migrations"]]
        return Manifest(kind, _name(said["version"]), _name(said["at"]), migrations, tables)
    except (LookupError, TypeError, ValueError, RecursionError):
        raise NoManifestError from None


def _table(said: dict[str, Any]) -> Table:
    columns = [_name(column) for column in said["columns"]]
    return Table(_name(said["name"]), columns, _number(said["rows"]), _name(said["sha256"]))


def _name(said: object) -> str:
    if not isinstance(said, str) or len(said) > MOST_NAME or not said.isprintable():
        raise ValueError
    return said


def _number(said: object) -> int:
    if type(said) is not int or not 0 <= said < MOST_ROWS:
        raise ValueError
    return said


def read_signer(archive: ZipFile, key: OfficeKey) -> Signer:
    """Who signed the backup, as its office's key sees it. Raises an error of `DAMAGE`."""
    try:
        said = json.loads(_read(archive, SIGNATURE))
        signature = Signature(_name(said["key"]), _name(said["ed25519"]))
    except (NoManifestError, LookupError, TypeError, ValueError, RecursionError):
        return Signer("", is_known=False, is_good=False)
    is_good = key.has_signed(SIGNED_FOR, _read(archive, MANIFEST), signature)
    return Signer(signature.key, signature.key in key.ids, is_good)


def _read(archive: ZipFile, name: str) -> bytes:
    try:
        member = archive.open(name)
    except KeyError:
        raise NoManifestError from None
    with member as stream:
        data = stream.read(MOST_MANIFEST + 1)
    if len(data) > MOST_MANIFEST:
        raise NoManifestError
    return data


def table_lines(archive: ZipFile, table: Table) -> Iterator[bytes]:
    """A table's rows, a line each. Raises an error of `DAMAGE`."""
    with BufferedReader(cast("Any", archive.open(table.file)), 1 << 16) as stream:
        while line := stream.readline(MOST_LINE + 1):
            if len(line) > MOST_LINE:
                raise BadZipFile(table.file)
            yield line


def is_whole(archive: ZipFile, table: Table, tell: Callable[[int], None]) -> bool:
    """Whether a table's file is byte for byte as it was written. Raises an error of `DAMAGE`."""
    digest, count = hashlib.sha256(), 0
    for count, line in enumerate(table_lines(archive, table), 1):
        digest.update(line)
        if count % CHUNK == 0:
            tell(count)
    return (count, digest.hexdigest()) == (table.rows, table.sha256)
