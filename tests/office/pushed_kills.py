"""The feed pushed to streams and to a webhook by an office under load that is killed again and again."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from office import live_service
from office.faulty_load import Load, kill, restart
from office.stream_reader import StreamReader

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from office.live_service import Service
    from postgresql_server import Postgresql
    from webhook_receiver import Receiver

PLAYERS, PATIENCE = 100, 180
Change = dict[str, Any]
#: Processes that are killed by themselves: what each of them runs.
MODULES = {"worker": b"banzuke.server.worker", "writer": b"banzuke.server.game_writer"}


class Pushed:
    """An office with two streams and a webhook, from the pool's first game on."""

    def __init__(
        self, folder: Path, server: Postgresql | None, receiver: Receiver, rng: random.Random
    ) -> None:
        (folder / "office").mkdir(0o700)
        self.receiver = receiver
        self._halves = live_service.made_ledger(folder / "opening", PLAYERS, rng)
        self._server = server
        self._rng = rng
        self.service = live_service.Service(folder / "office", server.migrated() if server else "")
        self.service.open(folder / "opening")
        words = ("webhook", "add", receiver.address, "--pool", live_service.POOL, "--after", 0)
        receiver.secret = self.service.run(*words)
        self.service.start()
        self.streams = [StreamReader(self.service), StreamReader(self.service)]
        self.feed: list[Change] = []
        self.own: list[Change] = []

    def run(self, faults: Iterable[str], between: int, seed: int) -> None:
        """Games and faults; then wait until streams, webhook and a player's own stream have come to the end."""
        load = Load(self.service, self._halves, seed)
        load.start()
        try:
            for what in faults:
                load.wait_for(self._rng.randint(1, 2 * between))
                self._break(what)
            load.wait_for(between)
        finally:
            load.stop()
        assert load.wrong == []
        self.feed = feed_of(self.service)
        last = self.feed[-1]["number"]
        for stream in self.streams:
            wait_until(lambda stream=stream: stream.last == last, lambda stream=stream: stream.last)  # type: ignore[misc]
        wait_until(lambda: self.receiver.last == last, lambda: self.service.run("webhook", "list"))
        own = StreamReader(self.service, self.player)
        wait_until(lambda: own.last == last, lambda: own.last)
        self.own = own.changes
        self.service.stop()
        for stream in (*self.streams, own):
            stream.stop()

    @property
    def player(self) -> str:
        """The player whose own stream is read."""
        return str(self.feed[-1]["black"]["player"])

    def _break(self, what: str) -> None:
        if what in MODULES:
            for pid in self._processes_of(MODULES[what]):
                os.kill(pid, signal.SIGKILL)
        elif what != "database":
            kill(self.service, what, self._rng)
        elif self._server is not None:
            restart(self._server)

    def _processes_of(self, module: bytes) -> list[int]:
        found = ((pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in self.service.processes())
        return [pid for pid, command in found if module in command]

    def check(self) -> None:
        """Streams and webhook have exactly the feed; the player's stream exactly the player's changes."""
        feed = [_settled(each) for each in self.feed]
        numbers = [each["number"] for each in feed]
        assert numbers == sorted(set(numbers))
        for stream in self.streams:
            assert stream.wrong == []
            assert [_settled(each) for each in stream.changes] == feed
        of_player = [n for n, each in zip(numbers, feed, strict=True) if self.player in _players(each)]
        assert [each["number"] for each in self.own] == of_player
        assert self.receiver.wrong == []
        assert [_settled(each) for _, each in sorted(self.receiver.changes.items())] == feed


def _players(change: Change) -> tuple[str, str]:
    return change["black"]["player"], change["white"]["player"]


def _settled(change: Change) -> Change:
    """A change without what may be otherwise later: the result of a game that was annulled since."""
    return {name: value for name, value in change.items() if name != "result"}


def feed_of(service: Service) -> list[Change]:
    """The whole feed, polled."""
    found: list[Change] = []
    while True:
        after = found[-1]["number"] if found else 0
        path = f"/api/v1/pools/{live_service.POOL}/changes?after={after}"
        changes = json.loads(live_service.asked(service.port, "GET", path, b"", {})[1])["changes"]
        if not changes:
            return found
        found += changes


def wait_until(check: Callable[[], bool], what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, what()
        time.sleep(0.1)
