"""The crosstable as a workbook."""

from __future__ import annotations

import io

import openpyxl
from sample_events import EVENT

from banzuke.exchange.export_headings import event_wording
from banzuke.formats.events import event_xlsx


def opened(lang="ja", event=EVENT):
    data = event_xlsx.write(event, event_wording(event, lang))
    (sheet,) = openpyxl.load_workbook(io.BytesIO(data)).worksheets
    return sheet


def values(row):
    return [cell.value for cell in opened("en")[row]]


class TestSheet:
    def test_title_and_facts_stand_above(self):
        sheet = opened()
        assert sheet["A1"].value == "春季 <Open> & Co"
        assert (
            sheet["A2"].value
            == "東京 · 2025年2月1日～2025年2月2日 · スタンダード · 日本チェス連盟 2025年3月リスト · 計算規程 jcf-2024"
        )

    def test_headings_and_rows(self):
        assert values(4)[:6] == ["No.", "Id", "Name", "Before", "R1", "R3"]
        assert values(5) == [1, "J1", "=SATO Taro", 1500, "2w1", "3b½*", 1.5, 1, 1, 0.64, 14.4, 1515]
        assert values(6) == [2, "J2", "ITO Ken", 1400, "1b0", None, 0, 0, 1, 0.36, -14.4, 1386]
        assert values(7) == [3, "J3", "<script>", None, None, "1w½*", 0.5, None, 0, None, None, None]

    def test_a_bonus_has_a_column_where_there_is_one(self):
        sheet = opened("en", EVENT._replace(rows=(EVENT.rows[0]._replace(bonus=2540), *EVENT.rows[1:])))
        assert [cell.value for cell in sheet[4]][-3:] == ["Change", "Bonus", "List rating"]
        assert [cell.value for cell in sheet[5]][-3:] == [14.4, 25.4, 1515]
        assert [cell.value for cell in sheet[6]][-3:] == [-14.4, None, 1386]
        assert sheet["L5"].number_format == "↑+0.##;↓-0.##;±0"

    def test_texts_are_texts_and_changes_show_their_sign(self):
        sheet = opened("en")
        assert {cell.data_type for cell in sheet["C"][4:7]} == {"s"}
        assert sheet["K5"].number_format == "↑+0.##;↓-0.##;±0"

    def test_header_stays_in_view(self):
        assert opened().freeze_panes == "D5"
