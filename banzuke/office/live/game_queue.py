"""The queue of games: what programs insert into `QueuedGame`, taken into the pools' books in batches.

The rows of a batch are deleted in the transaction that writes their games: whatever is ended when, a game is
in the queue or in the book. A game that is inserted twice changes nothing. What cannot be taken stays with
its fault and holds nobody up, until somebody puts it again or drops it.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import DataError, Error, IntegrityError, connection, transaction
from django.db.models import QuerySet

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.go_facts import GoGame
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.models import Pool, QueuedGame
from banzuke.office.journal import Actor, note
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.live_rows import Seat
from banzuke.office.live.pool_writer import PoolWriter
from banzuke.office.live.submission_queue import GAMES, NewGames, Submission, enter, with_writer
from banzuke.office.raw_sql import Statements, in_values, is_postgresql

LOG = logging.getLogger(__name__)
#: So many rows are taken at once, and so many pools are looked for.
AT_ONCE, MOST_POOLS = 1_000, 1_000
#: What stands before the inserting role in the author of an entry.
AUTHOR = "queue"
#: The acts of the journal.
PUT_AGAIN, DROPPED = "queue-again", "queue-drop"
#: One pool with games that wait after the other, each found by the index.
_POOLS = """
WITH RECURSIVE found (pool) AS (
    SELECT MIN(pool) FROM book_queuedgame WHERE refused IS NULL
    UNION ALL
    SELECT (SELECT MIN(pool) FROM book_queuedgame WHERE refused IS NULL AND pool > found.pool)
    FROM found WHERE found.pool IS NOT NULL
)
SELECT pool FROM found WHERE pool IS NOT NULL LIMIT %s
"""
#: Reads a queued game's JSON for a pool. Raises RefusedError and NotLiveError.
Reader = Callable[[Pool, str], GoGame]


def no_game(field: str, reason: str) -> RefusedError:
    """The refusal of JSON that is no game, for a reader to raise."""
    return RefusedError([fault(GAMES, 1, field, "queue-no-game", field=field, reason=reason)])


class QueueRow(NamedTuple):
    """A row of the queue: its number, the game as JSON, when it came, and as whom."""

    number: int
    game: str
    came: datetime
    author: str


class BatchResult(NamedTuple):
    """What became of some rows of a pool's queue: games taken, games that were there already, rows refused.

    `waited` has the time from inserting to standing, of each game that stands now.
    """

    pool: str
    taken: int
    there: int
    refused: int
    waited: list[timedelta]


def waiting_pools() -> list[str]:
    """The pools, as they are written in the queue, for which games wait."""
    with connection.cursor() as cursor:
        cursor.execute(_POOLS, [MOST_POOLS])
        return [pool for (pool,) in cursor.fetchall()]


def take_batch(slug: str, read: Reader, most: int = AT_ONCE) -> BatchResult:
    """Take so many of the games that wait longest for a pool.

    Raises MissingBookError, SpoiledRulesError, and Django's Error where the database is the matter: then
    nothing is changed.
    """
    rows = _rows(slug, most)
    pool = Pool.objects.filter(slug=slug).first()
    if pool is None:
        return _refuse(slug, rows, fault(GAMES, 1, "pool", "queue-no-pool", pool=slug))
    try:
        return _take(pool, rows, read)
    except NotLiveError:
        return _refuse(slug, rows, fault(GAMES, 1, "pool", "queue-not-go", pool=slug))


def _rows(slug: str, most: int) -> list[QueueRow]:
    waiting = QueuedGame.objects.filter(pool_id=slug, refused=None).order_by("pk")
    return [QueueRow(*row) for row in waiting.values_list("pk", "game", "came", "author")[:most]]


def _take(pool: Pool, rows: Sequence[QueueRow], read: Reader) -> BatchResult:
    """Take rows; where that fails by one of them, the others are taken without it."""
    try:
        return _take_together(pool, rows, read)
    except (NotLiveError, MissingBookError, SpoiledRulesError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, Error) and not isinstance(error, DataError | IntegrityError):
            raise
        LOG.exception("Games of the queue could not be taken.", extra={"rows": len(rows)})
        if len(rows) > 1:
            half = len(rows) // 2
            return _joined(_take(pool, rows[:half], read), _take(pool, rows[half:], read))
        return _refuse(pool.slug, rows, fault(GAMES, 1, "", "queue-failed", reason=repr(error)))


def _joined(one: BatchResult, other: BatchResult) -> BatchResult:
    counts = (one.taken + other.taken, one.there + other.there, one.refused + other.refused)
    return BatchResult(one.pool, *counts, one.waited + other.waited)


def _take_together(pool: Pool, rows: Sequence[QueueRow], read: Reader) -> BatchResult:
    faults: dict[int, Fault] = {}
    sent: dict[int, Submission] = {}
    heads: dict[str, Submission] = {}
    for row in rows:
        try:
            game = read(pool, row.game)
        except (MissingBookError, SpoiledRulesError):
            raise
        except RefusedError as error:
            faults[row.number] = error.faults[0]
            continue
        sent[row.number] = Submission([game], author_of(row), heads.get(row.author))
        heads.setdefault(row.author, sent[row.number])
    held = set[int]()

    def act(writer: PoolWriter, seats: Mapping[str, Seat]) -> NewGames:
        held.update(_hold([row.number for row in rows]))
        mine = {number: each for number, each in sent.items() if number in held}
        new = enter(writer, list(mine.values()), seats)
        for number, each in mine.items():
            if isinstance(each.error, RefusedError):
                faults[number] = each.error.faults[0]
        _settle(held - faults.keys(), {number: faults[number] for number in held & faults.keys()})
        return new

    taken = len(with_writer(pool, list(sent.values()), act).numbers())
    now = datetime.now(UTC)
    done = [row for row in rows if row.number in held and row.number not in faults]
    waited = [now - row.came for row in done]
    return BatchResult(pool.slug, taken, len(done) - taken, len(held & faults.keys()), waited)


def author_of(row: QueueRow) -> str:
    """The author of the entry by which a row's game comes into the book."""
    return f"{AUTHOR}:{row.author}"[:200] if row.author else AUTHOR


