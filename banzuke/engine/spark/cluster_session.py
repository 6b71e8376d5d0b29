"""A session of Spark: a cluster by its address, or the cores of this machine."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from collections.abc import Iterator

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
