"""What tests of several folders share: the shared data, and small good ledgers to break."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from postgresql_server import BINARIES, postgresql

SMALL_LEDGERS = Path(__file__).parent / "ledger" / "small"


@pytest.fixture(autouse=True)
def office_with_an_officer(monkeypatch):
    """Pages are tested as of an office that has somebody: one without leads everybody to `/office/first/`."""
    from banzuke.web.accounts.first_officer_redirect import FirstOfficerMiddleware

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
    """The address of a PostgreSQL of its own, on loopback."""
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed (initdb)")
    with postgresql() as server:
        yield server.url()
