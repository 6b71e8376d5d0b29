"""Zips of files as people send them: the files in them by name, bounded in number and size.

Nothing is written to a disk, and a zip in a zip is not opened. Names that no program marked as UTF-8 are read
as UTF-8 where they are it, else as Shift_JIS, in which Japanese programs write them.
"""

from __future__ import annotations

import io
import unicodedata
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.zip_limits import BROKEN, ZIP

if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Packed(NamedTuple):
    """The files of a zip with their names, and what is wrong with it."""

    files: list[tuple[str, bytes]]
    faults: list[Fault]


def looks_like(data: bytes) -> bool:
    """Whether the bytes are a zip of files; a workbook, which is a zip too, is none."""
    if not data.startswith((ZIP, _EMPTY)):
        return False
    if entries(data) > MOST_FILES:
        return True
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return not {info.filename for info in packed.infolist()}.intersection(_DOCUMENTS)
    except BROKEN:
        return True


def entries(data: bytes) -> int:
    """How many entries the directory of a zip has at the most, without opening it."""
    return data.count(_ENTRY)


def read(data: bytes, file: str) -> Packed:
    """The files in a zip, in its order; none at all where it is too large, locked or broken."""
    if entries(data) > MOST_FILES:
        return Packed([], [fault(file, 0, "", "packed-many", files=entries(data), most=MOST_FILES)])
    faults: list[Fault] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            files = list(_files(packed, file, faults))
    except BROKEN:
        return Packed([], [fault(file, 0, "", "packed-broken")])
    if not (files or faults):
        faults.append(fault(file, 0, "", "packed-empty"))
    return Packed([] if faults else files, faults)


def _files(packed: zipfile.ZipFile, file: str, faults: list[Fault]) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    room = MOST_MIB * MIB
    for info in packed.infolist():
        name = name_of(info)
        if name.endswith("/") or _is_beside(name):
            continue
        code = _why_not(info, name, seen)
        if code:
            faults.append(fault(file, 0, "", code, name=name[:LONGEST_NAME]))
            continue
        seen.add(name)
        data = _unpacked(packed, info, room) if info.file_size <= room else None
        if data is None:
            faults.append(fault(file, 0, "", "packed-unpacks", most=MOST_MIB))
            return
        room -= len(data)
        if looks_like(data):
            faults.append(fault(file, 0, "", "packed-nested", name=name[:LONGEST_NAME]))
        yield name, data


def _why_not(info: zipfile.ZipInfo, name: str, seen: set[str]) -> str:
    """The code of why a file of a zip is not read; blank if it may be."""
    if info.flag_bits & _IS_LOCKED:
        return "packed-locked"
    if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/") or len(name) > LONGEST_NAME:
        return "packed-name"
    return "packed-twice" if name in seen else ""


def _unpacked(packed: zipfile.ZipFile, info: zipfile.ZipInfo, room: int) -> bytes | None:
    """A file's bytes; None for more than there is room for, whatever the zip says of it."""
    with packed.open(info) as stream:
        data = stream.read(room + 1)
    return data if len(data) <= room else None


def name_of(info: zipfile.ZipInfo) -> str:
    """A file's name with its folders, parted by slashes."""
    name = info.orig_filename
    if not info.flag_bits & _IS_UTF_8:
        name = _decoded(name.encode("cp437", "replace"))
    shown = "".join(c for c in unicodedata.normalize("NFC", name) if c.isprintable())
    return shown.replace("\\", "/")


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "cp932"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("cp437")


def _is_beside(name: str) -> bool:
    last = name.rpartition("/")[2].lower()
    return name.startswith(_BESIDE[0]) or last.startswith(".") or last in _BESIDE
