"""The printed list: what is printed of a list, in which font, and that texts stay texts."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from machine_parts import needs_font
from properties import examples
from pypdf import PdfReader
from sample_lists import NASTY, RANKED, SMALL, lists

from banzuke.exchange.export_headings import list_wording
from banzuke.formats import pdf_fonts
from banzuke.formats.lists import list_pdf
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating
from banzuke.formats.pdf_fonts import NoFontError

pytest.importorskip("typst")


def write(listed, lang="ja"):
    return list_pdf.write(listed, list_wording(listed, lang))


def text_of(data):
    printed = "".join(f"{page.extract_text()}\f" for page in PdfReader(io.BytesIO(data)).pages)
    return printed.replace(" ", "")  # which blanks are between the glyphs is the reader's guess


def data_of(listed, lang="ja"):
    return list_pdf._data(listed, list_wording(listed, lang))


class TestData:
    def test_what_is_printed(self):
        data = data_of(SMALL)
        heads = [column["heading"] for column in data["columns"]]
        assert heads[:6] == ["順", "会員番号", "氏名（ローマ字）", "氏名", "性別", "所属"]
        assert heads[7:] == [*("レーティング", "局数", "増減", "最高", "資格")] * 2
        assert data["speeds"] == [
            {"name": "", "span": 7},
            {"name": "スタンダード", "span": 5},
            {"name": "ラピッド", "span": 5},
        ]
        assert data["rows"][0][:3] == ["1", "J001", "SATO Taro"]
        assert data["rows"][0][7:12] == ["1500", "30", "↓−4", "1510", "○"]
        assert data["rows"][1][12:] == ["1200", "5", "↑+12", "1230", "–"]

    def test_birth_dates_are_never_printed(self):
        assert "2001" not in str(data_of(SMALL))

    def test_places_are_shared_by_equals_and_go_by_the_first_speed(self):
        values = (1500, 1500, None, 1400)
        players = tuple(
            ListedPlayer(str(n), (None if value is None else SpeedRating(value, 1), SpeedRating(9, 1)))
            for n, value in enumerate(values)
        )
        rows = data_of(RatingList("", "", "", ("standard", "rapid"), players))["rows"]
        assert [row[0] for row in rows] == ["1", "1", "", "3"]

    def test_columns_that_say_nothing_are_left_out(self):
        players = (ListedPlayer("1", (SpeedRating(900, 3, 0),)),)
        heads = [c["heading"] for c in data_of(RatingList("", "", "", ("",), players), "en")["columns"]]
        assert heads == ["No.", "Id", "rating", "games", "change"]

    def test_a_status_is_printed_where_there_are_two(self):
        players = tuple(
            ListedPlayer(status, (SpeedRating(900, 3, None, 900, status),))
            for status in ("provisional", "established")
        )
        data = data_of(RatingList("", "", "", ("",), players))
        assert [row[-1] for row in data["rows"]] == ["仮", "確定"]


class TestFonts:
    def fonts(self, monkeypatch, *families, lang="ja", listed=SMALL):
        monkeypatch.setattr(pdf_fonts, "families", lambda: frozenset(families))
        return pdf_fonts.fonts(data_of(listed, lang))

    def test_gothic_for_the_table_mincho_for_the_title(self, monkeypatch):
        found = self.fonts(monkeypatch, "IPAexMincho", "IPAexGothic", "DejaVu Sans")
        assert found == {"fonts": ["IPAexGothic"], "title_fonts": ["IPAexMincho"]}

    def test_either_serves_for_both(self, monkeypatch):
        found = self.fonts(monkeypatch, "Yu Mincho")
        assert found == {"fonts": ["Yu Mincho"], "title_fonts": ["Yu Mincho"]}

    def test_without_one_japanese_is_refused(self, monkeypatch):
        with pytest.raises(NoFontError):
            self.fonts(monkeypatch, "DejaVu Sans")

    def test_without_one_a_list_in_latin_letters_is_printed(self, monkeypatch):
        plain = RatingList("Club", "x", "hakodate", ("",), (ListedPlayer("1", (SpeedRating(900, 3),), "A"),))
        found = self.fonts(monkeypatch, "DejaVu Sans", lang="en", listed=plain)
        assert found == {"fonts": ["Libertinus Serif"], "title_fonts": ["Libertinus Serif"]}
        assert write(plain, "en").startswith(b"%PDF")


@needs_font
class TestFile:
    def test_is_a_pdf_and_the_same_every_time(self):
        assert write(SMALL).startswith(b"%PDF")
        assert write(SMALL) == write(SMALL)

    def test_says_everything(self):
        text = text_of(write(SMALL))
        for words in (
            "日本チェス連盟",
            "ncs-2022",
            "佐藤",
            "SATO Taro",
            "1500",
            "1 / 1",
            "2名",
            "スタンダード",
        ):
            assert words.replace(" ", "") in text

    def test_texts_are_never_markup(self):
        players = tuple(ListedPlayer(f"{n}", (SpeedRating(1, 1),), name) for n, name in enumerate(NASTY))
        text = text_of(write(RatingList("#pool $x$", "*a*", "b", ("",), players), "en"))
        for words in ("#pool $x$", "#strong[x] $a$ \\", "<b>&amp;</b>", "=1+1", "''x", "http://example.org"):
            assert words.replace(" ", "") in text

    def test_the_header_is_on_every_page(self):
        players = tuple(ListedPlayer(f"{n:03}", (SpeedRating(3000 - n, 1),), "N") for n in range(200))
        pages = text_of(write(RatingList("Pool", "2025-03", "b", ("",), players), "en")).split("\f")[:-1]
        assert len(pages) > 2
        for number, page in enumerate(pages, 1):
            assert "rating" in page
            assert f"{number}/{len(pages)}" in page

    @settings(max_examples=examples(20))
    @given(listed=lists)
    def test_any_list_is_printed(self, listed):
        assert write(listed).startswith(b"%PDF")

    def test_so_is_a_ranking(self):
        assert write(RANKED).startswith(b"%PDF")
