"""One cluster for all tests of this folder: they are of one group, so that one process runs them.

All are of the slow tier, whose extra brings PySpark.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from spark_cluster import cluster, lacking


class Unread(pytest.Module):
    """A module of tests that cannot be imported without PySpark."""

    def collect(self):
        pytest.skip(f"needs a cluster: {lacking()}", allow_module_level=True)


def pytest_pycollect_makemodule(module_path, parent):
    """Without PySpark these modules are not imported: the fast tier has none of their tests, the slow one skips them."""
    if find_spec("pyspark") is None:
        return Unread.from_parent(parent, path=module_path)
    return None


def pytest_ignore_collect(config):
    """The fast tier, which has none of these tests, does not even say that they are skipped."""
    return True if config.option.markexpr == "not slow" and find_spec("pyspark") is None else None


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """A master and two workers."""
    if lacking():
        pytest.skip(lacking())
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def spark(running):
    """A session on the cluster, its driver on loopback, too."""
    from banzuke.engine.spark.cluster import session

    with pytest.MonkeyPatch.context() as patch:
        for name, value in running.environment.items():
            patch.setenv(name, value)
        with session(running.url) as started:
            yield started
