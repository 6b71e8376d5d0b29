"""Zips as people send them: the files in them by name, bounded in number and size.

Nothing is written to a disk, and a zip in a zip is not opened. Names that no program marked as UTF-8 are read
as UTF-8 where they are it, else as Shift_JIS, in which Japanese programs write them. Workbooks are zips too:
they are looked into without being unpacked, and bounded in what they unpack to.
"""

import io
import lzma
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from banzuke.core.fault import Fault, fault

#: How a zip begins.
ZIP_SIGNATURE = b"PK\x03\x04"
#: The most that a zipped workbook may unpack to: beyond is a trap or a mistake.
MOST_UNPACKED = 512 * 1024 * 1024
#: What the standard library raises on zips that are broken, locked or packed in an unknown way.
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
)
_BLOCK, _BEGINNING = 1 << 20, 64 * 1024


def unpacks_within(data: bytes, most: int = MOST_UNPACKED) -> bool | None:
    """Whether a zip holds no more than that, found by unpacking it; None: it is no sound zip."""
    total = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for member in packed.infolist():
                if total + member.file_size > most:
                    return False
                with packed.open(member) as stream:
                    while block := stream.read(_BLOCK):
                        total += len(block)
                        if total > most:
                            return False
    except ZIP_ERRORS:
        return None
    return True


def first_bytes(data: bytes, member: str) -> bytes:
    """The first bytes of a zip's member, to see what the file may be; none if it cannot be had."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, packed.open(member) as stream:
            return stream.read(_BEGINNING)
    except (KeyError, *ZIP_ERRORS):
        return b""


#: How many files a zip may hold, and how much they may unpack to together, in MiB.
MOST_FILES, MOST_MIB = 2_000, 100
MIB = 1 << 20
LONGEST_NAME = 200
#: How a zip without files begins, and an entry in the directory of one.
_EMPTY, _ENTRY = b"PK\x05\x06", b"PK\x01\x02"
#: What tells that a zip is a workbook or another document.
_DOCUMENTS = ("[Content_Types].xml", "mimetype")
#: What programs put beside the files.
_BESIDE = ("__MACOSX/", "thumbs.db", "desktop.ini")
_IS_UTF_8, _IS_LOCKED = 0x800, 0x1


class ZipContents(NamedTuple):
    """The files of a zip with their names, and what is wrong with it."""

    files: list[tuple[str, bytes]]
    faults: list[Fault]


def looks_like(data: bytes) -> bool:
    """Whether the bytes are a zip of files; a workbook, which is a zip too, is none."""
    if not data.startswith((ZIP_SIGNATURE, _EMPTY)):
        return False
    if count_entries(data) > MOST_FILES:
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return not {info.filename for info in packed.infolist()}.intersection(_DOCUMENTS)
    except ZIP_ERRORS:
        return True


def count_entries(data: bytes) -> int:
    """How many entries the directory of a zip has at the most, without opening it."""
    return data.count(_ENTRY)


def read(data: bytes, file: str) -> ZipContents:
    """The files in a zip, in its order; none at all where it is too large, locked or broken."""
    if count_entries(data) > MOST_FILES:
        return ZipContents(
            [], [fault(file, 0, "", "packed-many", files=count_entries(data), most=MOST_FILES)]
        )
    faults: list[Fault] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            files = list(_files(packed, file, faults))
    except ZIP_ERRORS:
        return ZipContents([], [fault(file, 0, "", "packed-broken")])
    if not (files or faults):
        faults.append(fault(file, 0, "", "packed-empty"))
    return ZipContents([] if faults else files, faults)


def _files(packed: zipfile.ZipFile, file: str, faults: list[Fault]) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    room = MOST_MIB * MIB
    for info in packed.infolist():
        name = file_name(info)
        if name.endswith("/") or _is_beside(name):
            continue
        code = _refusal_code(info, name, seen)
        if code:
            faults.append(fault(file, 0, "", code, name=name[:LONGEST_NAME]))
            continue
        seen.add(name)
        data = _unpack(packed, info, room) if info.file_size <= room else None
        if data is None:
            faults.append(fault(file, 0, "", "packed-unpacks", most=MOST_MIB))
            return
        room -= len(data)
        if looks_like(data):
            faults.append(fault(file, 0, "", "packed-nested", name=name[:LONGEST_NAME]))
        yield name, data


def _refusal_code(info: zipfile.ZipInfo, name: str, seen: set[str]) -> str:
    """The code of why a file of a zip is not read; blank if it may be."""
    if info.flag_bits & _IS_LOCKED:
        return "packed-locked"
    if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/") or len(name) > LONGEST_NAME:
        return "packed-name"
    return "packed-twice" if name in seen else ""


def _unpack(packed: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes | None:
    """A file's bytes; None for more than there is room for, whatever the zip says of it."""
    with packed.open(info) as stream:
        data = stream.read(room + 1)
    return data if len(data) <= room else None


def file_name(info: zipfile.ZipInfo) -> str:
    """A file's name with its folders, parted by slashes."""
    name = info.orig_filename
    if not info.flag_bits & _IS_UTF_8:
        name = _decode_name(name.encode("cp437", "replace"))
    shown = "".join(c for c in unicodedata.normalize("NFC", name) if c.isprintable())
    return shown.replace("\\", "/")


def _decode_name(raw: bytes) -> str:
    for encoding in ("utf-8", "cp932"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("cp437")


def _is_beside(name: str) -> bool:
    last = name.rpartition("/")[2].lower()
    return name.startswith(_BESIDE[0]) or last.startswith(".") or last in _BESIDE
