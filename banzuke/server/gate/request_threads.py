"""Threads that answer requests, and the queue before them, which nobody waits in for long."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple


class CrowdedError(Exception):
    """All threads are at work, and did not get free in time."""


class Places(NamedTuple):
    """So many threads; so many requests may wait for one, each for so many seconds."""

    threads: int
    most_waiting: int
    patience: float


class _Task:
    """Work that waits: whoever takes it first, a thread or the end of patience, has it."""

    __slots__ = ("_taken", "done", "work")

    def __init__(self, work: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        self.work = work
        self.done = done
        self._taken = threading.Lock()

    def take(self) -> bool:
        """Take it; False if somebody else has."""
        return self._taken.acquire(blocking=False)

    def give_up(self) -> None:
        """Nobody took it in time."""
        if self.take() and not self.done.done():
            self.done.set_exception(CrowdedError())

    def finish(self, result: Any, error: BaseException | None) -> None:
        """Hand on what came of it, in the loop's thread."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(result)
        else:
            self.done.set_exception(error)


class RequestThreads:
    """Threads for one kind of requests, of an event loop."""

    def __init__(self, name: str, places: Places, loop: asyncio.AbstractEventLoop) -> None:
        self._places = places
        self._loop = loop
        self._queue: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        self._asked = 0
        for number in range(places.threads):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    async def run(self, work: Callable[[], Any]) -> Any:
        """What the work gives, done in one of the threads. Raises CrowdedError."""
        if self._asked >= self._places.threads + self._places.most_waiting:
            raise CrowdedError
        task = _Task(work, self._loop.create_future())
        end = self._loop.call_later(self._places.patience, task.give_up)
        self._asked += 1
        self._queue.put(task)
        try:
            return await task.done
        finally:
            self._asked -= 1
            end.cancel()

    def _work(self) -> None:
        while True:
            task = self._queue.get()
            if not task.take():
                continue
            result, error = None, None
            try:
                result = task.work()
            except BaseException as raised:  # noqa: BLE001  # whatever it is, it is told where it is waited for
                error = raised
            self._loop.call_soon_threadsafe(task.finish, result, error)
            del task, result, error
