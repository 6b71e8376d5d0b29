"""FIDE's list of an event that was registered late, in the ledger's column `fide_list`."""

from __future__ import annotations

import pytest

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.columnar_run import rate_columnar, read
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger


class TestRegisteredLate:
    """`fide_list` names the list that took an event."""

    @staticmethod
    def rated(ledger_folder, tmp_path, cell, engine="reference"):
        folder = ledger_folder("fide", f"late-{cell}-{engine}")
        events = (folder / "events.csv").read_text("utf-8").splitlines()
        rows = [f"{events[0]},fide_list", *(f"{row},{cell}" for row in events[1:])]
        (folder / "events.csv").write_text("\n".join(rows) + "\n", "utf-8")
        (folder / "standings.csv").write_text(
            "player_id,speed,rating,games\nF1,standard,2000,99\nF2,standard,1900,99\n", "utf-8"
        )
        out = tmp_path / f"out-{cell}-{engine}"
        summary = (
            rate_columnar(read(folder), out)
            if engine == "columnar"
            else rate_ledger(read_ledger(folder), out)
        )
        return summary.lists, {path.name: path.read_bytes() for path in out.iterdir()}

    def test_takes_the_event_into_a_later_list(self, ledger_folder, tmp_path):
        assert self.rated(ledger_folder, tmp_path, "")[0] == ["2025-11"]
        lists, files = self.rated(ledger_folder, tmp_path, "2025-12")
        assert lists == ["2025-12"]
        assert files["changes.csv"].splitlines()[1].startswith(b"2025-12,standard,Open")

    @pytest.mark.slow
    def test_by_columns_as_well(self, ledger_folder, tmp_path):
        made = self.rated(ledger_folder, tmp_path, "2025-12", "columnar")
        assert made == self.rated(ledger_folder, tmp_path, "2025-12")

    @pytest.mark.parametrize(
        "cell", ["2025-10", "2025-13", "2026-12", "december", "2025-1", "9999-12", "0000-01"]
    )
    def test_no_other_list(self, ledger_folder, tmp_path, cell):
        with pytest.raises(RefusedError) as refused:
            self.rated(ledger_folder, tmp_path, cell)
        assert [(f.file, f.column, f.code) for f in refused.value.faults] == [
            ("events.csv", "fide_list", "event-late-list")
        ]