def _hold(numbers: Collection[int]) -> set[int]:
    """Those of the rows that still wait and that nobody else holds, held until the transaction ends."""
    one_of, values = in_values(numbers)
    hold = " FOR UPDATE SKIP LOCKED" if is_postgresql() else ""
    found = Statements().execute(
        f"SELECT id FROM book_queuedgame WHERE id {one_of} AND refused IS NULL{hold}",  # noqa: S608  # marks
        values,
    )
    return {number for (number,) in found.fetchall()}


def _settle(taken: Collection[int], refused: Mapping[int, Fault]) -> None:
    """Delete rows whose games are in the book; note why the others are not."""
    if taken:
        one_of, values = in_values(taken)
        Statements().execute(f"DELETE FROM book_queuedgame WHERE id {one_of}", values)  # noqa: S608  # marks
    if refused:
        now = datetime.now(UTC)
        rows = [QueuedGame(pk=number, refused=now, fault=_stored(why)) for number, why in refused.items()]
        QueuedGame.objects.bulk_update(rows, ["refused", "fault"], batch_size=500)


def _stored(why: Fault) -> list[object]:
    return [*why[1:-1], dict(why.facts)]


def _refuse(slug: str, rows: Sequence[QueueRow], why: Fault) -> BatchResult:
    """Refuse all rows for one reason."""
    waiting = QueuedGame.objects.filter(pk__in=[row.number for row in rows], refused=None)
    count = waiting.update(refused=datetime.now(UTC), fault=_stored(why))
    return BatchResult(slug, 0, 0, count, [])


# What was refused


class RefusedRow(NamedTuple):
    """A row that was refused: the pool and the game as inserted, by whom and when, and why it was refused."""

    number: int
    pool: str
    game: str
    author: str
    came: datetime
    refused: datetime
    fault: Fault


def refused_rows(pools: Collection[str] = (), most: int | None = None) -> list[RefusedRow]:
    """What was refused, the newest first; of some pools, or of all."""
    rows = _refused(pools).order_by("-pk")[:most]
    return [
        RefusedRow(row.pk, row.pool_id, row.game, row.author, row.came, row.refused, _fault(row.fault))
        for row in rows
        if row.refused is not None
    ]


def _fault(stored: Any) -> Fault:
    line, column, code, facts = stored
    return Fault(GAMES, line, column, code, tuple(facts.items()))


def _refused(pools: Collection[str], numbers: Collection[int] = ()) -> QuerySet[QueuedGame]:
    rows = QueuedGame.objects.exclude(refused=None)
    if pools:
        rows = rows.filter(pool_id__in=pools)
    return rows.filter(pk__in=numbers) if numbers else rows


class QueueFigures(NamedTuple):
    """How many games wait for a pool and how many were refused, each up to a number, and the last refused."""

    waiting: int
    refused: int
    last: list[RefusedRow]


def queue_figures(slug: str, most: int, last: int) -> QueueFigures:
    """What the queue has of a pool; counts end at `most`."""
    waiting = QueuedGame.objects.filter(pool_id=slug, refused=None)
    return QueueFigures(waiting[:most].count(), _refused([slug])[:most].count(), refused_rows([slug], last))


def put_again(pools: Collection[str], numbers: Collection[int], actor: Actor) -> int:
    """Have what was refused tried again, of some pools and rows (none given: of all): how many."""
    with transaction.atomic():
        count = _refused(pools, numbers).update(refused=None, fault=None)
        if count:
            note(actor, PUT_AGAIN, rows=count, pools=sorted(pools), numbers=sorted(numbers))
    return count


def drop_refused(pools: Collection[str], numbers: Collection[int], actor: Actor) -> int:
    """Take what was refused out of the queue, of some pools and rows (none given: of all): how many."""
    with transaction.atomic():
        count, _ = _refused(pools, numbers).delete()
        if count:
            note(actor, DROPPED, rows=count, pools=sorted(pools), numbers=sorted(numbers))
    return count
