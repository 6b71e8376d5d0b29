"""Ctrl-C and SIGTERM: they wait while files are put in place, and leave nothing of what was begun."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

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
