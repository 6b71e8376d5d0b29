"""One function for many tasks on a cluster, each task whole on one of its machines."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from banzuke.core.fault import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from pyspark.sql import SparkSession

Task = TypeVar("Task")
Result = TypeVar("Result")

SCHEMA = "result binary"
ARROW_SCHEMA = pa.schema({"result": pa.binary()})
#: So many tasks are before Spark at a time; each waits in a thread of the driver.
MOST_AT_ONCE = 256


def map_tasks(
    spark: SparkSession, function: Callable[[Task], Result], tasks: Sequence[Task]
) -> Generator[tuple[int, Result], None, None]:
    """What the function gives for each task, with the task's place, as they come; a task a job of Spark's.

    The function and what it gives must be picklable. An error of one is raised here, once Spark has tried it
    as often as it does; RefusedError is raised as it is, at once. Tasks that are not done when the generator
    is closed are given up.
    """
    if not tasks:
        return
    with ThreadPoolExecutor(min(len(tasks), MOST_AT_ONCE)) as waiting:
        places = {waiting.submit(_done, spark, function, task): place for place, task in enumerate(tasks)}
        try:
            for future in as_completed(places):
                yield places.pop(future), future.result()
        finally:
            if places:
                waiting.shutdown(wait=False, cancel_futures=True)
                spark.interruptAll()


def _done(spark: SparkSession, function: Callable[[Task], Result], task: Task) -> Result:
    """One task, done by a machine of the cluster."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            try:
                result: Any = function(task)
            except RefusedError as error:
                result = error
            yield pa.RecordBatch.from_pydict({"result": [pickle.dumps(result)]}, ARROW_SCHEMA)

    (row,) = spark.range(0, 1, 1, 1).mapInArrow(run, SCHEMA).collect()
    result: Any = pickle.loads(row["result"])  # noqa: S301  # made by `run`
    if isinstance(result, RefusedError):
        raise result
    return result  # type: ignore[no-any-return]
