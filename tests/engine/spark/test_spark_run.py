"""A cluster writes the files of the readable engine, byte for byte, whatever happens to its machines."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from engine.columnar.test_columnar_run import with_settings
from engine.test_properties import ledger_of, write

from banzuke.core.fault import RefusedError
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import rate_ledger
from banzuke.engine.spark.cluster_run import rate_spark
from banzuke.ledger.folder import read_ledger

pytestmark = pytest.mark.slow

JAPAN = Path(__file__).parents[3] / "examples" / "japan"
#: Row groups so small that every window has several units of work.
SMALL = 5


def made(folder: Path, summary) -> tuple[dict[str, bytes], str]:
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return files, repr((summary, list(summary.verdicts)))


def readable(folder: Path, out: Path, until: str | None = None, **said):
    return made(out, rate_ledger(read_ledger(folder), out, until, **said))


def test_a_random_ledger_of_both_books(spark, tmp_path):
    """More of them, by unit of work: test_spark_units."""
    ledger = with_settings(ledger_of("japan", 9, 9, 12), random.Random(9))
    folder = write(ledger, tmp_path / "ledger")
    until = list_names(read_ledger(folder), None)[7]
    expected = readable(folder, tmp_path / "expected", until, as_parquet=True)
    assert "adjusted.parquet" in expected[0]
    _, summary = rate_spark(
        folder,
        tmp_path / "out",
        until,
        cluster=nullcontext(spark),
        work=tmp_path / "work",
        row_group=SMALL,
        as_parquet=True,
    )
    assert made(tmp_path / "out", summary) == expected


def reported_anew(folder: Path) -> Path:
    """The example with its first event struck by an inquiry and reported again when its games had entered a list."""
    shutil.copytree(JAPAN, folder)
    with (folder / "events.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row | {"added": "", "struck": ""} for row in csv.DictReader(stream)]
    again = rows[0] | {"reported": "2024-09-10", "added": "2024-09-15"}
    rows[0]["struck"] = "2024-09-15"
    with (folder / "events.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(again), lineterminator="\n")
        writer.writeheader()
        writer.writerows([*rows, again])
    return folder


def test_corrections_until_a_list(spark, tmp_path):
    """A report struck and made again, twice: the second time from what was made ready before."""
    folder = reported_anew(tmp_path / "ledger")
    expected = readable(folder, tmp_path / "expected", "2024-10")
    for _ in range(2):
        _, summary = rate_spark(
            folder, tmp_path / "out", "2024-10", cluster=nullcontext(spark), work=tmp_path / "work"
        )
        assert made(tmp_path / "out", summary) == expected
    assert b"2024-05-golden" in expected[0]["changes.csv"]


def test_a_case_with_corrections_of_every_kind(spark, tmp_path, shared):
    folder = shared / "cases" / "japan-corrected"
    expected = readable(folder, tmp_path / "expected", "2024-12")
    _, summary = rate_spark(
        folder,
        tmp_path / "out",
        "2024-12",
        cluster=nullcontext(spark),
        work=tmp_path / "work",
        row_group=SMALL,
    )
    assert made(tmp_path / "out", summary) == expected


@contextmanager
def none_asked_for():
    """In the place of a cluster that must not be started."""
    pytest.fail("a cluster was asked for")
    yield


def test_a_pool_that_is_not_rated_by_month(tmp_path, ledger_folder):
    with pytest.raises(RefusedError) as refused:
        rate_spark(
            ledger_folder("hakodate"), tmp_path / "out", cluster=none_asked_for(), work=tmp_path / "work"
        )
    assert [fault.code for fault in refused.value.faults] == ["spark-months"]
    assert not (tmp_path / "out").exists()


def test_an_executor_killed_in_the_middle(spark, running, tmp_path):
    """Its process ends while units of a window are at work; others do them again."""
    expected = readable(JAPAN, tmp_path / "expected")
    work, killed = tmp_path / "work", []

    def kill() -> None:
        while not list(work.glob("*/windows/2024-09-*/players-*")):
            time.sleep(0.01)
        killed.extend(running.executors()[:1])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    _, summary = rate_spark(JAPAN, tmp_path / "out", cluster=nullcontext(spark), work=work, row_group=SMALL)
    killer.join()
    assert made(tmp_path / "out", summary) == expected
    assert is_ended(killed[0])


def is_ended(pid: int) -> bool:
    """Whether a process is gone, or waits for its parent to hear of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def closed(work: Path) -> dict[str, str]:
    """The windows that were closed, with where their files are."""
    return {path.stem: json.loads(path.read_text())["folder"] for path in work.glob("*/windows/*.json")}


def test_a_driver_killed_and_started_again_goes_on(spark, running, tmp_path):
    expected = readable(JAPAN, tmp_path / "expected")
    out, work = tmp_path / "out", tmp_path / "work"
    words = ["rate", JAPAN, "--out", out, "--engine", "spark", "--master", running.url, "--work", work]
    with (tmp_path / "log").open("wb") as log:
        command = [sys.executable, "-m", "banzuke.cli.app", *words]
        driver = subprocess.Popen(command, env=os.environ | running.environment, stdout=log, stderr=log)
    try:
        until = time.monotonic() + 600
        while len(closed(work)) < 3:
            assert driver.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.02)
    finally:
        driver.kill()
        driver.wait()
    before, seen = closed(work), {}
    assert not out.exists()

    def progress(_done: int, _all: int, name: str) -> None:
        if name:
            seen[name] = closed(work)

    _, summary = rate_spark(JAPAN, out, cluster=nullcontext(spark), work=work, progress=progress)
    assert made(out, summary) == expected
    assert before == {name: folder for name, folder in seen["2025-05"].items() if name in before}


def test_a_link_that_leads_nowhere_beside_the_tables(spark, tmp_path):
    """Editors leave such ones while a table is open."""
    folder = Path(shutil.copytree(JAPAN, tmp_path / "ledger"))
    (folder / ".#games.csv").symlink_to("officer@office.7")
    expected = readable(folder, tmp_path / "expected", "2024-05")
    _, summary = rate_spark(
        folder, tmp_path / "out", "2024-05", cluster=nullcontext(spark), work=tmp_path / "work"
    )
    assert made(tmp_path / "out", summary) == expected
