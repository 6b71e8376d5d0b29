"""The demo's present: the year of an example goes on until today, and the report that a visitor sends in.

The example's own days stay as they are, for the editions of its rules have fixed days. Its last year is
played again, year for year, until the last list but one that could be published today. The last of these
takes the report, which came by mail in time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from itertools import count, takewhile
from typing import Any, NamedTuple

from banzuke.core.calendar import DAY, Window
from banzuke.core.facts import ANNUAL, Club, Event, Game, Membership
from banzuke.ledger.folder import ChessLedger

WEEK = timedelta(days=7)
#: How the report's first day and its last are written in its file.
_FIRST, _LAST = date(2025, 4, 26), date(2025, 4, 27)
#: What the event is called in the file, and in any season.
_NAME, NAME = "Hinoki Spring Match", "Hinoki Match"
FILE = "hinoki-match.trf"
#: Days from the application for the event to its first day, and from its last day to its report.
APPLIED, REPORTED = timedelta(days=25), DAY
SUNDAY = 6
#: The columns of an event that are days.
DAYS = ("starts", "ends", "reported", "applied", "notified", "paid")


class DemoPresent(NamedTuple):
    """What fits today: the ledger so far, the last list published, and the next list's window."""

    ledger: ChessLedger
    published: Window
    coming: Window


class ExampleReport(NamedTuple):
    """The report that a visitor sends in: its days, and the mail it comes by."""

    starts: date
    ends: date
    reported: date
    mail: bytes


def present_demo(ledger: ChessLedger, today: date) -> DemoPresent:
    """The ledger with its year played again until the list before the one that is due."""
    schedule = ledger.pool.schedule
    coming = schedule.before(schedule.window_on(today))
    published = schedule.before(coming)
    until = max(published.closes, ledger.events[-1].reported)
    events = list(_events_again(ledger.events, until))
    told = ledger.events[-1].ends
    more = replace(
        ledger,
        clubs=[*ledger.clubs, *_clubs_again(ledger.clubs, told, today)],
        memberships=[
            *ledger.memberships,
            *_memberships_again(ledger.memberships, told, today),
            *(_for_event(one, event) for one, event in _guests(ledger.memberships, events)),
        ],
        events=[*ledger.events, *(event for _, event in events)],
        games=ledger.games | {event.event_id: _games_again(ledger, first, event) for first, event in events},
    )
    return DemoPresent(more, published, coming)


def in_year(day: date, years: int) -> date:
    """The same day so many years later; 1 March for a 29 February that is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return date(day.year + years, 3, 1)


def _weeks_later(day: date, years: int) -> timedelta:
    """So many years, as whole weeks: what was played at a weekend is played at one again."""
    return ((in_year(day, years) - day).days + 3) // 7 * WEEK


def _events_again(events: Iterable[Event], until: date) -> Iterator[tuple[Event, Event]]:
    """Each event with itself in a later year, as far as it was reported by then."""
    for event in events:
        later = (_event_again(event, years) for years in count(1))
        yield from ((event, one) for one in takewhile(lambda one: one.reported <= until, later))


def _event_again(event: Event, years: int) -> Event:
    by = _weeks_later(event.starts, years)
    moved: dict[str, Any] = {name: day and day + by for name in DAYS for day in [getattr(event, name)]}
    old, new = str(event.starts.year), str(event.starts.year + years)
    name, event_id = event.name.replace(old, new), event.event_id.replace(old, new)
    return replace(event, event_id=event_id, name=name, **moved)


def _games_again(ledger: ChessLedger, first: Event, again: Event) -> list[Game]:
    """An event's games as they stand, of its later year."""
    by = again.starts - first.starts
    return [
        game._replace(event_id=again.event_id, played=game.played and game.played + by, added=None)
        for game in ledger.games[first.event_id]
        if game.struck is None
    ]


def _clubs_again(clubs: Iterable[Club], told: date, today: date) -> Iterator[Club]:
    """The clubs that were registered in the end, registered further year by year."""
    for club in clubs:
        yield from (club._replace(valid_from=a, valid_to=b) for a, b in _spans(club, told, today))


def _memberships_again(memberships: Iterable[Membership], told: date, today: date) -> Iterator[Membership]:
    """The annual memberships that held in the end, renewed year by year."""
    for one in memberships:
        if one.kind == ANNUAL and one.struck is None:
            yield from (one._replace(valid_from=a, valid_to=b) for a, b in _spans(one, told, today))


def _spans(row: Club | Membership, told: date, today: date) -> Iterator[tuple[date, date]]:
    """The years after a span that held in the end, until one holds today."""
    following = row.valid_to + DAY
    if row.valid_from <= told < following:
        for years in count(0):
            begins, ends = in_year(following, years), in_year(following, years + 1) - DAY
            if begins > today:
                return
            yield begins, ends


def _guests(
    memberships: Iterable[Membership], events: Iterable[tuple[Event, Event]]
) -> Iterator[tuple[Membership, Event]]:
    """The memberships for one event, with that event in a later year."""
    later = list(events)
    for one in memberships:
        if one.kind != ANNUAL:
            yield from ((one, event) for first, event in later if first.event_id == one.event_id)


def _for_event(one: Membership, event: Event) -> Membership:
    return one._replace(valid_from=event.starts, valid_to=event.ends, event_id=event.event_id)


def example_report(trf: str, coming: Window) -> ExampleReport:
    """The report of the last weekend that a mail could tell of before the window closed."""
    last = coming.closes - REPORTED
    ends = last - timedelta(days=(last.weekday() - SUNDAY) % 7)
    starts, reported = ends - (_LAST - _FIRST), ends + REPORTED
    trf = trf.replace(_NAME, NAME)
    for old, new in ((_FIRST, starts), (_LAST, ends)):
        for form in ("%Y/%m/%d", "%y/%m/%d"):
            trf = trf.replace(f"{old:{form}}", f"{new:{form}}")
    return ExampleReport(starts, ends, reported, _mail(trf, reported))


def _mail(trf: str, day: date) -> bytes:
    """The organiser's mail with the report; at noon it is the same day in every office."""
    mail = EmailMessage()
    mail["From"] = "INOUE Akira <inoue@example.com>"
    mail["To"] = "office@example.com"
    mail["Subject"] = NAME
    mail["Date"] = datetime.combine(day, time(12), UTC)
    mail.set_content("Our report is attached.\n")
    mail.add_attachment(trf.encode(), maintype="text", subtype="plain", filename=FILE)
    return mail.as_bytes()
