"""Ctrl-C waits while files are put in place, so that none of them appears without the others."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def uninterrupted() -> Iterator[None]:
    """An interrupt that comes meanwhile takes effect afterwards.

    Only the main thread is interrupted, so only there is anything to do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt
