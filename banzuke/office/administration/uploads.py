"""Files that were handed in, or made to be fetched, and wait: in the office's own folder.

A file is known by a word that nobody guesses. Who forgets one leaves it to be cleared away a day later.
"""

import re
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath

from django.conf import settings

from banzuke.office.refusals import NoFileError

#: Bytes of chance in a word; seconds that a file waits.
CHANCE, WAITS = 16, 24 * 60 * 60
_WORD = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_PLAIN = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)
_LONGEST = 80


def _folder() -> Path:
    return Path(settings.HOME) / "handed-in"


def place(name: str) -> tuple[str, Path]:
    """A new word, and where its file is to be written; of the name what a file may be called stays."""
    clear_old_files()
    word = secrets.token_urlsafe(CHANCE)
    folder = _folder() / word
    folder.mkdir(parents=True, mode=0o700)
    return word, folder / (_PLAIN.sub("-", PurePath(name).name)[-_LONGEST:].lstrip(".-") or "file")


def keep(name: str, parts: Iterable[bytes]) -> str:
    """Keep a file that was handed in; gives its word. Raises OSError; then nothing is kept."""
    word, path = place(name)
    try:
        with path.open("wb") as out:
            out.writelines(parts)
    except OSError:
        drop(word)
        raise
    return word


def find(word: str) -> Path:
    """The file of a word. Raises NoFileError."""
    folder = _folder() / word
    found = None
    with suppress(FileNotFoundError):
        if _WORD.fullmatch(word) and not _is_old(folder):
            found = next(folder.iterdir(), None)
    if found is None:
        raise NoFileError
    return found


def drop(word: str) -> None:
    """Take a file away; nothing is done where none waits."""
    if _WORD.fullmatch(word):
        shutil.rmtree(_folder() / word, ignore_errors=True)


def clear_old_files() -> None:
    """Take away what has waited too long: the worker does, and whoever places another file."""
    if _folder().is_dir():
        for folder in _folder().iterdir():
            with suppress(FileNotFoundError):  # another process clears, too
                if _is_old(folder):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_old(folder: Path) -> bool:
    return time.time() - folder.stat().st_mtime > WAITS
