"""Safe writing of a ledger: one writer at a time, whole tables or none, and interrupts that wait.

New tables are tried on a copy, checked as a whole, and only then put in place. Ctrl-C and SIGTERM wait
meanwhile, and leave nothing of what was begun.
"""

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from banzuke.ledger.folder import read_ledger, replace_tables
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.schema import tables_of

try:
    import fcntl
except ImportError:  # a system without such locks: one writer is then the operator's care
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; it goes with the process, however that ends."""
    if fcntl is None or not folder.is_dir():
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """An interrupt that comes meanwhile takes effect afterwards.

    Only the main thread is interrupted, so only there is anything to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    before = [
        (number, signal.signal(number, lambda number, _: asked.append(number)))
        for number in (signal.SIGINT, signal.SIGTERM)
    ]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    if asked:
        raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM interrupts the block as Ctrl-C does, unless somebody else has taken that signal."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def replace_ledger_tables(folder: Path, pool: Pool, tables: dict[str, list[Any]]) -> None:
    """Replace the tables (by name) of the pool's ledger in the folder: all of them or, on a fault, none.

    Whoever calls it holds the ledger's lock. Raises RefusedError for a ledger that would not check.
    """
    schema = tables_of(pool)
    with tempfile.TemporaryDirectory() as copy:
        trial = Path(copy) / "ledger"
        trial.mkdir()
        for path in folder.iterdir():
            if path.is_file() and not path.name.startswith("."):  # results kept in a folder are no part of it
                shutil.copy(path, trial)
        replace_tables(trial, tables, schema)
        read_ledger(trial)
    with uninterrupted():
        replace_tables(folder, tables, schema)
