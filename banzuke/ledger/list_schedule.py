"""The lists of a pool one after another: which edition makes each, and which days it takes.

An edition takes over with its first list whose window closes on its first day in force or later; the edition
before it makes the lists published before that one. So a list has one edition, and no day is left out, where
editions close their windows on different days or have calendars of different kinds.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.calendar import DAY, ByEnd, Calendar, EachEvent, Window

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.core.facts import Event
    from banzuke.ledger.pool_rules import EditionInForce


class Turn(NamedTuple):
    """An edition with its calendar, and the days that its first and its last list take (None: no end)."""

    edition: EditionInForce
    calendar: Calendar
    first: Window
    closes: date | None


class Schedule:
    """The lists of a pool's editions. A pool whose lists are its events has no windows between them."""

    def __init__(self, editions: tuple[EditionInForce, ...]) -> None:
        self.editions = editions
        self.is_by_event = isinstance(editions[0].book.calendar, EachEvent)
        self._turns = () if self.is_by_event else tuple(_turns(editions))

    @property
    def column(self) -> str:
        """The column of events.csv (of games.csv for Go) whose day decides which list takes an event."""
        return self.editions[-1].book.calendar.column

    @property
    def correction_days(self) -> int | None:
        """For how many days a list is corrected, by the last edition that says so; None: none does."""
        said = [edition.book.calendar.correction_days for edition in self.editions]
        return next((days for days in reversed(said) if days is not None), None)

    @property
    def is_corrected_by_day(self) -> bool:
        """Whether a list knows only the corrections made in time, by any of the editions."""
        return self.correction_days is not None

    def window_of(self, event: Event) -> Window:
        """The window of the list that takes the event: its own, where every event makes a list."""
        if self.is_by_event:
            return Window(event.event_id, event.ends, event.ends, event.ends)
        return self.window_on(self.day_of(event))

    def day_of(self, event: Event) -> date:
        """The day that decides which list takes the event; of one taken late, the last of that window."""
        day: date = getattr(event, self.column)
        calendar = self.editions[-1].book.calendar
        if isinstance(calendar, ByEnd) and (name := event.more.get(calendar.late_column)):
            late = calendar.window_of_late(day, str(name))
            return day if late is None else late.closes
        return day

    def window_on(self, day: date) -> Window:
        """The window that the day lies in."""
        turn = next((t for t in self._turns if t.closes is None or day <= t.closes), self._turns[-1])
        return self._in_turn(turn, turn.calendar.window_on(day))

    def window_named(self, name: str) -> Window:
        """The window of the list of that name. Raises ValueError for a name that no list has."""
        for turn in reversed(self._turns):
            try:
                closes = turn.calendar.window_named(name).closes
            except ValueError:
                continue
            window = self.window_on(closes if turn.closes is None else min(closes, turn.closes))
            if window.name == name:
                return window
        raise ValueError(name)

    def after(self, window: Window) -> Window:
        """The window that follows."""
        return self.window_on(window.closes + DAY)

    def before(self, window: Window) -> Window:
        """The window that comes before."""
        return self.window_on(window.opens - DAY)

    def windows(self, first: Window, last: Window) -> Iterator[Window]:
        """The windows from one to another, both included; none where the last is before the first."""
        window = first
        while window.closes <= last.closes:
            yield window
            window = self.after(window)

    def in_force_on(self, day: date) -> Window:
        """The window of the list in force on that day: the last one published until then."""
        window = self.window_on(day)
        while window.published > day:
            window = self.before(window)
        while (following := self.after(window)).published <= day:
            window = following
        return window

    def edition_of(self, window: Window) -> EditionInForce | None:
        """The edition that makes the list; None before the first edition."""
        if self.is_by_event:
            begins = [(edition.start, edition) for edition in self.editions]
        else:
            begins = [(turn.first.closes, turn.edition) for turn in self._turns]
        return next((edition for day, edition in reversed(begins) if day <= window.closes), None)

    def known_until(self, window: Window) -> date | None:
        """The day before which inquiries must be made to change the list; None: there is no such rule."""
        edition = self.edition_of(window) or self.editions[0]
        days = edition.book.calendar.correction_days
        return None if days is None else window.published + timedelta(days=days)

    def _in_turn(self, turn: Turn, window: Window) -> Window:
        """The window as the turn has it: its first begins where the last one of the turn before ended."""
        if turn is self._turns[0] or window.closes > turn.first.closes:
            return window
        return turn.first


def _turns(editions: tuple[EditionInForce, ...]) -> Iterator[Turn]:
    """The editions' turns in order; an edition that makes no list of its own is left out."""
    firsts = [_first(edition) for edition in editions]
    closed: date | None = None
    for place, (edition, first) in enumerate(zip(editions, firsts, strict=True)):
        taken_over = min((later.published for later in firsts[place + 1 :]), default=None)
        closes = None if taken_over is None else _last_before(_calendar(edition), taken_over)
        if closes is None or closes >= first.closes:
            opens = first.opens if closed is None else closed + DAY
            yield Turn(edition, _calendar(edition), first._replace(opens=opens), closes)
            closed = closes


def _calendar(edition: EditionInForce) -> Calendar:
    calendar = edition.book.calendar
    if isinstance(calendar, EachEvent):
        raise TypeError(edition.book.name)
    return calendar


def _first(edition: EditionInForce) -> Window:
    """The first list whose window closes on the edition's first day or later."""
    return _calendar(edition).window_on(edition.start)


def _last_before(calendar: Calendar, published: date) -> date:
    """The day on which the last window closes of those whose list is published before that day."""
    window = calendar.window_on(published)
    while window.published >= published:
        window = calendar.window_on(window.opens - DAY)
    while (following := calendar.window_on(window.closes + DAY)).published < published:
        window = following
    return window.closes
