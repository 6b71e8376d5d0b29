"""Acts of an office that are killed beside games that come: all of an act is done, or nothing; games go on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
from contextlib import nullcontext

import pytest
from office import live_service
from postgresql_server import postgresql
from properties import is_whole

GAMES, OTHER, PLAYERS = 1_500, 3_000, 150
#: After so many seconds an import is killed: while Python starts, while it reads, rates and writes.
KILLS = (0.5, 1.5, 2.0, 2.5, 3.5) if is_whole() else (1.5, 2.5)


class Games:
    """Games sent one after the other until the end of the block; each is taken, in whatever time."""

    def __init__(self, service, games):
        self.service = service
        self.games = iter(games)
        self.taken = 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.send)

    def send(self):
        headers = live_service.JSON | {"Authorization": f"Bearer {self.service.key}"}
        path = f"/api/v1/pools/{live_service.POOL}/games"
        while not self.stop.wait(0.02):
            body, status = json.dumps(next(self.games)).encode(), 0
            while status != 200:
                status, _ = live_service.asked(self.service.port, "POST", path, body, headers)
                assert status in (200, 503)
            self.taken += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def served(request, tmp_path_factory):
    """An office with a pool into which games are sent, and a ledger of another."""
    home, rng = tmp_path_factory.mktemp("killed"), random.Random(1)
    halves = live_service.made_ledger(home / "opening", PLAYERS, rng)
    other = live_service.made_folder(home / "other", PLAYERS, OTHER, 2)
    (home / "office").mkdir(mode=0o700)
    with postgresql() if request.param == "postgresql" else nullcontext() as server:
        service = live_service.Service(home / "office", server.migrated() if server else "")
        service.open(home / "opening")
        service.start()
        try:
            with Games(service, live_service.made_games(halves, 100_000, rng)) as games:
                yield service, home, other, games
            assert all(service.is_whole(tmp_path_factory.mktemp("compared")).values())
            service.run("verify", "--all")
        finally:
            service.stop()


def is_there(service, folder):
    """Whether the other pool is in the book; if so, all of it."""
    command = [*live_service.COMMAND, "export-ledger", "other", str(folder)]
    done = subprocess.run(command, env=service.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "no pool 'other'" in done.stderr
    return done.returncode == 0


@pytest.mark.slow
def test_an_import_is_whole_or_nothing(served, tmp_path):
    service, _, other, games = served
    command, there = [*live_service.COMMAND, "import-ledger", str(other), "--pool", "other"], False
    for number, seconds in enumerate(KILLS):
        begun = subprocess.Popen(command, env=service.environment, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        begun.kill()
        begun.wait()
        before, there = games.taken, is_there(service, tmp_path / f"out{number}")
        assert games.taken > before
        if there:
            break
    if not there:
        service.run(*command[len(live_service.COMMAND) :])
        is_there(service, tmp_path / "last")
    found = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
    assert len((found / "games.csv").read_text().splitlines()) == OTHER + 1
    service.run("verify", "--all")


@pytest.mark.slow
def test_other_rules_come_into_force_though_the_worker_is_killed(served):
    service, home, _, games = served
    (home / "zone.toml").write_text(live_service.border_zone(380))
    while games.taken < GAMES:
        time.sleep(0.1)
    kills, until = 0, time.monotonic() + 300
    while (state := service.run(live_service.__file__, "zone", home)) != "done":
        assert state in ("waiting", "running"), state
        assert time.monotonic() < until
        workers = service.workers()
        if workers and kills < len(KILLS):
            time.sleep(random.Random(kills).random())
            os.kill(workers[0], signal.SIGKILL)
            kills += 1
        else:
            time.sleep(0.5)
    assert kills
    service.run("export-ledger", live_service.POOL, home / "by-zone")
    assert (home / "by-zone" / "zone.toml").exists()
