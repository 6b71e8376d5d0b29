"""Faults of Parquet files; their cells are refused as those of CSV, and by their own file."""

from __future__ import annotations

import sys

import pyarrow as pa
from broken_ledgers import COLUMNS, refused
from pyarrow import parquet


class TestParquet:
    """Faults of Parquet files; their cells are refused as those of CSV, and by their own file."""

    @staticmethod
    def write(folder, table, columns):
        (folder / f"{table}.csv").unlink(missing_ok=True)
        parquet.write_table(pa.table(columns), folder / f"{table}.parquet")

    def test_not_parquet(self, ledger_folder):
        folder = ledger_folder("hakodate")
        (folder / "games.csv").rename(folder / "games.parquet")
        (line,) = refused(folder)
        assert line.startswith("games.parquet: This cannot be read as Parquet (Parquet magic bytes not found")
        assert line.endswith("; write the file anew, or give the table as CSV.")

    def test_damaged(self, ledger_folder):
        """A file whose foot is whole, so that only the reading of the rows finds the damage."""
        folder = ledger_folder("hakodate")
        names = [f"H{number}" for number in range(500)]
        self.write(folder, "players", {"player_id": names, "name": names})
        path = folder / "players.parquet"
        data = path.read_bytes()
        path.write_bytes(data[:4] + b"\xff" * 400 + data[404:])
        (line,) = refused(folder)
        assert line.startswith("players.parquet: This cannot be read as Parquet (")

    def test_without_pyarrow(self, ledger_folder, monkeypatch):
        folder = ledger_folder("hakodate")
        (folder / "games.csv").rename(folder / "games.parquet")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert refused(folder) == [
            (
                "games.parquet: Reading Parquet needs the extra `bulk` "
                "(in Banzuke's folder: pip install '.[bulk]'). Or give the table as CSV."
            )
        ]

    def test_lists_in_a_column(self, ledger_folder):
        folder = ledger_folder("hakodate")
        self.write(folder, "players", {"player_id": ["H1", "H2"], "name": [["AOKI"], ["ENDO"]]})
        assert refused(folder) == [
            (
                "players.parquet:1: name: The column holds lists or records (list<element: string>); "
                "give one text, number or date in each row."
            )
        ]

    def test_columns(self, ledger_folder):
        folder = ledger_folder("hakodate")
        self.write(folder, "players", {"player_id": ["H1", "H2"], "nom": ["AOKI", "ENDO"]})
        assert refused(folder) == [
            (
                "players.parquet:1: nom: 'nom' is not a column of this table; "
                f"take it out, or correct it to one of: {COLUMNS['players']}."
            ),
            "players.parquet:1: name: The column is missing; add it to the header and fill it in on every row.",
        ]

    def test_cells_and_rows(self, ledger_folder):
        folder = ledger_folder("hakodate")
        game = {"event_id": "May", "round": 1, "white": "H1", "black": "H2", "result": "1-0"}
        rows = [game, game | {"round": 2.5}, game | {"round": 3.0, "result": None}, game | {"white": "H3"}]
        self.write(folder, "games", {name: [row[name] for row in rows] for name in game})
        assert refused(folder) == [
            "games.parquet:3: round: '2.5' is not a whole number; write one from 1 to 999999 in the plain digits 0-9.",
            "games.parquet:4: result: The cell is blank; fill it in, for the column is required.",
            (
                "games.parquet:5: white: No player has the id 'H3'; "
                "correct the id, or add the player to the table players."
            ),
            "games.parquet:5: black: 'H2' has another game in round 1, in line 2; correct the player or the round.",
        ]

    def test_an_instant_that_python_does_not_have(self, ledger_folder):
        folder = ledger_folder("go")
        self.write(
            folder,
            "declarations",
            {"player_id": ["ao"], "rank": ["4k"], "at": pa.array([2**62], pa.timestamp("us", "UTC"))},
        )
        (line,) = refused(folder)
        assert line.startswith("declarations.parquet: This cannot be read as Parquet (")
