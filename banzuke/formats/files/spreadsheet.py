"""Tables of cells from spreadsheets: XLSX, and CSV or other separated text in any encoding.

A cell is its text: a number without a needless `.0`, a day as `2025-10-12`, a moment as
`2025-10-12 18:30:00`, nothing as blank; blanks at its ends are dropped.

The reader lays a sheet out as a whole rectangle: a cell far off, in a file of a few kilobytes, would take all
memory and end the program. So the cells are counted before a workbook is opened, by the places that its cells
and rows name, and so is their text (`workbook_text`). Only XLSX can be measured so; other kinds of workbook
are not opened at all, nor is one that might pass for another kind.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple

from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import decode_text
from banzuke.formats.files.workbook_text import MOST_TEXT, UnsoundError, text_within
from banzuke.formats.files.zip_files import ZIP_ERRORS, ZIP_SIGNATURE, first_bytes, unpacks_within
from banzuke.formats.notation import parse_day, part_moment

#: The most cells of a workbook, and so many however few bytes they stand in.
MOST_CELLS, FREE_CELLS = 20_000_000, 1_000_000
_MAIN = "xl/workbook.xml"
#: The main parts of other kinds, which the reader tries in turn.
_OTHERS = {"content.xml", "xl/workbook.bin"}
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
    """Whether the bytes are a zip with the main part of an XLSX workbook, and of none of another kind."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()
            return _MAIN in names and not _OTHERS & {n.lower().replace("\\", "/") for n in names}
    except ZIP_ERRORS:
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
        row_place = _ROW_PLACE.search(head)
        at, column = _number(row_place[1]) if row_place else at + 1, 0
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


#: The headings of a table stand among so many first rows.
HEADING_ROWS = 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WITH_TEXTS = ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")
_TEXT = re.compile(r"<(?:x:)?t\b[^<>]*>([^<]*)<")
_DELIMITERS = ",;\t"
_SAMPLE, _LINES = 64 * 1024, 50


class Sheet(NamedTuple):
    """A sheet by its name (blank for CSV), its rows, and the line of the file that each row begins on.

    In a workbook the line is the row's number; in a text a cell may run over several lines.
    """

    name: str
    rows: list[list[str]]
    lines: Sequence[int]
    is_hidden: bool = False

    def below(self, row: int) -> Iterator[tuple[int, list[str]]]:
        """The rows from `rows[row]` on that are not blank, with their lines."""
        numbered = zip(self.lines, self.rows, strict=True)
        return ((line, cells) for line, cells in islice(numbered, row, None) if any(cells))


#: What stands for a sheet that is not there.
NO_SHEET = Sheet("", [], ())


def is_workbook(data: bytes) -> bool:
    """Whether the bytes begin as a zipped workbook (XLSX, ODS) does, or an old or locked one."""
    return data.startswith((ZIP_SIGNATURE, _OLE))


def read_sheets(data: bytes, file: str, faults: list[Fault]) -> list[Sheet]:
    """Every sheet of a workbook, hidden ones last, or the one table of a text.

    What cannot be read is noted.
    """
    if is_workbook(data):
        return _read_workbook(data, file, faults)
    text = decode_text(data)
    if text is None:
        faults.append(fault(file, 0, "", "sheet-no-text"))
        return []
    return [text_sheet(text, file, faults)]


def column_letter(index: int) -> str:
    """The letters of a column as spreadsheets show them, from 0: A, B ... Z, AA."""
    letters, rest = "", index + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(65 + letter) + letters
    return letters


def text_sheet(text: str, file: str, faults: list[Fault]) -> Sheet:
    """The table in a text parted by commas, semicolons or tabs, up to a row that cannot be read."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for line, row in _csv_rows(text):
        if row is None:
            faults.append(fault(file, line, "", "sheet-csv"))
        else:
            rows.append([cell.strip() for cell in row])
            lines.append(line)
    return Sheet("", rows, lines)


def _csv_rows(text: str) -> Iterator[tuple[int, list[str] | None]]:
    """The rows, each with the line that it begins on; None for one that cannot be read, which is the last."""
    lines, sign, line = io.StringIO(text, newline="").readlines(), _delimiter(text), 0
    while line < len(lines):
        rest = (lines[at] for at in range(line, len(lines)))
        reader, first = csv.reader(rest, delimiter=sign, skipinitialspace=True, strict=True), line
        try:
            for row in reader:
                yield line + 1, row
                line = first + reader.line_num
        except csv.Error:
            odd = _odd_row(lines[line], sign)
            yield line + 1, odd
            if odd is None:
                return
            line += 1


def _odd_row(line: str, sign: str) -> list[str] | None:
    """A row with text behind a closing quotation mark (`"Taz" Yamada`); None where one is not closed."""
    reader = csv.reader([line, "\n"], delimiter=sign, skipinitialspace=True)
    try:
        row = next(reader)
    except csv.Error:
        return None
    return row if reader.line_num == 1 else None


def _delimiter(text: str) -> str:
    """What parts the cells: the sign that each of the first lines has most of, then all of them together."""
    lines = [line for line in text[:_SAMPLE].split("\n")[:_LINES] if line] or [""]
    counts = {sign: [line.count(sign) for line in lines] for sign in _DELIMITERS}
    return max(_DELIMITERS, key=lambda sign: (min(counts[sign]), sum(counts[sign])))


def first_texts(data: bytes) -> list[str]:
    """The first texts of an XLSX workbook, shared ones before those of cells; it is not opened for them."""
    parts = (first_bytes(data, member).decode("utf-8", "replace") for member in _WITH_TEXTS)
    return [unescape(text) for part in parts for text in _TEXT.findall(part)]


def _refusal_code(data: bytes) -> str:
    """The code of why a workbook is not opened; blank if it may be."""
    if data.startswith(_OLE):
        return "sheet-not-xlsx"
    within = unpacks_within(data)
    if within is None:
        return "sheet-broken"
    if within and not is_xlsx(data):
        return "sheet-not-xlsx"
    try:
        fits = within and is_within(data, most_cells(data)) and text_within(data)
    except UnsoundError:
        return "sheet-broken"
    return "" if fits else "sheet-too-large"


def _read_workbook(data: bytes, file: str, faults: list[Fault]) -> list[Sheet]:
    if code := _refusal_code(data):
        faults.append(fault(file, 0, "", code))
        return []
    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        found, cells, signs = [], most_cells(data), MOST_TEXT
        for about in book.sheets_metadata:
            name, is_hidden = about.name, about.visible != SheetVisibleEnum.Visible
            sheet = book.get_sheet_by_name(name)
            cells -= sheet.total_height * max(sheet.total_width, 1)
            if cells < 0:
                faults.append(fault(file, 0, name, "sheet-too-large"))
                return []
            rows = [[cell_text(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
            signs -= sum(len(cell) for row in rows for cell in row)
            if signs < 0:  # one part may be named as several sheets
                faults.append(fault(file, 0, name, "sheet-too-large"))
                return []
            found.append(Sheet(name, rows, range(1, len(rows) + 1), is_hidden))
    except BaseException as error:
        if not isinstance(error, (CalamineError, ValueError, OverflowError)) and not _is_panic(error):
            raise
        faults.append(fault(file, 0, "", "sheet-broken"))
        return []
    return sorted(found, key=lambda sheet: sheet.is_hidden)


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


@lru_cache(maxsize=4096)
def cell_day(cell: str) -> date | None:
    """The day that a cell names, with or without a time of day; None if it names none."""
    return parse_day(part_moment(cell)[0])
