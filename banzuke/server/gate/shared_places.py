"""Places that are shared out: each pool, or each sender, has so many at once and leaves the rest to all."""

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


class SharedPlaces:
    """The places that each owner has: `at_once` of them, and so many more that wait, without a thread."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._requests: Counter[str] = Counter()
        self._free: dict[str, asyncio.Semaphore] = {}

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncIterator[None]:
        """A place of that owner. Raises CrowdedError: if too many wait, or it has waited too long."""
        if self._requests[owner] >= self._places.at_once + self._places.most_waiting:
            raise CrowdedError
        free = self._free.setdefault(owner, asyncio.Semaphore(self._places.at_once))
        self._requests[owner] += 1
        try:
            await self._wait(free)
            try:
                yield
            finally:
                free.release()
        finally:
            self._requests[owner] -= 1
            if not self._requests[owner]:
                del self._requests[owner], self._free[owner]

    async def _wait(self, free: asyncio.Semaphore) -> None:
        if not free.locked():
            await free.acquire()
            return
        try:
            async with asyncio.timeout(self._places.longest_wait):
                await free.acquire()
        except TimeoutError:
            raise CrowdedError from None
