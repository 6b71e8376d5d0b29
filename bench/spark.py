"""What a cluster costs and gives: a synthetic pool rated by the columnar engine, by Spark, and on a cluster.

    python bench/spark.py [--games 4000000] [--players 200000] [--windows 4] [--home FOLDER]

The cluster is a master and two workers of this machine, on loopback; in its run an executor is killed. All
write the same files, or the bench says so and fails. Before that the parts by themselves, in CPU seconds, and
from them what 10^9 games need. Needs Java and the extra `spark`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import sys
import tempfile
import time
from contextlib import contextmanager, nullcontext
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from synthetic_history import Made, make

from banzuke.columnar.batch_columns import Register, nothing_waits
from banzuke.columnar.partitioned_batches import seats_of
from banzuke.columnar.twin import partitioned_book
from banzuke.engine.columnar.columnar_run import rate_columnar, read
from banzuke.engine.columnar.result_columns import standings_table
from banzuke.engine.history import list_names
from banzuke.engine.spark import array_files, work_units
from banzuke.engine.spark.cluster import LOCAL, session
from banzuke.engine.spark.cluster_run import do_units, rate_spark
from banzuke.engine.spark.ledger_preparation import prepare
from banzuke.table_writer.coded_columns import csv_blocks

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from spark_cluster import cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

    from banzuke.ledger.pool_rules import EditionInForce

    Then = Callable[[int, int, str], None]


BOOK = "jcf-2024"
#: The last day of the window that is closed by itself; it moves no cost.
CLOSES = date(2025, 1, 20)


class Costs(NamedTuple):
    """CPU seconds of a game in each step, of a player in a unit and a window; seconds of a window's jobs."""

    prepared: float
    decided: float
    added_up: float
    unit_player: float
    window_player: float
    jobs: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4_000_000)
    parser.add_argument("--players", type=int, default=200_000)
    parser.add_argument("--windows", type=int, default=4)
    parser.add_argument("--home", type=Path, help="where the work is done and left")
    asked = parser.parse_args()
    made = Made(asked.games, asked.players, asked.windows, BOOK)
    with tempfile.TemporaryDirectory(prefix="banzuke-bench-") as own:
        home = asked.home or Path(own)
        ledger = home / "ledger"
        if not ledger.exists():
            make(ledger, made, as_parquet=True)
        load = os.getloadavg()[0]
        print(
            f"{made.games:,} games, {made.players:,} players, {made.windows} windows; load before {load:.1f}"
        )
        costs = measured(ledger, home / "parts", made)
        for name, cost in costs._asdict().items():
            each = f"{cost:10.3f} s a window" if name == "jobs" else f"{cost * 1e6:10.3f} s a million"
            print(f"{name:14} {each}", flush=True)
        needed(costs)
        compared(ledger, home)


def compared(ledger: Path, home: Path) -> None:
    """The three ways to the same files."""
    with timed("columnar, one process"):
        rate_columnar(read(ledger), home / "columnar")
    wanted = digest(home / "columnar")
    with session(LOCAL) as spark:
        on_spark(spark, ledger, home, "local", wanted)
        on_spark(spark, ledger, home, "local, again", wanted)
    with cluster(home / "cluster") as running:
        os.environ.update(running.environment)
        with timed("cluster: session"):
            context = session(running.url)
            spark = context.__enter__()
        killed: list[int] = []

        def kill(done: int, windows: int, _name: str) -> None:
            if done == windows - 1:
                killed.extend(running.executors()[:1])
                os.kill(killed[0], signal.SIGKILL)

        on_spark(spark, ledger, home, "cluster", wanted)
        on_spark(spark, ledger, home, "cluster, one killed", wanted, kill)
        print(f"killed: {len(killed)} executor")
        context.__exit__(None, None, None)


def on_spark(
    spark: SparkSession, ledger: Path, home: Path, name: str, wanted: str, then: Then | None = None
) -> None:
    moments = [time.perf_counter()]

    def progress(done: int, windows: int, what: str) -> None:
        moments.append(time.perf_counter())
        if then is not None:
            then(done, windows, what)

    rate_spark(ledger, home / "out", cluster=nullcontext(spark), work=home / "work", progress=progress)
    windows = " ".join(f"{after - before:.1f}" for before, after in pairwise(moments[1:]))
    ready, whole = moments[1] - moments[0], moments[-1] - moments[0]
    print(f"{name:24} {whole:8.1f} s: made ready {ready:.1f}; windows {windows}", flush=True)
    if digest(home / "out") != wanted:
        sys.exit(f"{name}: other files than the columnar engine's")


