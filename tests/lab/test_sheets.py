"""Tables of the laboratory: what is printed, and what Parquet keeps."""

from __future__ import annotations

import pytest
from pyarrow import parquet as pq

from banzuke.lab.sheets import Sheet, csv_bytes, note, sheet_of, write_sheets

SHEET = sheet_of(
    "movers",
    "movers",
    ("player_id", "rating", "shift", "qualified"),
    [("J001", 1500, 1 / 3, True), ("J,2", None, -12345.678, False)],
    (note("games-compared", games=12),),
)


def test_a_sheet_as_csv():
    assert csv_bytes(SHEET) == b'player_id,rating,shift,qualified\nJ001,1500,0.333333,1\n"J,2",,-12345.68,0\n'


def test_parquet_keeps_figures_whole_and_blanks_null(tmp_path):
    written = write_sheets(tmp_path / "out", [SHEET])
    assert [path.name for path in written] == ["movers.csv", "movers.parquet"]
    table = pq.read_table(tmp_path / "out" / "movers.parquet")
    assert table.to_pydict() == SHEET.columns
    assert [str(field.type) for field in table.schema] == ["string", "int64", "double", "bool"]


def test_columns_of_several_lengths_are_refused():
    with pytest.raises(ValueError, match="several lengths"):
        Sheet("odd", "odd", {"a": [1], "b": [1, 2]})


def test_a_note_carries_its_facts_as_text():
    assert SHEET.notes[0].facts == (("games", "12"),)
