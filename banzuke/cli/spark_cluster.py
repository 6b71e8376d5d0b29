"""A cluster of Apache Spark for a command: there, or what to install and what Spark says."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from banzuke.cli.command import NO, leave
from banzuke.cli.output import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@contextmanager
def cluster(master: str) -> Iterator[SparkSession]:
    """A session on the cluster at that address; leaves with a sentence where there is none, or it fails."""
    require_spark()
    from banzuke.engine.spark.cluster import ClusterError, session

    try:
        with session(master) as spark:
            yield spark
    except ClusterError as error:
        leave(text("cluster-failed", master=master, reason=error), NO)


def require_spark() -> None:
    """Leave, with what to install, where Spark or Java is not."""
    if find_spec("pyspark") is None or find_spec("numba") is None or not _has_java():
        leave(text("no-spark"), NO)


def _has_java() -> bool:
    """Whether Spark will find a Java."""
    return "JAVA_HOME" in os.environ or shutil.which("java") is not None
