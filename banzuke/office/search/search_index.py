"""Keeping what the search finds by: the forms and keys of names, pool by pool, in the order of entry.

The worker does it between its jobs, so many names at a time. What it has not come to is looked through name
by name (`find_unindexed`): the rows of the last entries, a bounded number.
"""

import logging
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from banzuke.database.models import Entry, Event, EventWord, FoundUpTo, GoPlayer, NearWord, Player, Pool
from banzuke.database.write_turns import short_turn
from banzuke.exchange.name_likeness import spelt_words, writing
from banzuke.exchange.near_words import BEGINNING, keys
from banzuke.office import player_search
from banzuke.office.raw_sql import insert_new
from banzuke.office.search.event_words import forms_of_event

log = logging.getLogger(__name__)
#: So many rows are indexed at a time: others who write wait for no more.
AT_ONCE = 200
#: Entries that bring no name are noted once in so many: a Go server has hundreds in a second.
SELDOM = 1_000
#: Of what is not indexed yet so many entries, and so many rows of them, are looked through, the last first.
LAST_ENTRIES, LAST_ROWS = 50, 200
_PLAYER, _EVENT = NearWord.Kind.PLAYER, NearWord.Kind.EVENT


class Named(NamedTuple):
    """A player: the id, and both names."""

    player_id: str
    name: str
    name_native: str


class Unindexed(NamedTuple):
    """The players and events that the last entries brought and the index has not.

    `is_behind`: there may be more than were read, as after a large ledger came in.
    """

    players: list[Named]
    events: list[Event]
    is_behind: bool = False


def index_some() -> int:
    """Index names of a pool that has some which are not; how many there were, 0 where none had."""
    for pool in _pools_behind():
        count = index_pool(pool, AT_ONCE)
        if count:
            return count
    return 0


def _pools_behind() -> list[Pool]:
    """The pools with entries that the index has not come to."""
    last = Entry.objects.filter(pool=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    done = FoundUpTo.objects.filter(pool=OuterRef("pk")).values("entry")
    pools = Pool.objects.annotate(last=Subquery(last), done=Coalesce(Subquery(done), 0))
    return [pool for pool in pools.order_by("pk") if (pool.last or 0) > pool.done]


def index_pool(pool: Pool, most: int) -> int:
    """Index so many names of the pool that are not yet, those that came first; how many there were."""
    with short_turn(), transaction.atomic():
        upto = FoundUpTo.objects.get_or_create(pool=pool)[0]
        last = Entry.objects.filter(pool=pool).aggregate(last=Max("pk"))["last"] or 0
        players = _rows_after(pool, upto.player, most)
        events = list(Event.objects.filter(pool=pool, pk__gt=upto.event).order_by("pk")[:most])
        is_new = players or events or _brought_names(pool, upto.entry)
        if not is_new and last - upto.entry < SELDOM:
            return 0
        _index_players(pool, players)
        _index_events(pool, events)
        upto.player = players[-1].pk if players else upto.player
        upto.event = events[-1].pk if events else upto.event
        upto.entry = last if max(len(players), len(events)) < most else upto.entry
        upto.save()
    if len(players) == most:
        log.info("%s: names are made findable, up to row %d of members", pool.slug, upto.player)
    return len(players) + len(events)


def _brought_names(pool: Pool, entry: int) -> bool:
    """Whether an entry after that one brought somebody, or an event."""
    tables: tuple[Any, ...] = (Player, GoPlayer, Event)
    return any(QuerySet(table).filter(pool=pool, entry__gt=entry).exists() for table in tables)


def _rows_after(pool: Pool, number: int, most: int) -> list[Any]:
    members: list[Any] = list(player_search.own_rows(pool).filter(pk__gt=number).order_by("pk")[:most])
    return members or list(GoPlayer.objects.filter(pool=pool, pk__gt=number).order_by("pk")[:most])


def _index_players(pool: Pool, rows: Iterable[Any]) -> None:
    named = [(row.player_id, row.name, getattr(row, "name_native", "")) for row in rows]
    player_search.index_players(pool, named)
    names = (name for _, *both in named for name in both if writing(name) != "kanji")
    _add_words(pool, _PLAYER, {word for name in names for word in spelt_words(name)})


def _index_events(pool: Pool, rows: Iterable[Event]) -> None:
    rows = list(rows)
    forms = ((pool.pk, form.encode(), row.event_id) for row in rows for form in sorted(forms_of_event(row)))
    insert_new(EventWord, ("pool_id", "form", "event_id"), forms)
    names = (name for row in rows for name in (row.name, row.name_native) if name)
    _add_words(pool, _EVENT, {word for name in names for word in spelt_words(name) if _has_slips(word)})


def _has_slips(word: str) -> bool:
    """Whether people mistype it: a word of letters alone, without kanji or numbers."""
    return word.isalpha() and writing(word) != "kanji"


def _add_words(pool: Pool, kind: str, words: set[str]) -> None:
    """Keys for the words that have none."""
    known = NearWord.objects.filter(pool=pool, kind=kind, key__in={word[:BEGINNING] for word in words})
    new = words.difference(known.values_list("word", flat=True))
    rows = ((pool.pk, kind, key, word) for word in sorted(new) for key in sorted(keys(word)))
    insert_new(NearWord, ("pool_id", "kind", "key", "word"), rows)


def find_unindexed(pool: Pool) -> Unindexed:
    """What the last entries brought and the index has not."""
    upto = FoundUpTo.objects.filter(pool=pool).values_list("entry", flat=True).first() or 0
    after = Entry.objects.filter(pool=pool, pk__gt=upto).order_by("-pk")
    entries = list(after.values_list("pk", flat=True)[:LAST_ENTRIES])
    if not entries:
        return Unindexed([], [])
    members = _last_rows(Player, pool, entries) or _last_rows(GoPlayer, pool, entries)
    named = [Named(row.player_id, row.name, getattr(row, "name_native", "")) for row in members]
    return Unindexed(named, _last_rows(Event, pool, entries), is_behind=len(named) == LAST_ROWS)


def _last_rows(table: Any, pool: Pool, entries: list[int]) -> list[Any]:
    rows: QuerySet[Any] = QuerySet(table)
    return list(rows.filter(pool=pool, entry__in=entries).order_by("-pk")[:LAST_ROWS])
