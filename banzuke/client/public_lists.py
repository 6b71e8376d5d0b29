"""What an office gives out of a published list, from its page or from a folder where it was kept."""

import io
import re
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from banzuke.client.api_client import AddressError
from banzuke.client.downloads import Downloads, beside
from banzuke.engine.output_file import write_atomically
from banzuke.transparency.list_records import FILE, FILES, LEDGER, ListRecord, read_record
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import number

#: Names of what is kept beside the record and its files: the key that the office gave, how its log grew.
KEY_FILE, GROWTH_FILE = "key.txt", "consistency.json"
MIB = 2**20
#: So large may a record, a file of it, and all of a ledger be.
MOST_RECORD, MOST_FILE, MOST_LEDGER = 16 * MIB, 512 * MIB, 1_024 * MIB
MOST_LEDGER_FILES = 200
#: A ledger is packed to a tenth or twentieth; what unpacks to more than so many times its size is none.
MOST_TIMES = 100
_BLOCK = MIB
_PLAIN_NAME = re.compile(r"[^/\\:\x00-\x1f.][^/\\:\x00-\x1f]{0,199}\.(csv|toml|txt)")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: What reading a zip raises that is damaged.
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError)


class PublicList(NamedTuple):
    """A list's record with its files by name, and the key that the office gave (blank: none).

    `growth` is how its log grew since an old checkpoint; None where it was not asked. `is_kept`: it is of a
    folder, and not what the office says now.
    """

    record: ListRecord
    record_bytes: bytes
    files: dict[str, bytes]
    key: bytes
    growth: bytes | None
    is_kept: bool = False

    def save(self, folder: Path) -> None:
        """Keep everything in a folder, and nothing there of another time. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        kept = {FILE: self.record_bytes, KEY_FILE: self.key, GROWTH_FILE: self.growth}
        for name, data in (kept | {FILES[name]: data for name, data in self.files.items()}).items():
            if data:
                write_atomically(folder / name, data)
            else:
                (folder / name).unlink(missing_ok=True)


def is_public(given: str) -> bool:
    """Whether it is the address of a list, or a folder with its record."""
    return "://" in given or (Path(given) / FILE).is_file()


def record_address(address: str) -> str:
    """The address of the record, from that of the list's page (at any speed, however sorted) or its own.

    Raises AddressError for what is no address.
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        raise AddressError(address) from None
    path = parts.path if PurePosixPath(parts.path).name == FILE else f"{parts.path.rstrip('/')}/{FILE}"
    revision = [(name, value) for name, value in parse_qsl(parts.query) if name == "revision"]
    return parts._replace(path=path, query=urlencode(revision), fragment="").geturl()


def download_list(address: str, old_size: int | None, downloads: Downloads) -> PublicList:
    """Everything that the office has of the list at an address; and of its log since it was of an old size.

    Raises ProofError for a record that is none, and as `Downloads.get` does.
    """
    at, data = downloads.get(record_address(address), MOST_RECORD)
    record = read_record(data)
    files = {
        name: downloads.get(beside(at, file.address), min(MOST_FILE, 2 * file.bytes + MIB)).data
        for name, file in record.files.items()
    }
    log = beside(at, record.log.address.rstrip("/") + "/")
    growth = None
    if old_size is not None and old_size < (size := size_said(record)):
        growth = downloads.get(f"{log}consistency?old={old_size}&new={size}", MOST_FILE).data
    return PublicList(record, data, files, downloads.get(f"{log}key", MIB).data, growth)


def read_list(folder: Path) -> PublicList:
    """What was kept of a list in a folder. Raises ProofError, and OSError for a file that is missing."""
    data = _bytes_of(folder / FILE)
    files = {name: _bytes_of(folder / kept) for name, kept in FILES.items()}
    others = [folder / KEY_FILE, folder / GROWTH_FILE]
    key, growth = (_bytes_of(path) if path.exists() else b"" for path in others)
    return PublicList(read_record(data), data, files, key, growth or None, is_kept=True)


def size_said(record: ListRecord) -> int:
    """The size in the record's checkpoint, which nobody has checked yet. Raises ProofError."""
    try:
        return number(record.log.checkpoint.split("\n")[1])
    except (IndexError, ValueError):
        raise ProofError("no-checkpoint") from None


def unpack_ledger(public: PublicList, folder: Path) -> None:
    """Unpack the public ledger into a folder: plain files alone, not too many, no more than there can be.

    Raises ProofError for any other zip.
    """
    packed = public.files[LEDGER]
    target, room = folder / "ledger", min(MOST_LEDGER, MOST_TIMES * len(packed) + MIB)
    target.mkdir()
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            members = archive.infolist()
            if len(members) > MOST_LEDGER_FILES or len({info.filename for info in members}) < len(members):
                raise ProofError("no-ledger")
            for info in members:
                room = _unpack(archive, info, target, room)
    except _DAMAGED:
        raise ProofError("no-ledger") from None


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, room: int) -> int:
    """A file of the zip in its place; what room is left."""
    if not _PLAIN_NAME.fullmatch(info.filename) or info.compress_type not in _METHODS:
        raise ProofError("no-ledger")
    with archive.open(info) as stream, (target / info.filename).open("xb") as out:
        while block := stream.read(_BLOCK):
            room -= len(block)
            if room < 0:
                raise ProofError("no-ledger")
            out.write(block)
    return room


def _bytes_of(path: Path) -> bytes:
    if path.stat().st_size > MOST_FILE:
        raise ProofError("no-record")
    return path.read_bytes()
