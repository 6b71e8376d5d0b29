"""The laboratory on a cluster: the tables of this machine, byte for byte; what is refused and broken off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from functools import partial

import pytest
from cli.command_runs import COMMAND, EXAMPLES, ROOT, banzuke
from processes import free_port

from banzuke.cli import spark_cluster
from banzuke.core.fault import RefusedError
from banzuke.engine.finished_parts import digest_of_ledger
from banzuke.engine.spark.cluster import map_tasks
from banzuke.lab import answers
from banzuke.lab.comparison import Job, run_variant
from banzuke.lab.sheets import write_sheets
from banzuke.lab.variants import Variant
from banzuke.words import say

pytestmark = pytest.mark.slow

CLUB = EXAMPLES / "hakodate"


def compare(folder, **asked):
    return lambda said: answers.report_comparison(folder, answers.Question(**asked, **said))


def simulate(**asked):
    return lambda said: answers.report_simulation(
        answers.SimulationSize(2, 60, 1), answers.Question(**asked, **said)
    )


ASKED = {
    "compare": compare(EXAMPLES / "japan", books=["jcf-2024"], settings=["K.normal=20..30:10"]),
    "compare_go": compare(EXAMPLES / "go-server", settings=["zone_slack=100..300:100"]),
    "simulate": simulate(books=["ncs-2022"]),
    "simulate_go": simulate(books=["pandanet"], settings=["later.multiplier=5"]),
}


@pytest.mark.parametrize("question", ASKED)
def test_the_tables_and_the_finished_parts_are_those_of_this_machine(spark, tmp_path, question):
    spreads = {"here": None, "there": partial(map_tasks, spark)}
    for name, spread in spreads.items():
        report = ASKED[question]({"kept": tmp_path / name / "finished", "spread": spread})
        write_sheets(tmp_path / name, report.sheets)
    files = [
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in spreads
    ]
    assert files[0] == files[1]
    assert len(list((tmp_path / "there" / "finished").iterdir())) > 1


def _asked_there(running, *words):
    """The command on the cluster, a process of its own: a process has one session."""
    return subprocess.run(
        [*COMMAND, "lab", *map(str, words), "--master", running.url, "--lang", "en"],
        cwd=ROOT, env=os.environ | running.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_who_interrupts_goes_on_from_there(running, spark, tmp_path):
    out = tmp_path / "out"
    words = (
        "simulate",
        "--books",
        "ncs-2022",
        "--pools",
        "12",
        "--players",
        "60",
        "--years",
        "1",
        "--out",
        out,
    )
    started = subprocess.Popen(
        [*COMMAND, "lab", *map(str, words), "--master", running.url, "--lang", "en"],
        cwd=ROOT, env=os.environ | running.environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + 120
    while not list((out / "finished").glob("*.npz")) and time.monotonic() < until:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert (started.returncode, err.splitlines()[-1]) == (130, say("cli", "lab-interrupted", "en", out=out))
    before = {path: path.stat().st_mtime_ns for path in (out / "finished").iterdir()}
    assert 0 < len(before) < 12
    assert _asked_there(running, *words).returncode == 0
    assert before.items() <= {path: path.stat().st_mtime_ns for path in (out / "finished").iterdir()}.items()
    assert len(list((out / "finished").iterdir())) == 12


def test_a_machine_that_does_not_see_the_ledger_or_sees_another_says_so(spark, tmp_path):
    folder = tmp_path / "ledger"
    shutil.copytree(CLUB, folder)
    job = Job(folder, digest_of_ledger(folder), Variant(), None)
    (folder / "games.csv").write_bytes(b"")
    assert _refused(spark, job) == ["lab-ledger-other"]
    shutil.rmtree(folder)
    assert _refused(spark, job) == ["lab-ledger-missing"]


def _refused(spark, job):
    with pytest.raises(RefusedError) as error:
        list(map_tasks(spark, run_variant, [job]))
    return [fault.code for fault in error.value.faults]


def test_a_cluster_that_does_not_answer(tmp_path):
    master = f"spark://127.0.0.1:{free_port()}"
    ran = banzuke("lab", "compare", CLUB, "--master", master, "--out", tmp_path / "out")
    assert (ran.status, ran.out) == (1, "")
    assert f"The cluster {master} could not do it" in ran.err


@pytest.mark.parametrize("question", [("compare", CLUB), ("simulate", "--books", "pandanet")])
def test_without_spark_it_says_what_to_install(monkeypatch, question):
    monkeypatch.setattr(spark_cluster, "find_spec", lambda _name: None)
    ran = banzuke("lab", *question, "--master", "spark://127.0.0.1:7077")
    assert (ran.status, ran.out) == (1, "")
    assert "pip install '.[spark]'" in ran.err
