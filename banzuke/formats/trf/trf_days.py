"""The days of a TRF report: the event's (records 042 and 052) and its rounds' (132), held against each other.

How days are written is said in `trf_reader`. Two more ways are read where another record settles them:

- A day of 042 or 052 without its hundreds, which 132 has in the same letters, is read as there: year first.
- A day of 132 that no usual way reads (`11.25.02`) is the only day of the event that its numbers can mean in
  another order; with a remark, of the first of them.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from itertools import permutations

from banzuke.formats.notation import SHORT_DAY, parse_day
from banzuke.formats.trf.trf_rows import END, FIRST, WIDTH

_NUMBERS = re.compile(r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})", re.ASCII)


@lru_cache(maxsize=2**10)
def _round_day(text: str) -> date | None:
    return parse_day(text, SHORT_DAY)


def _in_any_order(text: str) -> set[date]:
    """The days that three numbers can mean, whichever is the year."""
    found = _NUMBERS.fullmatch(text)
    days = set()
    for year, month, day in permutations((found[1], found[3], found[4]) if found else (), 3):
        try:
            days.add(date(int(f"20{year}"[-4:]), int(month), int(day)))
        except ValueError:
            continue
    return days


class Days:
    """The days of the rounds as far as they are read; `note` and `remark` take line, place, code, facts."""

    def __init__(self, note: Callable[..., None], remark: Callable[..., None]) -> None:
        self._note = note
        self._remark = remark
        self._lines = 0
        self._texts: list[tuple[int, int, int, str]] = []
        self._read: dict[int, tuple[int, int, date]] = {}
        self._is_told = False

    @property
    def by_round(self) -> dict[int, date]:
        """The day of each round that has one."""
        return {number: day for number, (_, _, day) in self._read.items()}

    def take(self, line: int, text: str) -> None:
        """Take a 132 record."""
        days = [
            (n, at, text[at : at + WIDTH]) for n, at in enumerate(range(FIRST, min(len(text), END), WIDTH), 1)
        ]
        if text[3:FIRST].strip():
            self._lines += 1
            days = [(self._lines, 4, text[4:])]
        self._texts += [(number, line, at, day.strip()) for number, at, day in days if day.strip()]

    def event(self, first: tuple[int, str], last: tuple[int, str]) -> tuple[date | None, date | None]:
        """The event's first and last day by 042 and 052 (line and text); settles the rounds' days too."""
        starts, ends = self._event_day(*first), self._event_day(*last)
        backwards = starts is not None and ends is not None and ends < starts
        for number, line, at, text in self._texts:
            self._settle(number, line, at, text, None if backwards else (starts, ends))
        if backwards:
            self._note(last[0], 4, "trf-ends-before-start", starts=starts, ends=ends)
        for number, (line, at, day) in self._read.items():
            if not (backwards or (starts or day) <= day <= (ends or day)):
                self._note(line, at, "trf-round-outside-event", round=number, day=day)
        return starts, ends

    def _event_day(self, line: int, text: str) -> date | None:
        day = parse_day(text)
        if day is None and any(text == of_round for _, _, _, of_round in self._texts):
            day = _round_day(text)
        if text and day is None:
            self._note(line, 4, "trf-bad-day", text=text)
        return day

    def _settle(
        self, number: int, line: int, at: int, text: str, event: tuple[date | None, date | None] | None
    ) -> None:
        """Read a round's day, and hold it against what was said of the round before."""
        day = _round_day(text) or self._by_event(line, at, text, event)
        if day is None:
            self._note(line, at, "trf-bad-day", text=text)
        elif self._read.setdefault(number, (line, at, day))[2] != day:
            self._note(line, at, "trf-round-dated-twice", round=number, first=self._read[number][0])

    def _by_event(
        self, line: int, at: int, text: str, event: tuple[date | None, date | None] | None
    ) -> date | None:
        """The only day of the event that the text can mean; the first one is told."""
        starts, ends = event or (None, None)
        if starts is None or ends is None:
            return None
        fit = [day for day in _in_any_order(text) if starts <= day <= ends]
        if len(fit) != 1:
            return None
        if not self._is_told:
            self._remark(line, at, "trf-day-by-event", text=text, day=fit[0])
        self._is_told = True
        return fit[0]
