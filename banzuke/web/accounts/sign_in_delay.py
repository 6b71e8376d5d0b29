"""A growing delay for a name that is guessed at, from however many addresses.

Five failures of a name from one address lock that name there (django-axes). Against somebody with thousands
of addresses there is this: after `FREE` attempts a day at one name, all addresses together get one turn at a
time, further and further apart. An address from which the user signed in lately does not wait: no stranger
shuts a user out.
"""

import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.utils.crypto import salted_hmac

from banzuke.database.models import JournalEntry

#: Attempts at a name that nobody waits for, and seconds in which they are counted.
FREE, DAY = 20, 24 * 3600
#: Seconds between two turns at most; the first are a second apart, and each is twice the one before.
LONGEST = 15 * 60
#: So long ago a user may have signed in from an address that is known.
RECENT = timedelta(days=90)
#: Names that nobody has share so many counts: typing in names fills no disk.
SHARED = 4


class SignInDelay:
    """The delay of a name, as an attempt from an address meets it."""

    def __init__(self, name: str, address: str = "") -> None:
        self._name, self._address = name, address
        is_users = get_user_model().objects.filter(username=name).exists()
        digest = salted_hmac("sign-in-delay", name, algorithm="sha256").hexdigest()
        word = digest if is_users else digest[:SHARED]
        self._count, self._turn = f"sign-in-count-{word}", f"sign-in-turn-{word}"
        self._is_counted = False

    def seconds(self) -> int:
        """How long the attempt has to wait; 0 where it may be made, which is counted."""
        before = cache.get(self._count, 0)
        if before >= FREE and self._is_known():
            return 0
        if before >= FREE and not self._take_turn(before):
            return self._left()
        now = self._increase()
        if before < FREE < now and not self._take_turn(now):  # others came at the same moment
            return self._left()
        self._is_counted = True
        return 0

    def succeed(self) -> None:
        """The password was right: the attempt counts for nothing."""
        if self._is_counted:
            with suppress(ValueError):
                cache.decr(self._count)
            cache.delete(self._turn)

    def forget(self) -> None:
        """Let everybody try again, as an administrator wants it."""
        cache.delete_many([self._count, self._turn])

    def _is_known(self) -> bool:
        """Whether the user signed in from the address lately."""
        since = datetime.now(UTC) - RECENT
        return JournalEntry.objects.filter(
            at__gte=since, act="sign-in", who=self._name, where=self._address
        ).exists()

    def _take_turn(self, count: int) -> bool:
        """Take the turn; False if another attempt has it.

        One that is further away than any wait is of a clock that has been set back since: it is free.
        """
        delay = min(1 << min(max(count - FREE, 0), 20), LONGEST)
        if self._left() > LONGEST:
            cache.delete(self._turn)
        return cache.add(self._turn, int(time.time()) + delay, delay)

    def _left(self) -> int:
        """Seconds until the next turn; at least one, as whoever asks has not had it."""
        return max(int(cache.get(self._turn, 0)) - int(time.time()), 1)

    def _increase(self) -> int:
        cache.add(self._count, 0, DAY)
        with suppress(ValueError):  # the disk is full: nothing is counted
            return cache.incr(self._count)
        return 0
