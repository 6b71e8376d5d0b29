"""How many requests that write into one pool have a thread at once: a slow pool leaves some to others."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from banzuke.server.gate.request_threads import CrowdedError, Places

_ADDRESS = re.compile(r"/(?:api/v1/pools|office)/([-\w]+)/", re.ASCII)


def pool_in(path: str) -> str | None:
    """The word of the pool that an address writes into; None where it is of no pool."""
    found = _ADDRESS.match(path)
    return found and found[1]


class PoolPlaces:
    """The places that each pool has: `threads` at once, and so many more that wait, without a thread."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._asked: Counter[str] = Counter()
        self._free: dict[str, asyncio.Semaphore] = {}

    @asynccontextmanager
    async def place(self, pool: str) -> AsyncIterator[None]:
        """A place of that pool. Raises CrowdedError: at once where too many wait, or after its patience."""
        if self._asked[pool] >= self._places.threads + self._places.most_waiting:
            raise CrowdedError
        free = self._free.setdefault(pool, asyncio.Semaphore(self._places.threads))
        self._asked[pool] += 1
        try:
            await self._wait(free)
            try:
                yield
            finally:
                free.release()
        finally:
            self._asked[pool] -= 1
            if not self._asked[pool]:
                del self._asked[pool], self._free[pool]

    async def _wait(self, free: asyncio.Semaphore) -> None:
        if not free.locked():
            await free.acquire()
            return
        try:
            async with asyncio.timeout(self._places.patience):
                await free.acquire()
        except TimeoutError:
            raise CrowdedError from None
