"""Publishing and correcting killed at any moment, many times: never half a list, nothing lost.

    python bench/kill.py [--times 200]

On the database of BANZUKE_HOME or DATABASE_URL (else a throw-away SQLite): each act runs in a process of
its own, which is killed by SIGKILL after a random part of the time that it takes. Then what is there is
looked at, the act is done once more, and every list is verified.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "tests" / "office" / "interrupted_act.py"
ACTS = ("publish", "correct")
BATCH = 20


def main() -> None:
    """Kill, look, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp(prefix="banzuke-kill-"))
    chance = random.Random(asked.seed)
    for act in ACTS:
        print(act, dict(_killed(act, asked.times, chance)), flush=True)


def _killed(act: str, times: int, chance: random.Random) -> Counter[str]:
    """How often nothing and how often everything had happened when the process was killed."""
    found: Counter[str] = Counter()
    took = _unkilled(act)
    for start in range(0, times, BATCH):
        pools = [f"{act}-{time.time_ns()}-{n}" for n in range(min(BATCH, times - start))]
        _run("fill", *pools)
        for pool in pools:
            _kill(act, pool, chance.uniform(0, took))
        looked = json.loads(_run("look", *pools))
        found.update(_judged(act, looked[pool]) for pool in pools)
    return found


def _unkilled(act: str) -> float:
    """The seconds that the act takes."""
    pool = f"{act}-{time.time_ns()}"
    _run("fill", pool)
    child = _started(act, pool)
    begun = time.perf_counter()
    child.communicate()
    return time.perf_counter() - begun


def _kill(act: str, pool: str, after: float) -> None:
    child = _started(act, pool)
    time.sleep(after)
    child.kill()
    child.communicate()


def _started(act: str, pool: str) -> subprocess.Popen[str]:
    """The act in a process that has just begun with it."""
    child = subprocess.Popen(
        [sys.executable, PROGRAM, act, pool, "nobody"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def _judged(act: str, looked: dict[str, dict]) -> str:
    before, after = looked["before"], looked["after"]
    assert looked["good"], looked
    whole = before["lists"] == after["lists"]
    assert whole or before["acts"] == after["acts"] - 1, looked
    if act == "correct":
        assert (before["inquiry"] == "corrected") == whole, looked
        assert before["strikes"] == after["strikes"] - (not whole), looked
    return "all had happened" if whole else "nothing had happened"


def _run(*words: str) -> str:
    done = subprocess.run([sys.executable, PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    main()
