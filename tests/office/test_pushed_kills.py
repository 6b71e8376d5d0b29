"""The feed pushed by an office that is killed again and again: streams and a webhook end with exactly the feed."""

from __future__ import annotations

import random
import sys
from contextlib import nullcontext

import pytest
from office.pushed_kills import Pushed
from postgresql_server import BINARIES, postgresql
from webhook_receiver import Receiver

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
FAULTS = ("worker", "office", "answering", "writer", "office", "database", "worker")


@pytest.mark.parametrize(
    "database",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.skipif(not BINARIES, reason="no initdb"))],
)
def test_both_have_exactly_the_feed(tmp_path, database):
    with postgresql() if database == "postgresql" else nullcontext() as server, Receiver() as receiver:
        receiver.answers = [200, 500, 0, 200, 200, 0]
        pushed = Pushed(tmp_path, server, receiver, random.Random(11))
        try:
            pushed.run(FAULTS, between=25, seed=12)
        finally:
            pushed.service.stop()
        pushed.check()
        assert all(stream.begun > 2 for stream in pushed.streams)
        assert receiver.doubled > 0  # what was taken without an answer came again
