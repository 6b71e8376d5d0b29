"""Events that clubs apply for before they are played, and what the office says of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from banzuke.core import facts
from banzuke.core.facts import Event
from banzuke.core.fault import fault
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Sanction, SanctionStep
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import note
from banzuke.office.refusals import SpanError

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

    from banzuke.core.fault import Fault
    from banzuke.office.journal import Actor

ASK, GRANT, REFUSE = "apply-event", "grant-event", "refuse-event"
#: What an application is held to; what a report lacks is said when the report comes.
_OF_APPLICATIONS = (
    *("warn-organiser", "warn-no-organiser", "warn-applied", "warn-not-applied"),
    *("warn-notified", "warn-not-notified"),
)
#: What an application says of the event's report.
_SAID = (
    "event_id",
    "name",
    "organiser",
    "place",
    "responsible",
    "speed",
    "fide_rated",
    "applied",
    "notified",
)


class DecidedError(Exception):
    """An application that was decided on before."""


def apply(pool: Pool, wanted: dict[str, Any], actor: Actor) -> Sanction:
    """An application, with the fields of `Sanction`; without `event_id` it gets one. Raises SpanError.

    The very same application that is still to be decided on is that one again (a form sent twice).
    """
    if wanted["ends"] < wanted["starts"]:
        raise SpanError(starts=wanted["starts"], ends=wanted["ends"])
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        same = {name: value for name, value in wanted.items() if name != "event_id" or value}
        again = Sanction.objects.filter(pool=pool, state=Sanction.State.ASKED, **same).first()
        if again is not None:
            return again
        fields = wanted | {"event_id": _free_id(pool, wanted)}
        made = Sanction.objects.create(pool=pool, **fields)
        _step(made, Sanction.State.ASKED, actor, "")
        note(actor, ASK, pool, event=made.event_id, club=made.organiser)
    return made


def _free_id(pool: Pool, wanted: dict[str, Any]) -> str:
    """The id wanted, or one of the first day and the organiser; with a number where it is taken."""
    given = wanted.get("event_id") or f"{wanted['starts']:%Y%m%d}-{wanted['organiser'] or 'event'}"
    number, free = 1, given
    while (
        Sanction.objects.filter(pool=pool, event_id=free).exists()
        or standing_rows(pool, facts.Event).filter(event_id=free).exists()
    ):
        number += 1
        free = f"{given}-{number}"
    return str(free)


def decide(pool: Pool, number: int, actor: Actor, why: str, *, grant: bool) -> Sanction:
    """Grant or refuse an application. Raises DecidedError where that was done before."""
    with transaction.atomic():
        asked: Sanction = Sanction.objects.select_for_update().get(pool=pool, pk=number)
        if asked.state != Sanction.State.ASKED:
            raise DecidedError(asked.event_id)
        asked.state = Sanction.State.GRANTED if grant else Sanction.State.REFUSED
        asked.save(update_fields=["state"])
        _step(asked, Sanction.State(asked.state), actor, why)
        note(actor, GRANT if grant else REFUSE, pool, event=asked.event_id, why=why)
    return asked


def _step(sanction: Sanction, state: Sanction.State, actor: Actor, why: str) -> None:
    now = datetime.now(UTC)
    SanctionStep.objects.create(sanction=sanction, at=now, author=actor.name, state=state, why=why)


def applications(pool: Pool, clubs: set[str] | None) -> QuerySet[Sanction]:
    """The applications of those clubs (None: of all), those to be decided first, then the latest."""
    found = Sanction.objects.filter(pool=pool).order_by("state", "-starts", "-pk")
    return found if clubs is None else found.filter(organiser__in=clubs)


def doubts(pool: Pool, asked: Sanction) -> list[Fault]:
    """What the rules say against it, with clauses: applied or notified too late, organiser not recognised.

    The edition is the one in force on the event's last day.
    """
    edition = rules_of(pool).find_edition(asked.ends)
    if edition is None or not isinstance(edition.book, ChessBook):
        return []
    event = Event(
        asked.event_id,
        asked.name,
        asked.starts,
        asked.ends,
        asked.ends,
        organiser=asked.organiser,
        speed=asked.speed,
        fide_rated=asked.fide_rated,
        applied=asked.applied,
        notified=asked.notified,
    )
    rows = standing_rows(pool, facts.Club).filter(club_id=asked.organiser)
    clubs = [facts.Club(r.club_id, r.name, r.kind, r.valid_from, r.valid_to) for r in rows]
    found = edition.book.checks.warnings(event, clubs)
    return [
        fault("events.csv", 0, asked.event_id, code, **more)
        for _, code, more in found
        if code in _OF_APPLICATIONS
    ]


def granted_fields(
    pool: Pool, event_id: str = "", name: str = "", starts: date | None = None, ends: date | None = None
) -> dict[str, Any]:
    """What a granted application says of an event's report (`report_import.EventFields`); else nothing.

    The event is meant by its id, or by its name together with its days.
    """
    granted = Sanction.objects.filter(pool=pool, state=Sanction.State.GRANTED)
    found = granted.filter(event_id=event_id).last() if event_id else None
    if found is None and name and starts:
        found = granted.filter(name=name, starts=starts, ends=ends or starts).last()
    if found is None:
        return {}
    said = {field: getattr(found, field) for field in _SAID}
    return {field: value for field, value in said.items() if value not in (None, "")}
