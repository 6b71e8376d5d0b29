"""Workbooks for people: what lists and crosstables share when they are written as XLSX.

Every text is written as text: none becomes a formula, a link or a number. A change shows its sign, a colour
and an arrow, but is a number; so is a flag, which shows a ring for 1. A day before 1901, which no spreadsheet
knows, is a text. The same values give the same bytes.
"""

import io
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

#: The first day that every spreadsheet knows as a day.
FIRST_DAY = date(1901, 1, 1)
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the day of making in a workbook has no time zone
_A4, _FONT = 9, {"font_name": "Yu Gothic", "font_size": 10}
_HEAD = {
    "bold": True,
    "bg_color": "#2B2B2B",
    "font_color": "#FFFFFF",
    "text_wrap": True,
    "align": "center",
    "valign": "vcenter",
}
#: Colours by name would be others in other programs.
_UP, _DOWN = {"font_color": "#1B6E3C"}, {"font_color": "#B32A17"}
_CHANGE, _EXACT = {"num_format": "↑+0;↓-0;±0"}, {"num_format": "↑+0.##;↓-0.##;±0"}
#: How the cells of a column look, by kind.
_FORMATS: dict[str, dict[str, Any]] = {
    "text": {"num_format": "@", "indent": 1},
    "number": {"num_format": "0"},
    "change": _CHANGE,
    "change-up": _CHANGE | _UP,
    "change-down": _CHANGE | _DOWN,
    "flag": {"num_format": '"○";;"–"', "align": "center"},
    "day": {"num_format": "yyyy-mm-dd"},
    "points": {"num_format": "0.0"},
    "expected": {"num_format": "0.00"},
    "figure": {"num_format": "General"},
    "exact": _EXACT,
    "exact-up": _EXACT | _UP,
    "exact-down": _EXACT | _DOWN,
    "strong": {"num_format": "@", "bold": True, "font_size": 14},
    "grey": {"num_format": "@", "font_color": "#808080"},
}
_NARROWEST, _WIDEST, _HEADING, _HEAD_HEIGHT = 6, 40, 10, 32


class TooLargeError(Exception):
    """A table with more rows or columns, or a text with more letters, than a sheet can hold."""


class Workbook:
    """A workbook in the making; `data` gives its bytes in the end."""

    def __init__(self, title: str, subject: str) -> None:
        options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        self._stream = io.BytesIO()
        self._book = xlsxwriter.Workbook(self._stream, options)
        self._book.set_properties({"title": title, "subject": subject, "created": _MADE})
        self._formats = {kind: self._book.add_format(_FONT | form) for kind, form in _FORMATS.items()}
        self._head = self._book.add_format(_FONT | _HEAD)

    def data(self) -> bytes:
        """The finished workbook."""
        self._book.close()
        return self._stream.getvalue()

    def sheet(self, name: str, *, landscape: bool = False) -> Worksheet:
        """A new sheet for A4, as wide as the page when printed, its page numbers below."""
        sheet = self._book.add_worksheet(name)
        sheet.set_paper(_A4)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&C&P / &N")
        if landscape:
            sheet.set_landscape()
        return sheet

    def table(
        self,
        sheet: Worksheet,
        row: int,
        columns: Sequence[tuple[str, str]],
        rows: Sequence[Sequence[object]],
        *,
        frozen_columns: int = 0,
    ) -> None:
        """A table whose headings stand in a row (from 0), each given with its column's kind.

        The headings stay in view and are printed on every page; columns are as wide as their texts.
        """
        sheet.set_row(row, _HEAD_HEIGHT)
        sheet.freeze_panes(row + 1, frozen_columns)
        sheet.repeat_rows(row)
        for column, (heading, kind) in enumerate(columns):
            _check_written(sheet.write_string(row, column, heading, self._head))
            values = [cells[column] for cells in rows]
            for number, value in enumerate(values, row + 1):
                self.put(sheet, number, column, value, kind)
            _fit(sheet, column, heading, ("" if value is None else str(value) for value in values))

    def put(self, sheet: Worksheet, row: int, column: int, value: object, kind: str) -> None:
        """A value in a cell (row and column from 0); none for None or a blank text.

        Raises TooLargeError where there is no such cell, or the text has no room in it.
        """
        style = self._formats[_kind_by_sign(kind, value)]
        if value is None or value == "":
            return
        if isinstance(value, date) and value >= FIRST_DAY:
            _check_written(sheet.write_datetime(row, column, value, style))
        elif isinstance(value, str | date):
            _check_written(sheet.write_string(row, column, str(value), style))
        else:
            _check_written(sheet.write_number(row, column, value, style))


def _fit(sheet: Worksheet, column: int, heading: str, texts: Iterable[str]) -> None:
    """Make a column as wide as its texts need; a long heading is broken into lines."""
    longest = max(map(width, texts), default=0)
    widest = max(longest, min(width(heading), _HEADING))
    sheet.set_column(column, column, min(max(widest, _NARROWEST), _WIDEST) + 2)


def _kind_by_sign(kind: str, value: object) -> str:
    """A change's kind by its sign; any other kind as it is."""
    if kind not in ("change", "exact") or not isinstance(value, int | float) or not value:
        return kind
    return f"{kind}-up" if value > 0 else f"{kind}-down"


def width(text: str) -> int:
    """How many narrow letters wide a text is: a Japanese one counts two."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(c) in "WFA") for c in text)


def _check_written(status: int) -> None:
    """Turn what XlsxWriter says of a cell that it dropped or cut into an error."""
    if status:
        raise TooLargeError
