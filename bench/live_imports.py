"""Ledgers of Go with their games taken into one office, pool after pool: how long each takes.

    python bench/live_imports.py [--database sqlite|postgresql] [--games 30000] [--players 3000] [--pools 10]
                                 [--beside]

Each pool is imported by a command of its own, as an office's operator does. What counts is the last pool's
time beside the first's: the pools that are there must not make the next one slower.

With `--beside` one ledger is imported while four clients send single games to another pool: how the import
ends, and how long the games wait.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import nullcontext
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from postgresql_server import postgresql

if TYPE_CHECKING:
    from collections.abc import Sequence


def imported(service: live_service.Service, folder: Path, pools: Sequence[str]) -> list[float]:
    """The seconds that each of the pools takes."""
    times = []
    for name in pools:
        begun = time.perf_counter()
        service.run("import-ledger", folder, "--pool", name)
        times.append(time.perf_counter() - begun)
        print(f"| {name} | {times[-1]:.1f} |", flush=True)
    return times


def report_beside(service: live_service.Service, home: Path, folder: Path) -> None:
    """Print how an import ends beside games that are sent, and how long those wait."""
    rng = random.Random(3)
    halves = live_service.made_ledger(home / "opening", 1_000, rng)
    service.open(home / "opening")
    games = iter(live_service.made_games(halves, 100_000, rng))
    headers = live_service.JSON | {"Authorization": f"Bearer {service.key}"}
    path, stop, next_one = f"/api/v1/pools/{live_service.POOL}/games", threading.Event(), threading.Lock()
    waits: list[float] = []
    answers: Counter[int] = Counter()

    def post() -> None:
        while not stop.is_set():
            with next_one:
                body = json.dumps(next(games)).encode()
            status = 0
            while status != HTTPStatus.OK and not stop.is_set():
                begun = time.perf_counter()
                status, _ = live_service.asked(service.port, "POST", path, body, headers)
                waits.append(time.perf_counter() - begun)
                answers[status] += 1

    service.start()
    clients = [threading.Thread(target=post) for _ in range(4)]
    for each in clients:
        each.start()
    try:
        time.sleep(3)
        earlier, begun = len(waits), time.perf_counter()
        done = subprocess.run(
            [*live_service.COMMAND, "import-ledger", str(folder), "--pool", "second"],
            env=service.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        took, during = time.perf_counter() - begun, waits[earlier:]
    finally:
        stop.set()
        for each in clients:
            each.join()
        service.stop()
    print(f"import: {took:.1f} s, status {done.returncode} {(done.stdout + done.stderr).strip()[-200:]}")
    print(f"games before: {earlier / 3:.0f} a second, longest wait {1000 * max(waits[:earlier]):.0f} ms")
    print(f"games beside: {len(during) / took:.0f} a second, longest wait {1000 * max(during):.0f} ms")
    print(f"answers: {dict(answers)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    for option, default in (("games", 30_000), ("players", 3_000), ("pools", 10), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--beside", action="store_true")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-imports-") as folder,
        postgresql() if given.database == "postgresql" else nullcontext() as server,
    ):
        home = Path(folder)
        made = live_service.made_folder(home / "ledger", given.players, given.games, given.seed)
        (home / "office").mkdir(0o700)
        service = live_service.Service(home / "office", server.migrated() if server else "")
        print(f"{given.database}, {given.games} games of {given.players} players a pool\n")
        if given.beside:
            report_beside(service, home, made)
            return
        print("| pool | seconds |\n|---|---|")
        times = imported(service, made, [f"pool{number}" for number in range(1, given.pools + 1)])
        print(f"\nthe last takes {times[-1] / times[0]:.2f} of the first's time")


if __name__ == "__main__":
    main()
