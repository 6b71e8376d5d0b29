"""A file that goes out: whole or not at all, and never one of a ledger's own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from banzuke.core.fault import RefusedError, fault
from banzuke.ledger import pool

#: What a new file may be used for: its owner writes, others read.
NEW_FILE = 0o644


def put(out: Path, data: bytes) -> None:
    """Write the file beside its place, then put it there; a file that is there keeps its permissions.

    Raises RefusedError for a place inside a ledger, whose tables it could replace, and OSError.
    """
    target = out.resolve()
    folder = target.parent
    if (folder / pool.FILE).exists():
        raise RefusedError([fault(str(out), 0, "", "export-into-ledger")])
    handle, name = tempfile.mkstemp(prefix=".banzuke.", suffix=".part", dir=folder)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.chmod(target.stat().st_mode if target.exists() else NEW_FILE)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
