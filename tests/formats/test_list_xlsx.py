"""Lists as workbooks: what the cells are, and the same list read back, by us, openpyxl and LibreOffice."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import zipfile
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from sample_lists import NASTY, RANKED, SMALL, lists

from banzuke.exchange.export_headings import list_wording
from banzuke.formats import workbook
from banzuke.formats.lists import list_xlsx
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating, columns, rows
from banzuke.formats.workbook import TooLargeError, width
from banzuke.words import LANGUAGES

HOSTILE = RatingList("", "", "", ("",), tuple(ListedPlayer(name, (None,), name) for name in NASTY))


def write(listed, lang="ja"):
    return list_xlsx.write(listed, list_wording(listed, lang))


def read(data):
    return list_xlsx.read(data, "list.xlsx")


def opened(listed, lang="ja"):
    return openpyxl.load_workbook(io.BytesIO(write(listed, lang))).worksheets


class TestSheet:
    def test_headings_are_in_the_readers_language(self):
        heads = {lang: [cell.value for cell in opened(SMALL, lang)[0][1]] for lang in LANGUAGES}
        assert heads["en"][:2] == ["Id", "Name"]
        assert heads["ja"][:3] == ["会員番号", "氏名（ローマ字）", "氏名"]
        assert heads["ja"][7:10] == ["スタンダード レーティング", "スタンダード 局数", "スタンダード 増減"]
        assert heads["en"][-1] == "Rapid qualified"

    def test_header_is_frozen_and_filtered_and_repeated_in_print(self):
        sheet = opened(SMALL)[0]
        assert sheet.freeze_panes == "D2"
        assert sheet.auto_filter.ref == "A1:S3"
        assert sheet.print_title_rows == "$1:$1"

    def test_numbers_are_numbers_and_ids_are_texts(self):
        row = opened(SMALL)[0][2]
        assert [(cell.value, cell.data_type) for cell in row[:8]] == [
            ("J001", "s"),
            ("SATO Taro", "s"),
            ("佐藤 太郎", "s"),
            ("m", "s"),
            ("東京クラブ", "s"),
            ("007", "s"),
            (datetime.fromisoformat("2001-02-03"), "d"),
            (1500, "n"),
        ]

    def test_a_change_has_sign_arrow_and_colour_but_is_a_number(self):
        down, up = opened(SMALL)[0]["J2"], opened(SMALL)[0]["P3"]
        assert (down.value, up.value) == (-4, 12)
        assert down.number_format == up.number_format == "↑+0;↓-0;±0"
        assert (down.font.color.rgb, up.font.color.rgb) == ("FFB32A17", "FF1B6E3C")

    def test_nothing_is_a_formula_or_a_link(self):
        sheet = opened(HOSTILE)[0]
        assert [cell.value for cell in sheet["A"][1:]] == list(NASTY)
        assert {cell.data_type for cell in sheet["A"]} == {"s"}
        with zipfile.ZipFile(io.BytesIO(write(HOSTILE))) as packed:
            names = packed.namelist()
            assert not any("<f>" in packed.read(name).decode() for name in names if name.endswith(".xml"))
            assert b"hyperlink" not in packed.read("xl/worksheets/sheet1.xml")
            assert not any("externalLink" in name or name.endswith("sheet1.xml.rels") for name in names)

    def test_a_column_is_as_wide_as_its_japanese(self):
        assert (width("佐藤 太郎"), width("SATO"), width("ﾊﾝ")) == (9, 4, 2)
        assert opened(SMALL)[0].column_dimensions["E"].width > width("東京クラブ")

    def test_a_day_that_spreadsheets_do_not_know_is_a_text(self):
        listed = RatingList("", "", "", ("",), (ListedPlayer("1", (None,), birth_date=date(1899, 12, 31)),))
        assert opened(listed)[0]["G2"].value == "1899-12-31"
        assert read(write(listed)) == (listed, [])

    def test_title_is_among_the_properties(self):
        book = openpyxl.load_workbook(io.BytesIO(write(SMALL)))
        assert book.properties.title == "日本チェス連盟 レーティングリスト 2025年3月"

    def test_the_second_sheet_says_what_it_is(self):
        about = [[cell.value for cell in row] for row in opened(SMALL)[1]]
        assert about[:4] == [
            ["項目", "内容", "キー"],
            ["部門", "日本チェス連盟", "pool"],
            ["リスト", "2025-03", "list"],
            ["規程", "ncs-2022", "rulebook"],
        ]

    def test_the_status_is_in_the_readers_language_and_read_back(self):
        player = ListedPlayer("1", (SpeedRating(900, 3, None, 900, "provisional"),))
        listed = RatingList("", "", "", ("",), (player,))
        assert opened(listed)[0]["K2"].value == "仮"
        assert read(write(listed)) == (listed, [])

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_no_two_words_are_one(self, lang):
        for listed in (SMALL, RANKED):
            words = list_wording(listed, lang)
            keys = ["pool", "list", "rulebook", *(column.key for column in columns(listed))]
            assert len({words[key] for key in keys}) == len(keys)

    def test_what_a_sheet_cannot_hold_is_refused(self):
        long = RatingList("", "", "", ("",), (ListedPlayer("1", (None,), "x" * 32_768),))
        with pytest.raises(TooLargeError):
            write(long)
        book = workbook.Workbook("", "")
        with pytest.raises(TooLargeError):
            book.put(book.sheet("x"), 1_048_576, 0, "x", "text")


class TestRoundTrip:
    @settings(max_examples=examples(50))
    @given(listed=lists, lang=st.sampled_from(LANGUAGES))
    def test_is_the_same_list(self, listed, lang):
        assert read(write(listed, lang)) == (listed, [])

    def test_the_same_list_gives_the_same_bytes(self):
        assert write(SMALL) == write(SMALL)


class TestFaults:
    def changed(self, cell, value):
        book = openpyxl.load_workbook(io.BytesIO(write(SMALL)))
        book.worksheets[0][cell] = value
        stream = io.BytesIO()
        book.save(stream)
        return read(stream.getvalue())

    def test_of_a_cell_have_its_row_and_its_column(self):
        listed, faults = self.changed("H3", "15OO")
        assert [(f.line, f.column, f.code) for f in faults] == [(3, "standard_rating", "list-number")]
        assert [player.player_id for player in listed.players] == ["J001"]

    def test_of_a_heading(self):
        listed, faults = self.changed("H1", "Elo")
        assert listed is None
        assert [fault.code for fault in faults] == ["list-header"]

    def test_another_workbook_is_no_list(self):
        book = openpyxl.Workbook()
        stream = io.BytesIO()
        book.save(stream)
        listed, faults = read(stream.getvalue())
        assert listed is None
        assert [fault.code for fault in faults] == ["list-no-list"]

    @given(st.data())
    @settings(max_examples=examples(100))
    def test_damaged_workbooks_raise_nothing(self, data):
        whole = write(SMALL)
        start = data.draw(st.integers(0, len(whole)))
        read(
            whole[:start] + data.draw(st.binary(max_size=30)) + whole[start + data.draw(st.integers(0, 30)) :]
        )


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice (soffice) is not installed")
class TestLibreOffice:
    @pytest.mark.parametrize(
        "listed",
        [
            pytest.param(SMALL, id="ratings", marks=pytest.mark.slow),
            pytest.param(RANKED, id="ranking", marks=pytest.mark.slow),
            pytest.param(HOSTILE, id="hostile", marks=pytest.mark.slow),
        ],
    )
    def test_opens_it_and_finds_every_cell(self, listed, tmp_path):
        (tmp_path / "list.xlsx").write_bytes(write(listed))
        profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
        # parted by commas, quoted by ", in UTF-8, from row 1; cells as they are, not as they are shown
        wanted = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,1"
        command = ["soffice", profile, "--headless", "--convert-to", wanted, "--outdir", tmp_path]
        subprocess.run([*command, tmp_path / "list.xlsx"], check=True, capture_output=True, timeout=120)
        (found,) = tmp_path.glob("*.csv")
        table = list(csv.reader(io.StringIO(found.read_text("utf-8"))))
        words = list_wording(listed, "ja")
        assert table[0] == [words[column.key] for column in columns(listed)]
        assert table[1:] == [
            [_expected(value, words, column.key) for value, column in zip(row, columns(listed), strict=True)]
            for row in rows(listed)
        ]


def _expected(value, words, key):
    if isinstance(value, bool):
        return str(int(value))
    if value and key.endswith("status"):
        return words[value]
    return "" if value is None else str(value)
