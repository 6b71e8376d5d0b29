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

from migrated_office import migrate
from processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]


class Postgresql:
    """A running server; it refuses to run as root."""

    def __init__(self, folder: Path, port: int, settings: str) -> None:
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.folder = folder
        self.port = port
        self.settings = settings
        self.made = 0
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

    def query(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)

    def migrated(self) -> str:
        """The address of a new database, a copy of one that is migrated once."""
        if not self.made:
            self.query("CREATE DATABASE migrated")
            migrate(DATABASE_URL=self.url("migrated"))
        self.made += 1
        self.query(f"CREATE DATABASE office{self.made} TEMPLATE migrated")
        return self.url(f"office{self.made}")

    def start(self) -> None:
        settings = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} {self.settings}"
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-o", settings, "-w", "start")

    def stop(self, how: str = "fast") -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), "-m", how, "-w", "stop")


@contextmanager
def postgresql(*, is_durable: bool = True) -> Iterator[Postgresql]:
    """A server of its own; it flushes to the disk as it does by default, unless nobody will end it in mid-work."""
    settings = "" if is_durable else "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    server = Postgresql(Path(tempfile.mkdtemp(prefix="banzuke-pg-")), free_port(), settings)
    server.run("initdb", "-D", str(server.folder / "data"), "-A", "trust", "-U", "office", "--no-sync")
    server.start()
    try:
        yield server
    finally:
        server.stop("fast" if is_durable else "immediate")
        shutil.rmtree(server.folder)
