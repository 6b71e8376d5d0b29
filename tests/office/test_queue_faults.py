"""Consumers of the queue that are killed under load, and whose database ends: no game lost, none twice, all right."""

from __future__ import annotations

import random
import signal
from contextlib import nullcontext

import pytest
from office import live_service
from office.faulty_load import restart
from office.queue_load import Consumers, Program, refused
from postgresql_server import BINARIES, postgresql

from banzuke.ledger.folder import read_ledger

pytestmark = pytest.mark.slow
PLAYERS, KILLS = 150, 4
#: Games that are inserted after the last kill.
MORE = 60


@pytest.mark.parametrize(
    "database",
    [
        "sqlite",
        pytest.param(
            "postgresql",
            marks=pytest.mark.skipif(not BINARIES, reason="PostgreSQL is not installed (initdb)"),
        ),
    ],
)
def test_two_consumers_killed_again_and_again(database, tmp_path):
    rng = random.Random(3)
    with postgresql() if database == "postgresql" else nullcontext() as server:
        (tmp_path / "office").mkdir(0o700)
        halves = live_service.made_ledger(tmp_path / "opening", PLAYERS, rng)
        service = live_service.Service(tmp_path / "office", server.migrated() if server else "")
        service.open(tmp_path / "opening")
        program = Program(service, halves, seed=4)
        consumers = Consumers(service, 2, tmp_path / "log")
        try:
            for number in range(KILLS):
                consumers.kill(rng)
                if server is not None and number == KILLS // 2:
                    restart(server)
            program.wait_for(MORE)
            program.stop()
            consumers.work_off()
        finally:
            program.stop()
            ended = consumers.stop()
        # One that was only starting knows of no batch.
        assert set(ended) <= {0, -signal.SIGTERM}, (tmp_path / "log").read_text()
        assert "Traceback" not in (tmp_path / "log").read_text()
        assert refused(service) == []
        assert program.twice > 0
        (tmp_path / "compared").mkdir()
        assert service.is_whole(tmp_path / "compared") == {"standings.csv": True, "changes.csv": True}
        games = [game.game_id for game in read_ledger(tmp_path / "compared" / "ledger").games]
        assert len(games) == len(set(games))
        assert set(games) == program.inserted
