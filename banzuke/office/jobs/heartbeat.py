"""The job worker's signs of life, files in the office's folder: its beat, and when it was started again."""

import json
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings

#: Seconds between two beats, and after how many a worker is taken for dead.
EVERY, DEAD_AFTER = 5, 30
#: For so long (seconds) it is told that the worker was started again, and so many times are kept.
TOLD, MOST_KEPT = 24 * 60 * 60, 100


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


def note_death() -> None:
    """The worker has ended by itself: it is dead from now on, until another one beats."""
    with suppress(OSError):
        _path().unlink()


def _restarts() -> Path:
    return Path(settings.HOME) / "worker-restarts"


def note_restart() -> None:
    """The worker is started again now."""
    times = [*restarts(), int(time.time())]
    with suppress(OSError):  # a full disk
        _restarts().write_text(json.dumps(times[-MOST_KEPT:]))


def restarts() -> list[int]:
    """When (seconds since 1970) the worker was started again of late; none of a file that cannot be read."""
    try:
        found = json.loads(_restarts().read_text())
    except (OSError, ValueError):
        return []
    times = found if isinstance(found, list) else []
    since = time.time() - TOLD
    return [each for each in times if isinstance(each, int) and each > since]
