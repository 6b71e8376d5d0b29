"""Which keys open which pools for games: whoever has no such key gets no place among the games that wait."""

import asyncio
from collections.abc import Callable
from functools import partial

from banzuke.api.live.game_handover import PostedGames
from banzuke.server.gate.request_threads import CrowdedError, Places, RequestThreads

#: Whether the key of posted games opens their pool; asks the database.
OpensPool = Callable[[PostedGames], bool]
#: Seconds after which a key is looked up again. Whoever writes the games looks at it each time.
REMEMBERED = 600
#: Keys are looked up in a thread of their own, so that strangers keep nobody waiting whose key is known.
KEY_LOOKUPS = Places(at_once=1, most_waiting=64, longest_wait=2.0)
#: Of all games that wait until their key was looked up, so many bytes; and as many of those that wait for the
#: writer, so that strangers take no place there.
MOST_BYTES = 32 << 20


class KnownKeys:
    """The keys that have opened a pool lately, each with when it is to be looked up again."""

    def __init__(self, opens_pool: OpensPool, loop: asyncio.AbstractEventLoop) -> None:
        self._opens_pool = opens_pool
        self._loop = loop
        self._threads = RequestThreads("key", KEY_LOOKUPS, loop)
        self._until: dict[tuple[str, str], float] = {}
        self._looking: dict[tuple[str, str], asyncio.Task[bool]] = {}
        self._bytes = 0

    async def opens_pool(self, games: PostedGames) -> bool:
        """Whether the key opens the pool.

        Where too many others are looked up, a key that opened it the last time still does. Raises
        CrowdedError for any other.
        """
        pool_and_key = games.pool, games.key
        if self._until.get(pool_and_key, 0) > self._loop.time():
            return True
        try:
            return await self._wait(games)
        except CrowdedError:
            if pool_and_key in self._until:
                return True
            raise

    async def _wait(self, games: PostedGames) -> bool:
        """What the next look says; one answers all who send with that key meanwhile. Raises CrowdedError."""
        pool_and_key, size = (games.pool, games.key), len(games.body)
        if self._bytes + size > MOST_BYTES:
            raise CrowdedError
        looking = self._looking.get(pool_and_key)
        if looking is None:
            looking = self._looking[pool_and_key] = asyncio.ensure_future(self._look(games))
        self._bytes += size
        try:
            return await asyncio.shield(looking)  # who goes away does not end it for the others
        finally:
            self._bytes -= size

    async def _look(self, games: PostedGames) -> bool:
        pool_and_key = games.pool, games.key
        try:
            opens: bool = await self._threads.run(partial(self._opens_pool, games))
        finally:
            del self._looking[pool_and_key]
        if opens:
            self._until[pool_and_key] = self._loop.time() + REMEMBERED
        else:
            self._until.pop(pool_and_key, None)
        return opens
