"""What may stand in a cell for spreadsheets, and what it was."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.formats.files.spreadsheet import text_sheet
from banzuke.formats.files.text import csv_text, escape_formula, unescape_formula


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("\t=1", "'\t=1"),
        ("＝1+1", "'＝1+1"),
        ("＠SUM(A1)", "'＠SUM(A1)"),
        ("'=1", "''=1"),
        ("-12", "-12"),
        ("+1.5", "+1.5"),
        ("-", "'-"),
        ("O'Neil", "O'Neil"),
        ("'t Hart", "'t Hart"),
        ("", ""),
    ],
)
def test_formulas_become_text_and_nothing_else_changes(cell, written):
    assert escape_formula(cell) == written
    assert unescape_formula(written) == cell


@given(st.text(alphabet="'=+-@＝＋－＠\t\r\n1a.", max_size=6))
def test_nothing_is_lost_and_nothing_runs(cell):
    written = escape_formula(cell)
    assert unescape_formula(written) == cell
    assert not written.startswith(("=", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"))


def rows_of(text: str) -> list[list[str]] | None:
    """The rows of a text; None where one cannot be read."""
    faults = []
    sheet = text_sheet(text, "x.csv", faults)
    return None if faults else sheet.rows


@given(st.lists(st.lists(st.text("ab \"',\n", max_size=6), min_size=2, max_size=4), min_size=1))
def test_what_was_written_is_read(rows):
    stripped = [[cell.strip() for cell in row] for row in rows]
    assert rows_of(csv_text([["h;", "h"], *stripped])) == [["h;", "h"], *stripped]


@given(st.text("ab ,'\n", max_size=40) | st.text('ab,"\n', max_size=40))
def test_a_text_is_read_as_by_the_plain_rules(text):
    """But for blanks before a quotation mark, and for text behind one that is closed in its row."""
    text = f"h,h,h,h,h\n{text}"
    try:
        plainly = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text), strict=True)]
    except csv.Error:
        plainly = None
    read = rows_of(text)
    if plainly is not None:
        assert read == plainly
    elif read is not None:
        assert read == [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text))]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('1, "Yamada, Taro",B', ["1", "Yamada, Taro", "B"]),
        ('1,"Taz" Yamada,B', ["1", "Taz Yamada", "B"]),
        ('1,5" disc,B', ["1", '5" disc', "B"]),
        ('1,"Taz Yamada,B', None),
        ('1,"Taz\n" Yamada,B', None),
    ],
)
def test_quotation_marks(text, row):
    assert rows_of(text) == (row and [row])
