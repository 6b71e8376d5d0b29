"""What follows the last published list, rated from the standings that it left.

A preview need not rate a whole history again to show the coming list. The standings after the last published
list are kept from the first preview on, for pools rated by months, with the entry of the book as of which
they were made. They are used only while nothing that was entered since, nor the report, can change a list up
to that one; else the whole book is rated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.month import parse_month
from banzuke.core.rulebook import Family
from banzuke.database import models
from banzuke.database.book_reader import read_some
from banzuke.engine.history import history_after
from banzuke.ledger.records import by_event
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.list_placement import COMING
from banzuke.office.inbox.review import register_of
from banzuke.office.lists.list_index import latest
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from banzuke.core.rating import Standings
    from banzuke.engine.history import RatedList
    from banzuke.ledger.folder import ChessLedger
    from banzuke.office.inbox.review_findings import Examined

#: The standings of so many pools are kept in memory, and of none with more players.
MOST_POOLS, MOST_PLAYERS = 4, 200_000


class Kept(NamedTuple):
    """The standings after a published list, made from the book as of an entry (its number and its time)."""

    list: str
    entry: int
    at: datetime
    standings: Standings

    @property
    def closes(self) -> date:
        """The last day of the list's window."""
        return ncs_2022.window_closes(parse_month(self.list))


_kept: dict[int, Kept] = {}


def keep(pool: models.Pool, examined: Examined, rated: RatedList) -> None:
    """Keep the standings after a list that was rated with a report, if it is the last published one."""
    last = latest(pool)
    standings = rated.outcome.standings
    if last is None or last.name != rated.batch.name or not _is_later(examined, rated.batch.closes):
        return
    if sum(map(len, standings.ratings.values())) <= MOST_PLAYERS:
        while len(_kept) >= MOST_POOLS:
            _kept.pop(next(iter(_kept)), None)
        entry = models.Entry.objects.get(pk=examined.position)
        _kept[pool.pk] = Kept(last.name, entry.pk, entry.at, standings)


def kept(pool: models.Pool, examined: Examined) -> Kept | None:
    """The standings after the last published list, if what was entered since leaves them as they are."""
    found, last = _kept.get(pool.pk), latest(pool)
    if found is None or last is None or last.name != found.list:
        return None
    is_of_book = pool.entries.filter(pk=found.entry, at=found.at).exists()
    is_good = is_of_book and _is_later(examined, found.closes) and not _changes(pool, found, examined)
    return found if is_good else None


def _is_later(examined: Examined, closes: date) -> bool:
    """Whether a report says nothing of the lists up to one that closed on that day."""
    events = all(each.placement is None or each.placement.kind == COMING for each in examined.events)
    joined = all(each.added is None and each.valid_from > closes for each in examined.memberships)
    return examined.family is Family.MONTH and events and joined


def _changes(pool: models.Pool, since: Kept, examined: Examined) -> bool:
    """Whether anything entered since may change the list: struck, of its time, or known before."""
    new = {"pool": pool, "entry_id__gt": since.entry}
    events = models.Event.objects.filter(pool=pool)
    later = events.filter(reported__gt=since.closes)
    ids = [each.event.event_id for each in examined.events if each.event]
    is_anew = Q(event_id__in=later.values("event_id")) | Q(event_id__in=ids)
    known = models.Player.objects.filter(pool=pool, entry_id__lte=since.entry).values("player_id")
    changing = (
        models.Strike.objects.filter(**new),
        models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=since.entry),
        models.Opening.objects.filter(**new),
        models.Player.objects.filter(**new, player_id__in=known),
        models.Membership.objects.filter(Q(added__isnull=False) | Q(valid_from__lte=since.closes), **new),
        models.Game.objects.filter(**new).exclude(event_id__in=later.values("event_id")),
        events.filter(is_anew, reported__lte=since.closes),
        events.filter(reported__lte=since.closes, entry_id__gt=since.entry),
    )
    return any(rows.exists() for rows in changing)


def ledger_since(pool: models.Pool, position: int, since: Kept) -> ChessLedger:
    """The pool's ledger as of an entry, of its events only those after the published list."""
    later = models.Event.objects.filter(pool=pool, reported__gt=since.closes).values("event_id")
    events = read_some(pool, TABLES[facts.Event], position, Q(reported__gt=since.closes))
    games = read_some(pool, TABLES[facts.Game], position, Q(event_id__in=later))
    return replace(register_of(pool, position), events=events, games=by_event(games))


def history_since(ledger: ChessLedger, since: Kept, last: str) -> Iterator[RatedList]:
    """The lists after the published one up to the one of that name."""
    names, month = [], parse_month(since.list).plus(1)
    while str(month) <= last:
        names.append(str(month))
        month = month.plus(1)
    return history_after(ledger, names, since.standings, since.closes)
