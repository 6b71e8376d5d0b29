"""What each club owes for the events of a window (NCS 3(4))."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core import facts
from banzuke.core.facts import EXCLUDE, INCLUDE, WAIVE_FEE
from banzuke.core.month import parse_month
from banzuke.core.rulebook import Charge, Family
from banzuke.database.book_reader import rules_of
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists.list_window import closes, opens
from banzuke.office.register import clubs
from banzuke.rulebooks.jcf import fees as ncs_fees
from banzuke.rulebooks.jcf import ncs_2022
from banzuke.rulebooks.jcf.monthly import Admission

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date

    from banzuke.database import models
    from banzuke.ledger.pool_rules import Pool as Rules

#: Why nothing is owed for an event: ruled out, makes no list, nothing played or all too late, waived.
EXCLUDED, NO_LIST, NOTHING, WAIVED = "excluded", "no-list", "nothing", "waived"


class Window(NamedTuple):
    """A window of the rules that know fees: the list it makes, its days, the day its list is published."""

    name: str
    opens: date
    closes: date
    published: date
    settings: ncs_2022.Settings

    @property
    def pay_by(self) -> date:
        """NCS 3(4), 3(5): the last day on which a payment is in time."""
        return self.published - timedelta(days=1)


class OwedEvent(NamedTuple):
    """An event: its participants, for how many of them yen are owed, or why nothing is (`free`)."""

    row: models.Event
    participants: int
    charged: int
    yen: int
    free: str
    is_unpaid: bool


class Owed(NamedTuple):
    """What a club (an organiser as the reports name it) owes for a window."""

    club_id: str
    club: str
    events: list[OwedEvent]

    @property
    def yen(self) -> int:
        """The sum over the events."""
        return sum(event.yen for event in self.events)

    @property
    def is_unpaid(self) -> bool:
        """Whether one of its events would be left out for want of the fee."""
        return any(event.is_unpaid for event in self.events)


def windows(pool: models.Pool, today: date) -> list[str]:
    """The windows of the rules that know fees, from the first event's to the one open today, newest first."""
    rules = rules_of(pool)
    first = standing_rows(pool, facts.Event).order_by("reported").first()
    if not any(edition.book.module is ncs_2022 for edition in rules.editions):
        return []
    last = ncs_2022.list_of(today)
    of = min(ncs_2022.list_of(first.reported), last) if first else last
    names = []
    while of <= last:
        if _find(rules, str(of)) is not None:
            names.append(str(of))
        of = of.plus(1)
    return names[::-1]


def window(pool: models.Pool, name: str) -> Window | None:
    """The window of a list; None where its rules know no fees. Raises ValueError for no list's name."""
    return _find(rules_of(pool), name)


def _find(rules: Rules, name: str) -> Window | None:
    month = parse_month(name)
    last_day = closes(month, Family.MONTH)
    edition = rules.find_edition(last_day)
    if edition is None or edition.book.module is not ncs_2022:
        return None
    return Window(name, opens(month, Family.MONTH), last_day, month.first_day, edition.settings)


def owed(pool: models.Pool, of: Window, of_clubs: Collection[str] | None = None) -> list[Owed]:
    """By club what is owed for a window's events, clubs in order of their names; `of_clubs`: only theirs."""
    rows = standing_rows(pool, facts.Event).filter(reported__range=(of.opens, of.closes))
    if of_clubs is not None:
        rows = rows.filter(organiser__in=of_clubs)
    by_club: dict[str, list[OwedEvent]] = defaultdict(list)
    for event in _events(pool, of, list(rows.order_by("starts", "event_id"))):
        by_club[event.row.organiser].append(event)
    names = clubs.names(pool)
    found = [Owed(club_id, names.get(club_id, club_id), events) for club_id, events in by_club.items()]
    return sorted(found, key=lambda club: (club.club, club.club_id))


def _events(pool: models.Pool, of: Window, rows: list[models.Event]) -> list[OwedEvent]:
    """The events with what is owed for them; those for which nothing is owed take no part in the charges."""
    games = _games(pool, [row.event_id for row in rows])
    records = {row.pk: record_of(row, facts.Event) for row in rows}
    came = {row.pk: _came(records[row.pk], games[row.event_id], of) for row in rows}
    free = {row.pk: _free(records[row.pk], came[row.pk], of) for row in rows}
    charged = {
        charge.event.event_id: charge
        for charge in ncs_fees.charges((records[row.pk], came[row.pk]) for row in rows if not free[row.pk])
    }
    return [_owed_event(row, records[row.pk], came[row.pk], free[row.pk], charged, of) for row in rows]


def _owed_event(
    row: models.Event,
    event: facts.Event,
    came: set[str],
    free: str,
    charged: dict[str, Charge],
    of: Window,
) -> OwedEvent:
    charge = charged.get(event.event_id, Charge(event, 0))
    is_unpaid = not free and ncs_2022.is_unpaid(event, of.published, of.settings)
    return OwedEvent(row, len(came), charge.players, charge.players * ncs_2022.FEE_YEN, free, is_unpaid)


def _games(pool: models.Pool, events: Iterable[str]) -> dict[str, list[facts.Game]]:
    found: dict[str, list[facts.Game]] = defaultdict(list)
    for row in standing_rows(pool, facts.Game).filter(event_id__in=list(events)):
        found[row.event_id].append(record_of(row, facts.Game))
    return found


def _came(event: facts.Event, games: list[facts.Game], of: Window) -> set[str]:
    """For whom the fee would be owed, whatever was ruled of the event's fee."""
    admission: Any = Admission(
        excluded=event.ruling == EXCLUDE,
        speed=ncs_2022.speed_of(event, of.settings),
        oldest=ncs_2022.oldest_day(event),
        unpaid=False,
    )
    return ncs_fees.participants(games, event.starts, admission)


def _free(event: facts.Event, came: set[str], of: Window) -> str:
    """Why nothing is owed for the event; blank: the fee is."""
    if event.ruling == EXCLUDE:
        return EXCLUDED
    if not ncs_2022.speed_of(event, of.settings):
        return NO_LIST
    if event.ruling in (WAIVE_FEE, INCLUDE):
        return WAIVED
    return "" if came else NOTHING
