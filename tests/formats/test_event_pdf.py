"""A crosstable on paper: every figure, as text; across where there are many rounds."""

from __future__ import annotations

import io

import pytest
from machine_parts import needs_font
from pypdf import PdfReader
from sample_events import EVENT

from banzuke.exchange.export_headings import event_wording
from banzuke.exchange.standings.standings import event_standings
from banzuke.exchange.standings.wording import file_wording
from banzuke.formats import sheet_pdf
from banzuke.formats.events.event_pdf import write_event

pytest.importorskip("typst")
pytestmark = needs_font


def text_of(data):
    found = "".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
    return found.replace(" ", "").replace("\n", "")


def test_says_what_the_page_says():
    standings = event_standings(EVENT, "", is_quick=True).table
    words = event_wording(EVENT, "ja") | file_wording(standings, "ja")
    data = write_event(EVENT, words, standings)
    assert data == write_event(EVENT, words, standings)
    text = text_of(data)
    for said in ("春季<Open>&Co", "佐藤太郎", "1500", "2w1", "第3回戦", "大会前", words["standings-title"]):
        assert said.replace(" ", "") in text, said


def test_texts_stay_texts():
    event = EVENT._replace(name="#panic() $x$ *a* @b", rows=EVENT.rows[:1])
    assert "#panic()$x$*a*@b" in text_of(write_event(event, event_wording(event, "en")))


@pytest.mark.parametrize(("columns", "is_wide"), [(4, False), (16, True)])
def test_a_wide_table_is_printed_across(columns, is_wide):
    table = sheet_pdf.Table("", [sheet_pdf.Column(str(n)) for n in range(columns)], [["x"] * columns])
    page = PdfReader(io.BytesIO(sheet_pdf.write(sheet_pdf.Sheet("en", "T", "", [table], ["a note"])))).pages[
        0
    ]
    assert (page.mediabox.width > page.mediabox.height) == is_wide
    assert "a note" in page.extract_text()


def test_changes_have_arrows():
    assert [sheet_pdf.change_text(text) for text in ("+4", "−4", "±0", "")] == ["↑+4", "↓−4", "±0", ""]
