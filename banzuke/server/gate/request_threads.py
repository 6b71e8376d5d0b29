"""Threads that answer requests, and the queue before them, which nobody waits in for long."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple


class CrowdedError(Exception):
    """All threads are at work, and did not get free in time."""


class Places(NamedTuple):
    """So many requests at once; so many more may wait, each for so many seconds."""

    at_once: int
    most_waiting: int
    longest_wait: float


class _Task:
    """Work that waits: whoever takes it first, a thread or the end of the wait, has it.

    One that was given up stays in the queue until a thread is free, and keeps nothing of its request.
    """

    __slots__ = ("_done", "_taken", "_work")

    def __init__(self, work: Callable[[], Any], done: asyncio.Future[Any]) -> None:
        self._work: Callable[[], Any] | None = work
        self._done: asyncio.Future[Any] | None = done
        self._taken = threading.Lock()

    def take(self) -> Callable[[], Any] | None:
        """The work; None if somebody else has it."""
        if not self._taken.acquire(blocking=False):
            return None
        work, self._work = self._work, None
        return work

    def give_up(self) -> None:
        """Nobody took it in time, or nobody waits for it any more."""
        if self.take() is None:
            return
        done, self._done = self._done, None
        if done is not None and not done.done():
            done.set_exception(CrowdedError())

    def finish(self, result: Any, error: BaseException | None) -> None:
        """Hand on what came of it, in the loop's thread."""
        if self._done is None or self._done.done():
            return
        if error is None:
            self._done.set_result(result)
        else:
            self._done.set_exception(error)


class RequestThreads:
    """Threads for one kind of requests, of an event loop."""

    def __init__(self, name: str, places: Places, loop: asyncio.AbstractEventLoop) -> None:
        self._places = places
        self._loop = loop
        self._queue: queue.SimpleQueue[_Task] = queue.SimpleQueue()
        self._requests = 0
        for number in range(places.at_once):
            threading.Thread(target=self._work, name=f"{name}-{number}", daemon=True).start()

    async def run(self, work: Callable[[], Any]) -> Any:
        """What the work gives, done in one of the threads. Raises CrowdedError."""
        if self._requests >= self._places.at_once + self._places.most_waiting:
            raise CrowdedError
        done = self._loop.create_future()
        task = _Task(work, done)
        end = self._loop.call_later(self._places.longest_wait, task.give_up)
        self._requests += 1
        self._queue.put(task)
        try:
            return await done
        finally:
            self._requests -= 1
            end.cancel()
            task.give_up()

    def _work(self) -> None:
        while True:
            task = self._queue.get()
            work = task.take()
            if work is None:
                continue
            result, error = None, None
            try:
                result = work()
            except BaseException as raised:  # noqa: BLE001  # whatever it is, whoever waits gets it
                error = raised
            self._loop.call_soon_threadsafe(task.finish, result, error)
            del task, work, result, error
