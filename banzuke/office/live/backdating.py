"""How far back a program may reach: the office's setting, counted from the pool's newest game."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from banzuke.core.fault import fault
from banzuke.office.live.live_codec import moment_of

if TYPE_CHECKING:
    from banzuke.core.fault import Fault
    from banzuke.office.live.queries import Locked


def earliest(locked: Locked) -> datetime | None:
    """The moment before which nothing is taken from a program; None where anything is.

    A game that a wrong clock put into the future does not move it beyond the present.
    """
    if locked.late_hours is None or locked.newest is None:
        return None
    return min(moment_of(locked.newest), datetime.now(UTC)) - timedelta(hours=locked.late_hours)


def refuse_late(locked: Locked, file: str, line: int, column: str, at: datetime, faults: list[Fault]) -> None:
    """Note the fault of what reaches back too far."""
    first = earliest(locked)
    if first is not None and at < first:
        told = {"at": at.isoformat(), "earliest": first.isoformat(), "hours": locked.late_hours}
        faults.append(fault(file, line, column, "too-late", **told))
