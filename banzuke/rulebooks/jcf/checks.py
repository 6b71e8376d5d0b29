"""What the Japanese editions find in reports, in sentences that they share; each gives its own clause."""

from collections.abc import Iterator
from datetime import date

from banzuke.core.facts import Event
from banzuke.core.rulebook import Finding


def declared_speed_findings(event: Event, fits: tuple[str, ...], clause: str) -> Iterator[Finding]:
    """A declared speed that the time does not make; `fits` are those that it does."""
    if event.speed not in fits:
        facts = {"speed": event.speed, "minutes": event.minutes, "fits": ", ".join(fits), "clause": clause}
        yield Finding("speed", "event-speed", facts)


def organiser_findings(event: Event, is_recognised: bool, clause: str) -> Iterator[Finding]:
    """An organiser who is not recognised on the event's first day, or none at all."""
    if is_recognised:
        return
    if event.organiser:
        yield Finding("", "warn-organiser", {"organiser": event.organiser, "clause": clause})
    else:
        yield Finding("", "warn-no-organiser", {"clause": clause})


def missing_findings(fields: tuple[str, ...], clause: str) -> Iterator[Finding]:
    """What a report must say and this one does not."""
    if fields:
        yield Finding("", "warn-missing", {"fields": ", ".join(fields), "clause": clause})


def name_findings(name: str, in_form: bool, clause: str) -> Iterator[Finding]:
    """A name that is not written as the rules want it."""
    if not in_form:
        yield Finding("", "warn-name", {"name": name, "clause": clause})


def newcomer_findings(name_native: str, birth_date: date | None, clause: str) -> Iterator[Finding]:
    """A report of somebody new that lacks the name in kanji or the birth date."""
    if not (name_native and birth_date):
        yield Finding("", "inbox-newcomer", {"clause": clause})
