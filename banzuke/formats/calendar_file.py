"""Writes events as a calendar file (iCalendar, RFC 5545) of whole days.

Ten properties of one kind of entry need no library. What is easily wrong is this: texts are escaped
(3.3.11), lines end in CRLF and are folded at 75 bytes, never within a letter (3.1), and an event's end is the
day after its last one (3.6.1). There is no METHOD: with one, each entry would need an ORGANIZER (RFC 5546).
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

#: The most bytes of a line without its end.
LONGEST = 75
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n", "\r": None})


class CalendarEntry(NamedTuple):
    """An event: an id that stays, its name, days and place, what is said of it, its page, when it changed."""

    uid: str
    name: str
    starts: date
    ends: date
    place: str
    text: str
    url: str
    changed: datetime
    is_cancelled: bool = False


def write(name: str, entries: Iterable[CalendarEntry]) -> bytes:
    """The calendar of that name."""
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Banzuke//Banzuke//EN", "CALSCALE:GREGORIAN"]
    lines = [*head, f"X-WR-CALNAME:{_escape(name)}"]
    for entry in entries:
        lines += _entry_lines(entry)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _fold(line)).encode()


def _entry_lines(entry: CalendarEntry) -> list[str]:
    changed = f"{entry.changed.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    lines = [
        "BEGIN:VEVENT",
        f"UID:{_escape(entry.uid)}",
        f"DTSTAMP:{changed}",
        f"LAST-MODIFIED:{changed}",
        f"DTSTART;VALUE=DATE:{entry.starts:%Y%m%d}",
    ]
    if entry.ends < date.max:  # no day comes after the last one that there is
        lines.append(f"DTEND;VALUE=DATE:{entry.ends + timedelta(days=1):%Y%m%d}")
    lines += [f"SUMMARY:{_escape(entry.name)}", "TRANSP:TRANSPARENT"]  # nobody's day is taken by it
    if entry.place:
        lines.append(f"LOCATION:{_escape(entry.place)}")
    if entry.is_cancelled:
        lines.append("STATUS:CANCELLED")  # 3.8.1.11
    if entry.text:
        lines.append(f"DESCRIPTION:{_escape(entry.text)}")
    return [*lines, f"URL:{entry.url}", "END:VEVENT"]


def _escape(text: str) -> str:
    """A text as a property's value; signs that nobody sees are left out, but a wide blank stays."""
    return "".join(sign for sign in text if sign.isprintable() or sign in "\n\u3000").translate(_ESCAPED)


def _fold(line: str) -> Iterator[str]:
    """The line in pieces of 75 bytes at the most, all but the first beginning with a blank."""
    piece, size = "", 0
    for sign in line:
        width = len(sign.encode())
        if size + width > LONGEST:
            yield piece
            piece, size = " ", 1
        piece, size = piece + sign, size + width
    yield piece
