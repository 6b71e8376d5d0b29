"""Reads the Excel export of Chess-Results (.xlsx), and the same table saved as CSV.

An export is the page as a sheet: the server's line, the event's name, the last update, perhaps the details
(`Label : value`), a title, the table, notes, and the event's address. A line is a row of the sheet, a column
the heading over it. Each sheet of a workbook with a table is a page; several are pages of one event.
"""

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.event_details import Page
from banzuke.formats.chess_results.page_merge import merge_pages
from banzuke.formats.chess_results.page_report import report_of
from banzuke.formats.chess_results.page_tables import (
    MOST_LETTERS,
    ROUND_ROBIN,
    SWISS,
    Row,
    find_tables,
    layout_of,
)
from banzuke.formats.files.spreadsheet import Sheet, first_texts, is_workbook, read_sheets, text_sheet
from banzuke.formats.files.text import decode_beginning
from banzuke.formats.report import Report, refused_report

#: The most bytes of an export.
MOST_BYTES = 4_000_000
_HEAD, _HEAD_ROWS = 64 * 1024, 60
_SERVER = "chess-results"


def looks_like(data: bytes) -> bool:
    """Whether the beginning has a table of Chess-Results: its name above, or rounds in the headings."""
    if is_workbook(data):
        return _workbook_looks_like(data)
    head = decode_beginning(data, _HEAD)
    if head.lstrip()[:1] in ("<", "[", "{", "(", "") or "\t012 " in head:
        return False
    sheet = text_sheet("\n".join(head.split("\n")[:_HEAD_ROWS]), "", [])
    return _is_export([Row(0, tuple(row)) for row in sheet.rows])


def read(data: bytes, file: str) -> Report:
    """Read the export in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    if len(data) > MOST_BYTES:
        return refused_report(fault(file, 0, "", "cr-too-large"))
    faults: list[Fault] = []
    pages = [_page(sheet, file) for sheet in read_sheets(data, file, faults)]
    if faults:
        return refused_report(*faults)
    with_tables = [page for page in pages if find_tables(page.rows)] or pages[:1] or [Page(file, [])]
    reports = [report_of(page) for page in with_tables]
    return reports[0] if len(reports) == 1 else merge_pages(reports, file)


def _page(sheet: Sheet, file: str) -> Page:
    rows = zip(sheet.lines, sheet.rows, strict=True)
    return Page(file, [Row(line, tuple(cell[:MOST_LETTERS] for cell in cells)) for line, cells in rows])


def _is_export(rows: list[Row]) -> bool:
    """Whether rows have a table with rounds, or any table that is read below the server's name."""
    kinds = {layout.kind for row in rows if (layout := layout_of(row.cells))}
    named = any(_SERVER in cell.lower() for row in rows for cell in row.cells[:3])
    return bool(kinds) if named else bool(kinds & {SWISS, ROUND_ROBIN})


def _workbook_looks_like(data: bytes) -> bool:
    """The same for a workbook, of which only the first texts are unpacked."""
    texts = first_texts(data)
    if any(_SERVER in text.lower() for text in texts[:10]):
        return True
    windows = (tuple(texts[i : i + 40]) for i in range(min(len(texts), 200)))
    return any((found := layout_of(window)) and found.kind == SWISS for window in windows)
