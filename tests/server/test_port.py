"""The port of an office that is just ending is waited for; another's is refused. Which address is told."""

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


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (".example.org ratings.example.org", "http://ratings.example.org:8000/"),
        (".example.org", "http://0.0.0.0:8000/"),
    ],
)
def test_a_name_that_stands_for_many_is_no_address(monkeypatch, names, told):
    monkeypatch.setenv("BANZUKE_HOSTS", names)
    assert processes.address_of("0.0.0.0", 8000) == told
