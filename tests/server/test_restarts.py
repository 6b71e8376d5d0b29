"""A worker that dies is started again, later and later; its office tells how often."""

from __future__ import annotations

import errno

import pytest

from banzuke.office.jobs import heartbeat
from banzuke.server.restarts import LONG_LIFE, ProcessRestarts


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(settings, tmp_path):
    settings.HOME = tmp_path
    return Clock()


def worker_restarts(start, clock):
    return ProcessRestarts("The worker", start, heartbeat.note_death, heartbeat.note_restart, clock)


def died(restarts, clock, started):
    """The seconds until a worker that has just died is started again."""
    at, before = clock.now, len(started)
    while len(started) == before:
        restarts.look(has_ended=True)
        clock.now += 0.5
    return clock.now - 0.5 - at


def test_the_pauses_grow_and_begin_anew_after_a_long_life(clock):
    started = []
    restarts = worker_restarts(lambda: started.append(clock.now), clock)
    assert [died(restarts, clock, started) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    clock.now += LONG_LIFE
    restarts.look(has_ended=False)
    assert died(restarts, clock, started) == 1
    assert len(heartbeat.restarts()) == len(started) == 9


def test_one_that_cannot_be_started_is_tried_again(clock, caplog):
    started = []

    def start():
        started.append(clock.now)
        if len(started) < 3:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")

    restarts = worker_restarts(start, clock)
    assert [died(restarts, clock, started) for _ in range(3)] == [1, 2, 4]
    assert "could not be started: Cannot allocate memory" in caplog.text


def test_one_that_died_is_dead_at_once(clock, caplog):
    heartbeat.beat()
    restarts = worker_restarts(lambda: None, clock)
    restarts.look(has_ended=False)
    assert heartbeat.is_alive()
    restarts.look(has_ended=True)
    assert not heartbeat.is_alive()
    assert "started again in 1 s" in caplog.text


@pytest.mark.parametrize("kept", ["", "{", "7", '{"1": 2}', '["a", 1, null]'])
def test_a_file_that_is_none_of_ours_tells_nothing(clock, tmp_path, kept):
    (tmp_path / "worker-restarts").write_text(kept)
    assert heartbeat.restarts() == []
