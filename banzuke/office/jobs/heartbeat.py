"""The job worker's sign of life: a file in the office's folder, touched every few seconds."""

import time
from pathlib import Path

from django.conf import settings

#: Seconds between two beats, and after how many a worker is taken for dead.
EVERY, DEAD_AFTER = 5, 30


def _path() -> Path:
    return Path(settings.HOME) / "worker-beat"


def beat() -> None:
    """Give a sign of life."""
    _path().touch()


def is_alive() -> bool:
    """Whether there was a beat of late."""
    try:
        return time.time() - _path().stat().st_mtime < DEAD_AFTER
    except FileNotFoundError:
        return False
