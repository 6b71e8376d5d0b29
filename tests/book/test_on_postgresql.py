"""The tests of the book once more, on a real PostgreSQL that is started for them and stopped."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]


@pytest.fixture
def database_url():
    """The address of a PostgreSQL of its own, on loopback; it refuses to run as root."""
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed (initdb)")
    if os.environ.get("DATABASE_URL"):
        pytest.skip("these tests run on the database that DATABASE_URL names already")
    user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    binaries = BINARIES[-1].parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="banzuke-pg-"))
    shutil.chown(folder, user)

    def run(program, *words):
        with (folder / "log").open("a") as log:
            shutil.chown(folder / "log", user)
            command = [binaries / program, "-D", folder / "data", *words]
            subprocess.run(command, user=user, cwd=folder, stdout=log, stderr=log, timeout=120, check=True)

    run("initdb", "-A", "trust", "-U", "office")
    run("pg_ctl", "-o", f"-c listen_addresses=127.0.0.1 -p {port} -k {folder}", "-w", "start")
    try:
        yield f"postgres://office@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-m", "fast", "-w", "stop")
        shutil.rmtree(folder)


def test_the_book_behaves_the_same(database_url):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        str(TESTS / "book"),
        str(TESTS / "cli" / "test_book_commands.py"),
    ]
    done = subprocess.run(
        command,
        env=os.environ | {"DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
