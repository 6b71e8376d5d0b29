"""Processes that end with the one that started them, even where that is killed and can tell them nothing."""

import ctypes
import os
import signal
import sys

#: Linux' prctl(2): the signal that a process gets when its parent dies.
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent(parent: int, how: signal.Signals = signal.SIGTERM) -> None:
    """From now on this process gets that signal when its parent (by its number) dies, or has died already.

    On Linux: others have no such thing.
    """
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, how)
        if os.getppid() != parent:
            os.kill(os.getpid(), how)
