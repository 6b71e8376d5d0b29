"""A PostgreSQL for tests and benches: in a folder of its own on loopback, stopped and gone at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]


class Postgresql:
    """A running server; it refuses to run as root, and flushes to the disk as it does by default."""

    def __init__(self, folder: Path, port: int) -> None:
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.folder = folder
        self.port = port
        shutil.chown(folder, self.user)

    def url(self, database: str = "postgres") -> str:
        return f"postgres://office@127.0.0.1:{self.port}/{database}"

    def run(self, program: str, *words: str) -> None:
        with (self.folder / "log").open("a") as log:
            shutil.chown(self.folder / "log", self.user)
            command = [BINARIES[-1].parent / program, *words]
            subprocess.run(
                command, user=self.user, cwd=self.folder, stdout=log, stderr=log, timeout=120, check=True
            )

    def start(self) -> None:
        settings = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder}"
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-o", settings, "-w", "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", how, "-w", "stop")


@contextmanager
def postgresql() -> Iterator[Postgresql]:
    """A server of its own."""
    server = Postgresql(Path(tempfile.mkdtemp(prefix="banzuke-pg-")), free_port())
    server.run("initdb", "-D", str(server.folder / "data"), "-A", "trust", "-U", "office")
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder)
