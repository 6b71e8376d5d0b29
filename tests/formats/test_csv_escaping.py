"""What may stand in a cell for spreadsheets, and what it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.formats.files.text import escape_formula, unescape_formula


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
