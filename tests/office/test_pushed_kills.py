"""The feed pushed by an office that is killed again and again: streams and a webhook end with exactly the feed."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from office import live_service
from office.faulty_load import Load, kill, restart
from office.stream_reader import StreamReader
from postgresql_server import BINARIES, postgresql
from webhook_receiver import Receiver

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
PLAYERS, BETWEEN, PATIENCE = 100, 25, 120


def worker_of(service):
    """The process of the worker."""
    return [
        pid
        for pid in service.processes()
        if b"banzuke.server.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def feed_of(service):
    """The whole feed, polled."""
    found, after = [], 0
    while True:
        path = f"/api/v1/pools/{live_service.POOL}/changes?after={after}"
        status, body = live_service.asked(service.port, "GET", path, b"", {})
        assert status == 200
        changes = json.loads(body)["changes"]
        if not changes:
            return found
        found, after = found + changes, changes[-1]["number"]


def settled(change):
    """A change without what may be otherwise later: the result of a game that was annulled since."""
    return {name: value for name, value in change.items() if name != "result"}


def until(check, what):
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, what()
        time.sleep(0.1)


@pytest.mark.parametrize(
    "database",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.skipif(not BINARIES, reason="no initdb"))],
)
def test_both_have_exactly_the_feed(tmp_path, database):
    rng = random.Random(11)
    (tmp_path / "office").mkdir(0o700)
    halves = live_service.made_ledger(tmp_path / "opening", PLAYERS, rng)
    with postgresql() if database == "postgresql" else nullcontext() as server, Receiver() as receiver:
        service = live_service.Service(tmp_path / "office", server.url() if server else "")
        service.open(tmp_path / "opening")
        told = service.run("webhook", "add", receiver.address, "--pool", live_service.POOL, "--after", 0)
        receiver.secret = told
        receiver.answers = [200, 500, 0, 200, 200, 0]
        service.start()
        try:
            load = Load(service, halves, seed=12)
            load.start()
            streams = [StreamReader(service), StreamReader(service)]
            for what in ("worker", "office", "answering", "worker", "office", "database", "worker"):
                load.wait_for(BETWEEN)
                if what == "worker":
                    for pid in worker_of(service):
                        os.kill(pid, signal.SIGKILL)
                elif what != "database":
                    kill(service, what, rng)
                elif server is not None:
                    restart(server)
            load.wait_for(BETWEEN)
            load.stop()
            assert load.wrong == []
            feed = feed_of(service)
            last = feed[-1]["number"]
            until(lambda: all(each.last == last for each in streams), lambda: [each.last for each in streams])
            until(
                lambda: receiver.last == last, lambda: (receiver.last, last, service.run("webhook", "list"))
            )
            own = StreamReader(service, feed[-1]["black"]["player"])
            until(lambda: own.last == last, lambda: own.last)
            service.stop()
        finally:
            service.stop()
        for stream in (*streams, own):
            stream.stop()
        for stream in streams:
            assert (stream.wrong, list(map(settled, stream.changes))) == ([], list(map(settled, feed)))
            assert stream.begun > 2
        player = feed[-1]["black"]["player"]
        assert [each["number"] for each in own.changes] == [
            each["number"] for each in feed if player in (each["black"]["player"], each["white"]["player"])
        ]
        assert receiver.wrong == []
        assert [settled(receiver.changes[number]) for number in sorted(receiver.changes)] == list(
            map(settled, feed)
        )
        assert len(receiver.changes) == len({each["number"] for each in feed}) == len(feed)
        assert receiver.doubled > 0
