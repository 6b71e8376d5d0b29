"""Events that clubs apply for before they are played, and what the office says of them."""

from collections.abc import Iterable
from datetime import date
from itertools import chain, count
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet

from banzuke.core import facts
from banzuke.core.facts import Event
from banzuke.core.fault import Fault, fault
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Sanction
from banzuke.exchange.name_likeness import normal_form
from banzuke.office import notices
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.journal import Actor, add_step, note
from banzuke.office.refusals import SpanError

ASK, GRANT, REFUSE = "apply-event", "grant-event", "refuse-event"
#: What an application is held to; what a report lacks is said when the report comes.
_OF_APPLICATIONS = (
    "warn-organiser", "warn-no-organiser", "warn-applied", "warn-not-applied",
    "warn-notified", "warn-not-notified",
)  # fmt: skip
#: What of an application the rules look at, and what it says of the event's report.
_OF_RULES = ("event_id", "name", "organiser", "speed", "fide_rated", "applied", "notified")
_OF_REPORT = (*_OF_RULES, "name_native", "place", "responsible", "starts", "ends")


class AlreadyDecidedError(Exception):
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
        add_step(made, Sanction.State.ASKED, actor, "")
        note(actor, ASK, pool, event=made.event_id, club=made.organiser)
    return made


def _free_id(pool: Pool, wanted: dict[str, Any]) -> str:
    """The id wanted, or one of the first day and the organiser; with a number where it is taken."""
    given = wanted.get("event_id") or f"{wanted['starts']:%Y%m%d}-{wanted['organiser'] or 'event'}"
    every = (Sanction.objects.filter(pool=pool), standing_rows(pool, facts.Event))
    names = chain([given], (f"{given}-{number}" for number in count(2)))
    return next(name for name in names if not any(rows.filter(event_id=name).exists() for rows in every))


def decide(pool: Pool, number: int, actor: Actor, why: str, *, grant: bool) -> Sanction:
    """Grant or refuse an application. Raises AlreadyDecidedError where that was done before."""
    with transaction.atomic():
        application: Sanction = Sanction.objects.select_for_update().get(pool=pool, pk=number)
        if application.state != Sanction.State.ASKED:
            raise AlreadyDecidedError(application.event_id)
        state = Sanction.State.GRANTED if grant else Sanction.State.REFUSED
        step = add_step(application, state, actor, why)
        notices.notify_of_application(step)
        note(actor, GRANT if grant else REFUSE, pool, event=application.event_id, why=why)
    return application


def applications(pool: Pool, clubs: set[str] | None) -> QuerySet[Sanction]:
    """The applications of those clubs (None: of all), those to be decided first, then the latest."""
    found = Sanction.objects.filter(pool=pool).order_by("state", "-starts", "-pk")
    return found if clubs is None else found.filter(organiser__in=clubs)


def doubts(pool: Pool, application: Sanction) -> list[Fault]:
    """What the rules say against it, with clauses: applied or notified too late, organiser not recognised.

    The edition is the one in force on the event's last day.
    """
    edition = rules_of(pool).find_edition(application.ends)
    if edition is None or not isinstance(edition.book, ChessBook):
        return []
    said = {name: getattr(application, name) for name in _OF_RULES}
    event = Event(starts=application.starts, ends=application.ends, reported=application.ends, **said)
    rows = standing_rows(pool, facts.Club).filter(club_id=application.organiser)
    clubs = [record_of(row, facts.Club) for row in rows]
    found = edition.book.checks.warnings(event, clubs)
    return [
        fault("events.csv", 0, application.event_id, code, **more)
        for _, code, more in found
        if code in _OF_APPLICATIONS
    ]


class AboutEvent(NamedTuple):
    """What a report says of which event it is; blank or None where it does not say."""

    event_id: str = ""
    name: str = ""
    starts: date | None = None
    ends: date | None = None
    club_id: str = ""


def find_application(applications: Iterable[Sanction], about: AboutEvent) -> Sanction | None:
    """Which of the applications a report is of; None for none.

    It is known by the event's id; or by the name and the days; or it is the only one of the club that sent
    the report whose days are those of the report and whose name is like the report's (a word more or less, or
    none given).
    """
    every = list(applications)
    if about.event_id and (of_id := [one for one in every if one.event_id == about.event_id]):
        return of_id[-1]
    days = about.starts, about.ends or about.starts
    same_days = [one for one in every if about.starts and (one.starts, one.ends) == days]
    named = [one for one in same_days if about.name in (one.name, one.name_native)]
    if named:
        return named[-1]
    like = [one for one in every if about.club_id and _is_like(one, about)]
    return like[0] if len(like) == 1 else None


def _is_like(application: Sanction, about: AboutEvent) -> bool:
    """Whether an application may be of the club's report; one that says neither name nor days is of none."""
    if application.organiser != about.club_id or not (about.name or about.starts):
        return False
    if about.starts and (about.starts, about.ends or about.starts) != (application.starts, application.ends):
        return False
    theirs = set(normal_form(about.name))
    names = [set(normal_form(name)) for name in (application.name, application.name_native) if name]
    if about.starts is None:
        return theirs in names
    return any(ours <= theirs or theirs <= ours for ours in names)


def granted_fields(pool: Pool, about: AboutEvent) -> dict[str, Any]:
    """What a granted application says of an event's report (`report_import.EventFields`); else nothing."""
    granted = Sanction.objects.filter(pool=pool, state=Sanction.State.GRANTED)
    which = Q(event_id=about.event_id) if about.event_id else Q(pk=None)
    which |= Q(name=about.name) | Q(name_native=about.name) if about.name else Q(pk=None)
    which |= Q(organiser=about.club_id) if about.club_id else Q(pk=None)
    found = find_application(granted.filter(which).order_by("pk"), about)
    if found is None:
        return {}
    said = {field: getattr(found, field) for field in _OF_REPORT}
    return {field: value for field, value in said.items() if value not in (None, "")}
