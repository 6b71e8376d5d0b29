"""A session of Spark: a cluster by its address, or the cores of this machine."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from collections.abc import Iterator

#: All cores of this machine, without a cluster.
LOCAL = "local[*]"
LOOPBACK = "127.0.0.1"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.reuse": "true",  # a process compiles or loads its kernels once
    "spark.sql.adaptive.enabled": "false",  # sums of a few thousand rows gain nothing by it
    "spark.sql.shuffle.partitions": "4",
    "spark.locality.wait": "0s",  # units read from a storage that is as near to every machine
}


class ClusterError(Exception):
    """Spark could not do what it was asked; the message is the first line of its own."""


@contextmanager
def session(master: str = LOCAL) -> Iterator[SparkSession]:
    """A session on the cluster at `master` (`spark://host:port`), stopped in the end.

    Machines of the cluster run the Python that PYSPARK_PYTHON names, by default the path of this one's:
    Banzuke with its extra `spark` must be installed there. Raises ClusterError for what Spark raises while it
    lasts, also where there is no such cluster.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("banzuke").config(map=dict(SETTINGS))
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", LOOPBACK).config("spark.driver.bindAddress", LOOPBACK)
    try:
        spark = builder.getOrCreate()
        try:
            spark.sparkContext.setLogLevel("ERROR")
            yield spark
        finally:
            spark.stop()
    except (PySparkException, Py4JError) as error:
        raise ClusterError(str(error).strip().splitlines()[0]) from error
