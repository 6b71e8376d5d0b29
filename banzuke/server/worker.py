"""The worker of long acts, a process of its own beside the pages: `python -m banzuke.server.worker`."""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from contextlib import suppress
from typing import Any, TextIO

from banzuke.server.setup import open_office

#: Seconds between two looks for a job.
STEP = 0.5


def main() -> None:
    """Work off jobs until SIGTERM, or until the process that started this one is gone."""
    open_office()
    stop = threading.Event()

    def end(*_: Any) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    threading.Thread(target=_beat, args=(stop,), daemon=True).start()
    _work(stop, os.getppid())


def _beat(stop: threading.Event) -> None:
    from banzuke.desk.jobs.worker_beat import EVERY, beat

    while not stop.is_set():
        with suppress(OSError):  # a disk that is full or cannot be written to may be mended while we wait
            beat()
        stop.wait(EVERY)


def _work(stop: threading.Event, parent: int) -> None:
    """Jobs, one after another; those that a worker before this one left behind are marked first.

    While another worker of the office is at work, this one waits: what that one does would seem left behind.
    """
    from django.conf import settings

    from banzuke.desk.jobs.queue import interrupt_running, work_off

    with (settings.HOME / "worker-lock").open("w") as lock:
        while not _locked(lock):
            if stop.wait(STEP) or os.getppid() != parent:
                return
        interrupt_running()
        while not stop.wait(0 if work_off() else STEP) and os.getppid() == parent:
            pass


def _locked(lock: TextIO) -> bool:
    """Whether the lock is ours; the system opens it when its process ends, however that ends."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    main()
