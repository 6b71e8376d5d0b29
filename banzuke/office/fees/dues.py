"""What each club owes for the events of a window, where the rule book asks a fee."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date
from typing import Any, NamedTuple

from banzuke.core import facts
from banzuke.core.calendar import DAY, Window
from banzuke.core.facts import EXCLUDE, INCLUDE, WAIVE_FEE
from banzuke.core.rulebook import ChessBook, Fees
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.ledger.list_schedule import Schedule
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.register import clubs

#: Why nothing is owed for an event: ruled out, makes no list, nothing played or all too late, waived.
EXCLUDED, NO_LIST, NOTHING, WAIVED = "excluded", "no-list", "nothing", "waived"


class FeeWindow(NamedTuple):
    """A window of rules that ask a fee: its list, its days, the day its list is published, and the rules."""

    name: str
    opens: date
    closes: date
    published: date
    column: str
    fees: Fees
    settings: Any

    @property
    def pay_by(self) -> date:
        """The last day on which a payment is in time."""
        return self.published - DAY


class EventFee(NamedTuple):
    """An event: its participants, for how many of them yen are owed, or why nothing is (`free`)."""

    row: models.Event
    participants: int
    charged: int
    yen: int
    free: str
    is_unpaid: bool


class ClubDues(NamedTuple):
    """What a club (an organiser as the reports name it) owes for a window."""

    club_id: str
    club: str
    events: list[EventFee]

    @property
    def yen(self) -> int:
        """The sum over the events."""
        return sum(event.yen for event in self.events)

    @property
    def is_unpaid(self) -> bool:
        """Whether one of its events would be left out for want of the fee."""
        return any(event.is_unpaid for event in self.events)


def window_names(pool: models.Pool, today: date) -> list[str]:
    """The windows of rules that ask a fee, from the first event's to the one open today, newest first."""
    schedule = rules_of(pool).schedule
    if not any(isinstance(e.book, ChessBook) and e.book.fees for e in schedule.editions):
        return []
    first = standing_rows(pool, facts.Event).order_by(schedule.column).first()
    last = schedule.window_on(today)
    since = min(getattr(first, schedule.column), today) if first else today
    windows = schedule.windows(schedule.window_on(since), last)
    return [window.name for window in windows if _of_schedule(schedule, window)][::-1]


def find_window(pool: models.Pool, name: str) -> FeeWindow | None:
    """The window of a list; None where its rules ask no fee. Raises ValueError for no list's name."""
    schedule = rules_of(pool).schedule
    return None if schedule.is_by_event else _of_schedule(schedule, schedule.window_named(name))


def window_of(pool: models.Pool, event: models.Event) -> FeeWindow | None:
    """The window of an event's list; None where its rules ask no fee."""
    schedule = rules_of(pool).schedule
    window = schedule.window_of(record_of(event, facts.Event))
    return None if schedule.is_by_event else _of_schedule(schedule, window)


def _of_schedule(schedule: Schedule, window: Window) -> FeeWindow | None:
    edition = schedule.edition_of(window)
    if edition is None or not isinstance(edition.book, ChessBook) or edition.book.fees is None:
        return None
    return FeeWindow(*window, schedule.column, edition.book.fees, edition.settings)


def club_dues(
    pool: models.Pool, window: FeeWindow, club_ids: Collection[str] | None = None
) -> list[ClubDues]:
    """By club what is owed for a window's events, clubs in order of their names; `club_ids`: only theirs."""
    rows = standing_rows(pool, facts.Event).filter(
        **{f"{window.column}__range": (window.opens, window.closes)}
    )
    if club_ids is not None:
        rows = rows.filter(organiser__in=club_ids)
    by_club: dict[str, list[EventFee]] = defaultdict(list)
    for event in _events(pool, window, list(rows.order_by("starts", "event_id"))):
        by_club[event.row.organiser].append(event)
    names = clubs.names(pool)
    found = [ClubDues(club_id, names.get(club_id, club_id), events) for club_id, events in by_club.items()]
    return sorted(found, key=lambda club: (club.club, club.club_id))


def _events(pool: models.Pool, window: FeeWindow, rows: list[models.Event]) -> list[EventFee]:
    """The events with what is owed for them; those for which nothing is owed take no part in the charges."""
    fees, settings = window.fees, window.settings
    games: dict[str, list[facts.Game]] = defaultdict(list)
    for row in standing_rows(pool, facts.Game).filter(event_id__in=[row.event_id for row in rows]):
        games[row.event_id].append(record_of(row, facts.Game))
    events: list[facts.Event] = [record_of(row, facts.Event) for row in rows]
    came = [fees.participants(event, games[event.event_id], settings) for event in events]
    free = [_free(event, players, window) for event, players in zip(events, came, strict=True)]
    owing = [(event, players) for event, players, why in zip(events, came, free, strict=True) if not why]
    charged = {charge.event.event_id: charge.players for charge in fees.charges(owing)}
    found = []
    for row, event, players, why in zip(rows, events, came, free, strict=True):
        count = charged.get(event.event_id, 0)
        is_unpaid = not why and fees.is_unpaid(event, window.published, settings)
        found.append(EventFee(row, len(players), count, count * fees.amount, why, is_unpaid))
    return found


def _free(event: facts.Event, came: set[str], window: FeeWindow) -> str:
    """Why nothing is owed for the event; blank: the fee is."""
    if event.ruling == EXCLUDE:
        return EXCLUDED
    if not window.fees.makes_list(event, window.settings):
        return NO_LIST
    if event.ruling in (WAIVE_FEE, INCLUDE):
        return WAIVED
    return "" if came else NOTHING
