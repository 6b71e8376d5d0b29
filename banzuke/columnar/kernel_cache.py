"""The folder of compiled loops, named by a hash of all code that they may contain; Numba checks one file."""

import os
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from banzuke.core.registry import GROUP

PACKAGE = Path(__file__).parents[1]
#: The folders whose functions and constants compiled loops may contain, beside those of the rule books.
SOURCES = ("core", "columnar", "table_writer", "engine/columnar")


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
    files = {path for source in SOURCES for path in (PACKAGE / source).glob("*.py")} | set(_of_books())
    return sha256(b"\0".join(path.read_bytes() for path in sorted(files))).hexdigest()[:16]


def _of_books() -> Iterator[Path]:
    """The modules of the installed rule books, those of other packages too."""
    for point in entry_points(group=GROUP):
        spec = find_spec(point.module)
        if spec is not None and spec.submodule_search_locations:
            yield from (
                path for folder in spec.submodule_search_locations for path in Path(folder).rglob("*.py")
            )
        elif spec is not None and spec.origin:
            yield Path(spec.origin)
