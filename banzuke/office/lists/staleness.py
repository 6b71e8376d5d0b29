"""Whether a list that was made from a book still is what the book gives, though the book has gone on.

In a pool of chess whatever was entered may matter. A Go server's book grows with every game: there only that
matters which changes the rankings concerned, and who has only come is on none of them.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Max, QuerySet

from banzuke.database import models
from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.models import Entry, Pool
from banzuke.engine.go_windows import last_moment
from banzuke.ledger.list_schedule import Schedule
from banzuke.office.live.live_codec import NEVER, micros
from banzuke.office.live.next_standings import CHANGED
from banzuke.office.raw_sql import is_postgresql
from banzuke.office.refusals import MovedOnError, OutdatedError

#: By it the locks of publications differ from others.
PUBLICATIONS = 0x62616E7A
#: How many rows are fetched at once.
CHUNK = 2_000
#: From this attempt on, what comes while lists are made counts no more, but an erasure.
ATTEMPTS = 3


class ListBasis(NamedTuple):
    """What lists are made from: a pool's book up to an entry, and its lists up to a number.

    To publish opens no entry: by the book alone it would not be seen. `name` is the last list that is made
    (None: the last that is published). Where it `is_fixed`, what comes into the book later is in none of the
    lists, as what comes a moment after they are published. But it does not hold once somebody is erased, whom
    they would name, or rules or adjustments come, which the log would tell before the lists.
    """

    pool: Pool
    entry: int
    number: int
    name: str | None = None
    is_fixed: bool = False

    def has_same_lists(self) -> bool:
        """Whether nothing was published since; publications must be locked."""
        return last_list_number(self.pool) == self.number

    def has_same_book(self) -> bool:
        """Whether the lists still are what the book gives."""
        if self.is_fixed:
            return next(_never_left_out(self.pool, self.entry), None) is None
        return find_entry_since(self.pool, self.entry, self.name) is None


def current_basis(pool: Pool, name: str | None = None, *, is_fixed: bool = False) -> ListBasis:
    """What lists would be made from now."""
    return ListBasis(pool, last_entry(pool), last_list_number(pool), name, is_fixed)


def find_entry_since(pool: Pool, position: int, name: str | None = None) -> Entry | None:
    """The last entry after a position that could change a list up to the named one; None: there is none.

    Without a name the lists are those that are published.
    """
    last = pool.entries.latest("pk")
    if last.pk == position:
        return None
    rules = rules_of(pool, last.pk)
    if not rules.is_go:
        return last
    found = max(_bearing(pool, position, _until(pool, rules.schedule, name)), default=None)
    return None if found is None else pool.entries.get(pk=found)


def refuse_stale(pool: Pool, position: int, name: str) -> None:
    """Raises MovedOnError where the book has moved on from a position, as far as the named list goes."""
    entry = find_entry_since(pool, position, name)
    if entry is not None:
        raise refusal_of_entry(entry)


def refuse_outdated_book(pool: Pool, position: int | None) -> None:
    """Raises OutdatedError where published lists may differ from what a position gave (None: no matter)."""
    if position is not None and find_entry_since(pool, position) is not None:
        raise OutdatedError


def lock_book(pool: Pool) -> None:
    """Lock the pool until the transaction ends: what is entered waits."""
    models.Pool.objects.select_for_update().get(pk=pool.pk)


def lock_if_current(pool: Pool, position: int) -> bool:
    """Lock the pool until the transaction ends, and say whether its book has not moved on."""
    lock_book(pool)
    return find_entry_since(pool, position) is None


def last_list_number(pool: Pool) -> int:
    """The number of the pool's last published list or revision; 0 before the first."""
    found = models.RatingList.objects.filter(pool=pool).aggregate(Max("number"))["number__max"]
    return found or 0


def lock_publications(pool: Pool) -> None:
    """Wait until nobody else publishes in the pool; who enters something does not wait.

    Whoever locks the pool, too, does it afterwards.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [PUBLICATIONS, pool.pk])


def refusal_of_entry(entry: Entry) -> MovedOnError:
    """The refusal for a book that an entry has moved on."""
    return MovedOnError(entry=entry.pk, act=entry.act, author=entry.author)


def _until(pool: Pool, schedule: Schedule, name: str | None) -> int:
    """The last moment of the last ranking concerned, in microseconds."""
    days = list(pool.lists.values_list("closes", flat=True))
    try:
        days += [] if name is None else [schedule.window_named(name).closes]
        return micros(last_moment(max(days))) if days else NEVER
    except (ValueError, OverflowError):  # a name that no ranking has: what makes the list says so
        return NEVER


def _bearing(pool: Pool, position: int, until: int) -> Iterator[int]:
    """The entries after a position that bring what changes rankings up to a moment."""
    since: dict[str, Any] = {"pool": pool, "entry_id__gt": position}
    yield from _never_left_out(pool, position)
    yield from models.Strike.objects.filter(**since).values_list("entry_id", flat=True)
    yield from models.GoOpening.objects.filter(**since).values_list("entry_id", flat=True)
    yield from _within(models.Declaration.objects.filter(**since).values_list("entry_id", "at"), until)
    yield from _annulled(pool, position, until)
    yield from _rated(pool, position, until)
    unrated = models.GoGame.objects.filter(pool=pool, entry_id__gt=max(position, _live_entry(pool)))
    yield from _within(unrated.values_list("entry_id", "ended"), until)


def _never_left_out(pool: Pool, position: int) -> Iterator[int]:
    """The entries after a position that bring rules or adjustments, or erase somebody."""
    files = models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=position)
    yield from files.values_list("entry_id", flat=True)
    for model in (models.Adjustment, models.Erasure):
        rows = model._default_manager.filter(pool=pool, entry_id__gt=position)  # noqa: SLF001  # Django's own way
        yield from rows.values_list("entry_id", flat=True)


def _within(rows: QuerySet[Any, Any], until: int) -> Iterator[int]:
    """The entries of those (entry, moment) that are of that moment or before."""
    for entry, moment in rows.iterator(chunk_size=CHUNK):
        if micros(datetime.fromisoformat(moment)) <= until:
            yield entry


def _annulled(pool: Pool, position: int, until: int) -> Iterator[int]:
    entries = dict(
        models.GoVoid.objects.filter(pool=pool, entry_id__gt=position).values_list("game_id", "entry_id")
    )
    games = models.GoGame.objects.filter(pool=pool, game_id__in=entries).values_list("game_id", "ended")
    for game_id, ended in games:
        if micros(datetime.fromisoformat(ended)) <= until:
            yield entries[game_id]


def _rated(pool: Pool, position: int, until: int) -> Iterator[int]:
    """Of the games that were rated meanwhile, from the last back: those that came since and ended in time."""
    rows = models.LiveGame.objects.filter(pool=pool).order_by("-pk").values_list("entry_id", "at", "game_id")
    rules = set(pool.entries.filter(act=CHANGED).values_list("pk", flat=True))  # told beside newer games
    newer = takewhile(lambda row: row[0] > position or row[0] in rules, rows.iterator(chunk_size=CHUNK))
    games = {game_id for _, at, game_id in newer if at <= until}
    came = models.GoGame.objects.filter(pool=pool, game_id__in=games, entry_id__gt=position)
    yield from came.values_list("entry_id", flat=True)


def _live_entry(pool: Pool) -> int:
    found = models.LivePool.objects.filter(pool=pool).values_list("entry", flat=True).first()
    return found or 0
