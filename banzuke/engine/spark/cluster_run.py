"""Rate a ledger on a cluster: one window after another, each spread over its machines.

The driver adds up what the units of work wrote, closes the window and writes its standings. A run that is
started again goes on after the last window that was closed.
"""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import date
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import numpy as np
from pyarrow import RecordBatch
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

from banzuke.columnar.batch_columns import Register, State, nothing_waits
from banzuke.columnar.partitioned_batches import Sums, seats_of
from banzuke.columnar.twin import is_partitioned, partitioned_book
from banzuke.core.fault import RefusedError, fault
from banzuke.core.rulebook import ChessBook
from banzuke.engine import result_rows
from banzuke.engine.columnar.adjusted_columns import adjust
from banzuke.engine.columnar.columnar_run import read
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.result_columns import adjusted_table, standings_table
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import (
    ADJUSTED,
    LISTS,
    Progress,
    Summary,
    convert_all,
    no_progress,
    staging_folder,
)
from banzuke.engine.spark import array_files
from banzuke.engine.spark.ledger_preparation import ROW_GROUP, Prepared, Window, prepare, prepared
from banzuke.engine.spark.work_units import (
    Work,
    add_up_unit,
    changes_of,
    decide_unit,
    find_players,
    sum_units,
)
from banzuke.ledger.pool_rules import FILE, EditionInForce, Pool, chess_book, read_pool
from banzuke.table_writer.coded_columns import csv_blocks, header

#: Units of work a core is given in a window, so that a slow machine is not waited for by all.
UNITS_A_CORE = 2
#: Bytes copied at a time.
BLOCK = 1 << 20


class ClosedWindow(NamedTuple):
    """A window that was rated: the folder of its files, how many units wrote theirs, its lines by verdict."""

    folder: str
    units: int
    verdicts: dict[str, int]


def _closed_before(mark: Path) -> ClosedWindow | None:
    """The window that was closed; None where none was, or where the file of it is damaged."""
    try:
        closed = ClosedWindow(**json.loads(mark.read_text(encoding="utf-8")))
    except (FileNotFoundError, TypeError, ValueError):
        return None
    is_one = isinstance(closed.folder, str) and isinstance(closed.verdicts, dict)
    return closed if is_one and isinstance(closed.units, int) else None


def rate_spark(
    folder: Path,
    out: Path,
    until: str | None = None,
    *,
    cluster: AbstractContextManager[SparkSession],
    work: Path,
    as_parquet: bool = False,
    progress: Progress = no_progress,
    row_group: int = ROW_GROUP,
) -> tuple[Pool, Summary]:
    """Write the files of `rate` for the ledger of a folder into `out`; gives its pool and what was done.

    The cluster is asked for once the ledger is known to be good. `work` is a folder that every machine of it
    sees under this name; what a run that was broken off left there lets the same run go on after its last
    window. Units of work are whole row groups of `row_group` games. Raises as `rate_ledger`, RefusedError
    also where a book's batches cannot be parted.
    """
    with staging_folder(out) as stage:
        ready, pool = _ready(folder, until, work, row_group)
        with cluster as spark:
            run = _Run(spark, ready, pool)
            for number, window in enumerate(ready.windows):
                progress(number, len(ready.windows), window.name)
                run.advance(window)
        run.write(stage)
        if as_parquet:
            convert_all(stage, result_rows.number_columns(pool))
    shutil.rmtree(ready.folder / "windows", ignore_errors=True)
    progress(len(ready.windows), len(ready.windows), "")
    return pool, run.summary


def _ready(folder: Path, until: str | None, work: Path, row_group: int) -> tuple[Prepared, Pool]:
    """The ledger made ready, now or by an earlier run of the same."""
    kept = work / _mark(folder, until, row_group)
    found, pool = prepared(kept), read_pool(folder, []) if (folder / FILE).exists() else None
    if found is not None and pool is not None:
        return found, pool
    columns = read(folder)
    books = [edition.book for edition in columns.pool.editions]
    whole = next((book for book in books if not is_partitioned(book)), None)
    if whole or isinstance(columns, GoColumns):
        raise RefusedError([fault(FILE, 0, "edition", "spark-months", book=(whole or books[0]).name)])
    return prepare(columns, list_names(columns, until), kept, row_group), columns.pool


def _mark(folder: Path, until: str | None, row_group: int) -> str:
    """Tells one run from others: this Banzuke, the ledger's files as they are now, and what is asked."""
    stats = [(path.name, path.stat()) for path in sorted(folder.glob("*")) if path.is_file()]
    files = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    decisive = json.dumps([version("banzuke"), until, row_group, files])
    return sha256(decisive.encode()).hexdigest()[:16]


def cores(spark: SparkSession) -> int:
    """How many tasks the machines carry at a time: as many as the parts that Spark makes of a range."""
    return spark.range(1 << 12).select(sql.spark_partition_id()).distinct().count()


