"""A file of FIDE's rating list in whatever it comes: text or XML, bare or in the zip that FIDE serves.

A zip holds the list alone. What it unpacks to is counted as it is read: past 2 GiB, or past 200 times what it
takes packed (FIDE's lists take 8 to 20 times), it is refused as a trap.
"""

import io
import zipfile
from collections.abc import Iterator
from typing import IO, Any, BinaryIO

from banzuke.core.fault import Fault, fault
from banzuke.formats.fide.fide_player import FidePlayer, Speed, speed_of
from banzuke.formats.fide.fide_text import looks_like_txt, read_txt
from banzuke.formats.fide.fide_xml import looks_like_xml, read_xml
from banzuke.formats.files.zip_files import ZIP_ERRORS, ZIP_SIGNATURE

MOST_UNPACKED, MOST_RATIO = 2 << 30, 200
#: Up to here a list may be packed as tightly as it likes.
_FREE, _HEAD, _BUFFER = 1 << 20, 4096, 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class _ZipError(Exception):
    """A zip that cannot be read, holds too much or not one file."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _CountedStream(io.RawIOBase):
    """A packed file as it is unpacked, counted. Reading it raises _ZipError."""

    def __init__(self, member: IO[bytes], packed: int) -> None:
        super().__init__()
        self._member, self._count = member, 0
        self._most = min(MOST_UNPACKED, max(_FREE, packed * MOST_RATIO))

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; how many bytes there were."""
        try:
            block = self._member.read(len(buffer))
        except ZIP_ERRORS:
            raise _ZipError("fide-zip-broken") from None
        self._count += len(block)
        if self._count > self._most:
            raise _ZipError("fide-zip-too-large")
        buffer[: len(block)] = block
        return len(block)


def looks_like(stream: BinaryIO) -> bool:
    """Whether the file, which can seek, is a list, bare or zipped; it is left at its beginning."""
    head = stream.read(_HEAD)
    try:
        if head.startswith(ZIP_SIGNATURE):
            with io.BufferedReader(_member(stream)[1], _BUFFER) as member:
                head = member.peek(_HEAD)[:_HEAD]
    except _ZipError:
        return False
    finally:
        stream.seek(0)
    return looks_like_xml(head) or looks_like_txt(head)


def read_players(
    stream: BinaryIO, file: str, faults: list[Fault], speed: Speed | None = None
) -> Iterator[FidePlayer]:
    """The players of a list, one by one; `stream` can seek, `speed` says which a list of one speed has.

    What is no player is noted in `faults`; after 100 of them it stops.
    """
    head = stream.read(_HEAD)
    stream.seek(0)
    if head.startswith(ZIP_SIGNATURE):
        yield from _read_zip(stream, file, faults, speed)
    else:
        yield from _read(head, stream, file, faults, speed)


def _read(
    head: bytes, stream: BinaryIO, file: str, faults: list[Fault], speed: Speed | None
) -> Iterator[FidePlayer]:
    if looks_like_xml(head):
        return read_xml(stream, file, faults, speed)
    if looks_like_txt(head):
        return read_txt(stream, file, faults, speed)
    faults.append(fault(file, 0, "", "fide-no-list"))
    return iter(())


def _read_zip(stream: BinaryIO, file: str, faults: list[Fault], speed: Speed | None) -> Iterator[FidePlayer]:
    try:
        name, unpacked = _member(stream)
        with io.BufferedReader(unpacked, _BUFFER) as member:
            known = speed or speed_of(name) or speed_of(file)
            yield from _read(member.peek(_HEAD)[:_HEAD], member, file, faults, known)
    except _ZipError as error:
        faults.append(fault(file, 0, "", error.code))


def _member(stream: BinaryIO) -> tuple[str, _CountedStream]:
    """The name of the one file in a zip, and that file. Raises _ZipError."""
    try:
        packed = zipfile.ZipFile(stream)
        members = [member for member in packed.infolist() if not member.filename.endswith("/")]
        if len(members) == 1 and members[0].compress_type in _METHODS:
            return members[0].filename, _CountedStream(packed.open(members[0]), members[0].compress_size)
    except ZIP_ERRORS:
        raise _ZipError("fide-zip-broken") from None
    raise _ZipError("fide-zip-members" if len(members) != 1 else "fide-zip-broken")
