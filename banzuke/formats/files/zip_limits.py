"""Zips as they come: seen into without being unpacked, and bounded in what they unpack to."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib

#: How a zip begins.
ZIP = b"PK\x03\x04"
#: The most that a zipped workbook may unpack to: beyond is a trap or a mistake.
MOST_UNPACKED = 512 * 1024 * 1024
#: What the standard library raises on zips that are broken, locked or packed in an unknown way.
BROKEN = (
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
    except BROKEN:
        return None
    return True


def opening(data: bytes, member: str) -> bytes:
    """The first bytes of a zip's member, to see what the file may be; none if it cannot be had."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed, packed.open(member) as stream:
            return stream.read(_BEGINNING)
    except (KeyError, *BROKEN):
        return b""
