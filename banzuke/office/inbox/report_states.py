"""A report's way through the office: waiting, held, sent back, accepted, refused; step by step."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from banzuke.database.models import Report, ReportStep
from banzuke.office.refusals import ReportClosedError

if TYPE_CHECKING:
    from banzuke.database.models import Entry
    from banzuke.office.journal import Actor

#: Where a report may still be decided on. One that was sent back is answered by another report.
OPEN = (Report.State.WAITING, Report.State.HELD)


def lock_open(report: Report) -> Report:
    """The report as it is now, locked until the transaction ends. Raises ReportClosedError if not open."""
    now = Report.objects.select_for_update().get(pk=report.pk)
    if now.state not in OPEN:
        raise closed_error(now)
    return now


def closed_error(report: Report) -> ReportClosedError:
    """The refusal for a report that was decided on."""
    last = report.steps.latest("pk")
    at = timezone.localtime(last.at).strftime("%Y-%m-%d %H:%M")
    return ReportClosedError(report=report.pk, state=last.state, author=last.author, at=at)


def add_step(report: Report, state: str, actor: Actor, why: str, entry: Entry | None = None) -> ReportStep:
    """Put a report into a state; call it within the transaction that locked it."""
    report.state = state
    report.save(update_fields=["state"])
    now = datetime.now(UTC)
    return ReportStep.objects.create(
        report=report, at=now, author=actor.name, state=state, why=why, entry=entry
    )
