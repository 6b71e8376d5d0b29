"""Calendar files: odd days and blanks."""

from __future__ import annotations

from datetime import UTC, date, datetime

from banzuke.formats.calendar_file import CalendarEntry, write


def written(name: str, day: date) -> str:
    moment = datetime(2025, 1, 1, tzinfo=UTC)
    return write("Calendar", [CalendarEntry("a@b", name, day, day, "", "", "", moment)]).decode()


def test_the_last_day_that_there_is_has_no_day_after_it():
    assert "DTSTART;VALUE=DATE:99991231\r\nSUMMARY:Open" in written("Open", date.max)
    assert "DTEND;VALUE=DATE:20250102" in written("Open", date(2025, 1, 1))


def test_a_wide_blank_stays_and_a_sign_that_nobody_sees_does_not():
    assert "SUMMARY:春季　大会\r\n" in written("春季　大\u202e\x1b会", date(2025, 1, 1))
