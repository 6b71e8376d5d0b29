"""Calendar months by which lists are named."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.month import Month, month_of, months_later, parse_month

DAYS = st.dates(date(1850, 1, 1), date(2199, 12, 31))


class TestMonth:
    def test_is_written_with_a_year_of_four_digits(self):
        assert str(Month(2025, 3)) == "2025-03"
        assert str(Month(850, 12)) == "0850-12"

    def test_its_list_is_published_on_its_first_day(self):
        assert Month(2025, 3).first_day == date(2025, 3, 1)

    @pytest.mark.parametrize(
        ("start", "months", "end"),
        [
            ("2024-11", 0, "2024-11"),
            ("2024-11", 1, "2024-12"),
            ("2024-11", 2, "2025-01"),
            ("2024-12", 1, "2025-01"),
            ("2025-01", -1, "2024-12"),
            ("2025-03", -2, "2025-01"),
            ("2025-03", -3, "2024-12"),
            ("2025-12", -12, "2024-12"),
            ("2025-12", 12, "2026-12"),
            ("2025-12", 13, "2027-01"),
        ],
    )
    def test_plus(self, start, months, end):
        assert str(parse_month(start).plus(months)) == end

    def test_months_are_ordered_as_time_goes(self):
        assert Month(2024, 12) < Month(2025, 1) < Month(2025, 2)

    def test_a_day_lies_in_its_month(self):
        assert month_of(date(2025, 3, 1)) == month_of(date(2025, 3, 31)) == Month(2025, 3)


@given(DAYS, st.integers(-500, 500))
def test_plus_and_back_is_the_same_month(day, months):
    assert month_of(day).plus(months).plus(-months) == month_of(day)


class TestParseMonth:
    def test_reads_what_str_writes(self):
        assert parse_month("2025-03") == Month(2025, 3)

    @pytest.mark.parametrize(
        "text", ["2025-3", "2025-13", "2025-00", "2025", "202503", "2025-W1", "2025-03-01", "", "  2025-03"]
    )
    def test_refuses_anything_else(self, text):
        with pytest.raises(ValueError):  # noqa: PT011 - the contract of the function
            parse_month(text)


class TestMonthsLater:
    @pytest.mark.parametrize(
        ("day", "months", "later"),
        [
            ("2025-01-15", 3, "2025-04-15"),
            ("2024-11-30", 3, "2025-02-28"),
            ("2023-11-30", 3, "2024-02-29"),
            ("2023-11-29", 3, "2024-02-29"),
            ("2023-11-28", 3, "2024-02-28"),
            ("2024-11-29", 3, "2025-02-28"),
            ("2025-01-31", 1, "2025-02-28"),
            ("2025-01-31", 3, "2025-04-30"),
            ("2025-08-31", 3, "2025-11-30"),
            ("2024-02-29", -24, "2022-02-28"),
            ("2024-02-29", 12, "2025-02-28"),
            ("2024-02-29", 48, "2028-02-29"),
            ("2025-03-31", -1, "2025-02-28"),
            ("2025-10-31", 0, "2025-10-31"),
            ("2024-12-31", 2, "2025-02-28"),
            ("2100-01-31", 1, "2100-02-28"),
            ("2000-01-31", 1, "2000-02-29"),
        ],
    )
    def test_clips_the_day_to_the_end_of_the_month(self, day, months, later):
        assert months_later(date.fromisoformat(day), months) == date.fromisoformat(later)


@given(DAYS, st.integers(-300, 300))
def test_months_later_is_the_same_day_or_the_last_of_the_month(day, months):
    later = months_later(day, months)
    assert month_of(later) == month_of(day).plus(months)
    is_last = month_of(later + timedelta(days=1)) != month_of(later)
    assert later.day == day.day or (later.day < day.day and is_last)
