"""Cells of a CSV file that a spreadsheet program shows and does not run.

A cell that begins as a formula does (`=`, `+`, `-`, `@`, also in full width for Japanese Excel; a tab, a line
end), or with the apostrophe that says so, gets an apostrophe before it; reading takes it off again, so that
nothing is lost. Numbers stay numbers.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?", re.ASCII)


def harmless(cell: str) -> str:
    """The cell as it may stand in a file for spreadsheets."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def as_meant(cell: str) -> str:
    """The cell before `harmless`; one that needs no apostrophe keeps its own."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
