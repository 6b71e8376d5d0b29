"""What programs sent and was refused: the last of a pool, for who runs the server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import Fault
from banzuke.database.models import LiveRefusal

if TYPE_CHECKING:
    from banzuke.database.models import Pool

#: So many are kept of a pool.
KEPT = 100


class Refusal(NamedTuple):
    """A sending that was refused: when, whose, with which status, and the first of its faults."""

    at: datetime
    author: str
    status: int
    fault: Fault


def note(pool: Pool, author: str, status: int, fault: Fault) -> None:
    """Keep a refusal by the first of its faults, and let go of what is too old."""
    LiveRefusal.objects.create(
        pool=pool, at=datetime.now(UTC), author=author, status=status, fault=[*fault[1:-1], dict(fault.facts)]
    )
    oldest = LiveRefusal.objects.filter(pool=pool).order_by("-pk")[KEPT : KEPT + 1].values("pk")
    LiveRefusal.objects.filter(pool=pool, pk__lte=oldest).delete()


def last(pool: Pool, most: int = KEPT) -> list[Refusal]:
    """The last refusals, the newest first."""
    rows = LiveRefusal.objects.filter(pool=pool).order_by("-pk")[:most]
    return [Refusal(row.at, row.author, row.status, _fault(*row.fault)) for row in rows]


def _fault(line: int, column: str, code: str, facts: dict[str, str]) -> Fault:
    return Fault("", line, column, code, tuple(facts.items()))
