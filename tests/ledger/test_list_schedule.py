"""The lists of a pool under editions that close their windows on different days."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.calendar import DAY, ByEnd, ByReport, Window
from banzuke.core.registry import BOOKS
from banzuke.ledger.list_schedule import Schedule
from banzuke.ledger.pool_rules import EditionInForce


@dataclass(frozen=True)
class Sundays:
    """A list every Sunday of what was reported in the week before."""

    column: str = "reported"
    correction_days: int | None = None

    def window_on(self, day: date) -> Window:
        published = day + timedelta(days=(6 - day.weekday()) or 7)
        return Window(published.isoformat(), published - timedelta(days=7), published - DAY, published)

    def window_named(self, name: str) -> Window:
        published = date.fromisoformat(name)
        if published.weekday() != 6:
            raise ValueError(name)
        return self.window_on(published - DAY)


def schedule(*editions):
    book = BOOKS["jcf-2024"]
    return Schedule(
        tuple(
            EditionInForce(replace(book, calendar=calendar), start, None, "", None)
            for calendar, start in editions
        )
    )


TWENTIETH, FIFTEENTH = ByReport(20, 90), ByReport(15, 90)


class TestAnEarlierClosing:
    """The window closes on the 20th, from 1 April on the 15th."""

    both = schedule((TWENTIETH, date(2024, 10, 1)), (FIFTEENTH, date(2026, 4, 1)))

    @pytest.mark.parametrize(
        ("day", "name", "opens", "closes"),
        [
            (date(2026, 3, 20), "2026-04", date(2026, 2, 21), date(2026, 3, 20)),
            (date(2026, 3, 21), "2026-05", date(2026, 3, 21), date(2026, 4, 15)),
            (date(2026, 4, 15), "2026-05", date(2026, 3, 21), date(2026, 4, 15)),
            (date(2026, 4, 16), "2026-06", date(2026, 4, 16), date(2026, 5, 15)),
        ],
    )
    def test_windows(self, day, name, opens, closes):
        window = self.both.window_on(day)
        assert window[:3] == (name, opens, closes)
        assert self.both.window_named(name) == window

    def test_the_edition_that_makes_a_list(self):
        names = [
            self.both.edition_of(self.both.window_named(name)).book.calendar.closes
            for name in ("2026-04", "2026-05")
        ]
        assert names == [20, 15]

    def test_before_the_first_edition_nobody_makes_a_list(self):
        assert self.both.edition_of(self.both.window_named("2024-10")) is None
        assert self.both.edition_of(self.both.window_named("2024-11")) is not None


def test_from_a_day_between_the_two_closings_on_no_list_is_left_out():
    both = schedule((TWENTIETH, date(2024, 10, 1)), (FIFTEENTH, date(2026, 4, 16)))
    assert both.window_named("2026-05").closes == date(2026, 4, 20)
    assert both.after(both.window_named("2026-05"))[:3] == ("2026-06", date(2026, 4, 21), date(2026, 5, 15))


def test_from_months_to_weeks():
    both = schedule((TWENTIETH, date(2024, 10, 1)), (Sundays(), date(2026, 4, 1)))
    first = both.window_named("2026-04-05")
    assert first.opens == date(2026, 3, 21)
    assert both.before(first).name == "2026-04"
    with pytest.raises(ValueError, match="2026-05"):
        both.window_named("2026-05")


def test_the_list_in_force():
    one = schedule((ByEnd(3), date(2024, 3, 1)))
    assert one.in_force_on(date(2025, 10, 31)).name == "2025-10"
    assert one.in_force_on(date(2025, 11, 1)).name == "2025-11"


@given(
    starts=st.lists(st.dates(date(2020, 1, 1), date(2026, 1, 1)), min_size=1, max_size=4, unique=True),
    calendars=st.lists(
        st.sampled_from([TWENTIETH, FIFTEENTH, ByReport(28, None), Sundays()]), min_size=4, max_size=4
    ),
    day=st.dates(date(2019, 6, 1), date(2027, 1, 1)),
)
def test_every_day_has_one_window_and_the_windows_follow_each_other(starts, calendars, day):
    one = schedule(*zip(calendars, sorted(starts), strict=False))
    window = one.window_on(day)
    assert window.opens <= day <= window.closes < window.published
    assert one.after(window).opens == window.closes + DAY
    assert one.before(one.after(window)) == window
    assert one.window_named(window.name) == window
    assert one.after(window).published > window.published
