"""What tests of several folders share: the shared data, and small good ledgers to break."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest

os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp(prefix="banzuke-test-home-"))

SMALL_LEDGERS = Path(__file__).parent / "ledger" / "small"


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
