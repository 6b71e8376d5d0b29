"""A new pool that nobody sees before all of its rows are there.

On SQLite the rows come in by turns, and others write between them. If that fails, they are taken out again.
If it is killed, the worker takes them out within minutes, or whoever opens a pool of the same word.
"""

import fcntl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from django.db import Error, connection, transaction
from django.db.models import Model, QuerySet

from banzuke.database.append_only import opened
from banzuke.database.book_reader import MODELS
from banzuke.database.book_writer import Act, enter_pool
from banzuke.database.models import (
    Entry,
    HiddenPool,
    LiveGame,
    LivePool,
    LiveStanding,
    Pool,
    Strike,
)
from banzuke.database.write_turns import WriteTurn, has_turns, short_turn

#: How many rows are taken out at a turn.
OUT_AT_A_TURN = 1_000
#: The tables into which rows come after the pool's first entry.
_TABLES: tuple[type[Model], ...] = (LiveGame, LiveStanding, LivePool, Strike, *MODELS.values())
#: How the pool itself is taken out, by its number.
_LAST = (
    "DELETE FROM book_poolfile WHERE entry_id IN (SELECT id FROM book_entry WHERE pool_id = %s)",
    "DELETE FROM book_entry WHERE pool_id = %s",
    "DELETE FROM book_pool WHERE id = %s",
)


@contextmanager
def hidden_pool(slug: str, files: Mapping[str, str], act: Act) -> Iterator[tuple[Entry, WriteTurn]]:
    """The entry of a new pool, and the turns in which its rows are written; `show_pool` in the last one.

    Nothing stays of it if the block fails. On PostgreSQL, where nobody waits for new rows, and within a
    transaction the turns are one. Raises IntegrityError for a slug that is taken.
    """
    if not has_turns():
        with transaction.atomic():
            yield _enter(slug, files, act), nullcontext
        return
    with _lock(fcntl.LOCK_SH):
        with _turn():
            entry = _enter(slug, files, act)
        try:
            yield entry, _turn
        except BaseException:
            with suppress(Error):
                _take_out(entry.pool_id)
            raise


def show_pool(pool: Pool) -> None:
    """From the end of the transaction on everybody sees the pool."""
    HiddenPool.objects.filter(pool=pool).delete()


def remove_abandoned_pools(seconds: int | None = None) -> None:
    """Take out what killed processes left of hidden pools; while others are coming in, nothing.

    After so many seconds, where they are given, the rest is left to the next call.
    """
    if not has_turns() or not HiddenPool.objects.exists():
        return
    try:
        with _lock(fcntl.LOCK_EX | fcntl.LOCK_NB):
            left = list(HiddenPool.objects.values_list("pk", flat=True))
    except BlockingIOError:
        return
    begun = time.monotonic()
    for pool in left:
        while _take_some_out(pool):
            if seconds is not None and time.monotonic() - begun >= seconds:
                return


@contextmanager
def _lock(how: int) -> Iterator[None]:
    """Lock the file that processes keep locked (shared) while pools of theirs are hidden.

    Raises BlockingIOError.
    """
    database = Path(connection.settings_dict["NAME"])
    with Path(f"{database}-import").open("w") if database.is_file() else nullcontext() as file:
        if file is not None:
            fcntl.flock(file, how)
        yield


@contextmanager
def _turn() -> Iterator[None]:
    with short_turn(), transaction.atomic():
        yield


def _enter(slug: str, files: Mapping[str, str], act: Act) -> Entry:
    entry = enter_pool(slug, files, act)
    HiddenPool.objects.create(pool=entry.pool)
    return entry


def _take_out(pool: int) -> None:
    while _take_some_out(pool):
        pass


def _take_some_out(pool: int) -> bool:
    """Take out some rows of a pool if it is hidden, at last the pool; whether there may be more."""
    hidden = HiddenPool.objects.filter(pool=pool)
    with _turn():
        for model in _TABLES:
            rows: QuerySet[Model] = QuerySet(model).filter(pool__in=hidden.values("pool"))
            some = list(rows.values_list("pk", flat=True)[:OUT_AT_A_TURN])
            if some:
                with opened(connection, [model._meta.model_name or ""]):  # noqa: SLF001  # Django's own way
                    QuerySet(model).filter(pk__in=some).delete()
                return True
    # Nothing else names the pool or its entry; to look for that would take long while others wait.
    with connection.constraint_checks_disabled(), _turn(), opened(connection, ["poolfile", "entry", "pool"]):
        if hidden.delete()[0]:
            with connection.cursor() as cursor:
                for statement in _LAST:
                    cursor.execute(statement, [pool])
    return False
