"""The library's face: the example of docs/library.md runs, and the functions are what the command line prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import banzuke
from banzuke.core.fault import RefusedError

PROJECT = Path(__file__).parents[1]


def test_the_example_of_the_docs_runs():
    (code,) = re.findall(r"```python\n(.*?)```", (PROJECT / "docs/library.md").read_text("utf-8"), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines()[-1] == "40"
    assert "[JCF 5(1)" in done.stdout


def test_importing_it_loads_nothing_else():
    code = "import banzuke, sys; print([m for m in sys.modules if m.startswith('banzuke.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"


def test_the_books_by_name():
    assert banzuke.books()["jcf-2024"].name == "jcf-2024"


def test_a_go_ledger_is_rated_game_by_game():
    ledger = banzuke.read_ledger(PROJECT / "examples/go-server")
    rated = list(banzuke.rate(ledger))
    assert len(rated) == len(ledger.games)
    assert all(each.black.player == each.game.black for each in rated)
    assert str(banzuke.explain(ledger, ledger.players[0].player_id))


def test_faults_are_told_all_at_once(tmp_path):
    with pytest.raises(RefusedError) as refused:
        banzuke.read_ledger(tmp_path)
    assert refused.value.faults
