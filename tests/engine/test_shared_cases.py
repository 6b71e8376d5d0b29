"""The shared case ledgers, rated and compared cell by cell with what two careful readings gave.

They lie in ../shared/cases, beside the project. Clauses are not part of them.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger

CASES = Path(__file__).parents[3] / "shared" / "cases"
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir()) if CASES.is_dir() else []

pytestmark = pytest.mark.skipif(
    not NAMES, reason=f"needs the shared folder of real files beside the project: there is no {CASES}"
)

#: What makes a row of a file the same row.
KEYS = {
    "lists.csv": ("list", "speed", "player_id"),
    "changes.csv": ("list", "event_id", "round", "player_id", "opponent_id", "game_id"),
    "standings.csv": ("player_id",),
}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def by_key(path: Path) -> dict[tuple[str, ...], dict[str, str]]:
    found = rows(path)
    keyed = {tuple(row[name] for name in KEYS[path.name] if name in row): row for row in found}
    assert len(keyed) == len(found), "a key stands twice"
    return keyed


@pytest.mark.parametrize("name", NAMES)
class TestCases:
    def test_cell_by_cell(self, name, tmp_path):
        rate_ledger(read_ledger(CASES / name), tmp_path / "out")
        expected_files = sorted(path.name for path in (CASES / name / "expected").iterdir())
        assert expected_files == sorted(path.name for path in (tmp_path / "out").iterdir())
        for file in expected_files:
            expected, ours = by_key(CASES / name / "expected" / file), by_key(tmp_path / "out" / file)
            assert ours.keys() == expected.keys()
            for key, row in expected.items():
                assert {column: ours[key][column] for column in row} == row, (file, key)

    def test_in_the_order_of_the_contract(self, name, tmp_path):
        rate_ledger(read_ledger(CASES / name), tmp_path / "out")
        for path in sorted((CASES / name / "expected").iterdir()):
            ours = rows(tmp_path / "out" / path.name)
            assert [{c: row[c] for c in row if c != "clause"} for row in ours] == rows(path)


def test_the_six_of_the_exchange_contract():
    assert {"club", "club-opening", "go", "japan", "japan-corrected", "japan-settings"} <= set(NAMES)
