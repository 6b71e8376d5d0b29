"""Ledgers of Go with their games taken into one office, pool after pool: how long each takes.

    python bench/live_imports.py [--database sqlite|postgresql] [--games 30000] [--players 3000] [--pools 10]

Each pool is imported by a command of its own, as an office's operator does. What counts is the last pool's
time beside the first's: the pools that are there must not make the next one slower.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from postgresql_server import postgresql

if TYPE_CHECKING:
    from collections.abc import Sequence


def made_folder(folder: Path, players: int, games: int, seed: int) -> Path:
    """A ledger folder with so many games."""
    rng = random.Random(seed)
    halves = live_service.made_ledger(folder, players, rng)
    rows = live_service.made_games(halves, games, rng)
    columns = ("room", "fault")
    header = [name for name in rows[0] if name not in columns] + list(columns)
    with (folder / "games.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, header, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder


def imported(service: live_service.Service, folder: Path, pools: Sequence[str]) -> list[float]:
    """The seconds that each of the pools takes."""
    times = []
    for name in pools:
        begun = time.perf_counter()
        service.run("import-ledger", folder, "--pool", name)
        times.append(time.perf_counter() - begun)
        print(f"| {name} | {times[-1]:.1f} |", flush=True)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    for option, default in (("games", 30_000), ("players", 3_000), ("pools", 10), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-imports-") as folder,
        postgresql() if given.database == "postgresql" else nullcontext() as server,
    ):
        home = Path(folder)
        made = made_folder(home / "ledger", given.players, given.games, given.seed)
        (home / "office").mkdir(0o700)
        service = live_service.Service(home / "office", server.migrated() if server else "")
        print(f"{given.database}, {given.games} games of {given.players} players a pool\n")
        print("| pool | seconds |\n|---|---|")
        times = imported(service, made, [f"pool{number}" for number in range(1, given.pools + 1)])
        print(f"\nthe last takes {times[-1] / times[0]:.2f} of the first's time")


if __name__ == "__main__":
    main()
