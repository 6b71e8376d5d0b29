"""How many cells an XLSX workbook spans, before it is opened: a sheet is laid out as a whole rectangle.

A cell far off, in a file of a few kilobytes, would take all memory and end the program. Only XLSX can be
measured so, by the places that its cells and rows name; other kinds of workbook are not opened at all.
"""

from __future__ import annotations

import io
import re
import zipfile

from banzuke.formats.files.zip_limits import BROKEN

#: The most cells of a workbook, and so many however few bytes they stand in.
MOST_CELLS, FREE_CELLS = 20_000_000, 1_000_000
_MAIN = "xl/workbook.xml"
# Places with six digits or more, or two letters or more; a sheet without any has this many rows and columns.
_TALL = re.compile(rb"r\s*=\s*[\"']\s*[A-Za-z]*([0-9]{6,})")
_WIDE = re.compile(rb"r\s*=\s*[\"']\s*([A-Za-z]{2,})[0-9]")
_ROWS, _COLUMNS = 99_999, 26
_ROW = re.compile(rb"<(?:\w+:)?row(?=[\s/>])")
_ROW_PLACE = re.compile(rb"\br\s*=\s*[\"']\s*([0-9]+)")
_CELL = re.compile(rb"<(?:\w+:)?c(?=[\s/>])([^>]*)")
_PLACE = re.compile(rb"\br\s*=\s*[\"']\s*([A-Za-z]+)([0-9]+)[\"']")
_FAR, _LONGEST = 10**9, 10


def is_xlsx(data: bytes) -> bool:
    """Whether the bytes are a zip with the main part of an XLSX workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _MAIN in packed.namelist()
    except BROKEN:
        return False


def most_cells(data: bytes) -> int:
    """How many cells a sound workbook may span: a cell that says something takes bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        size = sum(member.file_size for member in packed.infolist())
    return min(MOST_CELLS, max(FREE_CELLS, size))


def is_within(data: bytes, most: int) -> bool:
    """Whether no sheet of a sound workbook spans more cells than that, counted from A1."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return all(_is_within(packed.read(member), most) for member in packed.infolist())


def _is_within(part: bytes, most: int) -> bool:
    if b"sheetData" not in part:
        return True
    rows = max((_number(digits) for digits in _TALL.findall(part)), default=_ROWS)
    columns = max((_column(letters) for letters in _WIDE.findall(part)), default=_COLUMNS)
    return rows * columns <= most or _spans_exactly(part) <= most


def _spans_exactly(part: bytes) -> int:
    """The cells from A1 to the farthest; a row or cell that names no place stands after the one before."""
    at = rows = columns = 0
    for row in _ROW.split(part)[1:]:
        head, _, cells = row.partition(b">")
        said = _ROW_PLACE.search(head)
        at, column = _number(said[1]) if said else at + 1, 0
        for cell in _CELL.findall(cells):
            place = _PLACE.search(cell)
            column = _column(place[1]) if place else column + 1
            rows, columns = max(rows, at, _number(place[2]) if place else 0), max(columns, column)
    return rows * columns


def _number(digits: bytes) -> int:
    return min(int(digits[:_LONGEST]), _FAR)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters[:6].upper():
        number = 26 * number + letter - 64
    return number
