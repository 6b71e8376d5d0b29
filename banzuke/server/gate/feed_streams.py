"""Streams of Go pools' feeds: each waits in the event loop, so none keeps a thread or a database connection.

For each pool that has streams, one task of the process looks for new changes, in a thread of its own, and
wakes the streams. What a stream has missed before is read for it, in another thread.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import Error, close_old_connections

from banzuke.api.live.feed_events import FIRST, PAGE, FeedEvent, FeedRequest, events_after
from banzuke.database.models import Pool
from banzuke.database.outages import outage_of
from banzuke.office.live.rated_games import has_news, newest_number
from banzuke.server.gate.request_threads import CrowdedError, Places, RequestThreads
from banzuke.server.gate.turned_away import busy
from banzuke.server.gate.wsgi_calls import Answer

LOG = logging.getLogger(__name__)
#: How many streams a process has at once; of those without a key all together, and of one address.
MOST, MOST_WITHOUT_KEY, MOST_OF_ADDRESS = 500, 250, 20
#: Seconds between two looks for new changes, and until the next after one that failed.
STEP, AFTER_FAILURE = 0.2, 2.0
#: Seconds without a change after which a comment is sent, and within which a client takes what is sent.
HEARTBEAT, TAKES_WITHIN = 15.0, 30.0
COMMENT = b":\n\n"
#: How many of a pool's last changes are kept for the streams.
KEPT = 1_000
#: One thread looks for news; one reads what streams with a key have missed, one what those without have.
ONE_THREAD = Places(1, MOST, 60.0)


class PoolWatch:
    """A pool's changes since somebody watches: those after `since`, up to `last`."""

    def __init__(self, pool: Pool, last: int) -> None:
        self.pool = pool
        self.since = self.last = last
        self.streams = 0
        self.came = asyncio.get_running_loop().create_future()
        self._events: deque[FeedEvent] = deque()

    def add(self, events: list[FeedEvent]) -> None:
        """Further changes, in order; whoever waits is woken."""
        self._events.extend(events)
        self.last = events[-1].number
        while len(self._events) > KEPT:
            self.since = self._events.popleft().number
        self.came.set_result(None)
        self.came = asyncio.get_running_loop().create_future()

    def events_after(self, number: int) -> list[FeedEvent]:
        """The changes after a number that is not before `since`."""
        return [each for each in self._events if each.number > number]