def do_units(spark: SparkSession, work: Work, do: Callable[[Work, int], None]) -> None:
    """Have the units of the window done by the cluster, a task each."""

    def task(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in batches:
            for unit in batch.column("id").to_pylist():
                do(work, unit)
            yield batch

    units = len(work.units)
    done = spark.range(0, units, 1, units).mapInArrow(task, "id long").count()
    if done != units:
        raise RuntimeError(f"{done} of {units} units of work were done")


class _Run:
    """Windows rated one after another, on the standings in hand."""

    def __init__(self, spark: SparkSession, ready: Prepared, pool: Pool) -> None:
        self._spark = spark
        self._ready = ready
        self._pool = pool
        self._ids = tuple(array_files.load(ready.ids)["player_id"].tolist())
        self._state = array_files.load_state(ready.opening)
        self._cores = cores(spark)
        self._closed: list[ClosedWindow] = []

    @property
    def summary(self) -> Summary:
        """What was done."""
        verdicts = sum((Counter(closed.verdicts) for closed in self._closed), Counter[str]())
        return Summary([window.name for window in self._ready.windows], verdicts.total(), verdicts, 0)

    def advance(self, window: Window) -> None:
        """One window more; one that was closed before is not rated again."""
        mark = self._ready.folder / "windows" / f"{window.name}.json"
        closed = _closed_before(mark)
        if closed is not None:
            self._state = array_files.load_state(self._folder(closed) / "standings.npz")
        else:
            closed = self._rated(window)
            part = array_files.unfinished(mark)
            part.write_text(json.dumps(closed._asdict()), encoding="utf-8")
            part.rename(mark)
        self._closed.append(closed)

    def _folder(self, closed: ClosedWindow) -> Path:
        return self._ready.folder / "windows" / closed.folder

    def _rated(self, window: Window) -> ClosedWindow:
        """A window rated upon the standings in hand, in a folder of this attempt."""
        schedule = self._pool.schedule
        in_force = schedule.edition_of(schedule.window_named(window.name))
        if in_force is None:
            raise LookupError(window.name)
        work = self._work(window, in_force)
        work.folder.mkdir(parents=True)
        before, verdicts = self._state, self._close(work)
        self._adjust(work, chess_book(in_force))
        array_files.save_state(work.folder / "standings.npz", self._state)
        self._write_list(work, in_force, before)
        return ClosedWindow(work.folder.name, len(work.units), dict(verdicts))

    def _work(self, window: Window, in_force: EditionInForce) -> Work:
        units = min(window.last - window.first, UNITS_A_CORE * self._cores)
        bounds = np.linspace(window.first, window.last, units + 1).astype(int).tolist() if units else [0]
        folder = self._ready.folder / "windows" / f"{window.name}-{uuid4().hex}"
        return Work(self._ready, window, in_force.book.name, in_force.settings, folder, tuple(bounds))

    def _close(self, work: Work) -> Counter[str]:
        """The window's games decided, added up and closed; the standings in hand are then those after it."""
        window, edition = work.window, partitioned_book(work.book, work.settings)
        before = edition.opened(self._state, opens_edition=window.opens_edition)
        nobody = seats_of(np.zeros(self._ready.shape, np.bool_))
        sums = Sums(nobody, np.empty(0, np.int64), np.empty(0, np.int32), nothing_waits())
        now, verdicts = before, Counter[str]()  # where nobody plays, closing changes nothing of it
        if work.units:
            do_units(self._spark, work, decide_unit)
            seats = seats_of(find_players(work))
            register = Register(**array_files.load(self._ready.register(window.register)))
            now = edition.standing(before, register, seats)
            array_files.save_state(work.standing, now._replace(waiting=nothing_waits()))
            do_units(self._spark, work, add_up_unit)
            sums, verdicts = sum_units(work, seats)
        self._state = edition.close(before, now, sums, date.fromisoformat(window.closes))
        return verdicts

    def _adjust(self, work: Work, book: ChessBook) -> None:
        """The window's adjustments carried out, and its rows of adjusted.csv."""
        window = work.window
        self._state, adjusted = adjust(self._state, book, window.of_list)
        tables = [adjusted_table(window.name, book.speeds, each, self._ids) for each in adjusted]
        if any(table.rows for table in tables):
            with (work.folder / ADJUSTED).open("wb") as stream:
                for table in tables:
                    stream.writelines(csv_blocks(table))

    def _write_list(self, work: Work, in_force: EditionInForce, before: State) -> None:
        """The window's rows of lists.csv."""
        table = standings_table(work.window.name, in_force, before, self._state, self._ids)
        with (work.folder / LISTS).open("wb") as lists:
            lists.writelines(csv_blocks(table))

    def write(self, stage: Path) -> None:
        """The result files: the parts of all windows one after another."""
        folders = [(self._folder(closed), closed.units) for closed in self._closed]
        _join(stage / LISTS, result_rows.LISTS, (folder / LISTS for folder, _ in folders))
        changes = (changes_of(folder, unit) for folder, units in folders for unit in range(units))
        _join(stage / "changes.csv", result_rows.CHANGES, changes)
        adjusted = [path for folder, _ in folders if (path := folder / ADJUSTED).exists()]
        if adjusted:
            _join(stage / ADJUSTED, result_rows.ADJUSTED, adjusted)


def _join(path: Path, names: tuple[str, ...], parts: Iterable[Path]) -> None:
    with path.open("wb") as whole:
        whole.write(header(names))
        for part in parts:
            with part.open("rb") as stream:
                shutil.copyfileobj(stream, whole, BLOCK)
