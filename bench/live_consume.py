"""A Go server's games inserted into the office's queue and taken out: how many a second, how long each waits.

    python bench/live_consume.py [--database sqlite|postgresql|both] [--seconds 20] [--rate 700]
        [--backlog 20000] [--programs 2] [--players 20000] [--kills 0] [--home FOLDER]

For each database, an office of its own (PostgreSQL on loopback, fsync on). First a backlog is inserted and
then taken: the most that one consumer does. Then programs insert single games at a rate, each in a
transaction of its own, for so many seconds, while one consumer takes them; it tells how long each game took
from inserting to standing. A rate of 0: as fast as they can. A full hour is `--seconds 3600`; ten million
games a day are told from it by arithmetic. With `--kills` one of two consumers is ended by SIGKILL so many
times while games are taken, and PostgreSQL after every tenth. In the end the standings and every line are
compared with `banzuke rate` of the ledger that is taken out, and its games with those that were inserted.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from office.faulty_load import restart
from office.queue_load import Consumers, Program, connected, has_waiting, insert, refused
from postgresql_server import Postgresql, postgresql

from banzuke.ledger.folder import read_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Games a day that are told by arithmetic, and the part of them that the busiest hour has.
A_DAY, BUSIEST, HOUR = 10_000_000, 4, 3_600
#: The least backlog whose rate can be told, as the first batch is not counted.
LEAST = 2_500
RESTARTED = 10
READY = "ready\n"
#: How many games are made for each second without a rate.
AT_MOST = 2_000
_together = multiprocessing.get_context("fork")


class Asked(NamedTuple):
    """What is measured."""

    seconds: int
    rate: int
    backlog: int
    programs: int
    players: int
    kills: int
    seed: int


class Office:
    """An office with a pool, and the games that were made for it."""

    def __init__(self, home: Path, server: Postgresql | None, asked: Asked) -> None:
        self.home, self.server = home, server
        self.rng = random.Random(asked.seed)
        self.halves = live_service.made_ledger(home / "opening", asked.players, self.rng)
        (home / "office").mkdir(0o700)
        self.service = live_service.Service(home / "office", server.migrated() if server else "")
        self.service.open(home / "opening")
        self.made = 0
        self.inserted: set[object] = set()

    def games(self, count: int) -> list[dict[str, object]]:
        """So many more games."""
        made = live_service.made_games(self.halves, count, self.rng, self.made)
        self.made += count
        self.inserted |= {game["game_id"] for game in made}
        return made


class Told(NamedTuple):
    """What a consumer told: when each batch stood, how many games it had, and how long each waited (ms)."""

    batches: list[tuple[float, int]]
    waited: list[float]


@contextmanager
def consuming(office: Office) -> Iterator[list[Told]]:
    """A consumer in a process of its own within the block; then, in the list, what it told."""
    told: list[Told] = []
    path = office.home / "told.json"
    command = [sys.executable, __file__, "consumer", str(path)]
    process = subprocess.Popen(command, env=office.service.environment, stdout=subprocess.PIPE, text=True)
    if process.stdout is None or process.stdout.readline() != READY:
        raise SystemExit("the consumer did not start")
    try:
        yield told
    finally:
        process.send_signal(signal.SIGTERM)
        if process.wait(live_service.PATIENCE):
            raise SystemExit("the consumer failed")
    told.append(Told(*json.loads(path.read_text())))


def consumer(path: Path) -> None:
    """The same loop as that of `banzuke consume`, which tells every wait when it ends."""
    from banzuke.server.office_opening import open_office

    open_office()
    from banzuke.server.consumer import consume, stop_on_signals

    batches, waited = [], []

    def tell(batch: Any) -> None:
        batches.append((time.time(), len(batch.waited)))
        waited.extend(1000 * each.total_seconds() for each in batch.waited)

    with stop_on_signals() as stop:
        sys.stdout.write(READY)
        sys.stdout.flush()
        consume([], stop, tell)
    path.write_text(json.dumps((batches, waited)))


def wait_until_empty(office: Office) -> None:
    while has_waiting(office.service):
        time.sleep(0.02)


def backlog(office: Office, count: int) -> None:
    """Insert all, then have them taken; print both."""
    games = office.games(count)
    begun = time.perf_counter()
    with connected(office.service) as database:
        for at in range(0, count, 1_000):
            insert(office.service, database, games[at : at + 1_000])
    _row("inserted, 1,000 at once", count / (time.perf_counter() - begun))
    with consuming(office) as told:
        wait_until_empty(office)
    (first, size), *_, (last, _) = told[0].batches
    _row("a backlog taken by one consumer", (count - size) / (last - first))


def _insert_all(
    office: Office, games: Sequence[dict[str, object]], rate: int, turn: Any, started: Any
) -> None:
    """Insert the next game when it is due, as long as there are any."""
    with connected(office.service) as database:
        started.wait()
        begun = time.perf_counter()
        while True:
            with turn.get_lock():
                number = turn.value
                turn.value += 1
            if number >= len(games):
                return
            if rate:
                time.sleep(max(0.0, begun + number / rate - time.perf_counter()))
            insert(office.service, database, [games[number]])


def at_a_rate(office: Office, asked: Asked) -> None:
    """Programs insert games one by one while a consumer takes them: how many, and how long they wait."""
    games = office.games((asked.rate or AT_MOST) * asked.seconds)
    turn, started = _together.Value("L", 0), _together.Event()
    programs = [
        _together.Process(target=_insert_all, args=(office, games, asked.rate, turn, started))
        for _ in range(asked.programs)
    ]
    with consuming(office) as told:
        for each in programs:
            each.start()
        time.sleep(0.5)
        begun = time.time()
        started.set()
        for each in programs:
            each.join()
            if each.exitcode:
                raise SystemExit("a program failed")
        inserted = time.time() - begun
        wait_until_empty(office)
    (batches, waited) = told[0]
    seconds = batches[-1][0] - begun
    cuts = statistics.quantiles(waited, n=100, method="inclusive")
    _row(f"inserted one by one by {asked.programs} programs", len(games) / inserted)
    taken = len(waited) / seconds
    _row("taken meanwhile by one consumer", taken, f"{cuts[49]:.0f} | {cuts[98]:.0f}")
    print(f"\n{len(waited)} games in {seconds:.0f} s, {len(waited) / len(batches):.1f} in a batch; ", end="")
    print(f"ten million at this rate: {A_DAY / taken / HOUR:.1f} h. A day of ten million games has ", end="")
    print(
        f"{A_DAY / BUSIEST / HOUR:.0f} a second in its busiest hour, if that has a quarter of them.",
        flush=True,
    )


def _row(what: str, games: float, waits: str = "|") -> None:
    print(f"| {what} | {games:.0f} | {waits} |", flush=True)


def killed(office: Office, times: int) -> None:
    """Consumers killed under load."""
    program = Program(office.service, office.halves, seed=7, first=office.made)
    consumers = Consumers(office.service, 2, office.home / "log")
    try:
        for number in range(1, times + 1):
            consumers.kill(office.rng)
            if office.server is not None and number % RESTARTED == 0:
                restart(office.server)
        program.stop()
        consumers.work_off()
    finally:
        program.stop()
        consumers.stop()
    office.inserted |= program.inserted
    print(f"{times} kills; {len(program.inserted)} games inserted meanwhile, {program.twice} of them twice")


def is_right(office: Office) -> bool:
    (office.home / "compared").mkdir()
    equal = office.service.is_whole(office.home / "compared")
    games = [game.game_id for game in read_ledger(office.home / "compared" / "ledger").games]
    lost, twice = len(office.inserted - set(games)), len(games) - len(set(games))
    left = len(refused(office.service))
    print(f"{len(games)} games; lost: {lost}, twice: {twice}, refused: {left}; rated again: ", end="")
    print(f"{office.service.rated_again}; equal `banzuke rate` of the ledger taken out: {equal}", flush=True)
    return not (lost or twice or left) and all(equal.values()) and len(games) == len(office.inserted)


def measured(name: str, home: Path, server: Postgresql | None, asked: Asked) -> bool:
    office = Office(home, server, asked)
    print(f"\n{name}: {asked.players} players\n")
    print("| what | games a second | median ms | 99 % ms |\n|---|---|---|---|")
    backlog(office, max(LEAST, asked.backlog))
    at_a_rate(office, asked)
    if asked.kills:
        killed(office, asked.kills)
    return is_right(office)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    defaults = {
        "seconds": 20,
        "rate": 700,
        "backlog": 20_000,
        "programs": 2,
        "players": 20_000,
        "kills": 0,
        "seed": 1,
    }
    for option, default in defaults.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    asked = Asked(**{option: getattr(given, option) for option in defaults})
    wanted = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    good = True
    for name in wanted:
        with (
            tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-consume-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
        ):
            good &= measured(name, Path(folder), server, asked)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["consumer"]:
        consumer(Path(sys.argv[2]))
    else:
        main()
