"""When a book's lists are made: which day of an event decides, and which window of days a list takes.

A calendar is a value. Those of the printed rules are here, and one with weekly lists; a book may bring one of
its own that does what `Calendar` says.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple, Protocol

from banzuke.core.month import Month, month_of, parse_month

DAY = timedelta(days=1)
WEEK = 7


class Window(NamedTuple):
    """The days that a list takes, `opens` to `closes` inclusive, and the day on which it is published."""

    name: str
    opens: date
    closes: date
    published: date


class Calendar(Protocol):
    """Lists one after another, each with a window; the windows follow each other without a gap.

    `column` is the column of events.csv (of games.csv for Go) whose day decides. `correction_days` is how
    many days after its publication a list may still be corrected; None where a correction simply stands.
    """

    @property
    def column(self) -> str:
        """The column whose day decides which list takes an event."""

    @property
    def correction_days(self) -> int | None:
        """Days after its publication in which a list may be changed; None: no such rule."""

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""

    def window_named(self, name: str) -> Window:
        """The window of the list of that name. Raises ValueError for a name that no list has."""


@dataclass(frozen=True, slots=True)
class ByReport:
    """A list on the 1st of each month; it takes what was reported until day `closes` of the month before."""

    closes: int
    correction_days: int | None
    column: str = "reported"

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""
        return self._window(month_of(day).plus(1 if day.day <= self.closes else 2))

    def window_named(self, name: str) -> Window:
        """The window of the list of that month, `2025-03`. Raises ValueError."""
        return self._window(parse_month(name))

    def _window(self, of: Month) -> Window:
        closes = of.plus(-1).first_day.replace(day=self.closes)
        opens = of.plus(-2).first_day.replace(day=self.closes) + DAY
        return Window(str(of), opens, closes, of.first_day)


#: So many days after its own list another one may still take an event.
_A_YEAR = 366


@dataclass(frozen=True, slots=True)
class ByEnd:
    """A list on the 1st of each month; it takes events that ended `before` days earlier or more.

    A column that the book adds, `late_column`, may name a later list for an event.
    """

    before: int
    correction_days: int | None = None
    column: str = "ends"
    late_column: str = ""

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""
        closing = day + timedelta(days=self.before)
        of = month_of(closing)
        return self._window(of if closing == of.first_day else of.plus(1))

    def window_named(self, name: str) -> Window:
        """The window of the list of that month, `2025-03`. Raises ValueError."""
        return self._window(parse_month(name))

    def window_of_late(self, day: date, name: str) -> Window | None:
        """The window of the list that takes an event of that day late; None if the name is not one of these.

        They are those from the event's own list to the one a year later.
        """
        try:
            late = self.window_named(name)
        except (ValueError, OverflowError):
            return None
        own = self.window_on(day)
        is_late = late.name == name and own.closes <= late.closes <= own.closes + timedelta(days=_A_YEAR)
        return late if is_late else None

    def _window(self, of: Month) -> Window:
        before = timedelta(days=self.before)
        return Window(str(of), of.plus(-1).first_day - before + DAY, of.first_day - before, of.first_day)


@dataclass(frozen=True, slots=True)
class EachWeek:
    """A list every Monday, named by its day; it takes what happened `before` days earlier or more."""

    before: int
    correction_days: int | None = None
    column: str = "ends"

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""
        closing = day + timedelta(days=self.before)
        return self._window(closing + timedelta(days=-closing.weekday() % WEEK))

    def window_named(self, name: str) -> Window:
        """The window of the list of that Monday, `2025-03-10`. Raises ValueError."""
        published = date.fromisoformat(name)
        if published.weekday():
            raise ValueError(name)
        return self._window(published)

    def _window(self, published: date) -> Window:
        closes = published - timedelta(days=self.before)
        return Window(published.isoformat(), closes - timedelta(days=WEEK - 1), closes, published)


@dataclass(frozen=True, slots=True)
class EachGame:
    """Every game is rated as it ends; a ranking on the 1st of a month has the games of the month before."""

    correction_days: int | None = None
    column: str = "ended"

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""
        return self._window(month_of(day).plus(1))

    def window_named(self, name: str) -> Window:
        """The window of the ranking of that month, `2025-03`. Raises ValueError."""
        return self._window(parse_month(name))

    def _window(self, of: Month) -> Window:
        return Window(str(of), of.plus(-1).first_day, of.first_day - DAY, of.first_day)


@dataclass(frozen=True, slots=True)
class EachEvent:
    """Every event makes a list of its own, named by the event's id, in the order of last day and id."""

    correction_days: None = None
    column: str = "ends"


#: What a book may have: lists of windows, or a list for each event.
AnyCalendar = Calendar | EachEvent
