"""The journal: who did what, when, from where."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from banzuke.database.models import JournalEntry, Pool


class Actor(NamedTuple):
    """Who acts: the user's name, and the network address (blank: at the machine itself)."""

    name: str
    where: str = ""


def note(actor: Actor, act: str, pool: Pool | None = None, **what: Any) -> JournalEntry:
    """Write an act into the journal; `what` are its plain facts, never a birth date, address or e-mail."""
    return JournalEntry.objects.create(
        at=datetime.now(UTC), who=actor.name, where=actor.where, pool=pool, act=act, what=what
    )
