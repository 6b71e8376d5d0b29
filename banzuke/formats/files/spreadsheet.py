"""Tables of cells from spreadsheets: XLSX, and CSV or other parted text in any encoding.

A cell is its text: a number without a needless `.0`, a day as `2025-10-12`, a moment as
`2025-10-12 18:30:00`, nothing as blank; blanks at its ends are dropped.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, time
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from python_calamine import CalamineError, CalamineWorkbook

from banzuke.core.fault import fault
from banzuke.formats.files.text_encoding import decoded
from banzuke.formats.files.workbook_size import is_within, is_xlsx, most_cells
from banzuke.formats.files.zip_limits import ZIP, opening, unpacks_within

if TYPE_CHECKING:
    from banzuke.core.fault import Fault

#: The headings of a table stand among so many first rows.
HEADING_ROWS = 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WITH_TEXTS = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")
_TEXT = re.compile(r"<(?:x:)?t\b[^<>]*>([^<]*)<")
_DELIMITERS = ",;\t"
_SAMPLE, _LINES = 64 * 1024, 50


class Sheet(NamedTuple):
    """A sheet by its name (blank for CSV) and its rows; row 1 of the file is `rows[0]`."""

    name: str
    rows: list[list[str]]


def is_workbook(data: bytes) -> bool:
    """Whether the bytes begin as a zipped workbook (XLSX, ODS) does, or an old or locked one."""
    return data.startswith((ZIP, _OLE))


def sheets(data: bytes, file: str, faults: list[Fault]) -> list[Sheet]:
    """Every sheet of a workbook, or the one table of a text; what cannot be read is noted."""
    if is_workbook(data):
        return _workbook(data, file, faults)
    text = decoded(data)
    if text is None:
        faults.append(fault(file, 0, "", "sheet-no-text"))
        return []
    return [Sheet("", partitioned(text, file, faults))]


def column_letter(index: int) -> str:
    """The letters of a column as spreadsheets show them, from 0: A, B ... Z, AA."""
    letters, rest = "", index + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def partitioned(text: str, file: str, faults: list[Fault]) -> list[list[str]]:
    """The rows of a text parted by commas, semicolons or tabs."""
    rows: list[list[str]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        rows.extend([cell.strip() for cell in row] for row in reader)
    except csv.Error:
        faults.append(fault(file, reader.line_num, "", "sheet-csv"))
    return rows


def _delimiter(text: str) -> str:
    """What parts the cells: the sign that each of the first lines has most of, then all of them together."""
    lines = [line for line in text[:_SAMPLE].split("\n")[:_LINES] if line] or [""]
    counts = {sign: [line.count(sign) for line in lines] for sign in _DELIMITERS}
    return max(_DELIMITERS, key=lambda sign: (min(counts[sign]), sum(counts[sign])))


def first_texts(data: bytes) -> list[str]:
    """The first texts of an XLSX workbook, shared ones before those of cells; it is not opened for them."""
    parts = (opening(data, member).decode("utf-8", "replace") for member in _WITH_TEXTS)
    return [unescape(text) for part in parts for text in _TEXT.findall(part)]


def _why_not(data: bytes) -> str:
    """The code of why a workbook is not opened; blank if it may be."""
    if data.startswith(_OLE):
        return "sheet-not-xlsx"
    within = unpacks_within(data)
    if within is None:
        return "sheet-broken"
    if within and not is_xlsx(data):
        return "sheet-not-xlsx"
    return "" if within and is_within(data, most_cells(data)) else "sheet-too-large"


def _workbook(data: bytes, file: str, faults: list[Fault]) -> list[Sheet]:
    if code := _why_not(data):
        faults.append(fault(file, 0, "", code))
        return []
    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        found, cells = [], most_cells(data)
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name)
            cells -= sheet.total_height * max(sheet.total_width, 1)
            if cells < 0:
                faults.append(fault(file, 0, name, "sheet-too-large"))
                return []
            rows = sheet.to_python(skip_empty_area=False)
            found.append(Sheet(name, [[cell_text(cell) for cell in row] for row in rows]))
    except BaseException as error:
        if not isinstance(error, (CalamineError, ValueError, OverflowError)) and not _is_panic(error):
            raise
        faults.append(fault(file, 0, "", "sheet-broken"))
        return []
    return found


def _is_panic(error: BaseException) -> bool:
    """Whether the reader of spreadsheets gave up inside (on a day beyond all calendars)."""
    return type(error).__name__ == "PanicException"


def cell_text(cell: object) -> str:
    """A cell's value as text."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return str(cell.date() if cell.time() == time() else cell)
    if isinstance(cell, date):
        return cell.isoformat()
    return "" if cell is None else str(cell).strip()
