"""The rule books that are installed, and what their calendars make of days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.calendar import ByEnd, ByReport, EachEvent, EachGame
from banzuke.core.registry import BOOKS


@pytest.mark.parametrize(
    ("name", "prefix", "series", "speeds", "calendar"),
    [
        ("ncs-2022", "NCS", "japan", ("standard", "rapid"), ByReport(20, 90)),
        ("jcf-2024", "JCF", "japan", ("standard", "rapid"), ByReport(20, 90)),
        ("fide-2024", "FIDE", "fide", ("standard", "rapid", "blitz"), ByEnd(3)),
        ("hakodate", "HCC", "hakodate", ("",), EachEvent()),
        ("pandanet", "PN", "pandanet", ("",), EachGame()),
    ],
)
def test_a_book(name, prefix, series, speeds, calendar):
    book = BOOKS[name]
    assert (book.name, book.prefix, book.series, book.speeds, book.calendar) == (
        name, prefix, series, speeds, calendar,
    )  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_examples(name):
    book = BOOKS[name]
    for worked in book.examples:
        assert worked.run() == worked.must_give
        assert worked.clause in book.register


class TestWindows:
    @pytest.mark.parametrize(
        ("reported", "name", "closes"),
        [
            ("2024-09-20", "2024-10", "2024-09-20"),
            ("2024-09-21", "2024-11", "2024-10-20"),
            ("2024-12-21", "2025-02", "2025-01-20"),
        ],
    )
    def test_by_report(self, reported, name, closes):
        window = BOOKS["jcf-2024"].calendar.window_on(date.fromisoformat(reported))
        assert (window.name, window.closes) == (name, date.fromisoformat(closes))

    @pytest.mark.parametrize(
        ("ends", "name", "closes"),
        [("2025-10-25", "2025-11", "2025-10-29"), ("2025-10-30", "2025-12", "2025-11-28")],
    )
    def test_by_end(self, ends, name, closes):
        window = BOOKS["fide-2024"].calendar.window_on(date.fromisoformat(ends))
        assert (window.name, window.closes) == (name, date.fromisoformat(closes))

    def test_of_games(self):
        window = BOOKS["pandanet"].calendar.window_on(date(2024, 2, 29))
        assert (window.name, window.opens, window.closes) == ("2024-03", date(2024, 2, 1), date(2024, 2, 29))

    @pytest.mark.parametrize(
        "calendar", [ByReport(20, 90), ByReport(15, None), ByEnd(3), EachGame()], ids=repr
    )
    @given(day=st.dates(date(1900, 1, 1), date(2200, 1, 1)))
    def test_follow_each_other_without_a_gap(self, calendar, day):
        window = calendar.window_on(day)
        assert window.opens <= day <= window.closes < window.published
        assert calendar.window_named(window.name) == window
        assert calendar.window_on(window.closes + timedelta(days=1)).opens == window.closes + timedelta(
            days=1
        )

    @pytest.mark.parametrize("name", ["", "2025", "2025-13", "March", "2025-3"])
    def test_no_list(self, name):
        with pytest.raises(ValueError):  # noqa: PT011 - any words
            BOOKS["jcf-2024"].calendar.window_named(name)
