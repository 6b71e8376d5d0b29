"""Small tables as files: CSV that no spreadsheet runs as formulas, and workbooks."""

import csv
import io
from collections.abc import Sequence
from typing import NamedTuple

from banzuke.formats.files.text import escape_formula
from banzuke.formats.workbook import Workbook

CSV, XLSX = "csv", "xlsx"
_MARK = "\ufeff"


class Table(NamedTuple):
    """A table with its title and the headings of its columns; cells are texts, whole numbers or None."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[Sequence[str | int | None]]


def write(table: Table, kind: str) -> bytes:
    """The table as `CSV` or `XLSX`."""
    return _xlsx(table) if kind == XLSX else _csv(table)


def _csv(table: Table) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(table.headings)
    writer.writerows(
        [escape_formula("" if cell is None else str(cell)) for cell in row] for row in table.rows
    )
    return (_MARK + stream.getvalue()).encode()


def _xlsx(table: Table) -> bytes:
    book = Workbook(table.title, table.title)
    kinds = [
        "number" if any(isinstance(row[at], int) for row in table.rows) else "text"
        for at in range(len(table.headings))
    ]
    book.table(book.sheet("1"), 0, list(zip(table.headings, kinds, strict=True)), table.rows)
    return book.data()
