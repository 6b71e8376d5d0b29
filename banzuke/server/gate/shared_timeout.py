"""Waiting for so many seconds and no longer: one timer for all, as one for each costs more than the rest."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

Awaited = TypeVar("Awaited")


class SharedTimeout:
    """The timeout of all tasks that wait for one kind of thing, each for so many seconds."""

    def __init__(self, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        self._seconds = seconds
        self._loop = loop
        self._until: dict[asyncio.Task[Any], float] = {}  # in the order of time
        self._has_timer = False

    async def wait(self, awaited: Awaitable[Awaited]) -> Awaited:
        """What is awaited. Raises TimeoutError where it does not come in time."""
        task: asyncio.Task[Any] = asyncio.current_task()  # type: ignore[assignment]  # whoever waits is one
        self._until[task] = self._loop.time() + self._seconds
        if not self._has_timer:
            self._has_timer = True
            self._loop.call_later(self._seconds, self._end_late)
        try:
            return await awaited
        except asyncio.CancelledError:
            if task in self._until or task.uncancel():  # somebody else has cancelled the task
                raise
            raise TimeoutError from None
        finally:
            self._until.pop(task, None)

    def _end_late(self) -> None:
        """End those whose time is over, and look again when that of the next one is."""
        while self._until:
            task, until = next(iter(self._until.items()))
            if until > self._loop.time():
                self._loop.call_at(until, self._end_late)
                return
            del self._until[task]
            task.cancel()
        self._has_timer = False
