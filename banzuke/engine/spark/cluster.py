"""A Spark cluster: a session on it, and one function for many tasks, each whole on one of its machines."""

import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from banzuke.core.fault import RefusedError

Task = TypeVar("Task")
Result = TypeVar("Result")

SCHEMA = "result binary"
ARROW_SCHEMA = pa.schema({"result": pa.binary()})
#: So many tasks are before Spark at a time; each waits in a thread of the driver.
MOST_AT_ONCE = 256

#: All cores of this machine, without a cluster.
LOCAL = "local[*]"
LOOPBACK = "127.0.0.1"
LOGGING = "spark.driver.extraJavaOptions"
CONNECT_SECONDS = 10

SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.reuse": "true",  # a process compiles or loads its kernels once
    "spark.locality.wait": "0s",  # units read from a storage that is as near to every machine
}


class ClusterError(Exception):
    """Spark could not do what it was asked; the message is the beginning of its own."""


@contextmanager
def session(master: str = LOCAL) -> Iterator[SparkSession]:
    """A session on the cluster at `master` (`spark://host:port`), stopped in the end.

    Machines of the cluster run the Python that PYSPARK_PYTHON names, by default the path of this one's:
    Banzuke with its extra `spark` must be installed there. Raises ClusterError for what Spark raises while it
    lasts, also where there is no such cluster.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)
    elif not _answers(master):
        raise ClusterError("nobody answers there")
    builder = (
        SparkSession.builder.master(master).appName("banzuke").config(map={**SETTINGS, LOGGING: _quiet()})
    )
    interrupted = signal.getsignal(signal.SIGINT)
    try:
        spark = builder.getOrCreate()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupted)  # PySpark puts its own there, which stays
        try:
            yield spark
        finally:
            spark.stop()
    except (PySparkException, Py4JError) as error:
        raise ClusterError(" ".join(str(error).strip().splitlines()[:2])) from error


def _answers(master: str) -> bool:
    """Whether a master of `spark://host:port,host:port` takes a connection; Spark would try for a minute."""
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        with suppress(OSError, ValueError), socket.create_connection((host, int(port)), CONNECT_SECONDS):
            return True
    return False


def _quiet() -> str:
    """Java's option by which the driver says errors alone."""
    return f"-Dlog4j2.configurationFile={(Path(__file__).parent / 'log4j2.properties').as_uri()}"


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
