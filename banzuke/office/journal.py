"""The journal: who did what, when, from where; and the steps of what the office decides on."""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils.timezone import localtime

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


def add_step(subject: Any, state: str, actor: Actor, why: str, *, is_state: bool = True, **more: Any) -> Any:
    """Put a report, inquiry or application into a state; call it within the transaction that locked it.

    A step that is none of its states (`is_state`) is only noted.
    """
    if is_state:
        subject.state = state
        subject.save(update_fields=["state"])
    return subject.steps.create(at=datetime.now(UTC), author=actor.name, state=state, why=why, **more)


def by_whom(author: str, at: datetime) -> dict[str, str]:
    """Who was faster, and when, for the sentence of a refusal."""
    return {"author": author, "at": minute_text(at)}


def minute_text(at: datetime) -> str:
    """A moment to the minute, by the office's clock; a sentence prints it by `words.day_text`."""
    return localtime(at).strftime("%Y-%m-%d %H:%M")
