"""What tests of several folders share: the shared data, and small good ledgers to break."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [
    Path(found) for found in [shutil.which("initdb")] if found
]
SMALL_LEDGERS = Path(__file__).parent / "ledger" / "small"


@pytest.fixture(autouse=True)
def office_with_an_officer(monkeypatch):
    """Pages are tested as of an office that has somebody: one without leads everybody to `/office/first/`."""
    from banzuke.web.accounts.first_officer import FirstOfficerMiddleware

    monkeypatch.setattr(FirstOfficerMiddleware, "has_officer", True)


@pytest.fixture
def shared() -> Path:
    """The folder of shared cases and data beside the project."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder


@pytest.fixture
def ledger_folder(tmp_path):
    """A maker of small good ledgers: `ledger_folder("japan")`, `"hakodate"`, `"fide"` or `"go"`."""

    def make(kind: str, name: str = "ledger") -> Path:
        return Path(shutil.copytree(SMALL_LEDGERS / kind, tmp_path / name))

    return make


@pytest.fixture
def database_url():
    """The address of a PostgreSQL of its own, on loopback; it refuses to run as root."""
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed (initdb)")
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
