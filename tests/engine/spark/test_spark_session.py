"""Sessions: what is said where there is no cluster."""

from __future__ import annotations

import pytest
from processes import free_port
from spark_cluster import lacking

from banzuke.engine.spark.cluster import ClusterError, session

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(lacking()), reason=lacking() or "nothing is lacking")]


@pytest.mark.parametrize("master", ["spark://127.0.0.1:{port}", "spark://127.0.0.1", "nonsense"])
def test_a_cluster_that_does_not_answer(master):
    with pytest.raises(ClusterError, match="nobody answers"), session(master.format(port=free_port())):
        pass
