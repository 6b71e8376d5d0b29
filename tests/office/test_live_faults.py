"""A Go server's office that is killed under load, and whose database ends: no game lost, none twice, all right."""

from __future__ import annotations

import random
import sys

import pytest
from office import live_service
from office.faulty_load import Load, kill, restart
from postgresql_server import BINARIES, postgresql
from properties import is_whole

from banzuke.ledger.folder import read_ledger

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
]
PLAYERS = 150
#: Games that are answered between two faults.
BETWEEN = 25
#: What ends, one after the other; `.ci/run` has each of the faults once, on one of the databases.
ON_SQLITE = ("writer", "answering", "office", "writer", "pages") if is_whole() else ("writer", "pages")
ON_POSTGRESQL = (
    ("database", "writer", "answering", "database", "office", "writer")
    if is_whole()
    else ("answering", "database", "office")
)


def opened(folder, rng, database_url=""):
    """An office that is served, and where its players stand."""
    (folder / "office").mkdir(0o700)
    halves = live_service.made_ledger(folder / "opening", PLAYERS, rng)
    service = live_service.Service(folder / "office", database_url)
    service.open(folder / "opening")
    service.start()
    return service, halves


def is_right(folder, service, load):
    """Everything that was answered is there, and what stands is what rating the ledger gives."""
    assert load.wrong == []
    service.stop()
    (folder / "compared").mkdir()
    assert service.is_whole(folder / "compared") == {"standings.csv": True, "changes.csv": True}
    games = [game.game_id for game in read_ledger(folder / "compared" / "ledger").games]
    assert len(games) == len(set(games))
    assert load.answered <= set(games)
    assert load.counts["there already"] > 0
    assert load.counts["cut"] > 0


def test_killed_again_and_again_on_sqlite(tmp_path):
    rng = random.Random(5)
    service, halves = opened(tmp_path, rng)
    try:
        load = Load(service, halves, seed=6)
        load.start()
        for what in ON_SQLITE:
            load.wait_for(BETWEEN)
            kill(service, what, rng)
        load.wait_for(BETWEEN)
        load.stop()
        is_right(tmp_path, service, load)
    finally:
        service.stop()


@pytest.mark.skipif(not BINARIES, reason="PostgreSQL is not installed (initdb)")
def test_a_database_that_ends_and_comes_again(tmp_path):
    rng = random.Random(7)
    with postgresql() as server:
        service, halves = opened(tmp_path, rng, server.migrated())
        try:
            load = Load(service, halves, seed=8)
            load.start()
            for what in ON_POSTGRESQL:
                load.wait_for(BETWEEN)
                restart(server) if what == "database" else kill(service, what, rng)
            load.wait_for(BETWEEN)
            load.stop()
            is_right(tmp_path, service, load)
        finally:
            service.stop()


@pytest.mark.skipif(not BINARIES, reason="PostgreSQL is not installed (initdb)")
def test_two_machines_before_one_database(tmp_path):
    """Workers of two offices with folders of their own, one of which is killed."""
    rng = random.Random(9)
    with postgresql() as server:
        service, halves = opened(tmp_path, rng, server.migrated())
        (tmp_path / "other").mkdir(mode=0o700)
        other = live_service.Service(tmp_path / "other", service.environment["DATABASE_URL"])
        try:
            other.start()
            load = Load(service, halves, 10, other)
            load.start()
            load.wait_for(10 * BETWEEN)
            kill(other, "office", rng)
            load.wait_for(4 * BETWEEN)
            load.stop()
            is_right(tmp_path, service, load)
        finally:
            other.stop()
            service.stop()
