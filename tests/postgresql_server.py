"""A PostgreSQL for tests and benches: in a folder of its own on loopback, stopped and gone at the end.

To make a server's folder and migrate a database in it takes fifteen seconds of processor time: both are done
once a run, and copied.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from migrated_office import made_once, migrate
from processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]
#: For what nobody ends in mid-work.
QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"


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
        """The address of a new database, with the office's empty tables."""
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
    server = _new_server("" if is_durable else QUICK)
    _copy(_made_data(), server.folder)
    server.start()
    try:
        yield server
    finally:
        server.stop("fast" if is_durable else "immediate")
        shutil.rmtree(server.folder)


def _new_server(settings: str) -> Postgresql:
    return Postgresql(Path(tempfile.mkdtemp(prefix="banzuke-pg-")), free_port(), settings)


@cache
def _made_data() -> Path:
    """What a new server begins with: a database `migrated`, and an empty one."""
    return made_once("migrated-postgresql", _make_data) / "data"


def _locale() -> tuple[str, ...]:
    """What lets texts be sorted as people do, `a` before `Z`: a statement that rests on another order shows."""
    known = subprocess.run([BINARIES[-1], "--help"], capture_output=True, text=True, check=True).stdout
    if "--icu-locale" not in known:  # before PostgreSQL 15
        return ()
    return "--locale-provider=icu", "--icu-locale=en-US", "--encoding=UTF8", "--locale=C.UTF-8"


def _make_data(folder: Path) -> None:
    server = _new_server(QUICK)
    words = ("-D", str(server.folder / "data"), "-A", "trust", "-U", "office", "--no-sync", *_locale())
    server.run("initdb", *words)
    server.start()
    server.query("CREATE DATABASE migrated")
    migrate(DATABASE_URL=server.url("migrated"))
    server.stop()
    _copy(server.folder / "data", folder)
    shutil.rmtree(server.folder)


def _copy(data: Path, folder: Path) -> None:
    """Copy a server's files into a folder; they stay those of the user as whom it runs."""
    subprocess.run(["cp", "-a", data, folder], check=True)
