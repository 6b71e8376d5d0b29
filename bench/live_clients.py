"""Programs that talk to a Go server's office, for the benches: processes with a kept connection each."""

from __future__ import annotations

import multiprocessing
import socket
import statistics
import time
from collections import defaultdict
from contextlib import contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_together = multiprocessing.get_context("fork")
#: A request as it goes out, and what it is called in the tables.
Request = tuple[str, bytes]


class Ran(NamedTuple):
    """How long it took, and the milliseconds of each answer, by what was asked."""

    seconds: float
    times: dict[str, list[float]]

    def median(self, what: str) -> float:
        return statistics.median(self.times[what])

    def within_99(self, what: str) -> float:
        """Within how many milliseconds 99 of 100 answers came."""
        return statistics.quantiles(self.times[what], n=100, method="inclusive")[98]


class Line:
    """A kept connection on which requests go out as they are and answers come back whole."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, request: bytes) -> None:
        """Send and wait for the answer. Raises SystemExit for one that is not good."""
        self._socket.sendall(request)
        got = b""
        while (end := got.find(b"\r\n\r\n")) < 0:
            got += self._more()
        head = got[:end].lower()
        at = head.index(b"content-length:") + len(b"content-length:")
        size = end + 4 + int(head[at:].split(b"\r\n", 1)[0])
        while len(got) < size:
            got += self._more()
        if not got.startswith(b"HTTP/1.1 200"):
            raise SystemExit(got[:2000].decode())

    def _more(self) -> bytes:
        found = self._socket.recv(1 << 18)
        if not found:
            raise SystemExit("the connection was closed")
        return found


def _ask_in_turn(port: int, turns: Sequence[Sequence[Request]], turn: Any, started: Any, told: Any) -> None:
    """Take the next requests, which go out one after another, as long as there are any."""
    line, times = Line(port), defaultdict(list)
    started.wait()
    while True:
        with turn.get_lock():
            number = turn.value
            turn.value += 1
        if number >= len(turns):
            break
        for what, request in turns[number]:
            begun = time.perf_counter()
            line.ask(request)
            times[what].append(1000 * (time.perf_counter() - begun))
    told.put(dict(times))


def asked(port: int, turns: Sequence[Sequence[Request]], clients: int) -> Ran:
    """Every request sent by so many processes; those of a turn one after another, by one of them."""
    turn, started, told = _together.Value("L", 0), _together.Event(), _together.Queue()
    workers = [
        _together.Process(target=_ask_in_turn, args=(port, turns, turn, started, told))
        for _ in range(clients)
    ]
    for worker in workers:
        worker.start()
    time.sleep(0.5)
    begun = time.perf_counter()
    started.set()
    times = _joined(_of(told, workers) for _ in workers)
    seconds = time.perf_counter() - begun
    for worker in workers:
        worker.join()
    return Ran(seconds, times)


def _joined(parts: Iterator[dict[str, list[float]]]) -> dict[str, list[float]]:
    joined = defaultdict(list)
    for part in parts:
        for what, times in part.items():
            joined[what] += times
    return dict(joined)


def _of(told: Any, workers: Sequence[Any]) -> dict[str, list[float]]:
    """The times that one of the workers tells; an end where one has failed."""
    while told.empty():
        if any(worker.exitcode for worker in workers):
            raise SystemExit("a client failed")
        time.sleep(0.01)
    found: dict[str, list[float]] = told.get()
    return found


def _ask_on(port: int, requests: Sequence[Request], stopped: Any, told: Any) -> None:
    """Ask until told to stop."""
    line, times = Line(port), defaultdict(list)
    for what, request in cycle(requests):
        if stopped.is_set():
            break
        begun = time.perf_counter()
        line.ask(request)
        times[what].append(1000 * (time.perf_counter() - begun))
    told.put(dict(times))


@contextmanager
def reading(port: int, requests: Sequence[Request], readers: int) -> Iterator[dict[str, list[float]]]:
    """So many processes ask without a pause as long as the block runs; then it has their milliseconds."""
    stopped, told = _together.Event(), _together.Queue()
    own = [requests[number::readers] for number in range(readers)]
    workers = [_together.Process(target=_ask_on, args=(port, each, stopped, told)) for each in own]
    for worker in workers:
        worker.start()
    times: dict[str, list[float]] = {}
    try:
        yield times
    finally:
        stopped.set()
        times.update(_joined(_of(told, workers) for _ in workers))
        for worker in workers:
            worker.join()
