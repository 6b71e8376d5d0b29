"""Tables on paper: a title, one or more tables, notes; set by Typst (extra `pdf`) as the printed list is.

Every text goes to Typst as data and is never read as its markup.
"""

import json
from importlib.resources import files
from typing import NamedTuple

from banzuke.formats.pdf_fonts import fonts

#: A table with more columns is printed across.
_MOST_UPRIGHT = 14


class Column(NamedTuple):
    """A column's heading; `is_number` stands to the right, `is_change` has its colour."""

    heading: str
    is_number: bool = False
    is_change: bool = False


class Table(NamedTuple):
    """A table with its heading (blank: none), each cell as it is printed."""

    heading: str
    columns: list[Column]
    rows: list[list[str]]


class Sheet(NamedTuple):
    """What is printed, every text in the reader's language; `notes` stand at the end."""

    lang: str
    title: str
    subtitle: str
    tables: list[Table]
    notes: list[str]


def write(sheet: Sheet) -> bytes:
    """The sheet as a PDF. Raises NoFontError, and ModuleNotFoundError without the extra `pdf`."""
    import typst

    data = {
        **sheet._asdict(),
        "tables": [
            {
                "heading": table.heading,
                "columns": [column._asdict() for column in table.columns],
                "rows": table.rows,
            }
            for table in sheet.tables
        ],
        "flipped": max(len(table.columns) for table in sheet.tables) > _MOST_UPRIGHT,
    }
    text = json.dumps(data | fonts(data), ensure_ascii=False)
    template = files(__package__).joinpath("sheet_pdf.typ").read_bytes()
    return typst.compile(template, format="pdf", sys_inputs={"data": text}, timestamp=0, pdf_tags=False)


def change_text(value: str) -> str:
    """A change that begins with its sign, with an arrow before it; `±0` as it is."""
    if value.startswith("+"):
        return f"↑{value}"
    return f"↓{value}" if value.startswith("−") else value
