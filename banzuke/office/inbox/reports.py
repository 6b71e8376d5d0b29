"""Reports: what is said of them and decided, held, sent back, refused; and how many there are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from banzuke.database.models import Report, ReportDecision, ReportSaid, ReportStep
from banzuke.office import notices
from banzuke.office.inbox.event_fields import plain
from banzuke.office.inbox.report_files import contents_of
from banzuke.office.inbox.report_states import add_step, lock_open
from banzuke.office.journal import note
from banzuke.office.refusals import NoReasonError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from banzuke.database.models import Pool
    from banzuke.exchange.player_identities import Decision
    from banzuke.exchange.report_import import EventFields
    from banzuke.office.journal import Actor


def say_of(report: Report, said: EventFields | Mapping[str, Any], actor: Actor, file: str = "") -> None:
    """Say something of a report's event (of that file's, where it has several) beyond its files.

    What is said last counts; a blank text takes back what was said of a field. Beside the event's fields:
    `ruling`, `excluded` and `readable` (see `said.py`). Raises ReportClosedError.
    """
    given = plain(said)
    with transaction.atomic():
        now = lock_open(report)
        if given:
            about = {"file": file} if file else {}
            ReportSaid.objects.create(
                report=now, at=datetime.now(UTC), author=actor.name, fields=given | about
            )
        note_title(now)


def note_title(report: Report) -> None:
    """What the report is about, for lists of reports."""
    events = [found.event for _, found in contents_of(report).incoming.reports]
    said: dict[str, Any] = {}
    for row in report.said.order_by("pk"):
        said |= row.fields
    report.title = said.get("name") or next((event.name for event in events if event.name), "")
    report.starts = said.get("starts") or min((e.starts for e in events if e.starts), default=None)
    report.ends = said.get("ends") or max((e.ends for e in events if e.ends), default=None)
    report.save(update_fields=["title", "starts", "ends"])


def decide(report: Report, decisions: Iterable[Decision], actor: Actor) -> None:
    """Say who reported players are; a blank id takes back what was said. Raises ReportClosedError."""
    with transaction.atomic():
        now = lock_open(report)
        ReportDecision.objects.bulk_create(
            [
                ReportDecision(report=now, at=datetime.now(UTC), author=actor.name, **decision._asdict())
                for decision in decisions
            ]
        )


def hold(report: Report, actor: Actor, why: str) -> ReportStep:
    """Hold a report, with the reason. Raises NoReasonError, ReportClosedError."""
    return _moved(report, Report.State.HELD, actor, why)


def send_back(report: Report, actor: Actor, why: str) -> ReportStep:
    """Send a report back to the club, which sends another one. Raises NoReasonError, ReportClosedError."""
    return _moved(report, Report.State.RETURNED, actor, why)


def refuse(report: Report, actor: Actor, why: str) -> ReportStep:
    """Refuse a report for good. Raises NoReasonError, ReportClosedError."""
    return _moved(report, Report.State.REFUSED, actor, why)


def _moved(report: Report, state: Report.State, actor: Actor, why: str) -> ReportStep:
    if not why.strip():
        raise NoReasonError
    with transaction.atomic():
        now = lock_open(report)
        taken = add_step(now, state, actor, why.strip())
        note(actor, f"report-{state}", now.pool, report=now.pk)
        notices.of_step(taken)
    return taken


def counts(pool: Pool, clubs: set[str] | None) -> dict[str, int]:
    """How many reports stand in each state; only those of the clubs, where such are given."""
    rows = reports(pool, clubs).order_by().values_list("state").annotate(count=Count("pk"))
    return dict.fromkeys(Report.State.values, 0) | dict(rows)


def reports(pool: Pool, clubs: set[str] | None) -> Any:
    """The pool's reports, the oldest first; only those of the clubs, where such are given."""
    found = Report.objects.filter(pool=pool).order_by("received_at", "pk")
    return found if clubs is None else found.filter(club_id__in=clubs)


def age(report: Report) -> int:
    """How many days ago a report came."""
    return (timezone.localdate() - timezone.localdate(report.received_at)).days
