"""Taking reports in: their files as they came; the same files again, and pages that a report waits for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction

from banzuke.core import facts, go_facts
from banzuke.database import models
from banzuke.database.models import Report, ReportFile
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox.report_files import accepted, contents_of, read, sha256
from banzuke.office.inbox.report_states import OPEN, add_step, lock_open
from banzuke.office.inbox.reports import note_title, say_of
from banzuke.office.journal import note

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.contrib.auth.models import User

    from banzuke.database.models import Pool
    from banzuke.exchange.report_import import EventFields
    from banzuke.office.inbox.report_files import Contents, File
    from banzuke.office.journal import Actor


class Sender(NamedTuple):
    """Who sends a report, for which club (blank: none), and how (`Report.Source`)."""

    actor: Actor
    user: User | None
    club_id: str
    source: str


def take_in(
    pool: Pool,
    files: Iterable[File],
    said: EventFields | Mapping[str, Any],
    sender: Sender,
    answers: Report | None = None,
) -> Report:
    """Take a report in: its files as they came, and what is said beyond them.

    Whatever is wrong with the files is seen on the report. The very files of a report of the club that is
    open, or of which anything stands in the book, are that report again, which is given back. Pages of an
    event whose link was mailed join the mail's report; a mail with nothing but a link is held until its page
    comes. `answers` is a report that was sent back and that this one is sent instead of. Raises RefusedError
    for no, too many or too large files.
    """
    given, actor, club_id = accepted(files), sender.actor, sender.club_id
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
        report = _new(pool, sender, answers)
        _keep(report, given)
        say_of(report, said, actor)
        _begin(report, contents, actor)
        note(actor, "report-in", pool, report=report.pk, club=club_id, files=len(given), source=sender.source)
    report.refresh_from_db()
    return report


def _new(pool: Pool, sender: Sender, answers: Report | None) -> Report:
    return Report.objects.create(
        pool=pool,
        received_at=datetime.now(UTC),
        author=sender.actor.name,
        user=sender.user,
        club_id=sender.club_id,
        source=sender.source,
        answers=answers,
    )


def _begin(report: Report, contents: Contents, actor: Actor) -> None:
    """The first step of a report: it waits, or is held until the pages come that it names."""
    if contents.incoming.reports or not contents.incoming.waiting:
        add_step(report, Report.State.WAITING, actor, "")
    else:
        add_step(
            report, Report.State.HELD, actor, " ".join(link.source for link in contents.incoming.waiting)
        )


def sent_before(pool: Pool, club_id: str, files: Sequence[File]) -> Report | None:
    """The club's last report of the very same files that is open or stands in the book; None for none."""
    hashes = sorted(sha256(data) for _, data in files)
    same = Report.objects.filter(pool=pool, club_id=club_id, state__in=(*OPEN, Report.State.ACCEPTED))
    for report in same.filter(files__sha256=hashes[0]).distinct().order_by("-pk"):
        if sorted(report.files.values_list("sha256", flat=True)) == hashes and _stands(report):
            return report
    return None


def _stands(report: Report) -> bool:
    """Whether a report is open, or an event or game of it stands in the book, as entered or changed."""
    if report.state in OPEN:
        return True
    entry = report.steps.latest("pk").entry
    events = models.Event.objects.filter(entry=entry).values("event_id")
    games = models.GoGame.objects.filter(entry=entry).values("game_id")
    return (
        standing_rows(report.pool, facts.Event).filter(event_id__in=events).exists()
        or standing_rows(report.pool, go_facts.GoGame).filter(game_id__in=games).exists()
    )


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
        now = lock_open(report)
        _keep(now, accepted(files, names))
        note_title(now)
        add_step(now, Report.State.WAITING, actor, "")
        note(actor, "report-joined", now.pool, report=now.pk)
    return now


def _keep(report: Report, files: Sequence[File]) -> None:
    ReportFile.objects.bulk_create(
        [ReportFile(report=report, name=name, data=data, sha256=sha256(data)) for name, data in files]
    )
