"""The demo's present: whatever day it is, the example's report fits the list that is due."""

from __future__ import annotations

import email
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest

from banzuke.core.calendar import DAY
from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.server import demo_office
from banzuke.server.demo_present import APPLIED, DemoPresent, example_report, in_year, present_demo

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TRF = (EXAMPLES / demo_office.REPORT).read_text("utf-8")
PLAYERS = ("J001", "J003", "J006", "J008")
#: Days of every kind: each seventh of four years, and those around the ends of months, years and windows.
ENDS = [date(year, month, day) for year in (2027, 2028) for month in (1, 2, 3, 12) for day in (1, 20, 21, 28)]
TODAYS = [
    *(date(2025, 6, 21) + timedelta(days=7 * n) for n in range(190)),
    *ENDS,
    *(day - DAY for day in ENDS),
    date(2028, 2, 29),
]


@cache
def history() -> ChessLedger:
    return read_ledger(EXAMPLES / demo_office.CURRENT)


@cache
def present(today: date) -> DemoPresent:
    """The present of a ledger of the same events with fewer games."""
    games = {event: games[:2] for event, games in history().games.items()}
    return present_demo(replace(history(), games=games), today)


def holds(rows, day):
    return [row for row in rows if row.valid_from <= day <= row.valid_to]


def test_a_29_february_goes_on():
    assert (in_year(date(2024, 2, 29), 1), in_year(date(2024, 2, 29), 4)) == (
        date(2025, 3, 1),
        date(2028, 2, 29),
    )


@pytest.mark.slow
def test_the_list_that_is_due_takes_the_report_whatever_day_it_is():
    schedule = history().pool.schedule
    for today in TODAYS:
        found = present(today)
        assert found.coming.closes < today <= schedule.after(found.coming).closes
        assert found.published == schedule.before(found.coming)
        report = example_report(TRF, found.coming)
        assert found.coming.opens <= report.starts <= report.ends < report.reported <= found.coming.closes
        assert [report.starts.weekday(), report.ends.weekday()] == [5, 6]
        assert found.coming.closes - report.reported < timedelta(days=7)


@pytest.mark.slow
def test_clubs_and_members_are_registered_once_at_every_event_and_today():
    for today in TODAYS:
        found = present(today)
        report = example_report(TRF, found.coming)
        days = (report.starts - APPLIED, report.starts, report.ends, today)
        for day in days:
            assert [club.club_id for club in holds(found.ledger.clubs, day) if club.club_id == "C01"] == [
                "C01"
            ]
            annual = [row.player_id for row in holds(found.ledger.memberships, day) if row.kind == "annual"]
            assert len(annual) == len(set(annual))
            assert set(PLAYERS) <= set(annual)


def test_the_history_stays_and_the_year_goes_on_at_weekdays_it_was_played_on():
    first = history()
    for today in TODAYS[::5]:
        found = present(today)
        events = {event.event_id: event for event in found.ledger.events}
        assert found.ledger.events[: len(first.events)] == first.events
        assert len(events) == len(found.ledger.events)
        again = found.ledger.events[len(first.events) :]
        assert all(event.reported <= found.published.closes for event in again)
        assert {event.starts.weekday() for event in again} <= {
            event.starts.weekday() for event in first.events
        }
        for event in again:
            played = {game.played for game in found.ledger.games[event.event_id]} - {None}
            assert min(played) >= event.starts
            assert max(played) <= event.ends
        assert today - max(event.ends for event in again) < timedelta(days=100)


def test_the_report_is_read_as_of_its_weekend():
    found = present(date(2028, 3, 1))
    report = example_report(TRF, found.coming)
    assert (found.coming.name, report.starts, report.reported) == (
        "2028-03",
        date(2028, 2, 12),
        date(2028, 2, 14),
    )
    [attached] = email.message_from_bytes(report.mail).get_payload()[1:]
    assert "2025" not in attached.get_payload(decode=True).decode()
