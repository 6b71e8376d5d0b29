"""One function for many tasks on a cluster, each task whole on one of its machines."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

Task = TypeVar("Task")
Result = TypeVar("Result")

SCHEMA = "id long, result binary"
ARROW_SCHEMA = pa.schema({"id": pa.int64(), "result": pa.binary()})


def map_tasks(spark: SparkSession, function: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """What the function gives for each task, in their order; a task a Spark task.

    The function and what it gives must be picklable. An error of one is raised here, once Spark has tried it
    as often as it does.
    """
    if not tasks:
        return []

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            places: list[int] = batch.column("id").to_pylist()
            results = [pickle.dumps(function(tasks[place])) for place in places]
            yield pa.RecordBatch.from_pydict({"id": places, "result": results}, ARROW_SCHEMA)

    spread = spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(run, SCHEMA)
    by_place: dict[int, Any] = {row["id"]: row["result"] for row in spread.collect()}
    return [pickle.loads(by_place[place]) for place in range(len(tasks))]  # noqa: S301  # made by `run`