class FeedStreams:
    """All streams of a process."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._looking = RequestThreads("feed-look", ONE_THREAD, loop)
        self._reading = {
            has_key: RequestThreads("feed-read-key" if has_key else "feed-read", ONE_THREAD, loop)
            for has_key in (True, False)
        }
        self._watches: dict[int, PoolWatch] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._open: list[FeedRequest] = []
        self._streams: set[_Stream] = set()

    async def send(self, feed: FeedRequest, answer: Answer, protocol: Any) -> None:
        """Send changes until the client is gone.

        Raises CrowdedError where there are too many streams, TurnedAwayError where the database is away.
        """
        if self._is_full(feed):
            raise CrowdedError
        self._open.append(feed)
        try:
            reading = self._reading[feed.has_key]
            watch = self._begin(feed.pool, await _newest_number(feed.pool, reading))
            try:
                await self._run(_Stream(feed, watch, protocol, answer), reading)
            finally:
                self._end(watch)
        finally:
            self._open.remove(feed)

    def end_all(self) -> None:
        """End every stream: the process is about to stop, and would wait for them."""
        for stream in self._streams:
            stream.end()

    async def _run(self, stream: "_Stream", reading: RequestThreads) -> None:
        self._streams.add(stream)
        try:
            await stream.run(reading)
        finally:
            self._streams.remove(stream)

    def _is_full(self, feed: FeedRequest) -> bool:
        without_key = [each.who for each in self._open if not each.has_key]
        return len(self._open) >= MOST or (
            not feed.has_key
            and (len(without_key) >= MOST_WITHOUT_KEY or without_key.count(feed.who) >= MOST_OF_ADDRESS)
        )

    def _begin(self, pool: Pool, newest: int) -> PoolWatch:
        """The watch of a pool, which one more stream now uses."""
        if pool.pk not in self._watches:
            watch = self._watches[pool.pk] = PoolWatch(pool, newest)
            self._tasks[pool.pk] = asyncio.ensure_future(self._look(watch))
        self._watches[pool.pk].streams += 1
        return self._watches[pool.pk]

    def _end(self, watch: PoolWatch) -> None:
        watch.streams -= 1
        if not watch.streams:
            del self._watches[watch.pool.pk]
            self._tasks.pop(watch.pool.pk).cancel()

    async def _look(self, watch: PoolWatch) -> None:
        """Look for changes, again and again."""
        while True:
            pause = STEP
            try:
                events = await self._looking.run(partial(_read, _news, watch.pool, watch.last))
            except Exception as error:  # noqa: BLE001  # the database, which may be back the next time
                _log_failure("The feed could not be read", error)
                pause = AFTER_FAILURE
            else:
                if events:
                    watch.add(events)
                    pause = 0 if len(events) == PAGE else STEP
            await asyncio.sleep(pause)


async def _newest_number(pool: Pool, reading: RequestThreads) -> int:
    try:
        found: int = await reading.run(partial(_read, newest_number, pool))
    except Error as error:
        if outage_of(error) is None:
            raise
        raise busy() from error
    return found


class _Stream:
    """One client's stream."""

    def __init__(self, feed: FeedRequest, watch: PoolWatch, protocol: Any, answer: Answer) -> None:
        self._feed = feed
        self._watch = watch
        self._number = feed.after
        self._transport = protocol.response_stream(answer.status, answer.headers)
        self._loop = asyncio.get_running_loop()
        self._sent_at = self._loop.time()
        self._gone = asyncio.ensure_future(protocol.client_disconnect())

    async def run(self, reading: RequestThreads) -> None:
        """Send until the client is gone, or takes nothing any more."""
        try:
            await self._send(FIRST)
            while not self._gone.done():
                events = await self._next(reading)
                if events:
                    self._number = max(self._number, events[-1].number)
                    wanted = [each.data for each in events if self._is_wanted(each)]
                    if wanted:
                        await self._send(b"".join(wanted))
                else:
                    await self._wait()
        except (RuntimeError, TimeoutError, CrowdedError):
            pass  # the server's own for a client that is gone; a client that takes nothing; no thread to read
        except Exception as error:  # noqa: BLE001  # the database: the client asks again
            _log_failure("A stream ends, as the feed could not be read", error)
        finally:
            self.end()

    def end(self) -> None:
        """Send nothing more, as if the client were gone."""
        self._gone.cancel()

    def _is_wanted(self, event: FeedEvent) -> bool:
        return not self._feed.player or self._feed.player in event.players

    async def _next(self, reading: RequestThreads) -> list[FeedEvent]:
        """The next changes; those before what is watched are read, and of one player only those."""
        while self._number < self._watch.since:
            newest = self._watch.last
            found: list[FeedEvent] = await reading.run(
                partial(_read, events_after, self._feed.pool, self._number, self._feed.player)
            )
            if found:
                return found
            self._number = newest
        return self._watch.events_after(self._number)

    async def _wait(self) -> None:
        """Until there are changes, or the client is gone; a comment keeps the connection open.

        Its time counts from the last bytes that were sent. So a stream of one player stays open while changes
        of others come, which are not sent there.
        """
        waiting = (self._watch.came, self._gone)
        left = self._sent_at + HEARTBEAT - self._loop.time()
        done, _ = await asyncio.wait(waiting, timeout=max(left, 0), return_when=asyncio.FIRST_COMPLETED)
        if not done:
            await self._send(COMMENT)

    async def _send(self, data: bytes) -> None:
        async with asyncio.timeout(TAKES_WITHIN):
            await self._transport.send_bytes(data)
        self._sent_at = self._loop.time()


def _log_failure(what: str, error: Exception) -> None:
    """A line; where the error was not foreseen, with its place."""
    why = outage_of(error)
    LOG.warning("%s: %s", what, why.said if why else type(error).__name__, exc_info=None if why else error)


def _read(question: Callable[..., Any], *words: Any) -> Any:
    """Ask the database, in a thread; a connection that has failed is made anew."""
    close_old_connections()
    return question(*words)


def _news(pool: Pool, last: int) -> list[FeedEvent]:
    return events_after(pool, last) if has_news(pool, last) else []
