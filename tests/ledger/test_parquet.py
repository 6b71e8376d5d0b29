"""Tables as Parquet: the same ledger in whatever types the columns have."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from banzuke.core.facts import Player
from banzuke.ledger.cells import DATE, EVENT_DAY, FLAG, KOMI, MOMENT
from banzuke.ledger.folder import read_ledger, replace_tables
from banzuke.ledger.schema import CHESS, GO

SMALL = Path(__file__).parent / "small"
KINDS = ["japan", "hakodate", "fide", "go"]


def typed(cells, kind, zone):
    """A column as a database would hold it: days, instants, numbers, flags and decimals."""
    values = [kind.read(cell) if cell.strip() else None for cell in cells]
    if kind in (DATE, EVENT_DAY):
        return pa.array(values, pa.date32())
    if kind is MOMENT:
        return pa.array(values, pa.timestamp("us", zone))
    if kind is FLAG or kind.blank is False:
        return pa.array(values, pa.bool_())
    if kind is KOMI:
        return pa.array([value / 2 for value in values], pa.float64())
    if any(isinstance(value, int) for value in values):
        return pa.array(values, pa.int64())
    return pa.array([cell or None for cell in cells], pa.string()).dictionary_encode()


def as_text(cells, _kind, _zone):
    return pa.array(cells, pa.string())


def as_bytes(cells, _kind, _zone):
    return pa.array([cell.encode() for cell in cells], pa.binary())


def as_pandas(cells, kind, zone):
    """A column as pandas holds it: days are instants, and numbers with a blank among them floats."""
    column = typed(cells, kind, zone)
    if pa.types.is_date32(column.type):
        return column.cast(pa.timestamp("ns"))
    return column.cast(pa.float64()) if pa.types.is_int64(column.type) else column


def as_decimals(cells, kind, zone):
    column = typed(cells, kind, zone)
    return column.cast(pa.decimal128(22, 2)) if pa.types.is_int64(column.type) else column


class TestTypes:
    @pytest.mark.parametrize("column", [as_text, typed, as_bytes, as_pandas, as_decimals])
    @pytest.mark.parametrize("kind", KINDS)
    def test_reads_as_the_csv(self, ledger_folder, kind, column):
        folder = ledger_folder(kind)
        for table in GO if kind == "go" else CHESS:
            path = folder / f"{table.name}.csv"
            if not path.exists():
                continue
            rows = list(csv.DictReader(path.open(encoding="utf-8", newline="")))
            columns = {
                name: column([row[name] for row in rows], table.columns[name], "Asia/Tokyo")
                for name in rows[0]
            }
            parquet.write_table(pa.table(columns), path.with_suffix(".parquet"))
            path.unlink()
        assert list(folder.glob("*.csv")) == []
        assert read_ledger(folder) == read_ledger(SMALL / kind)

    def test_written_again_it_is_csv_alone(self, ledger_folder):
        folder = ledger_folder("hakodate")
        names = {"player_id": ["H1", "H2"], "name": ["AOKI", "ENDO"]}
        parquet.write_table(pa.table(names), folder / "players.parquet")
        (folder / "players.csv").unlink()
        players = read_ledger(folder).players
        replace_tables(folder, {"players": [*players, Player("H3", "ITO")]}, CHESS)
        assert not (folder / "players.parquet").exists()
        assert [player.player_id for player in read_ledger(folder).players] == ["H1", "H2", "H3"]
