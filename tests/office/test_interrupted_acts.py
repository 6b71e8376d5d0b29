"""Publishing and correcting killed at every step: all of it happened or nothing, and it can be done again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from migrated_office import migrated
from office.interrupted_act import STEPS

PROGRAM = Path(__file__).with_name("interrupted_act.py")
TOGETHER = "publish-together"
POOLS = [f"{act}-{step}" for act in ("publish", "correct") for step in STEPS]


def run(env, *words):
    return subprocess.run(
        [sys.executable, PROGRAM, *words], env=env, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request, tmp_path):
    """The environment of an office of its own, filled, on either database."""
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env["BANZUKE_HOME"] = str(migrated(tmp_path))
    if request.param == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("database_url")
    filled = run(env, "fill", *POOLS, TOGETHER)
    assert filled.returncode == 0, filled.stderr
    return env


@pytest.mark.slow
def test_never_half_a_list_nothing_lost_and_once_more(office):
    for pool in POOLS:
        killed = run(office, *pool.split("-")[:1], pool, pool.split("-")[1])
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    looked = run(office, "look", *POOLS)
    assert looked.returncode == 0, looked.stderr
    found = json.loads(looked.stdout)
    whole = {act: found[f"{act}-rating"]["after"] for act in ("publish", "correct")}
    for pool in POOLS:
        act, step = pool.split("-")
        before, again, after = found[pool]["before"], found[pool]["again"], found[pool]["after"]
        assert found[pool]["good"]
        assert after == whole[act], pool
        if step == "done":
            assert before == whole[act]
            assert again in ("AlreadyPublishedError", "InquiryClosedError", "StaleDraftError")
        else:
            assert before == found[f"{act}-rating"]["before"] != whole[act]
            assert again == after["lists"][len(before["lists"]) :]
    together(office, whole["publish"])
    assert whole["correct"]["inquiry"] == "corrected"
    assert len(whole["publish"]["lists"]) > len(found["publish-rating"]["before"]["lists"])


def together(office, whole):
    """Two officers publish at once: one does, the other is told who did."""
    command = [sys.executable, PROGRAM, "publish", TOGETHER, "nobody"]
    both = [
        subprocess.Popen(command, env=office, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=300)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 1], said
    assert "AlreadyPublishedError" in "".join(said)
    assert "'author': 'officer'" in "".join(said)
    found = json.loads(run(office, "look", TOGETHER).stdout)[TOGETHER]
    assert found["after"] == found["before"] == whole
    assert found["good"]
