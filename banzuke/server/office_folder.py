"""The office's folder: made for its owner only, for all that is private lies in it."""

import os
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from banzuke.core.fault import RefusedError, fault

#: What nobody but the owner may do with the office's files, and with its folder.
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def home_of(environment: Mapping[str, str]) -> Path:
    """Where an office keeps its database when nobody says otherwise."""
    return Path(environment.get("BANZUKE_HOME") or Path.home() / ".banzuke")


def keep_private() -> None:
    """From now on what this process writes is its owner's only, wherever it lies."""
    os.umask(OTHERS)


def make_files_private(home: Path, database: str | None = None) -> None:
    """Make the office's files its owner's only: earlier versions left some open to others.

    They are those of its folder, and of SQLite's `database`, which may lie elsewhere.
    """
    elsewhere = [Path(f"{database}{end}") for end in ("", "-wal", "-shm")] if database else []
    for path in (*home.iterdir(), *elsewhere):
        with suppress(OSError):  # one of another owner's, or none
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode) and mode & OTHERS:
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)


def check_home(home: Path) -> None:
    """Raise RefusedError, with the command that mends it, for a folder that others can look into."""
    try:
        mode = stat.S_IMODE(home.stat().st_mode)
    except OSError:
        return  # there is none yet, or whoever makes it says why it cannot be
    if home.is_dir() and mode & OTHERS:
        facts = {"mode": f"{mode:o}", "home": shlex.quote(str(home.absolute()))}
        raise RefusedError([fault("BANZUKE_HOME", 0, "", "setting-home", **facts)])


def make_home(home: Path) -> None:
    """Make the office's folder. Raises RefusedError for one that others can look into, OSError."""
    home.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
    check_home(home)
