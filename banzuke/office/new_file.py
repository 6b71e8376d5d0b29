"""Files written whole or not at all; one that goes out is never among a ledger's own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from banzuke.core.fault import RefusedError, fault
from banzuke.ledger import pool
from banzuke.ledger.folder import NEW_FILE


def put(out: Path, data: bytes) -> None:
    """Write a file that goes out.

    Raises RefusedError for a place inside a ledger, whose tables it could replace, and OSError.
    """
    if (out.resolve().parent / pool.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "export-into-ledger")])
    write_whole(out, data)


def write_whole(path: Path, data: bytes) -> None:
    """Write the file beside its place, then put it there; a file that is there keeps its permissions.

    A device or a pipe (`/dev/stdout`) is written to, never replaced. Raises OSError; then nothing has
    changed.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        error.filename = str(path)  # never that of a part, which nobody asked for
        raise


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=".banzuke.", suffix=".part", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(target.stat().st_mode if target.exists() else NEW_FILE)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
