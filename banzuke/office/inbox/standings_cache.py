"""What follows the last published list, rated from the standings that it left.

A preview need not rate a whole history again to show the coming list. In a pool with windows, each list of
which is rated on the one before, the standings after the last published list are kept from the first preview
on, with the entry of the book as of which they were made. They are used only while nothing that was entered
since, nor the report, can change a list up to that one; else the whole book is rated.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.calendar import DAY
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.database.book_reader import read_some
from banzuke.engine.history import history_after
from banzuke.ledger.records import by_event
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox.list_placement import COMING
from banzuke.office.inbox.review import register_of
from banzuke.office.lists.list_index import latest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

    from banzuke.core.rating import Standings
    from banzuke.engine.history import RatedList
    from banzuke.ledger.folder import ChessLedger
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.inbox.review_findings import Review

#: The standings of so many pools are kept in memory, and of none with more players.
MOST_POOLS, MOST_PLAYERS = 4, 200_000


class CachedStandings(NamedTuple):
    """The standings after a published list and the last day of its window.

    They were made from the book as of an entry (its number and its time).
    """

    list: str
    closes: date
    entry: int
    at: datetime
    standings: Standings


_kept: dict[int, CachedStandings] = {}


def store_standings(pool: models.Pool, examined: Review, rated: RatedList) -> None:
    """Keep the standings after a list that was rated with a report, if it is the last published one."""
    last = latest(pool)
    standings = rated.outcome.standings
    if last is None or last.name != rated.batch.name or not _is_later(examined, rated.batch.closes):
        return
    if sum(map(len, standings.ratings.values())) <= MOST_PLAYERS:
        while len(_kept) >= MOST_POOLS:
            _kept.pop(next(iter(_kept)), None)
        entry = models.Entry.objects.get(pk=examined.position)
        _kept[pool.pk] = CachedStandings(last.name, rated.batch.closes, entry.pk, entry.at, standings)


def find_standings(pool: models.Pool, examined: Review) -> CachedStandings | None:
    """The standings after the last published list, if what was entered since leaves them as they are."""
    found, last = _kept.get(pool.pk), latest(pool)
    if found is None or last is None or last.name != found.list:
        return None
    is_of_book = pool.entries.filter(pk=found.entry, at=found.at).exists()
    is_good = is_of_book and _is_later(examined, found.closes) and not _changes(pool, found, examined)
    return found if is_good else None


def _is_later(examined: Review, closes: date) -> bool:
    """Whether a report says nothing of the lists up to one that closed on that day."""
    events = all(each.placement is None or each.placement.kind == COMING for each in examined.events)
    joined = all(each.added is None and each.valid_from > closes for each in examined.memberships)
    return _follows_last(examined.rules) and events and joined


def _follows_last(rules: Rules) -> bool:
    """Whether every list is rated on nothing but the list before it and its own window."""
    books = (edition.book for edition in rules.editions)
    on_last = all(isinstance(book, ChessBook) and not book.rates_on_list_in_force for book in books)
    return on_last and not rules.schedule.is_by_event


def _changes(pool: models.Pool, since: CachedStandings, examined: Review) -> bool:
    """Whether anything entered since may change the list: struck, of its time, or known before."""
    new = {"pool": pool, "entry_id__gt": since.entry}
    events, column = models.Event.objects.filter(pool=pool), examined.rules.schedule.column
    later = events.filter(**{f"{column}__gt": since.closes})
    of_before = Q(**{f"{column}__lte": since.closes})
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
        events.filter(is_anew, of_before),
        events.filter(of_before, entry_id__gt=since.entry),
    )
    return any(rows.exists() for rows in changing)


def ledger_since(pool: models.Pool, position: int, since: CachedStandings) -> ChessLedger:
    """The pool's ledger as of an entry, of its events only those after the published list."""
    register = register_of(pool, position)
    is_later = Q(**{f"{register.pool.schedule.column}__gt": since.closes})
    later = models.Event.objects.filter(is_later, pool=pool).values("event_id")
    events = read_some(pool, TABLES[facts.Event], position, is_later)
    games = read_some(pool, TABLES[facts.Game], position, Q(event_id__in=later))
    return replace(register, events=events, games=by_event(games))


def history_since(ledger: ChessLedger, since: CachedStandings, wanted: Iterable[str]) -> Iterator[RatedList]:
    """The lists after the published one up to the last of those names."""
    schedule = ledger.pool.schedule
    last = max(map(schedule.window_named, wanted), key=lambda window: window.closes)
    windows = schedule.windows(schedule.window_on(since.closes + DAY), last)
    return history_after(ledger, [window.name for window in windows], since.standings, since.closes)
