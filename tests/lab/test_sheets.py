"""Tables of the laboratory: what is printed, and what Parquet keeps."""

from __future__ import annotations

from typing import get_args

import pytest
from pyarrow import parquet as pq

from banzuke.formats.svg_charts import Style
from banzuke.lab.plots import PLOTS
from banzuke.lab.sheets import SHEETS, Sheet, csv_bytes, header_of, note, sheet_of, write_sheets
from banzuke.words import catalogue

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


@pytest.mark.parametrize("name", PLOTS)
def test_what_is_drawn_over_a_sheet_are_columns_that_it_has(name):
    columns = {column.removesuffix("_en") for column in header_of(name)}
    for plan in PLOTS[name]:
        assert {plan.kind} <= {"curves", "ranges", "dumbbells"}
        assert {line.style for line in plan.lines} <= set(get_args(Style))
        assert {*(line.y for line in plan.lines), *plan.x, *plan.by, *plan.apart} <= columns


def test_each_sheet_has_a_title_in_words_and_no_column_twice():
    for name, sheet in SHEETS.items():
        assert sheet["title"] in catalogue("lab")
        assert len(set(header_of(name))) == len(header_of(name))
