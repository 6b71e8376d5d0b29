"""One cluster for all tests of this folder: they are of one group, so that one process runs them."""

from __future__ import annotations

import pytest
from spark_cluster import cluster, lacking

from banzuke.engine.spark.cluster_session import session


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
    with pytest.MonkeyPatch.context() as patch:
        for name, value in running.environment.items():
            patch.setenv(name, value)
        with session(running.url) as started:
            yield started
