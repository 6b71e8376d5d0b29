"""The folder of compiled loops, named by a hash of all code that they may contain; Numba checks one file."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from banzuke.core.registry import GROUP

#: The mode of the folder, and the bits by which others may write.
OWN, OTHERS_WRITE = 0o700, 0o022
PACKAGE = Path(__file__).parents[1]
#: The folders whose functions and constants compiled loops may contain, beside those of the rule books.
SOURCES = ("core", "columnar", "table_writer", "engine/columnar")


def folder_of_kernels() -> Path:
    """A folder in the user's cache that nobody else can write to; where there is none, one for this process.

    What lies in it is run. So it and all in it must be the user's own; one that others could write to is
    begun anew.
    """
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(cache).expanduser() / "banzuke" / _digest()
        if _make_own(folder.parent) and _make_own(folder) and all(map(_is_own, folder.rglob("*"))):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        pass
    return Path(tempfile.mkdtemp(prefix="banzuke-kernels-"))


def _make_own(folder: Path) -> bool:
    """Make a folder for the user alone; False where it is there and somebody else's, or cannot be written."""
    folder.mkdir(mode=OWN, parents=True, exist_ok=True)
    if not _is_own(folder):
        return False
    if folder.stat().st_mode & OTHERS_WRITE:
        folder.chmod(OWN)
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    return os.access(folder, os.W_OK)


def _is_own(path: Path) -> bool:
    """Whether it is the user's, and no link to somewhere else."""
    return path.lstat().st_uid == os.geteuid() and not path.is_symlink()


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