@contextmanager
def timed(name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    print(f"{name:24} {time.perf_counter() - began:8.1f} s")


def digest(folder: Path) -> str:
    """The bytes of the files, hashed."""
    found = hashlib.sha256()
    for path in sorted(folder.glob("*.csv")):
        with path.open("rb") as stream:
            found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()


def measured(ledger: Path, folder: Path, made: Made) -> Costs:
    """The parts by themselves, in this process."""
    columns = read(ledger)
    began = time.process_time()
    ready = prepare(columns, list_names(columns, None), folder / "ready")
    prepared = time.process_time() - began
    window = max(ready.windows, key=lambda each: each.last - each.first)
    in_force = columns.pool.editions[0]
    whole = work_units.Work(
        ready, window, BOOK, in_force.settings, folder / "whole", (window.first, window.last)
    )
    small = whole._replace(bounds=(window.first, window.first + 1), folder=folder / "small")
    games, few = (games_of(work) for work in (whole, small))
    decided, added, closed = one_window(whole, in_force, columns.player_ids)
    few_decided, few_added, _ = one_window(small, in_force, columns.player_ids)
    each = (decided + added - few_decided - few_added) / max(1, games - few)
    with session(LOCAL) as spark:
        empty = jobs_alone(spark, small) - few_decided - few_added
    unit = max(0.0, few_decided + few_added - few * each)
    counts = made.games, games, games, made.players, made.players, 1
    costs = prepared, decided, added, unit, closed, empty
    return Costs(*(cost / count for cost, count in zip(costs, counts, strict=True)))


def games_of(work: work_units.Work) -> int:
    """The games of a unit."""
    metadata = work_units.pq.ParquetFile(work.prepared.games).metadata
    return sum(metadata.row_group(group).num_rows for group in range(work.bounds[0], work.bounds[-1]))


def one_window(
    work: work_units.Work, in_force: EditionInForce, ids: tuple[str, ...]
) -> tuple[float, float, float]:
    """CPU seconds of deciding, adding up, and closing with its list, once everything is compiled."""
    work.folder.mkdir()
    for _ in range(2):
        moments = [time.process_time()]
        work_units.decide_unit(work, 0)
        moments.append(time.process_time())
        before = array_files.load_state(work.prepared.opening)
        seats = seats_of(work_units.find_players(work))
        register = Register(**array_files.load(work.prepared.register(work.window.register)))
        edition = partitioned_book(work.book, work.settings)
        now = edition.standing(before, register, seats)
        array_files.save_state(work.standing, now._replace(waiting=nothing_waits()))
        moments.append(time.process_time())
        work_units.add_up_unit(work, 0)
        moments.append(time.process_time())
        after = edition.close(before, now, work_units.sum_units(work, seats)[0], CLOSES)
        array_files.save_state(work.folder / "standings.npz", after)
        with (work.folder / "lists.csv").open("wb") as lists:
            lists.writelines(csv_blocks(standings_table(work.window.name, in_force, before, after, ids)))
        moments.append(time.process_time())
    decided, laid_down, added, closed = np.diff(moments).tolist()
    return decided, added, laid_down + closed


def jobs_alone(spark: SparkSession, work: work_units.Work) -> float:
    """Seconds of a window's two jobs with one small unit, warm."""
    for _ in range(3):
        began = time.perf_counter()
        do_units(spark, work, work_units.decide_unit)
        seats = seats_of(work_units.find_players(work))
        do_units(spark, work, work_units.add_up_unit)
        work_units.sum_units(work, seats)
        taken = time.perf_counter() - began
    return taken


def needed(costs: Costs, games: int = 10**9, players: int = 10**6, windows: int = 300) -> None:
    """10^9 games, by the costs of this machine's cores."""
    work = games * (costs.decided + costs.added_up)
    print(f"{games:,} games, {players:,} players, {windows} windows:")
    print(f"  made ready once   {games * costs.prepared / 3600:8.2f} h of one core")
    print(f"  units             {work / 3600:8.2f} core hours")
    for cores in (2, 16, 64, 256):
        units_each = min(2 * cores, -(-games // windows // (1 << 17)))
        a_unit = units_each * windows * players * costs.unit_player
        driver = windows * (players * costs.window_player + costs.jobs)
        hours = ((work + a_unit) / cores + driver) / 3600
        print(f"  {cores:4} cores        {hours:8.2f} h, the driver {driver / 60:.1f} min of it")


if __name__ == "__main__":
    main()
