"""A Go server's games posted into an office that is served: how many a second, and is everything right.

    python bench/live.py [--database sqlite|postgresql|both] [--games 200000] [--players 20000]
                         [--singles 20000] [--home FOLDER]

For each database: an office of its own in a temporary folder (`--home`: on the disk that is meant), served as
`banzuke serve` does; PostgreSQL is started on loopback with fsync on. The clients are processes on the same
machine that send requests made beforehand, each with a kept connection, and take them in order. First come
batches of 100, then single games by 8 clients, then by 4 for how long each waits. In the same run: what the
machine itself can write (`live_limit.py`). In the end the live standings and every line are compared with
`banzuke rate` of the ledger that is taken out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import socket
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from live_limit import BATCH, Limit, limit
from office import live_service
from postgresql_server import Postgresql, postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CLIENTS, WAITING_CLIENTS = 8, 4
#: Of the single posts, the part by whose waiting the percentiles are told.
WAITING = 4
_together = multiprocessing.get_context("fork")


class Ran(NamedTuple):
    """How long it took, and the milliseconds of each answer."""

    seconds: float
    times: list[float]


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


def _work(port: int, requests: Sequence[bytes], turn: Any, started: Any, told: Any) -> None:
    """Take the next request as long as there are any."""
    line, times = Line(port), []
    started.wait()
    while True:
        with turn.get_lock():
            number = turn.value
            turn.value += 1
        if number >= len(requests):
            break
        begun = time.perf_counter()
        line.ask(requests[number])
        times.append(1000 * (time.perf_counter() - begun))
    told.put(times)


def posted(port: int, requests: Sequence[bytes], clients: int) -> Ran:
    """Every request sent by so many processes."""
    turn, started, told = _together.Value("L", 0), _together.Event(), _together.Queue()
    workers = [
        _together.Process(target=_work, args=(port, requests, turn, started, told)) for _ in range(clients)
    ]
    for worker in workers:
        worker.start()
    time.sleep(0.5)
    begun = time.perf_counter()
    started.set()
    times = sorted(each for _ in workers for each in _of(told, workers))
    seconds = time.perf_counter() - begun
    for worker in workers:
        worker.join()
    return Ran(seconds, times)


def _of(told: Any, workers: Sequence[Any]) -> list[float]:
    """The times that one of the workers tells; an end where one has failed."""
    while told.empty():
        if any(worker.exitcode for worker in workers):
            raise SystemExit("a client failed")
        time.sleep(0.01)
    found: list[float] = told.get()
    return found


class Asked(NamedTuple):
    """How many players, games in all, and how many of the games one by one."""

    players: int
    games: int
    singles: int
    seed: int


def report(name: str, home: Path, server: Postgresql | None, asked: Asked) -> bool:
    """Measure on one database, print, and say whether everything was right."""
    rng = random.Random(asked.seed)
    halves = live_service.made_ledger(home / "opening", asked.players, rng)
    bound = _limit(home, server, asked)
    service = live_service.Service(_folder(home / "office"), server.url() if server else "")
    service.open(home / "opening")
    games = live_service.made_games(halves, asked.games, rng)
    many, few = games[: -asked.singles], games[-asked.singles :]
    batches = [
        live_service.request_of(many[at : at + BATCH], service.key) for at in range(0, len(many), BATCH)
    ]
    singles = [live_service.request_of(game, service.key) for game in few]
    with _serving(service):
        _print(name, asked, bound, [*_measured(service.port, batches, singles, len(many))])
    found = service.is_whole(_folder(home / "compared"))
    print(f"rated again, as games came out of order: {service.rated_again} games")
    print("standings and lines equal `banzuke rate` of the ledger taken out:", found, flush=True)
    return all(found.values())


def _measured(
    port: int, batches: Sequence[bytes], singles: Sequence[bytes], games: int
) -> Iterator[tuple[str, int, Ran]]:
    waiting = len(singles) // WAITING
    yield f"batches of {BATCH}, {CLIENTS} clients", games, posted(port, batches, CLIENTS)
    first, last = singles[:-waiting], singles[-waiting:]
    yield f"single posts, {CLIENTS} clients", len(first), posted(port, first, CLIENTS)
    yield f"single posts, {WAITING_CLIENTS} clients", len(last), posted(port, last, WAITING_CLIENTS)


def _limit(home: Path, server: Postgresql | None, asked: Asked) -> Limit:
    url = ""
    if server is not None:
        server.run("createdb", "-h", "127.0.0.1", "-p", str(server.port), "-U", "office", "bare")
        url = server.url("bare")
    bare = live_service.Service(_folder(home / "bare"), url)
    bare.open(home / "opening")
    return limit(bare.home, url, asked.players)


def _print(name: str, asked: Asked, bound: Limit, measured: Sequence[tuple[str, int, Ran]]) -> None:
    print(f"\n{name}: {asked.games} games among {asked.players} players\n")
    print("| what | games a second | median ms | 99 % ms |\n|---|---|---|---|")
    for what, games, (seconds, times) in measured:
        worst = statistics.quantiles(times, n=100, method="inclusive")[98]
        print(f"| {what} | {games / seconds:.0f} | {statistics.median(times):.1f} | {worst:.1f} |")
    print(f"| the same writes by a bare loop, {BATCH} games a transaction | {bound.batches:.0f} | | |")
    print(f"| the same writes by a bare loop, one game a transaction | {bound.singles:.0f} | | |")
    print(f"| fdatasyncs a second | {bound.syncs:.0f} | | |", flush=True)


def _folder(path: Path) -> Path:
    path.mkdir(0o700)
    return path


@contextmanager
def _serving(service: live_service.Service) -> Iterator[None]:
    service.start()
    try:
        yield
    finally:
        service.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    defaults = (("players", 20_000), ("games", 200_000), ("singles", 20_000), ("seed", 1))
    for option, default in defaults:
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    asked = Asked(given.players, given.games, given.singles, given.seed)
    wanted = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    good = True
    for name in wanted:
        with (
            tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-live-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
        ):
            good &= report(name, Path(folder), server, asked)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
