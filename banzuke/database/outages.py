"""Why the office cannot write or read just now, where that lies in its database or its disk."""

import errno
import sqlite3
from enum import StrEnum

from django.db import Error

#: Seconds after which whoever was turned away may try again.
AGAIN = 5


class Outage(StrEnum):
    """What the operator of the office has to mend."""

    FULL = "full"
    READ_ONLY = "read-only"
    BUSY = "busy"
    AWAY = "away"

    @property
    def said(self) -> str:
        """A line for the log."""
        return _SAID[self]


_SAID = {
    Outage.FULL: "The office cannot write: its disk is full.",
    Outage.READ_ONLY: "The office cannot write: its database or folder may be read only.",
    Outage.BUSY: "The office cannot write: something else has been writing to its database for too long.",
    Outage.AWAY: "The office's database does not answer.",
}
_ERRNO = {errno.ENOSPC: Outage.FULL, errno.EDQUOT: Outage.FULL, errno.EROFS: Outage.READ_ONLY}
#: SQLite's primary result codes.
_SQLITE = {
    5: Outage.BUSY, 6: Outage.BUSY, 8: Outage.READ_ONLY, 10: Outage.AWAY, 11: Outage.AWAY, 13: Outage.FULL,
    14: Outage.AWAY, 26: Outage.AWAY,
}  # fmt: skip
_PRIMARY = 0xFF
#: PostgreSQL's, by the beginning of their codes; an error without a code is of the connection.
_POSTGRESQL = {
    "25006": Outage.READ_ONLY, "53100": Outage.FULL, "53": Outage.AWAY, "55P03": Outage.BUSY,
    "40P01": Outage.BUSY,
    "57P": Outage.AWAY, "58": Outage.AWAY, "08": Outage.AWAY,
}  # fmt: skip


class BusyError(Error):
    """Somebody else is writing, and was waited for long enough."""


def outage_of(error: BaseException | None) -> Outage | None:
    """None for an error that is a fault of the program, or of what was asked."""
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0)
    if not isinstance(error, Error):
        return None
    if isinstance(error, BusyError):
        return Outage.BUSY
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & _PRIMARY)
    state = getattr(cause, "sqlstate", "")
    if state is None:
        return Outage.AWAY if type(cause).__name__ == "OperationalError" else None
    return next((why for code, why in _POSTGRESQL.items() if state.startswith(code)), None)
