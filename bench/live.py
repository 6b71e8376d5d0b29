"""A Go server's games posted into an office that is served: how many a second, and is everything right.

    python bench/live.py [--database sqlite|postgresql|both] [--games 200000] [--players 20000]
                         [--singles 20000] [--seed 1] [--home FOLDER]

For each database: an office of its own in a temporary folder (`--home`: on the disk that is meant), served as
`banzuke serve` does; PostgreSQL is started on loopback with fsync on. The clients are processes on the same
machine that send requests made beforehand, each with a kept connection, and take them in order. They begin
when the names of the new pool's players can be found. First come batches of 100, then single games by 4, 8
and 16 clients. After each of these come the same games by a bare loop, into a copy of the database
(`live_limit.py`), and by three services that only insert, if the extra `bench` is installed
(`bare_service.py`). Then games as a server sends them that asks for `terms` before each and for a player
after it; single games beside programs that read without a pause; and polls of the feed that find nothing. In
the end the live standings and every line are compared with `banzuke rate` of the ledger that is taken out.
"""

from __future__ import annotations

import argparse
import os
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from bare_service import is_installed, serving
from live_clients import Ran, Request, asked, reading
from live_limit import BareLoop, syncs_a_second
from office import live_service
from postgresql_server import Postgresql, postgresql
from processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BATCH = 100
CLIENTS, WAITING_CLIENTS, READERS = 8, 4, 4
#: How many clients send single games. These are shared out among so many measurements, and two more.
SENDERS = (4, 8, 16)
SHARES = len(SENDERS) + 2
#: The services that only insert, as `bare_service.py` has them, and what they are called in the table.
SERVICES = {
    "make_lean_app": "a lean service that only inserts",
    "make_threaded_app": "one by the driver's guide, in threads",
    "make_guide_app": "one built by FastAPI's guide",
}
#: Seconds between two looks whether the worker still works.
NAMES_LOOK = 3
#: Requests before a measurement; polls that are measured; a number that no change has yet.
WARM, POLLS, NOTHING_NEW = 50, 2_000, 10**17


class Asked(NamedTuple):
    """How many players, games in all, and how many of the games one by one; what chance begins with."""

    players: int
    games: int
    singles: int
    seed: int


def report(name: str, home: Path, server: Postgresql | None, asked_for: Asked) -> bool:
    """Measure on one database, print, and say whether everything was right."""
    rng = random.Random(asked_for.seed)
    halves = live_service.made_ledger(home / "opening", asked_for.players, rng)
    service = live_service.Service(_folder(home / "office"), server.migrated() if server else "")
    service.open(home / "opening")
    games = live_service.made_games(halves, asked_for.games, rng)
    at_once = len(games) - asked_for.singles
    many, few = games[:at_once], games[at_once:]
    batches = [many[at : at + BATCH] for at in range(0, len(many), BATCH)]
    load = Load(service, few)
    with _serving(service):
        _wait_for_names(service)
        _print(name, asked_for, list(_measured(service, load, batches, Databases(home, server))))
        print(f"| fdatasyncs a second | {syncs_a_second(home):.0f} | | |")
        print(f"| processor ms of an empty poll | {_poll_milliseconds(service, load):.2f} | | |", flush=True)
    found = service.is_whole(_folder(home / "compared"))
    print(f"rated again, as games came out of order: {service.rated_again} games")
    print("standings and lines equal `banzuke rate` of the ledger taken out:", found, flush=True)
    return all(found.values())


class Row(NamedTuple):
    """A line of the table: what was done, how many a second, and the milliseconds of its answers."""

    what: str
    rate: float
    median: float
    within_99: float


def _row(what: str, games: int, ran: Ran, asked_for: str = "game") -> Row:
    return Row(what, games / ran.seconds, ran.median(asked_for), ran.within_99(asked_for))


class Load:
    """The games that are still to be sent to a service, and what is asked of it."""

    def __init__(self, service: live_service.Service, singles: Sequence[dict[str, object]]) -> None:
        self._service = service
        self._singles = list(singles)
        self._share = len(singles) // SHARES

    def take(self) -> list[dict[str, object]]:
        """The games of one measurement."""
        taken, self._singles = self._singles[: self._share], self._singles[self._share :]
        return taken

    def post(self, game: object) -> Request:
        return "game", live_service.request_of(game, self._service.key)

    def terms(self, game: dict[str, object]) -> Request:
        return self._get("terms", f"terms?black={game['black']}&white={game['white']}")

    def player(self, game: dict[str, object]) -> Request:
        return self._get("player", f"players/{game['black']}")

    def poll(self) -> Request:
        return self._get("poll", f"changes?after={NOTHING_NEW}")

    def _get(self, what: str, path: str) -> Request:
        address = f"GET /api/v1/pools/{live_service.POOL}/{path} HTTP/1.1"
        lines = (address, "Host: 127.0.0.1", f"Authorization: Bearer {self._service.key}", "", "")
        return what, "\r\n".join(lines).encode()


