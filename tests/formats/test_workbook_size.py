"""A workbook's extent: far cells are seen before anything is laid out, and honest sheets pass."""

from __future__ import annotations

import io
import zipfile

import openpyxl
import pytest

from banzuke.formats.files.spreadsheet import is_within, is_xlsx, most_cells, read_sheets


def workbook(*cells: tuple[str, object]) -> bytes:
    book = openpyxl.Workbook()
    for address, value in cells:
        book.active[address] = value
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_rows(rows: str) -> bytes:
    """A workbook whose only sheet has these rows of XML."""
    out, source = io.BytesIO(), zipfile.ZipFile(io.BytesIO(workbook(("A1", "x"))))
    with source, zipfile.ZipFile(out, "w") as packed:
        for name in source.namelist():
            text = source.read(name).decode()
            if name.endswith("sheet1.xml"):
                before, _, rest = text.partition("<sheetData>")
                text = f"{before}<sheetData>{rows}</sheetData>{rest.partition('</sheetData>')[2]}"
            packed.writestr(name, text)
    return out.getvalue()


def codes(data: bytes) -> list[str]:
    faults = []
    read_sheets(data, "x", faults)
    return [fault.code for fault in faults]


def fits(data: bytes) -> bool:
    return is_within(data, most_cells(data))


FAR = [
    '<row r="1"><c r="XFD1048576"><v>1</v></c></row>',
    "<row r='1'><c r = 'XFD1048576' ><v>1</v></c></row>",
    '<row r="1"><c r="xfd1048576"><v>1</v></c></row>',
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1"><c t="n" r="A99999999999"><v>1</v></c></row>',
    '<row r="4294967290"><c><v>1</v></c></row>',
    '<row r="1048576"><c><v>1</v></c></row><row r="1"><c r="ZZZ1"><v>1</v></c></row>',
    '<row r="1"><c r="ZZZZZZZ1"><v>1</v></c></row><row r="1"><c r="A99999"><v>1</v></c></row>',
]


class TestFarCells:
    @pytest.mark.parametrize("rows", FAR)
    def test_are_seen_before_the_workbook_is_opened(self, rows):
        data = with_rows(rows)
        assert not fits(data)
        assert codes(data) == ["sheet-too-large"]

    def test_a_wide_blank_rectangle_is_refused_too(self):
        for cell in ("T100000", "S1048576", "XFD100"):
            assert not fits(workbook(("A1", 1), (cell, 1)))
            assert codes(workbook(("A1", 1), (cell, 1))) == ["sheet-too-large"]


class TestHonestSheets:
    @pytest.mark.parametrize(
        "cells",
        [
            [("A1", 1)],
            [("A1", 1), ("Z20000", 1)],
            [("A1", 1), ("XFD60", 1)],
            pytest.param([("A1", 1), ("A900000", 1)], marks=pytest.mark.slow),
        ],
    )
    def test_pass(self, cells):
        assert fits(workbook(*cells))
        assert codes(workbook(*cells)) == []

    def test_a_last_row_without_cells_spans_nothing(self):
        """Some programs write the last row of all, to say how high it is."""
        data = with_rows('<row r="1"><c r="AZ1"><v>1</v></c></row><row r="1048576" ht="12"/>')
        assert fits(data)
        assert codes(data) == []

    def test_cells_that_name_no_place(self):
        data = with_rows("<row>" + "<c><v>1</v></c>" * 30 + "</row><row><c/><c><v>2</v></c></row>")
        faults = []
        (sheet,) = read_sheets(data, "x", faults)
        assert faults == []
        assert sheet.rows[1][:3] == ["", "2", ""]

    @pytest.mark.slow
    def test_a_full_sheet_of_many_cells(self):
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet()
        for _ in range(30_000):
            sheet.append(["x"] * 40)
        stream = io.BytesIO()
        book.save(stream)
        assert codes(stream.getvalue()) == []


class TestOtherKinds:
    def test_are_not_opened(self):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as packed:
            packed.writestr("content.xml", "<x/>")
        assert not is_xlsx(stream.getvalue())
        assert codes(stream.getvalue()) == ["sheet-not-xlsx"]
        assert codes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)) == ["sheet-not-xlsx"]
        assert not is_xlsx(b"PK\x03\x04")
