"""Where compiled loops are kept: by the text of all that they may hold, as Numba looks at one file alone."""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
#: The folders whose functions and constants compiled loops may hold.
SOURCES = ("core", "rulebooks", "columnar_books", "engine/columnar", "engine/parquet_writer")


def folder_of_kernels() -> Path:
    """A folder in the user's cache that can be written; where there is none, one for this process alone."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(cache).expanduser() / "banzuke" / _digest()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        return Path(tempfile.mkdtemp(prefix="banzuke-kernels-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="banzuke-kernels-"))


def _digest() -> str:
    files = sorted(path for source in SOURCES for path in (PACKAGE / source).glob("*.py"))
    return sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:16]
