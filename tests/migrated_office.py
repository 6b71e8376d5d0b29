"""An office's database as it is after all migrations: made once a run, copied wherever one is wanted.

To migrate an empty database takes five seconds of processor time, to copy the file a few milliseconds.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

#: Garbage is collected seldom, which saves a fifth of the time.
_MIGRATE = """
import gc
gc.set_threshold(100_000, 50, 100)
from banzuke.server.office_opening import open_office
open_office()
"""


def migrate(**environment: str) -> None:
    """Bring the database that these variables name up to date, in a process of its own."""
    subprocess.run([sys.executable, "-c", _MIGRATE], env=os.environ | environment, check=True, timeout=300)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that all processes of a run share; the first that asks for it fills it.

    A benchmark, which has no settings of Django, has a folder of its own until it ends.
    """
    if settings.configured:
        folder = Path(settings.HOME) / name
    else:
        folder = Path(tempfile.mkdtemp(prefix=f"banzuke-{name}-"))
        atexit.register(shutil.rmtree, folder)
    folder.mkdir(0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "is-made").exists():
            make(folder)
            (folder / "is-made").touch()
    return folder


@cache
def migrated_database() -> Path:
    """The SQLite file."""
    return made_once("migrated", _make_database) / "office.db"


def _make_database(folder: Path) -> None:
    migrate(BANZUKE_HOME=str(folder), DATABASE_URL="")
    with closing(sqlite3.connect(folder / "office.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def migrated(home: Path) -> Path:
    """The folder of an office whose database is ready: made if it is not there, and given back."""
    home.mkdir(0o700, parents=True, exist_ok=True)
    shutil.copyfile(migrated_database(), home / "office.db")
    return home
