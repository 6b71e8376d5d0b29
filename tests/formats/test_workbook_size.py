"""A workbook's extent: far cells are seen before anything is laid out, and honest sheets pass."""

from __future__ import annotations

import io
import re
import zipfile

import openpyxl
import pytest

from banzuke.formats.files import spreadsheet
from banzuke.formats.files.spreadsheet import is_within, is_xlsx, most_cells, read_sheets
from banzuke.formats.files.workbook_text import UnsoundError, text_within


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
    with source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
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

    @pytest.mark.parametrize("main", ["content.xml", "Content.XML", "xl/workbook.bin", "xl\\workbook.bin"])
    def test_nor_what_might_pass_for_one(self, main):
        """In an OpenDocument a cell says how often it stands, and the reader of spreadsheets takes both."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as packed:
            packed.writestr("xl/workbook.xml", "<broken")
            packed.writestr(main, "<x/>")
        assert codes(stream.getvalue()) == ["sheet-not-xlsx"]


def with_texts(texts: list[str], cells: str) -> bytes:
    """A workbook of these shared texts and cells, as XML."""
    stream = io.BytesIO(with_rows(f'<row r="1">{cells}</row>'))
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "xl/sharedStrings.xml", f"<sst>{''.join(f'<si><t>{text}</t></si>' for text in texts)}</sst>"
        )
    return stream.getvalue()


def opens(data: bytes, most: int) -> bool | str:
    try:
        return text_within(data, most)
    except UnsoundError:
        return "unsound"


class TestTextThatManyCellsShare:
    def test_is_counted_before_the_workbook_is_opened(self):
        data = with_texts(["A" * 1_000_000], '<c t="s"><v>0</v></c>' * 10_000)
        assert len(data) < 10_000
        assert codes(data) == ["sheet-too-large"]

    @pytest.mark.parametrize(
        "cells",
        [
            "<c t='s'><v>0</v></c>",
            '<c t="s"><v>0</v></c>' * 3 + '<c t="s"><v>1</v></c>',
            '<y:c xmlns:y="y" y="" t="s"><y:v> 00 </y:v></y:c>',
            '<c t="s"><v>-0</v></c>',
            '<c t="s"><v>0e0</v></c>',
            '<c t="s"><v><![CDATA[0]]></v></c>',
            '<c t="s"><v>99999999999999999999999</v></c>',
        ],
    )
    def test_however_cells_refer_to_it(self, cells):
        """The reader takes for the first text what is no number of one."""
        assert not opens(with_texts(["A" * 100_000, "B"], cells), 100_000)

    @pytest.mark.parametrize(
        "cells", ['<c t="s"><v>0<x/></v></c>', '<c t="s"><v>0</c>', '<c t="s" t="n"><v>0</v></c>']
    )
    def test_where_it_cannot_be_counted_nothing_is_opened(self, cells):
        assert opens(with_texts(["A" * 100_000], cells), 100_000) == "unsound"
        assert opens(with_texts(["A<si>B</si>"], "<c/>"), 100_000) == "unsound"
        assert codes(with_texts(["A<si>B</si>"], "<c/>")) == ["sheet-broken"]

    def test_numbers_and_short_texts_pass(self):
        cells = '<c t="s"><v>1</v></c><c><v>0</v></c>' * 100
        assert opens(with_texts(["A" * 100_000, "B"], cells), 20_000)

    def test_a_text_in_its_cell_counts_too(self):
        cells = f'<c t="inlineStr"><is><t>{"A" * 10_000}</t></is></c>'
        assert not opens(with_texts([], cells), 10_000)

    def test_a_part_named_as_many_sheets_counts_for_each(self, monkeypatch):
        monkeypatch.setattr(spreadsheet, "MOST_TEXT", 2_500)
        data = with_texts(["A" * 1_000], '<c t="s"><v>0</v></c>')
        assert codes(data) == []
        assert codes(named_often(data, 3)) == ["sheet-too-large"]


def named_often(data: bytes, times: int) -> bytes:
    """The workbook whose only part with cells is so many sheets."""
    out, source = io.BytesIO(), zipfile.ZipFile(io.BytesIO(data))
    with source, zipfile.ZipFile(out, "w") as packed:
        for name in source.namelist():
            text = source.read(name).decode()
            if name == "xl/workbook.xml":
                before, sheet, rest = re.split(r"(<sheet [^>]*>)", text)
                named = (re.sub(r'name="[^"]*"', f'name="{number}"', sheet) for number in range(times))
                text = f"{before}{''.join(named)}{rest}"
            packed.writestr(name, text)
    return out.getvalue()
