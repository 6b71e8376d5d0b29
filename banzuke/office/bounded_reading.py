"""Readers of files from strangers run in a process of their own, with limits of memory and time.

A file that takes long, or all memory, or makes a reader break, costs its sender a refusal and nobody else
anything. What reads is a plain function of a module without a database (`reading_process`); what it is given
and gives is pickled. It starts in milliseconds, and is ended by an alarm of the system.

Half the threads that answer pages read at most, or wait their turn to: the others go on answering.
"""

import atexit
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import BoundedSemaphore, Lock
from time import monotonic_ns
from typing import Any, NamedTuple, TypeVar, TypeVarTuple

import banzuke
from banzuke.core.fault import RefusedError, fault
from banzuke.office import reading_process
from banzuke.office.reading_process import ANSWER, BROKEN, LIMITS, PROGRESS, REFUSED, TOO_LARGE

Given = TypeVarTuple("Given")
Found = TypeVar("Found")
LOG = logging.getLogger(__name__)


class Limits(NamedTuple):
    """What reading may take: seconds, MiB of memory, and MiB of what is found."""

    seconds: int
    mebibytes: int
    answer: int = 16


#: A report, a register, a table: 2,000 games of Go in a zip take 2 s and 35 MiB here, 20,000 in PGN 3 s and
#: 100 MiB. A page waits for it, and a proxy before it not much longer than 30 s.
SMALL = Limits(20, 1024)
#: Readers at once in a process of the office, and threads that read or wait; seconds that one waits.
AT_ONCE, IN_LINE, PATIENCE = 2, 4, 10
#: Seconds beyond the reader's own, in which its process is started; then it is given up.
_GRACE, _SECOND = 30, 10**9
#: What of the environment the process is told: nothing of the office.
_TOLD = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHOME", "LD_LIBRARY_PATH")
_readers, _line = BoundedSemaphore(AT_ONCE), BoundedSemaphore(IN_LINE)


def read_bounded(limits: Limits, read: Callable[[*Given], Found], *given: *Given) -> Found:
    """What `read` makes of what is given.

    Raises RefusedError as `read` does, and where it took too long, too much memory, or broke; BusyError where
    others are read.
    """
    return _read(limits, read, given, None)


def read_with_progress(
    limits: Limits, tell: Callable[[int, int, str], None], read: Callable[..., Found], *given: object
) -> Found:
    """What `read_bounded` says, of a reader whose last argument is told how far it is."""
    return _read(limits, read, given, tell)


class BusyError(RefusedError):
    """Others' files are being read; it may be tried again."""

    def __init__(self) -> None:
        super().__init__([fault("", 0, "", "inbox-busy")])


def _read(
    limits: Limits, read: Callable[..., Found], given: Sequence[object], tell: Callable[..., None] | None
) -> Found:
    with _turn():
        began = monotonic_ns()
        ours, theirs = socket.socketpair()
        with Connection(ours.detach()) as channel:
            with theirs:
                _hand_over(theirs, limits)
            with suppress(OSError):  # it has ended; why is seen below
                channel.send_bytes(pickle.dumps((read, given, tell is not None), pickle.HIGHEST_PROTOCOL))
            kind, what = _await(channel, began // _SECOND + limits.seconds + _GRACE, tell)
        took = (monotonic_ns() - began) // _SECOND
    found: Found = _found(kind, what, limits, is_late=took >= limits.seconds)
    return found


@contextmanager
def _turn() -> Iterator[None]:
    """A turn to read. Raises BusyError where too many wait for one, or it does not come."""
    if not _line.acquire(blocking=False):
        raise BusyError
    try:
        if not _readers.acquire(timeout=PATIENCE):
            raise BusyError
        try:
            yield
        finally:
            _readers.release()
    finally:
        _line.release()


def _hand_over(channel: socket.socket, limits: Limits) -> None:
    try:
        _process.pass_on(channel, limits)
    except OSError:  # the machine has no room for another process
        raise BusyError from None


def _await(channel: Connection, until: int, tell: Callable[..., None] | None) -> tuple[str, Any]:
    """The reader's answer; BROKEN where it ended without one."""
    try:
        while channel.poll(max(until - monotonic_ns() // _SECOND, 0)):
            kind, what = pickle.loads(channel.recv_bytes())  # noqa: S301  # from a copy of this program
            if kind != PROGRESS:
                return kind, what
            if tell:
                tell(*what)
    except (EOFError, OSError):
        pass
    return BROKEN, ""


def _found(kind: str, what: Any, limits: Limits, *, is_late: bool) -> Any:
    if kind == ANSWER:
        return what
    if kind == REFUSED:
        raise RefusedError(what)
    if kind == TOO_LARGE:
        raise RefusedError([fault("", 0, "", "inbox-memory", most=limits.mebibytes)])
    if is_late:
        raise RefusedError([fault("", 0, "", "inbox-slow", most=limits.seconds)])
    LOG.error("a reader broke\n%s", what or "without a word: it may have asked for too much memory")
    raise RefusedError([fault("", 0, "", "inbox-broke")])


class _ReadingProcess:
    """The process that makes readers, started with the first file, and again where it has ended."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: tuple[int, socket.socket, subprocess.Popen[bytes]] | None = None

    def pass_on(self, channel: socket.socket, limits: Limits) -> None:
        """Have a reader made that listens at the channel. Raises OSError where no process can be."""
        with self._lock:
            if not self._is_running():
                self._end()
                self._running = self._start()
            try:
                self._send(channel, limits)
            except OSError:
                self._end()
                self._running = self._start()
                self._send(channel, limits)

    def _is_running(self) -> bool:
        """Whether it does, and is this process's own: after a fork it is the other's."""
        return (
            self._running is not None and self._running[0] == os.getpid() and self._running[2].poll() is None
        )

    def _send(self, channel: socket.socket, limits: Limits) -> None:
        if self._running is not None:
            socket.send_fds(self._running[1], [LIMITS.pack(*limits)], [channel.fileno()])

    def _start(self) -> tuple[int, socket.socket, subprocess.Popen[bytes]]:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", reading_process.__name__, str(theirs.fileno())]
        with theirs:
            process = subprocess.Popen(  # noqa: S603  # our own
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=_environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return os.getpid(), ours, process

    def end(self) -> None:
        """End the process, and what it reads."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._running is not None:
            owner, control, process = self._running
            self._running = None
            control.close()
            if (
                owner == os.getpid() and process.returncode is None
            ):  # its number is its own until it is waited for
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _environment() -> dict[str, str]:
    """What the process is told of this one's environment, and where this program's modules are."""
    places = [str(Path(banzuke.__file__).parents[1]), *(place for place in sys.path if place)]
    told = {name: os.environ[name] for name in _TOLD if name in os.environ}
    return told | {"PYTHONPATH": os.pathsep.join(places), "PYTHONSAFEPATH": "1"}


_process = _ReadingProcess()
atexit.register(_process.end)
