"""How late a game may come from a program (the office's setting), and how far in the future it may end."""

from datetime import UTC, datetime, timedelta

from banzuke.core.fault import Fault, fault
from banzuke.office.live.live_codec import moment_of
from banzuke.office.live.live_tables import LockedPool

#: How far the clock of a server may be ahead of ours.
MOST_AHEAD = timedelta(minutes=5)


def earliest_moment(locked: LockedPool) -> datetime | None:
    """The moment before which nothing is taken from a program; None where anything is.

    A game that a wrong clock put into the future does not move it beyond the present.
    """
    if locked.late_hours is None or locked.newest is None:
        return None
    return min(moment_of(locked.newest), datetime.now(UTC)) - timedelta(hours=locked.late_hours)


def refuse_late(
    locked: LockedPool, file: str, line: int, column: str, at: datetime, faults: list[Fault]
) -> None:
    """Add a fault if something reaches back too far."""
    first = earliest_moment(locked)
    if first is not None and at < first:
        facts = {"at": at.isoformat(), "earliest": first.isoformat(), "hours": locked.late_hours}
        faults.append(fault(file, line, column, "too-late", **facts))


def refuse_future(file: str, line: int, ended: datetime, now: datetime, faults: list[Fault]) -> None:
    """Add a fault if a game ends later than now; two clocks may differ a little."""
    if ended > now + MOST_AHEAD:
        facts = {"ended": ended.isoformat(), "now": now.isoformat(timespec="seconds")}
        faults.append(fault(file, line, "ended", "future-game", **facts))
