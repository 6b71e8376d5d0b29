"""Taking games out of the queue, batch after batch, until Ctrl-C or SIGTERM."""

import logging
import signal
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

import orjson
from django.db import Error, connection
from pydantic import ValidationError

from banzuke.api.live.go_bodies import GameSent
from banzuke.api.live.go_submissions import games_of
from banzuke.core.go_facts import GoGame
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError
from banzuke.database.models import Pool
from banzuke.database.outages import Outage, outage_of
from banzuke.database.patience import waiting_at_most
from banzuke.database.queue_trigger import CHANNEL, WAITING
from banzuke.office.live.game_queue import BatchResult, no_game, take_batch, waiting_pools
from banzuke.words import fault_text

LOG = logging.getLogger(__name__)
#: Seconds between two looks into the queue where nobody is woken; where one is, and until a busy pool is
#: tried again; until a database that failed is, and a pool whose rule book is not there.
SHORT, LONG, PATIENCE = 0.1, 1, 5
#: The milliseconds for which who writes in a pool is waited for where games of other pools wait, too.
MOST_WAIT = 2_000


class StopRequest:
    """Whether to end after the batch: once it was asked for. Asked again, all ends at once."""

    def __init__(self) -> None:
        self.is_asked = False

    def ask(self, *_: Any) -> None:
        """End after the batch. Raises KeyboardInterrupt the second time."""
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True

    def wait(self, seconds: float) -> None:
        """Wait so long, or until it is asked."""
        until = time.monotonic() + seconds
        while not self.is_asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, SHORT))


@contextmanager
def stop_on_signals() -> Iterator[StopRequest]:
    """Ctrl-C and SIGTERM ask to end, in this block."""
    stop = StopRequest()
    before = {each: signal.signal(each, stop.ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def read_game(pool: Pool, text: str) -> GoGame:
    """A game as it is posted to the API. Raises RefusedError and NotLiveError."""
    try:
        sent = GameSent.model_validate(orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise no_game("game", str(error)) from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise no_game(".".join(map(str, first["loc"])) or "game", first["msg"]) from None
    return games_of(pool, sent)[0]


def consume(
    pools: Collection[str],
    stop: StopRequest,
    report: Callable[[BatchResult], None],
    report_outage: Callable[[Error], None] | None = None,
    *,
    once: bool = False,
) -> None:
    """Take the games of some pools (none given: of all) until `stop` is asked, or (`once`) none waits.

    `report` is called after each batch, `report_outage` once for each outage, which is waited out.
    Raises Django's Error for what is no outage.
    """
    paused: dict[str, float] = {}
    is_out = False
    while not stop.is_asked:
        try:
            has_taken = _take_round(pools, stop, report, paused, once=once)
            if not has_taken and once:
                return
            if not has_taken:
                _wait(stop, lambda: bool(_waiting(pools, paused)))
            is_out = False
        except Error as error:
            if outage_of(error) is None or once:
                raise
            if report_outage is not None and not is_out:
                report_outage(error)
            is_out = True
            with suppress(Error):
                connection.close()
            stop.wait(PATIENCE)


def _waiting(pools: Collection[str], paused: dict[str, float]) -> list[str]:
    """The pools whose games are to be taken now."""
    now = time.monotonic()
    return [slug for slug in waiting_pools() if (not pools or slug in pools) and paused.get(slug, 0) <= now]


def _take_round(
    pools: Collection[str],
    stop: StopRequest,
    report: Callable[[BatchResult], None],
    paused: dict[str, float],
    *,
    once: bool,
) -> bool:
    """A batch of each pool for which games wait; whether there was one.

    A busy pool pauses, so that the others do not wait for it each time; not if all are to be taken `once`.
    """
    waiting = _waiting(pools, paused)
    for slug in waiting:
        try:
            with waiting_at_most(MOST_WAIT) if len(waiting) > 1 else nullcontext():
                batch = take_batch(slug, read_game)
            report(batch)
        except Error as error:
            if outage_of(error) is not Outage.BUSY or len(waiting) == 1:
                raise
            if not once:
                paused[slug] = time.monotonic() + LONG
        except (MissingBookError, SpoiledRulesError) as error:
            if slug not in paused:
                LOG.error("%s: %s", slug, fault_text(error.faults[0], "en"))  # noqa: TRY400  # one line
            paused[slug] = time.monotonic() + PATIENCE
        else:
            paused.pop(slug, None)
        if stop.is_asked:
            break
    return bool(waiting)


def _wait(stop: StopRequest, is_waiting: Callable[[], bool]) -> None:
    """Wait until games come, or for a moment.

    On PostgreSQL whoever inserts notifies while this lock is held. Whoever did not, because it was not held
    yet, has committed by then, and is found by the look after.
    """
    if connection.vendor != "postgresql":
        stop.wait(SHORT)
        return
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [WAITING])
        is_ours = cursor.fetchone()[0]
    try:
        if not is_waiting():
            driver: Any = connection.connection
            with connection.wrap_database_errors:
                list(driver.notifies(timeout=LONG if is_ours else SHORT, stop_after=1))
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [WAITING])
