"""A small crosstable: a win, a draw, a forfeit, a game that does not count, a newcomer."""

from __future__ import annotations

from datetime import date

from banzuke.formats.events.event_table import EventRow, EventTable, RoundCell

EVENT = EventTable(
    "日本チェス連盟",
    "2025-03",
    "jcf-2024",
    "spring",
    "春季 <Open> & Co",
    "東京",
    date(2025, 2, 1),
    date(2025, 2, 2),
    "standard",
    (1, 3),
    (
        EventRow(
            1,
            "J1",
            "=SATO Taro",
            "佐藤 太郎",
            1500,
            (RoundCell(2, "w", "1", True), RoundCell(3, "b", "½", False)),
            3,
            2,
            1,
            64,
            1440,
            1515,
        ),
        EventRow(
            2, "J2", "ITO Ken", "", 1400, (RoundCell(1, "b", "0", True), None), 0, 0, 1, 36, -1440, 1386
        ),
        EventRow(
            3, "J3", "<script>", "", None, (None, RoundCell(1, "w", "½", False)), 1, 0, 0, None, None, None
        ),
    ),
)
