"""What is asked of Spark: a window's units of work, a task each, and the sums of what they hand back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from pyspark.sql import functions as sql

from banzuke.bulk.month import Sums
from banzuke.office.spark import stored
from banzuke.office.spark.units import FINISHED, SUMS, add_up_units, decide_units, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame, SparkSession

    from banzuke.bulk.columns import Flags
    from banzuke.office.spark.units import Work

    Unit = Callable[[Work, list[int]], Iterator[RecordBatch]]


def cores(spark: SparkSession) -> int:
    """How many tasks the machines carry at a time: what Spark parts a range into."""
    return spark.range(1 << 12).select(sql.spark_partition_id()).distinct().count()


def who_plays(spark: SparkSession, work: Work) -> Flags:
    """By speed and player, who plays in one of the window's games that enter."""
    _spread(spark, work, decide_units, FINISHED).collect()
    return stored.get_tallied((work.tallied(unit) for unit in work.units), work.prepared.shape)


def added_up(spark: SparkSession, work: Work) -> tuple[Sums, Counter[str]]:
    """The sums of the window's games, and its lines by verdict."""
    units = _spread(spark, work, add_up_units, SUMS)
    table = units.groupBy("place").agg(sql.sum("total"), sql.sum("counted")).toArrow()
    place, total, counted = (column.to_numpy() for column in table.columns)
    sums = np.zeros((2, *work.prepared.shape), np.int64)
    sums.reshape(2, -1)[:, place] = total, counted
    fresh = joined([stored.get_waiting(work.fresh(unit)) for unit in work.units])
    verdicts = sum((stored.get_counts(work.verdicts(unit)) for unit in work.units), Counter[str]())
    return Sums(sums[0], sums[1].astype(np.int32), fresh), verdicts


def _spread(spark: SparkSession, work: Work, do: Unit, schema: str) -> DataFrame:
    """The units of the window, a task each."""

    def task(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in batches:
            yield from do(work, batch.column("id").to_pylist())

    units = len(work.units)
    return spark.range(0, units, 1, units).mapInArrow(task, schema)
