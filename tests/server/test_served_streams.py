"""Streams of an office that is served for real: they keep nobody waiting, and end with the office."""

from __future__ import annotations

import json
import random
import socket
import time
from contextlib import ExitStack

import pytest
from office import live_service
from office.stream_reader import StreamReader
from server.hostile_clients import asked

pytestmark = pytest.mark.slow
#: More than there are threads for reading and for writing together.
STREAMS, SOON = 60, 3
PATH = "/api/v1/pools/go/changes/stream"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    home = tmp_path_factory.mktemp("office")
    service = live_service.Service(home)
    live_service.made_ledger(home / "opening", 20, random.Random(1))
    service.open(home / "opening")
    service.start()
    yield service
    service.stop()


def send(office, first, count):
    games = live_service.made_games([20] * 20, count, random.Random(first), first)
    key = {"Authorization": f"Bearer {office.key}", "Content-Type": "application/json"}
    return asked(office.port, "/api/v1/pools/go/games", json.dumps(games).encode(), **key)


def opened(office, stack, *, key):
    """A stream that is begun and never read."""
    one = stack.enter_context(socket.create_connection(("127.0.0.1", office.port), 60))
    shown = f"Authorization: Bearer {office.key}\r\n" if key else ""
    one.sendall(f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n{shown}\r\n".encode())
    return one.recv(12)


def test_they_keep_nobody_waiting(office):
    with ExitStack() as stack:
        statuses = [opened(office, stack, key=True) for _ in range(STREAMS)]
        assert set(statuses) == {b"HTTP/1.1 200"}
        reader = StreamReader(office)
        for path in ("/healthz", "/", "/api/v1/pools/go/changes"):
            answer = asked(office.port, path)
            assert (path, answer.status, answer.seconds < SOON) == (path, 200, True)
        answer = send(office, 0, 300)  # more than unread sockets hold
        assert (answer.status, answer.seconds < SOON) == (200, True)
        numbers = {each["number"] for each in json.loads(answer.body)["games"]}
        end = time.monotonic() + 30
        while not numbers <= {each["number"] for each in reader.changes}:
            assert time.monotonic() < end
            time.sleep(0.05)
        reader.stop()
        assert reader.wrong == []


def test_of_one_address_without_a_key_only_so_many(office):
    with ExitStack() as stack:
        statuses = [opened(office, stack, key=False) for _ in range(25)]
        assert statuses.count(b"HTTP/1.1 200") == 20
        assert statuses.count(b"HTTP/1.1 503") == 5
        with_key = opened(office, stack, key=True)
        assert with_key == b"HTTP/1.1 200"
    end = time.monotonic() + 30
    status = b""
    while status != b"HTTP/1.1 200":  # the places of those who are gone are free
        assert time.monotonic() < end
        with ExitStack() as stack:
            status = opened(office, stack, key=False)


def test_they_end_with_the_office(office):
    with ExitStack() as stack:
        one = stack.enter_context(socket.create_connection(("127.0.0.1", office.port), 60))
        one.sendall(f"GET {PATH}?after=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        said = one.recv(65536)
        office.stop()
        while more := one.recv(65536):
            said += more
    assert said.endswith(b"\r\n0\r\n\r\n")  # the last chunk: it was ended, not cut off
