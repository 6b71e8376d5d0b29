"""The inbox: reports taken in, decided on, held, sent back, refused. Entering them is `inbox_accepting`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from banzuke.book.models import Report, ReportDecision, ReportFile, ReportSaid, ReportStep
from banzuke.desk import notices
from banzuke.desk.inbox.accepting import accept
from banzuke.desk.inbox.examining import looked_at
from banzuke.desk.inbox.files import accepted, contents_of, read, sha256
from banzuke.desk.inbox.said import plain
from banzuke.desk.inbox.standing import where_it_stands
from banzuke.desk.inbox.states import OPEN, locked, step
from banzuke.desk.journal import note
from banzuke.desk.refusals import NoReasonError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.contrib.auth.models import User

    from banzuke.book.models import Pool
    from banzuke.desk.inbox.files import Contents, File
    from banzuke.desk.journal import Actor
    from banzuke.office.receive import EventFields
    from banzuke.office.who_is_who import Decision

__all__ = [
    "accept",
    "decide",
    "hold",
    "join",
    "looked_at",
    "refuse",
    "say_of",
    "send_back",
    "sent_before",
    "take_in",
    "where_it_stands",
]


def take_in(
    pool: Pool,
    files: Iterable[File],
    said: EventFields | Mapping[str, Any],
    actor: Actor,
    user: User | None,
    club_id: str,
    source: str,
    answers: Report | None = None,
) -> Report:
    """Take a report in: its files as they came, and what is said beyond them.

    Whatever is wrong with the files is seen on the report. The very files of an open or accepted report of
    the club are that report again, which is given back. Pages of an event whose link was mailed join the
    mail's report; a mail with nothing but a link is held until its page comes. `answers` is a report that was
    sent back and that this one is sent instead of. Raises RefusedError for no, too many or too large files.
    """
    given = accepted(files)
    contents = read(tuple(given))
    with transaction.atomic():
        type(pool).objects.select_for_update().get(pk=pool.pk)
        earlier = sent_before(pool, club_id, given)
        if earlier is not None:
            note(actor, "report-again", pool, report=earlier.pk)
            return earlier
        waiting = _waiting_for(pool, club_id, contents)
        if waiting is not None:
            return join(waiting, given, actor)
        report = _new(pool, actor, user, club_id, source, answers)
        _keep(report, given)
        say_of(report, said, actor)
        has_come = bool(contents.incoming.reports or not contents.incoming.waiting)
        links = " ".join(link.source for link in contents.incoming.waiting)
        step(
            report, Report.State.WAITING if has_come else Report.State.HELD, actor, "" if has_come else links
        )
        note(actor, "report-in", pool, report=report.pk, club=club_id, files=len(given), source=source)
    report.refresh_from_db()
    return report


def _new(
    pool: Pool,
    actor: Actor,
    user: User | None,
    club_id: str,
    source: str,
    answers: Report | None,
) -> Report:
    return Report.objects.create(
        pool=pool,
        received_at=datetime.now(UTC),
        author=actor.name,
        user=user,
        club_id=club_id,
        source=source,
        answers=answers,
    )


def sent_before(pool: Pool, club_id: str, files: Sequence[File]) -> Report | None:
    """The club's report of the very same files that waits, is held or was accepted; None: there is none."""
    hashes = sorted(sha256(data) for _, data in files)
    same = Report.objects.filter(pool=pool, club_id=club_id, state__in=(*OPEN, Report.State.ACCEPTED))
    for report in same.filter(files__sha256=hashes[0]).distinct().order_by("pk"):
        if sorted(report.files.values_list("sha256", flat=True)) == hashes:
            return report
    return None


def _waiting_for(pool: Pool, club_id: str, contents: Contents) -> Report | None:
    """The held report whose mail names one of these pages: the club's own, or anybody's for an officer."""
    sources = {report.event.source for _, report in contents.incoming.reports} - {""}
    held = Report.objects.filter(pool=pool, state=Report.State.HELD).order_by("pk")
    for report in held if sources else ():
        links = {link.source for link in contents_of(report).incoming.waiting}
        if links & sources and club_id in ("", report.club_id):
            return report
    return None


def join(report: Report, files: Iterable[File], actor: Actor) -> Report:
    """Add files to an open report, as the page that its mail names; it waits again.

    Raises RefusedError as `take_in` does, and ReportClosedError.
    """
    names = list(report.files.values_list("name", flat=True))
    with transaction.atomic():
        now = locked(report)
        _keep(now, accepted(files, names))
        _note_title(now)
        step(now, Report.State.WAITING, actor, "")
        note(actor, "report-joined", now.pool, report=now.pk)
    return now


def _keep(report: Report, files: Sequence[File]) -> None:
    ReportFile.objects.bulk_create(
        [ReportFile(report=report, name=name, data=data, sha256=sha256(data)) for name, data in files]
    )


def say_of(report: Report, said: EventFields | Mapping[str, Any], actor: Actor, file: str = "") -> None:
    """Say something of a report's event (of that file's, where it has several) beyond its files.

    What is said last counts; a blank text takes back what was said of a field. Beside the event's fields:
    `ruling`, `excluded` and `readable` (see `inbox_said`). Raises ReportClosedError.
    """
    given = plain(said)
    with transaction.atomic():
        now = locked(report)
        if given:
            about = {"file": file} if file else {}
            ReportSaid.objects.create(
                report=now, at=datetime.now(UTC), author=actor.name, fields=given | about
            )
        _note_title(now)


def _note_title(report: Report) -> None:
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
        now = locked(report)
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
        now = locked(report)
        taken = step(now, state, actor, why.strip())
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
