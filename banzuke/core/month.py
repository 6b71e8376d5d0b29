"""Calendar months, by which rating lists are named."""

from calendar import monthrange
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

#: The days that every month has.
SHORTEST = 28


class Month(NamedTuple):
    """A calendar month; it is written `2025-03`."""

    year: int
    month: int

    def __str__(self) -> str:
        return f"{self.year:04}-{self.month:02}"

    @property
    def first_day(self) -> date:
        """Its first day, on which a list of that month is published."""
        return date(self.year, self.month, 1)

    def plus(self, months: int) -> "Month":
        """The month so many months later (earlier when negative)."""
        year, zero_based = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, zero_based + 1)


def month_of(day: date) -> Month:
    """The month that a day lies in."""
    return Month(day.year, day.month)


def parse_month(text: str) -> Month:
    """`2025-03` as a month; raises ValueError for anything else."""
    return month_of(date.fromisoformat(f"{text}-01"))


@lru_cache(maxsize=1 << 10)
def months_later(day: date, months: int) -> date:
    """The same day so many calendar months later (earlier when negative).

    A day that the month lacks is clipped to its end: 30 November plus 3 is 28 or 29 February.
    """
    target = month_of(day).plus(months)
    clipped = day.day if day.day <= SHORTEST else min(day.day, monthrange(*target)[1])
    return date(target.year, target.month, clipped)


def first_day_without(day: date, months: int) -> date:
    """The first day from which on a day lies so many calendar months back, or more."""
    found = months_later(day, months)
    while months_later(found, -months) < day:
        found += timedelta(days=1)
    return found
