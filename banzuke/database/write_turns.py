"""Turns of those who write: on SQLite one after the other, and a long act lets others in between."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from django.db import connection

from banzuke.database.patience import locked_file

#: Seconds between two turns of a long act at the least, in which others write.
PAUSE = 0.02
#: Opens a transaction for some of the rows of a long act.
WriteTurn = Callable[[], AbstractContextManager[None]]


@contextmanager
def writers_turn() -> Iterator[None]:
    """On SQLite, let writers in one after the other: its own waiting sleeps longer and longer.

    Whoever is in a transaction already has the turn.
    """
    file, turn = _files(str(connection.settings_dict["NAME"]))
    if not has_turns() or not file.is_file():
        yield
        return
    with locked_file(turn):
        yield


@cache
def _files(name: str) -> tuple[Path, Path]:
    """The database's file, and the one that is locked by who writes."""
    return Path(name), Path(f"{name}-turn")


@contextmanager
def short_turn() -> Iterator[None]:
    """One of the many turns of a long act: after it others have as long as it took, on SQLite."""
    with writers_turn():
        begun = time.monotonic()
        yield
        took = time.monotonic() - begun
    if has_turns():
        time.sleep(max(PAUSE, took))


def has_turns() -> bool:
    """Whether writers come one after the other: on SQLite, and not within a transaction."""
    return connection.vendor == "sqlite" and not connection.in_atomic_block
