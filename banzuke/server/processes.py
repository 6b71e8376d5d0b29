"""Serving the office: pages, the writer of games and the worker of long acts, started and stopped together.

Where the writer or the worker dies it is started again, after a pause that grows; where the pages die,
everything ends.
"""

import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

from banzuke.office.jobs.heartbeat import note_death, note_restart
from banzuke.server.environment import GAME_WRITER
from banzuke.server.restarts import ProcessRestarts

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


LOOPBACK = ("localhost", "::1")
#: How many processes serve pages, unless it is said: one for each core but one, which is for the writer of
#: games and the database (one at least).
WORKERS = max(1, (os.cpu_count() or 1) - 1)
#: Of each process: the connections that are open at once, the seconds that headers may take (a connection
#: that is kept waits as long for the next request), and the bytes that they may have.
CONNECTIONS, HEADERS_WITHIN, MOST_HEADERS = 2_000, 10, 64 << 10
#: Where the processes write: what `serve` itself prints may be read by a program.
STDERR = 2
#: Seconds: how often processes are looked at, how long one has to start and to stop.
STEP, STARTS_WITHIN, STOPS_WITHIN = 0.1, 60, 10
#: Seconds for which the pages of an office that was killed may hold its port.
PORT_WITHIN = 3
#: A Unix socket's address has at most 103 bytes on every system; so many are left for the temporary folder.
MOST_OF_TEMPORARY = 103 - len("/banzuke-12345678/games")
PAGES, WRITER, WORKER = "granian", "writer", "worker"

Processes = dict[str, subprocess.Popen[bytes]]


class PortTakenError(Exception):
    """The port cannot be listened at; the text says why."""


class StoppedError(Exception):
    """A process of the office ended by itself; the text is its name."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches that address."""
    return host in LOOPBACK or host.startswith("127.")


def address_of(host: str, port: int) -> str:
    """The address where the office listens; on all addresses that of the first name it answers to."""
    if host in ("0.0.0.0", "::"):  # noqa: S104  # compared, not bound
        host = next(iter(_names()), host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def public_address(host: str, port: int) -> str:
    """The address to open in a browser; behind a proxy with TLS that of the first name it answers to."""
    names = _names()
    if os.environ.get("BANZUKE_TLS") == "1" and names:
        return f"https://{names[0]}/"
    return address_of(host, port)


def _names() -> list[str]:
    """The names that the office answers to; one that begins with a point stands for many, and is none."""
    return [name for name in os.environ.get("BANZUKE_HOSTS", "").split() if not name.startswith(".")]


def check_port(host: str, port: int) -> None:
    """Raise PortTakenError if nothing can be served there; an office that is just ending is waited for."""
    until = time.monotonic() + PORT_WITHIN
    while True:
        try:
            _bind(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise PortTakenError(error.strerror or str(error)) from None
            time.sleep(STEP)
        else:
            return


def _bind(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def serve(host: str, port: int, workers: int, opened: Callable[[], None]) -> None:
    """Serve by so many processes until Ctrl-C or SIGTERM; `opened` is called once the office answers.

    Raises StoppedError if the pages end by themselves, or if anything does before they answer.
    """
    _allow_connections()
    with _folder_of_socket() as folder:
        address = os.environ[GAME_WRITER] = f"{folder}/games"
        commands = _commands(host, port, workers, address)
        with until_signalled(), _running(commands) as processes:
            _wait_until_open(host, port, processes)
            opened()
            restarts = {
                WRITER: ProcessRestarts(
                    "The writer of games", lambda: _start(processes, WRITER, commands[WRITER])
                ),
                WORKER: ProcessRestarts(
                    "The worker of long jobs",
                    lambda: _start(processes, WORKER, commands[WORKER]),
                    note_death,
                    note_restart,
                ),
            }
            while True:
                _check(processes, PAGES)
                for name, each in restarts.items():
                    each.look(has_ended=processes[name].poll() is not None)
                time.sleep(STEP)


def _folder_of_socket() -> TemporaryDirectory[str]:
    """A folder that nobody else may look into, of so short a name that a socket in it can have an address."""
    is_short = len(os.fsencode(gettempdir())) <= MOST_OF_TEMPORARY
    return TemporaryDirectory(prefix="banzuke-", dir=None if is_short else "/tmp")  # noqa: S108  # a new folder in it


def _allow_connections() -> None:
    """Let processes have as many open files as connections, and some more, where the system does."""
    wanted = 2 * CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _commands(host: str, port: int, workers: int, address: str) -> dict[str, list[str]]:
    python = [sys.executable, "-m"]
    pages = [
        *python, "granian", "--interface", "rsgi", "--loop", "asyncio", "--host", host, "--port", str(port),
        "--workers", str(workers), "--respawn-failed-workers", "--http", "1", "--no-ws",
        "--backpressure", str(CONNECTIONS), "--http1-header-read-timeout", str(1000 * HEADERS_WITHIN),
        "--http1-buffer-size", str(MOST_HEADERS),
        "--workers-kill-timeout", str(STOPS_WITHIN // 2), "--log-level", "error",
        "--factory", "banzuke.server.wsgi:make_worker_application",
    ]  # fmt: skip
    writer = [*python, "banzuke.server.game_writer", address]
    return {PAGES: pages, WRITER: writer, WORKER: [*python, "banzuke.server.worker"]}


@contextmanager
def until_signalled() -> Iterator[None]:
    """Ctrl-C and SIGTERM end the block in order."""

    def end(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _running(commands: dict[str, list[str]]) -> Iterator[Processes]:
    """The processes, as long as the block runs."""
    processes: Processes = {}
    try:
        for name, command in commands.items():
            _start(processes, name, command)
        yield processes
    finally:
        with _signals_ignored():
            writer = processes.pop(WRITER, None)
            _stop(list(processes.values()))
            _stop([writer] if writer else [])  # last: who serves pages may still wait for it


@contextmanager
def _signals_ignored() -> Iterator[None]:
    """Whoever presses Ctrl-C again does not stop the stopping, which takes so many seconds and no longer."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _start(processes: Processes, name: str, command: Sequence[str]) -> None:
    """Start one, in a session of its own so that Ctrl-C comes to it through this one."""
    processes[name] = subprocess.Popen(  # noqa: S603  # our own
        command,
        stdout=STDERR,
        start_new_session=True,
        preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509  # there are no threads here
    )


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask each to stop, and end those that do not."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _check(processes: Processes, *names: str) -> None:
    for name in names:
        if processes[name].poll() is not None:
            raise StoppedError(name)


def _wait_until_open(host: str, port: int, processes: Processes) -> None:
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until:
        _check(processes, *processes)
        try:
            socket.create_connection((host, port), STEP).close()
        except OSError:
            time.sleep(STEP)
        else:
            return
    raise StoppedError(PAGES)
