"""Small tables as files: CSV that no spreadsheet runs as formulas, and workbooks."""

from collections.abc import Sequence
from typing import NamedTuple

from banzuke.formats.files.text import spreadsheet_csv
from banzuke.formats.workbook import Workbook

CSV, XLSX = "csv", "xlsx"


class Table(NamedTuple):
    """A table with its title and the headings of its columns; cells are texts, whole numbers or None."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[Sequence[str | int | None]]


def write(table: Table, kind: str) -> bytes:
    """The table as `CSV` or `XLSX`."""
    return _xlsx(table) if kind == XLSX else spreadsheet_csv([table.headings, *table.rows])


def _xlsx(table: Table) -> bytes:
    book = Workbook(table.title, table.title)
    kinds = [
        "number" if any(isinstance(row[at], int) for row in table.rows) else "text"
        for at in range(len(table.headings))
    ]
    book.table(book.sheet("1"), 0, list(zip(table.headings, kinds, strict=True)), table.rows)
    return book.data()
