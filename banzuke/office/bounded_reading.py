"""Readers of files from strangers run in a process of their own, with limits of memory and time.

A file that takes long, or all memory, or makes a reader break, costs its sender a refusal and nobody else
anything. What reads is a plain function of a module without a database (`reading_process`); what it is given
and gives is pickled. It starts in milliseconds, and is ended by an alarm of the system.

Of the threads that take what is sent, at most half read or wait for their turn: the others go on. Of one
reporter one file is read at a time, and one more may wait: whoever sends many keeps nobody else waiting.
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
#: In a process of the office: readers at once; threads that read or wait for it, in all and of one reporter;
#: seconds that one waits.
AT_ONCE, IN_LINE, OF_ONE, PATIENCE = 2, 4, 2, 10
#: Seconds beyond the reader's own, in which its process is started; then it is given up.
_GRACE, _SECOND = 30, 10**9
#: The variables of the environment that the process is told: none of the office's.
_TOLD = ("LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHOME", "LD_LIBRARY_PATH")
_readers, _line = BoundedSemaphore(AT_ONCE), BoundedSemaphore(IN_LINE)
#: By reporter: whose turn it is, and how many threads read or wait.
_reporters: dict[str, tuple[BoundedSemaphore, int]] = {}
_reporters_lock = Lock()


def read_bounded(limits: Limits, read: Callable[[*Given], Found], *given: *Given, whose: str = "") -> Found:
    """What `read` makes of what is given.

    `whose` is the reporter whose files they are; blank: an officer's. Raises RefusedError as `read` does, and
    where it took too long, too much memory, or broke; ReadersBusyError where others' files are being read, or
    the reporter's own.
    """
    with _turn(whose):
        return _read(limits, read, given, None)


def read_with_progress(
    limits: Limits, tell: Callable[[int, int, str], None], read: Callable[..., Found], *given: object
) -> Found:
    """As `read_bounded`; the reader says to its last argument how far it is, and `tell` is told."""
    with _turn(""):
        return _read(limits, read, given, tell)


class ReadersBusyError(RefusedError):
    """Others' files are being read; it may be tried again."""

    def __init__(self) -> None:
        super().__init__([fault("", 0, "", "inbox-busy")])


def _read(
    limits: Limits, read: Callable[..., Found], given: Sequence[object], tell: Callable[..., None] | None
) -> Found:
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
def _turn(whose: str) -> Iterator[None]:
    """A turn to read. Raises ReadersBusyError where too many wait for one, or it does not come."""
    until = monotonic_ns() // _SECOND + PATIENCE
    with _held(_line, until=0), _of_reporter(whose) as own, _held(own, until), _held(_readers, until):
        yield


@contextmanager
def _held(turns: BoundedSemaphore, until: int) -> Iterator[None]:
    if not turns.acquire(timeout=max(until - monotonic_ns() // _SECOND, 0)):
        raise ReadersBusyError
    try:
        yield
    finally:
        turns.release()


@contextmanager
def _of_reporter(whose: str) -> Iterator[BoundedSemaphore]:
    """The turns of a reporter: one at a time. Raises ReadersBusyError where another file waits already."""
    with _reporters_lock:
        turns, in_line = _reporters.get(whose, (BoundedSemaphore(1 if whose else IN_LINE), 0))
        if whose and in_line >= OF_ONE:
            raise ReadersBusyError
        _reporters[whose] = turns, in_line + 1
    try:
        yield turns
    finally:
        with _reporters_lock:
            turns, in_line = _reporters.pop(whose)
            if in_line > 1:
                _reporters[whose] = turns, in_line - 1


def _hand_over(channel: socket.socket, limits: Limits) -> None:
    try:
        _process.pass_on(channel, limits)
    except OSError:  # the machine has no room for another process
        raise ReadersBusyError from None


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


class _Running(NamedTuple):
    """The process that makes readers, the socket to it, and the number of the process that started it."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    owner: int

    def is_ours(self) -> bool:
        """Whether this process started it: after a fork it is the other's."""
        return self.owner == os.getpid()


class _ReadingProcess:
    """The process that makes readers, started with the first file, and again where it has ended."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: _Running | None = None

    def pass_on(self, channel: socket.socket, limits: Limits) -> None:
        """Have a reader made that listens at the channel. Raises OSError where no process can be."""
        with self._lock:
            running = self._running
            if running is None or not running.is_ours() or running.process.poll() is not None:
                running = self._start_anew()
            try:
                _send(running, channel, limits)
            except OSError:
                _send(self._start_anew(), channel, limits)

    def _start_anew(self) -> _Running:
        self._end()
        self._running = _start()
        return self._running

    def end(self) -> None:
        """End the process, and what it reads."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        running, self._running = self._running, None
        if running is None:
            return
        running.control.close()
        if running.is_ours() and running.process.returncode is None:  # else its number may be another's
            with suppress(ProcessLookupError):
                os.killpg(running.process.pid, signal.SIGKILL)
            running.process.wait()


def _send(running: _Running, channel: socket.socket, limits: Limits) -> None:
    socket.send_fds(running.control, [LIMITS.pack(*limits)], [channel.fileno()])


def _start() -> _Running:
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
    return _Running(process, ours, os.getpid())


def _environment() -> dict[str, str]:
    """What the process is told of this one's environment, and where this program's modules are."""
    places = [str(Path(banzuke.__file__).parents[1]), *(place for place in sys.path if place)]
    told = {name: os.environ[name] for name in _TOLD if name in os.environ}
    return told | {"PYTHONPATH": os.pathsep.join(places), "PYTHONSAFEPATH": "1"}


_process = _ReadingProcess()
atexit.register(_process.end)
