"""A process beside the pages that died is started again, after a pause that grows if it dies soon."""

import logging
import time
from collections.abc import Callable

LOG = logging.getLogger(__name__)
#: Seconds: the first pause, the longest, and after how long a process's life the pauses begin anew.
SHORTEST, LONGEST, LONG_LIFE = 1, 60, 600


class ProcessRestarts:
    """Looked at again and again by whoever started the process; `start` starts another one.

    `named`: what the log calls it. `note_death` and `note_restart` are called when it has ended, and before
    it is started again.
    """

    def __init__(
        self,
        named: str,
        start: Callable[[], None],
        note_death: Callable[[], None] = lambda: None,
        note_restart: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._named = named
        self._start = start
        self._note_death = note_death
        self._note_restart = note_restart
        self._clock = clock
        self._started = clock()
        self._pause = SHORTEST
        self._due: float | None = None

    def look(self, *, has_ended: bool) -> None:
        """Plan another start where the process has ended, and do it when its time has come."""
        if not has_ended:
            return
        now = self._clock()
        if self._due is None:
            self._plan(now)
        elif now >= self._due:
            self._due, self._started = None, now
            self._note_restart()
            try:
                self._start()
            except OSError as error:  # no memory for a process, say
                LOG.error("%s could not be started: %s", self._named, error.strerror)  # noqa: TRY400  # one line

    def _plan(self, now: float) -> None:
        if now - self._started >= LONG_LIFE:
            self._pause = SHORTEST
        self._note_death()
        LOG.error("%s has ended by itself. It is started again in %d s.", self._named, self._pause)
        self._due = now + self._pause
        self._pause = min(2 * self._pause, LONGEST)
