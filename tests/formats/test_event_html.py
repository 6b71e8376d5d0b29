"""The crosstable as a page: well formed, whole in itself, escaped, with every figure."""

from __future__ import annotations

import re
from string import Formatter

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_events import EVENT

from banzuke.core.decimals import half_sign
from banzuke.exchange.export_headings import event_wording
from banzuke.formats.events import event_html
from banzuke.formats.events.event_table import RoundCell
from banzuke.words import LANGUAGES


def page(event=EVENT, lang="ja"):
    return event_html.write(event, event_wording(event, lang)).decode()


def table(event=EVENT, lang="ja"):
    found = lxml.html.fromstring(page(event, lang)).findall(".//tr")
    return [[cell.text_content() for cell in row] for row in found]


class TestTable:
    def test_headings(self):
        assert table()[0] == [
            *("番号", "氏名", "大会前", "第1回戦", "第3回戦"),
            *("得点", "計算対象の得点", "期待値", "増減", "リスト値"),
        ]
        assert table(lang="en")[0][:5] == ["No.", "Name", "Before", "R1", "R3"]

    def test_rows(self):
        assert table()[1:] == [
            ["1", "佐藤 太郎", "1500", "2w1", "3b½*", "1½", "1 / 1", "0.64", "↑ +14.4", "1515"],
            ["2", "ITO Ken", "1400", "1b0", "", "0", "0 / 1", "0.36", "↓ −14.4", "1386"],
            ["3", "<script>", "–", "", "1w½*", "½", "", "", "", "–"],
        ]

    def test_a_bonus_has_a_column_where_there_is_one(self):
        event = EVENT._replace(rows=(EVENT.rows[0]._replace(bonus=2540), *EVENT.rows[1:]))
        heads, *rows = table(event, "en")
        assert heads[-3:] == ["Change", "Bonus", "List rating"]
        assert [row[-3:] for row in rows] == [
            ["↑ +14.4", "↑ +25.4", "1515"],
            ["↓ −14.4", "", "1386"],
            ["", "", "–"],
        ]
        assert "what the rules add to it" in page(event, "en")
        assert "what the rules add to it" not in page(lang="en")

    def test_names_are_in_the_readers_letters(self):
        assert table(lang="en")[1][1] == "=SATO Taro"

    @pytest.mark.parametrize(
        ("hundredths", "shown", "kind"),
        [(1440, "↑ +14.4", "up"), (-5, "↓ −0.05", "down"), (0, "±0", None), (-1000, "↓ −10", "down")],
    )
    def test_a_change_has_sign_arrow_and_colour(self, hundredths, shown, kind):
        row = EVENT.rows[0]._replace(change=hundredths)
        cell = lxml.html.fromstring(page(EVENT._replace(rows=(row, *EVENT.rows[1:])))).findall(".//tr")[1][8]
        assert cell.text_content() == shown
        assert cell.get("class") == (f"n {kind}" if kind else "n")

    @pytest.mark.parametrize(("halves", "shown"), [(0, "0"), (1, "½"), (2, "1"), (7, "3½")])
    def test_points(self, halves, shown):
        assert half_sign(halves) == shown

    @pytest.mark.parametrize(
        ("cell", "shown"),
        [
            (RoundCell(12, "w", "1", True), "12w1"),
            (RoundCell(3, "b", "½", False), "3b½*"),
            (RoundCell(17, "b", "-", False), "17b-"),
        ],
    )
    def test_cells(self, cell, shown):
        assert cell.text == shown

    def test_a_cell_leads_to_the_opponents_row(self):
        found = lxml.html.fromstring(page())
        links = [link.get("href").removeprefix("#") for link in found.iterfind(".//td/a")]
        assert links == ["p2", "p3", "p1", "p1"]
        assert set(links) <= {row.get("id") for row in found.findall(".//tr")}


class TestPage:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_fetches_and_runs_nothing(self, lang):
        text = page(lang=lang)
        assert "default-src 'none'" in text
        assert not re.search(r"https?:|url\(|@import|<script|<link|<img| on\w+=", text)
        assert f'<html lang="{lang}">' in text

    def test_is_escaped(self):
        text = page()
        assert "<title>春季 &lt;Open&gt; &amp; Co</title>" in text
        assert "&lt;script&gt;" in text

    def test_knows_dark_and_paper(self):
        assert "prefers-color-scheme: dark" in page()
        assert "@media print" in page()

    @given(st.text(st.characters(exclude_categories=("C",)), max_size=30))
    def test_any_name_comes_back(self, name):
        row = EVENT.rows[1]._replace(name=name or "x")
        event = EVENT._replace(name=name, rows=(EVENT.rows[0], row, EVENT.rows[2]))
        found = lxml.html.fromstring(event_html.write(event, event_wording(event, "en")))
        assert found.find(".//h1").text_content() == name
        assert found.findall(".//tr")[2][1].text_content() == (name or "x")

    def test_no_word_has_a_dollar_or_a_fact_left(self):
        text = re.sub(r"<style>.*?</style>", "", page(), flags=re.DOTALL)
        assert "$" not in text
        assert not [name for _, name, _, _ in Formatter().parse(text) if name]
