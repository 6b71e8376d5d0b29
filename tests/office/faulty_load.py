"""Clients that post games to an office while things go wrong: it is killed, its database ends, answers are cut.

Clocks go back, the same game comes twice and from two clients at once, and a client that hears nothing asks again.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import threading
import time
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from office import live_service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from office.live_service import Service
    from postgresql_server import Postgresql

CLIENTS = 4
#: How many games are made at once, and the most that are sent at once.
MADE, MOST = 500, 12
#: Answers after which one asks again.
AGAIN = {429, 503}
#: How often a clock is behind, a sending comes twice, and an answer is not waited for.
BEHIND, TWICE, CUT = 0.05, 0.1, 0.05


class Sending(NamedTuple):
    """Games that go together; `is_cut`: the client closes the line before it has the answer, and asks again."""

    games: list[dict[str, object]]
    is_cut: bool


class Load:
    """Games without end, posted by several clients until they are told to stop.

    `beside` are further offices before the same database, among which the clients are shared out.
    """

    def __init__(self, service: Service, halves: list[int], seed: int, *beside: Service) -> None:
        self.service = service
        self.answered: set[str] = set()
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        self._sendings = sendings(halves, random.Random(seed))
        self._turn = threading.Lock()
        self._stopped = threading.Event()
        services = [service, *beside]
        self._clients = [
            threading.Thread(target=self._post_all, args=(services[number % len(services)].port,))
            for number in range(CLIENTS)
        ]

    def start(self) -> None:
        for client in self._clients:
            client.start()

    def stop(self) -> None:
        """Every client ends when it has its last answer."""
        self._stopped.set()
        for client in self._clients:
            client.join(live_service.PATIENCE)
            assert not client.is_alive()

    def wait_for(self, more: int) -> None:
        """Wait for so many further answers; start an office that has ended, as a supervisor does."""
        wanted, until = len(self.answered) + more, time.monotonic() + live_service.PATIENCE
        while len(self.answered) < wanted and not self.wrong:
            assert time.monotonic() < until, dict(self.counts)
            if self.service.has_ended():
                self.service.start()
            time.sleep(0.01)

    def _post_all(self, port: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=live_service.PATIENCE)
        while not self._stopped.is_set() and not self.wrong:
            with self._turn:
                sending = next(self._sendings)
            self._post(line, sending)
        line.close()

    def _post(self, line: http.client.HTTPConnection, sending: Sending) -> None:
        is_cut, until = sending.is_cut, time.monotonic() + live_service.PATIENCE
        while time.monotonic() < until:
            try:
                self._send(line, sending.games)
                if is_cut:
                    is_cut = False
                    raise ConnectionAbortedError
                answer = line.getresponse()
                said = answer.read()
            except (OSError, http.client.HTTPException):
                line.close()
                self.counts["cut"] += 1
            else:
                if answer.status not in AGAIN:
                    self._note(sending.games, answer.status, said)
                    return
                self.counts[str(answer.status)] += 1
            time.sleep(0.05)
        self.wrong.append("no answer")

    def _send(self, line: http.client.HTTPConnection, games: list[dict[str, object]]) -> None:
        body = json.dumps(games if len(games) > 1 else games[0])
        head = live_service.JSON | {"Authorization": f"Bearer {self.service.key}"}
        line.request("POST", f"/api/v1/pools/{live_service.POOL}/games", body, head)

    def _note(self, games: list[dict[str, object]], status: int, said: bytes) -> None:
        if status != http.client.OK:
            self.wrong.append(f"{status}: {said[:500]!r}")
            return
        told = json.loads(said)["games"]
        self.counts["games answered"] += len(told)
        self.counts["there already"] += sum(not each["is_new"] for each in told)
        self.answered.update(each["game"] for each in told)
        assert [each["game"] for each in told] == [each["game_id"] for each in games]


def sendings(halves: list[int], rng: random.Random, first: int = 0) -> Iterator[Sending]:
    """Games in about their order, some of them twice; `first` is the number of the first."""
    while True:
        games = [_by_a_clock(game, rng) for game in live_service.made_games(halves, MADE, rng, first)]
        first += MADE
        while games:
            count = rng.choice((1, 1, 1, rng.randint(2, MOST)))
            sending = Sending(games[:count], rng.random() < CUT)
            del games[:count]
            yield sending
            if rng.random() < TWICE:
                yield sending._replace(is_cut=False)


def _by_a_clock(game: dict[str, object], rng: random.Random) -> dict[str, object]:
    if rng.random() < BEHIND:
        behind = timedelta(seconds=rng.randrange(1, 120))
        game["ended"] = (datetime.fromisoformat(str(game["ended"])) - behind).isoformat()
    return game


def kill(service: Service, what: str, rng: random.Random) -> None:
    """End the whole office, the process that serves pages, one that answers, or the writer; it comes again."""
    if what in ("answering", "writer"):
        found = service.answering() if what == "answering" else service.writers()
        if found:
            os.kill(rng.choice(found), signal.SIGKILL)  # the process above starts another
        return
    if what == "pages":
        os.kill(service.pages(), signal.SIGKILL)
    service.kill()
    service.start()


def restart(server: Postgresql) -> None:
    """The database ends at once, without order, and comes again."""
    server.stop("immediate")
    server.start()
