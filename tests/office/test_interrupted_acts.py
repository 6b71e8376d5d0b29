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
from properties import is_whole

PROGRAM = Path(__file__).with_name("interrupted_act.py")
TOGETHER = "publish-together"
#: Acts of two officers at once, each in a pool of its own, which needs a revision.
AT_ONCE = {"due-revise": ("revise", "revise"), "due-correct": ("correct", "publish")}
#: `.ci/run` kills before anything is written, in mid-writing, when all is written, and when all is done.
KILLED_AT = STEPS if is_whole() else ("rating", "between", "written", "done")
POOLS = [f"{act}-{step}" for act in ("publish", "correct") for step in KILLED_AT]


def run(env, *words):
    return subprocess.run(
        [sys.executable, PROGRAM, *words], env=env, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request, tmp_path):
    """The environment of an office of its own, on either database."""
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env["BANZUKE_HOME"] = str(migrated(tmp_path))
    if request.param == "postgresql":
        env["DATABASE_URL"] = request.getfixturevalue("database_url")
    return env


def fill(env, *pools):
    filled = run(env, "fill", *pools)
    assert filled.returncode == 0, filled.stderr


@pytest.mark.slow
def test_never_half_a_list_nothing_lost_and_once_more(office):
    fill(office, *POOLS, TOGETHER)
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
            assert again in ("AlreadyPublishedError", "InquiryClosedError")
        else:
            assert before == found[f"{act}-rating"]["before"] != whole[act]
            assert again == after["lists"][len(before["lists"]) :]
    together(office, whole["publish"])
    assert whole["correct"]["inquiry"] == "corrected"
    assert len(whole["publish"]["lists"]) > len(found["publish-rating"]["before"]["lists"])


@pytest.mark.slow
@pytest.mark.parametrize("pool", AT_ONCE)
def test_two_acts_at_once_leave_nothing_due(office, pool):
    """Whoever is second has seen what the first published: no revision twice, none left out."""
    fill(office, pool)
    said = at_once(office, pool, AT_ONCE[pool])
    found = json.loads(run(office, "due", pool).stdout)
    assert found == {"due": [], "good": True, "revisions": found["revisions"]}, said
    assert max(found["revisions"]) == 1
    is_done_once = pool == "due-revise"
    assert sorted(status for status, _ in said) == [0, int(is_done_once)], said
    assert ("NothingToDoError" in "".join(text for _, text in said)) is is_done_once


def at_once(office, pool, acts):
    """How two processes that were started together end, and what they say."""
    both = [
        subprocess.Popen(
            [sys.executable, PROGRAM, act, pool, "wait"],
            env=office,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for act in acts
    ]
    said = [process.communicate(timeout=300)[1] for process in both]
    return [(process.returncode, text) for process, text in zip(both, said, strict=True)]


def together(office, whole):
    """Two officers publish at once: one does, the other is told who did."""
    both = at_once(office, TOGETHER, ("publish", "publish"))
    said = [text for _, text in both]
    assert sorted(status for status, _ in both) == [0, 1], said
    assert "AlreadyPublishedError" in "".join(said)
    assert "'author': 'officer'" in "".join(said)
    found = json.loads(run(office, "look", TOGETHER).stdout)[TOGETHER]
    assert found["after"] == found["before"] == whole
    assert found["good"]
