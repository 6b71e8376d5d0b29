"""A worker of long acts that died is started again, after a pause that grows with each time it dies soon."""

import logging
import time
from collections.abc import Callable

from banzuke.office.jobs.heartbeat import note_death, note_restart

LOG = logging.getLogger(__name__)
#: Seconds: the first pause, the longest, and after how long a worker's life the pauses begin anew.
SHORTEST, LONGEST, LONG_LIFE = 1, 60, 600


class WorkerRestarts:
    """Looked at again and again by whoever started the worker; `start` starts another one."""

    def __init__(self, start: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._start = start
        self._clock = clock
        self._started = clock()
        self._pause = SHORTEST
        self._due: float | None = None

    def look(self, *, has_ended: bool) -> None:
        """Plan another start where the worker has ended, and do it when its time has come."""
        if not has_ended:
            return
        now = self._clock()
        if self._due is None:
            self._plan(now)
        elif now >= self._due:
            self._due, self._started = None, now
            note_restart()
            self._start()

    def _plan(self, now: float) -> None:
        if now - self._started >= LONG_LIFE:
            self._pause = SHORTEST
        note_death()
        LOG.error("The worker of long jobs has ended by itself. It is started again in %d s.", self._pause)
        self._due = now + self._pause
        self._pause = min(2 * self._pause, LONGEST)
