"""Files written whole or not at all; one that goes out is never among a ledger's own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from banzuke.core.fault import RefusedError, fault
from banzuke.ledger import pool_rules
from banzuke.ledger.folder import NEW_FILE

try:
    import fcntl
except ImportError:  # a system without such locks: parts that are left are then the operator's care
    fcntl = None  # type: ignore[assignment]

#: What a new file with private data may be used for: its owner alone reads it.
PRIVATE_FILE = 0o600
#: How a part is called.
PREFIX, SUFFIX = ".banzuke.", ".part"


def write_export(out: Path, data: bytes, *, is_private: bool = False) -> None:
    """Write a file that goes out: a new one as the user's umask wants it, a private one for its owner only.

    Raises RefusedError for a place inside a ledger, whose tables it could replace, and OSError.
    """
    if (out.resolve().parent / pool_rules.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "export-into-ledger")])
    write_atomically(out, data, PRIVATE_FILE if is_private else NEW_FILE & ~_umask())


def _umask() -> int:
    """What the user takes from the permissions of new files. Only for a process of one thread."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_atomically(path: Path, data: bytes, mode: int = NEW_FILE) -> None:
    """Write the file beside its place, then put it there; a file that is there keeps its permissions.

    `mode` is a new file's. A device or a pipe (`/dev/stdout`) is written to, never replaced. Raises OSError;
    then nothing has changed.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data, mode)
    except OSError as error:
        error.filename = str(path)  # never that of a part, which nobody asked for
        raise


def _replace(target: Path, data: bytes, mode: int) -> None:
    with replacing_file(target, target.stat().st_mode if target.exists() else mode) as stream:
        stream.write(data)


@contextmanager
def replacing_file(target: Path, mode: int) -> Iterator[IO[bytes]]:
    """A stream beside a file's place; once everything is in it and on the disk, it is put there.

    Only its owner can read it meanwhile. Raises OSError; then nothing has changed.
    """
    handle, part = _new_part(target.parent)
    held = os.dup(handle) if fcntl else None  # so that it is held until it is in its place
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
        if held is not None:
            os.close(held)


def remove_left_parts(folder: Path) -> None:
    """Remove from a folder what processes were writing that were killed: parts that no process holds."""
    for part in folder.glob(f"{PREFIX}*{SUFFIX}") if fcntl else ():
        with suppress(OSError):  # somebody holds it, or it is another user's
            handle = os.open(part, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
            finally:
                os.close(handle)


def _new_part(folder: Path) -> tuple[int, Path]:
    """A part, and its handle: by that the process holds it until it ends, however that happens."""
    while True:
        handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=SUFFIX, dir=folder)
        if fcntl:
            with suppress(OSError):  # a disk without such locks: nothing is removed there either
                fcntl.flock(handle, fcntl.LOCK_EX)
        if Path(name).exists():
            return handle, Path(name)
        os.close(handle)  # removed before it was held
