"""Where events applied for stand, and which of them a report is of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from banzuke.core import facts
from banzuke.database.models import Pool, Report, ReportSaid, Sanction, SanctionStep
from banzuke.database.two_names import name_here
from banzuke.office.event_progress import (
    EventProgress,
    State,
    Turn,
    last_steps,
    progress_of_reports,
    progress_of_rows,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.register.event_applications import AboutEvent, find_application

_OF_APPLICATIONS = {
    Sanction.State.ASKED: State.APPLIED,
    Sanction.State.GRANTED: State.GRANTED,
    Sanction.State.REFUSED: State.DECLINED,
    Sanction.State.CANCELLED: State.CANCELLED,
}
_TURNS = {State.APPLIED: Turn.OFFICE, State.GRANTED: Turn.CLUB}
#: Of several reports of one event the one that stands furthest is shown.
_RANK = (
    Report.State.ACCEPTED, Report.State.WAITING, Report.State.HELD, Report.State.RETURNED,
    Report.State.REFUSED, Report.State.WITHDRAWN,
)  # fmt: skip


def progress_of_sanctions(
    pool: Pool, sanctions: Sequence[Sanction], questions: Mapping[int, int] | None = None
) -> list[EventProgress]:
    """Where events applied for stand, in their order; `questions` are those of open reports, by number."""
    if not sanctions:
        return []
    ids = {sanction.event_id for sanction in sanctions}
    booked = {row.event_id: row for row in standing_rows(pool, facts.Event).filter(event_id__in=ids)}
    in_book = {one.event_id: one for one in progress_of_rows(pool, list(booked.values()))}
    reported = _reports_of(pool, [each for each in sanctions if each.event_id not in booked])
    by_report = dict(
        zip(reported, progress_of_reports(pool, list(reported.values()), questions), strict=True)
    )
    last = last_steps(SanctionStep, "sanction_id", [sanction.pk for sanction in sanctions])
    return [
        _of_sanction(each, in_book.get(each.event_id) or by_report.get(each.pk), last.get(each.pk))
        for each in sanctions
    ]


def _of_sanction(
    sanction: Sanction, further: EventProgress | None, step: SanctionStep | None
) -> EventProgress:
    """An event applied for: as far as its report is, else where the application stands."""
    about: dict[str, Any] = {
        "event_id": sanction.event_id,
        "club_id": sanction.organiser,
        "sanction": sanction.pk,
    }
    called = name_here(sanction.name, sanction.name_native)
    if further is not None and further.state is not State.WITHDRAWN:
        name = (further.event_id and further.name) or called  # until it is in the book, as it was granted
        return further._replace(name=name, **about)
    state = _OF_APPLICATIONS[Sanction.State(sanction.state)]
    since, why = (step.at, step.why) if step else (None, "")
    turn = _TURNS.get(state, Turn.NOBODY)
    return EventProgress(state, since, turn, called, sanction.starts, sanction.ends, why=why, **about)


def _reports_of(pool: Pool, sanctions: Sequence[Sanction]) -> dict[int, Report]:
    """The report that stands furthest of each event applied for, by the application's number.

    It is the organiser's own or the office's: what another club sends says nothing of the event until it is
    accepted.
    """
    standing = [each for each in sanctions if each.state in (Sanction.State.ASKED, Sanction.State.GRANTED)]
    if not standing:
        return {}
    clubs = {each.organiser for each in standing} | {""}
    first, last = min(each.starts for each in standing), max(each.ends for each in standing)
    found = Report.objects.filter(pool=pool, club_id__in=clubs).exclude(state=Report.State.ACCEPTED)
    found = found.exclude(ends__lt=first).exclude(starts__gt=last).order_by("pk")
    rows = list(found)
    said = _event_ids_said(rows)
    by_sanction: dict[int, Report] = {}
    for report in sorted(rows, key=lambda one: (-_RANK.index(Report.State(one.state)), one.pk)):
        of_it = _application_of(report, said.get(report.pk, ""), standing)
        if of_it is not None:
            by_sanction[of_it.pk] = report
    return by_sanction


def _event_ids_said(reports: Iterable[Report]) -> dict[int, str]:
    """The event's id that somebody gave a report, by the report's number."""
    rows = ReportSaid.objects.filter(report__in=[each.pk for each in reports]).order_by("pk")
    return {number: fields["event_id"] for number, fields in rows.values_list("report_id", "fields")
            if fields.get("event_id")}  # fmt: skip


def granted_names(pool: Pool, reports: Sequence[Report]) -> dict[int, str]:
    """What the granted event is called that a report is of, by the report's number.

    A report of no granted event has none, and so has one that another club sent.
    """
    granted = list(Sanction.objects.filter(pool=pool, state=Sanction.State.GRANTED)) if reports else []
    said = _event_ids_said(reports) if granted else {}
    found = {report.pk: _application_of(report, said.get(report.pk, ""), granted) for report in reports}
    return {number: name_here(one.name, one.name_native) for number, one in found.items() if one}


def _application_of(report: Report, event_id: str, applications: Sequence[Sanction]) -> Sanction | None:
    """The application of the organiser's or the office's own report."""
    own = [each for each in applications if report.club_id in ("", each.organiser)]
    about = AboutEvent(event_id, report.title, report.starts, report.ends, report.club_id)
    return find_application(own, about)
