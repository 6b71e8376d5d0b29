"""Why the office cannot write or read just now, where that lies in its database or its disk."""

from __future__ import annotations

import errno
import sqlite3
from enum import StrEnum

from django.db import Error


class Unable(StrEnum):
    """What whoever runs the office has to mend."""

    FULL = "full"
    READ_ONLY = "read-only"
    BUSY = "busy"
    AWAY = "away"

    @property
    def said(self) -> str:
        """A line for the log."""
        return _SAID[self]


_SAID = {
    Unable.FULL: "The office cannot write: its disk is full.",
    Unable.READ_ONLY: "The office cannot write: its database or folder may be read only.",
    Unable.BUSY: "The office cannot write: something else has been writing to its database for too long.",
    Unable.AWAY: "The office's database does not answer.",
}
_ERRNO = {errno.ENOSPC: Unable.FULL, errno.EDQUOT: Unable.FULL, errno.EROFS: Unable.READ_ONLY}
#: SQLite's primary result codes.
_SQLITE = {
    5: Unable.BUSY, 6: Unable.BUSY, 8: Unable.READ_ONLY, 10: Unable.AWAY, 11: Unable.AWAY, 13: Unable.FULL,
    14: Unable.AWAY, 26: Unable.AWAY,
}  # fmt: skip
_PRIMARY = 0xFF
#: PostgreSQL's, by the beginning of their codes; an error without a code is of the connection.
_POSTGRESQL = {
    "25006": Unable.READ_ONLY, "53100": Unable.FULL, "53": Unable.AWAY, "55P03": Unable.BUSY,
    "57P": Unable.AWAY, "58": Unable.AWAY, "08": Unable.AWAY,
}  # fmt: skip


def unable(error: BaseException | None) -> Unable | None:
    """None for an error that is a fault of the program, or of what was asked."""
    if isinstance(error, OSError):
        return _ERRNO.get(error.errno or 0)
    if not isinstance(error, Error):
        return None
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & _PRIMARY)
    state = getattr(cause, "sqlstate", "")
    if state is None:
        return Unable.AWAY if type(cause).__name__ == "OperationalError" else None
    return next((why for code, why in _POSTGRESQL.items() if state.startswith(code)), None)