class Databases:
    """The databases beside the office's own, each a file of SQLite or PostgreSQL's address."""

    def __init__(self, home: Path, server: Postgresql | None) -> None:
        self._home, self._server = home, server

    @property
    def of_services(self) -> str:
        """That of the services that only insert."""
        return self._server.url() if self._server else str(self._home / "services.db")

    def copy(self, service: live_service.Service) -> str:
        """A copy of an office's, as it is now."""
        if self._server is None:
            copy = self._home / "copy.db"
            office_db = service.home / "office.db"
            with closing(sqlite3.connect(office_db)) as office, closing(sqlite3.connect(copy)) as made:
                office.backup(made)
            return str(copy)
        at = ("-h", "127.0.0.1", "-p", str(self._server.port), "-U", "office")
        dump, office_url = str(self._server.folder / "dump"), service.environment["DATABASE_URL"]
        self._server.run("pg_dump", *at, "-Fc", "-f", dump, office_url.rpartition("/")[2])
        self._server.run("createdb", *at, "copy")
        self._server.run("pg_restore", *at, "-d", "copy", dump)
        self._server.run("vacuumdb", *at, "--analyze", "copy")
        return self._server.url("copy")


def _measured(
    service: live_service.Service, load: Load, batches: Sequence[Sequence[object]], databases: Databases
) -> Iterator[Row]:
    port, sent = service.port, sum(map(len, batches))
    ran = asked(port, [[load.post(batch)] for batch in batches], CLIENTS)
    yield _row(f"batches of {BATCH}, {CLIENTS} clients", sent, ran)
    bare = BareLoop(databases.copy(service))
    for clients in SENDERS:
        taken = load.take()
        games = [[load.post(game)] for game in taken]
        yield _row(f"single games, {clients} clients", len(games), asked(port, games, clients))
        yield _row("the same by a bare loop, one a transaction", len(games), bare.write(taken))
        if is_installed():
            for app, what in SERVICES.items():
                other = free_port()
                with serving(app, databases.of_services, other):
                    yield _row(f"{what}, {clients} clients", len(games), asked(other, games, clients))
    games = load.take()
    ran = asked(
        port, [[load.terms(game), load.post(game), load.player(game)] for game in games], WAITING_CLIENTS
    )
    for what in ran.times:
        yield _row(f"`terms`, a game, a player, {WAITING_CLIENTS} clients: {what}", len(games), ran, what)
    questions = [each for game in games for each in (load.terms(game), load.player(game), load.poll())]
    games = load.take()
    with reading(port, questions, READERS) as times:
        ran = asked(port, [[load.post(game)] for game in games], WAITING_CLIENTS)
    yield _row(f"single games, {WAITING_CLIENTS} clients beside {READERS} readers", len(games), ran)
    read = Ran(ran.seconds, {"all": [each for some in times.values() for each in some]})
    yield _row(f"what the {READERS} readers ask meanwhile", len(read.times["all"]), read, "all")


def _poll_milliseconds(service: live_service.Service, load: Load) -> float:
    """The processor's time of a poll that finds nothing, of the processes that answer."""
    asked(service.port, [[load.poll()]] * WARM, 1)
    before = _processor_seconds(service.answering())
    asked(service.port, [[load.poll()]] * POLLS, 1)
    return 1000 * (_processor_seconds(service.answering()) - before) / POLLS


def _wait_for_names(service: live_service.Service) -> None:
    """Wait until the worker has made the new pool's names findable; till then it keeps a processor busy."""
    while True:
        before = _processor_seconds(service.workers())
        time.sleep(NAMES_LOOK)
        if _processor_seconds(service.workers()) - before < NAMES_LOOK / 10:
            return


def _processor_seconds(pids: Sequence[int]) -> float:
    stats = [Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in stats) / os.sysconf("SC_CLK_TCK")


def _print(name: str, asked_for: Asked, rows: Sequence[Row]) -> None:
    print(f"\n{name}: {asked_for.games} games among {asked_for.players} players\n")
    print("| what | a second | median ms | 99 % ms |\n|---|---|---|---|")
    for what, rate, median, within_99 in rows:
        print(f"| {what} | {rate:.0f} | {median:.1f} | {within_99:.1f} |")


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
    asked_for = Asked(given.players, given.games, given.singles, given.seed)
    if not SHARES <= given.singles < given.games:
        parser.error(f"--singles is at least {SHARES}, and less than --games")
    wanted = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    good = True
    for name in wanted:
        with (
            tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-live-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
        ):
            good &= report(name, Path(folder), server, asked_for)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
