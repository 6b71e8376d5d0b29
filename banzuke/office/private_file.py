"""A file of the office that is written once and then stays: whole or not at all, for its owner only."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600


def write_once(path: Path, data: bytes) -> None:
    """Write the file; where it is there, or another process makes it just now, that one stays.

    It has its name only when all of it is on the disk: nobody reads a half. Raises OSError.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(part)
    finally:
        part.unlink()
    keep_name(path.parent)


def keep_name(folder: Path) -> None:
    """Have the disk keep the folder's new entry, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
