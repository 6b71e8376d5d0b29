"""A Spark cluster for tests and benches: a master and workers, processes of their own on loopback."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from processes import children_of, free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT = 120
PR_SET_PDEATHSIG = 1


def lacking() -> str:
    """What a cluster would need and is not here; blank if nothing."""
    if find_spec("pyspark") is None:
        return "PySpark is not installed (extra slow)"
    return "" if shutil.which("java") else "Java is not installed"


def _ends_with_its_parent() -> None:
    """Linux ends the process when the one that started it is gone, however that came about."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Cluster:
    """A running cluster; `url` is its master's address, `environment` what a driver of it is to have."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(folder / "local"),
            "SPARK_CONF_DIR": str(folder / "conf"),
            "PYSPARK_PYTHON": sys.executable,
        }
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int) -> None:
        (self.folder / "conf").mkdir()
        (self.folder / "conf" / "spark-defaults.conf").write_text("spark.cores.max 2\n")
        self._run(
            "master", "org.apache.spark.deploy.master.Master", "--port", str(self.port), "--webui-port", "0"
        )
        self._wait_for("master", "I have been elected leader", 1)
        for number in range(workers):
            self._run(
                f"worker{number}", "org.apache.spark.deploy.worker.Worker", "--port", "0", "--webui-port", "0",
                "--cores", "2", "--memory", "4g", "--work-dir", str(self.folder / f"work{number}"), self.url,
            )  # fmt: skip
        self._wait_for("master", "Registering worker", workers)

    def executors(self) -> list[int]:
        """The processes that run tasks now, each a child of its worker."""
        return [pid for worker in self.processes[1:] for pid in children_of(worker.pid)]

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)

    def _run(self, name: str, main: str, *words: str) -> None:
        import pyspark

        command = [Path(pyspark.__file__).parent / "bin" / "spark-class", main, "--host", "127.0.0.1", *words]
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    command,
                    stdout=log,
                    stderr=log,
                    stdin=subprocess.DEVNULL,
                    preexec_fn=_ends_with_its_parent,  # noqa: PLW1509  # it calls nothing of Python's
                    env=os.environ | self.environment,
                )
            )

    def _wait_for(self, name: str, said: str, times: int) -> None:
        log, until = self.folder / f"{name}.log", time.monotonic() + WAIT
        while log.read_text(errors="replace").count(said) < times:
            if time.monotonic() > until or any(process.poll() is not None for process in self.processes):
                raise TimeoutError(log.read_text(errors="replace"))
            time.sleep(0.1)


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and so many workers, their files in the folder; gone in the end.

    Workers have two cores, and who asks gets two, one of each worker: there is room for a second driver.
    """
    folder.mkdir(parents=True, exist_ok=True)
    running = Cluster(folder)
    try:
        running.start(workers)
        yield running
    finally:
        running.stop()
