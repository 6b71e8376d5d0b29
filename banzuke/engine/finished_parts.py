"""Finished parts of a long run, kept as files so that an interrupted run goes on where it was.

A part is arrays by name. It is kept under a name made of all that decides it: the version of Banzuke, the
files of the package whose `code` makes it (the name of a module in it) and of the installed rule books, and
whatever the caller names.
"""

import hashlib
import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from lzma import LZMAError
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from banzuke.core.registry import BOOKS, entry_point_of
from banzuke.engine.output_file import write_atomically

#: What NumPy and the modules of archives say of bytes that are no part, or no longer one.
DAMAGED = (
    ValueError, EOFError, BadZipFile, zlib.error, LZMAError, TokenError, RuntimeError, MemoryError, OSError,
)  # fmt: skip


def load_part(folder: Path | None, decides: object, code: str) -> dict[str, NDArray[Any]] | None:
    """The part that was kept; None where none was, or where its file is damaged. Raises OSError."""
    if folder is not None and (path := _path_of(folder, decides, code)).exists():
        data = path.read_bytes()
        with suppress(*DAMAGED):
            found = np.load(io.BytesIO(data))
            if isinstance(found, NpzFile):
                with found:
                    return dict(found)
    return None


def store_part(folder: Path | None, decides: object, code: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Keep a part in the folder, made where missing; without a folder nothing is kept. Raises OSError."""
    if folder is not None:
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(_path_of(folder, decides, code), stream.getvalue())


def _path_of(folder: Path, decides: object, code: str) -> Path:
    whole = repr((version("banzuke"), _digest_of_code(code), digest_of_books(), decides))
    return folder / f"{hashlib.sha256(whole.encode()).hexdigest()[:32]}.npz"


def digest_of_ledger(folder: Path) -> str:
    """SHA-256 over the names and bytes of a ledger's files."""
    return _digest({path.name: path for path in folder.iterdir() if path.is_file()})


@cache
def _digest_of_code(module: str) -> str:
    """SHA-256 over the files of the package that a module is in: a part says what its code looks for."""
    return _digest(dict(_files_of(module)))


@cache
def digest_of_books() -> str:
    """SHA-256 over the files of all installed rule books: code, numbers, words."""
    modules = {entry_point_of(name).module for name in BOOKS}
    return _digest({name: path for module in modules for name, path in _files_of(module)})


def _files_of(module: str) -> Iterator[tuple[str, Path]]:
    """The files of the package that a module is in, or is; of a module in no package its own file."""
    found = import_module(module)
    file = Path(found.__file__ or "")
    if not found.__package__:
        yield module, file
        return
    for path in file.parent.rglob("*"):
        if path.suffix in (".py", ".toml"):
            yield f"{found.__package__}/{path.relative_to(file.parent).as_posix()}", path


def _digest(found: Mapping[str, Path]) -> str:
    """SHA-256 over the names and bytes of files."""
    whole = hashlib.sha256()
    for name in sorted(found):
        whole.update(f"{hashlib.sha256(found[name].read_bytes()).hexdigest()} {name}\n".encode())
    return whole.hexdigest()
