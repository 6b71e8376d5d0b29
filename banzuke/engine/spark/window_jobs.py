"""What is asked of Spark: a window's units of work, a task each; what they leave is added up."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from pyspark.sql import functions as sql

from banzuke.columnar.parted_batches import Sums
from banzuke.engine.spark import column_storage
from banzuke.engine.spark.work_units import FINISHED, add_up_units, decide_units, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyarrow import RecordBatch
    from pyspark.sql import SparkSession

    from banzuke.columnar.batch_columns import Flags
    from banzuke.columnar.parted_batches import Seats
    from banzuke.engine.spark.work_units import Work

    Unit = Callable[[Work, list[int]], Iterator[RecordBatch]]


def cores(spark: SparkSession) -> int:
    """How many tasks the machines carry at a time: what Spark parts a range into."""
    return spark.range(1 << 12).select(sql.spark_partition_id()).distinct().count()


def who_plays(spark: SparkSession, work: Work) -> Flags:
    """By speed and player, who plays in one of the window's games that enter."""
    _spread(spark, work, decide_units)
    return column_storage.get_tallied((work.tallied(unit) for unit in work.units), work.prepared.shape)


def added_up(spark: SparkSession, work: Work, seats: Seats) -> tuple[Sums, Counter[str]]:
    """The sums of who plays in the window, and its lines by verdict."""
    _spread(spark, work, add_up_units)
    return sums_of(work, seats), sum(
        (column_storage.get_counts(work.verdicts(unit)) for unit in work.units), Counter[str]()
    )


def sums_of(work: Work, seats: Seats) -> Sums:
    """What the units of a window left, added up, of those who play in it.

    Five million rows take 0.3 s so; through Java, grouped and summed by Spark, they took 11 s on two cores.
    """
    total, counted = (np.zeros(work.prepared.shape, kind) for kind in (np.int64, np.int32))
    for unit in work.units:
        moved = column_storage.get(work.sums(unit))
        total.reshape(-1)[moved["place"]] += moved["total"]
        counted.reshape(-1)[moved["place"]] += moved["counted"].astype(np.int32)
    fresh = joined([column_storage.get_waiting(work.fresh(unit)) for unit in work.units])
    return Sums(seats, total[seats], counted[seats], fresh)


def _spread(spark: SparkSession, work: Work, do: Unit) -> None:
    """Have the units of the window done, a task each."""

    def task(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in batches:
            yield from do(work, batch.column("id").to_pylist())

    units = len(work.units)
    done = spark.range(0, units, 1, units).mapInArrow(task, FINISHED).count()
    if done != units:
        raise RuntimeError(f"{done} of {units} units of work were done")
