"""The port of an office that is just ending is waited for; another's is refused."""

from __future__ import annotations

import socket
import threading

import pytest
from processes import free_port

from banzuke.server import processes


@pytest.fixture
def taken():
    with socket.create_server(("127.0.0.1", free_port())) as listening:
        yield listening


def test_one_that_becomes_free(taken):
    ends = threading.Timer(0.2, taken.close)
    ends.start()
    processes.check_port("127.0.0.1", taken.getsockname()[1])
    ends.join()


def test_one_that_stays_taken(taken, monkeypatch):
    monkeypatch.setattr(processes, "PORT_WITHIN", 0.1)
    with pytest.raises(processes.PortTakenError):
        processes.check_port("127.0.0.1", taken.getsockname()[1])
