"""Receiving reports: new ones, the same files sent again, and pages that a report waits for."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from banzuke.core import facts, go_facts
from banzuke.database import models
from banzuke.database.models import Pool, Report, ReportDecision, ReportFile
from banzuke.database.models.reports import OPEN_STATES
from banzuke.exchange.report_import import EventFields
from banzuke.office import notices
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox.event_fields import fields_to_json
from banzuke.office.inbox.report_contents import Contents
from banzuke.office.inbox.report_files import File, check_files, check_reports, read, read_contents, sha256
from banzuke.office.inbox.reports import check_open, lock_open_report, set_fields, update_title
from banzuke.office.inbox.review_findings import decision_rows
from banzuke.office.journal import Actor, add_step, note


class Sender(NamedTuple):
    """Who sends a report, for which club (blank: none), and how (`Report.Source`)."""

    actor: Actor
    user: User | None
    club_id: str
    source: str


def receive(
    pool: Pool,
    files: Iterable[File],
    said: EventFields | Mapping[str, Any],
    sender: Sender,
    answers: Report | None = None,
) -> Report:
    """Receive a report: its files as they came, and the fields that are given beside them (`said`).

    Whatever is wrong with the report is seen on its page; a file that is none is refused. If the club sent
    the very same files before, and that report is open or something of it stands in the book, it is given
    back. Pages of an event whose link was mailed join the mail's report; a mail with nothing but a link is
    held until its page comes. `answers` is a report that was sent back and that this one is sent
    instead of; who is who stays as it was decided there.
    Raises RefusedError for no, too many or too large files, for what is no report or takes too long to read,
    and where others are being read.
    """
    given, actor, club_id = check_files(files), sender.actor, sender.club_id
    contents = read(given, actor.name)
    check_reports(given, contents)
    if (waiting := _find_waiting(pool, club_id, contents)) is not None:
        _read_together(waiting, given, actor)  # now, while nothing is locked
    decided = _decided_before(answers, contents) if answers else []
    with transaction.atomic():
        type(pool).objects.select_for_update().get(pk=pool.pk)
        earlier = find_sent_before(pool, club_id, given)
        if earlier is not None:
            note(actor, "report-again", pool, report=earlier.pk)
            return earlier
        waiting = _find_waiting(pool, club_id, contents)
        if waiting is not None:
            joined = add_files(waiting, given, actor)
            set_fields(joined, _written(said), actor)
            joined.refresh_from_db()
            return joined
        report = Report.objects.create(
            pool=pool,
            received_at=datetime.now(UTC),
            author=actor.name,
            user=sender.user,
            club_id=club_id,
            source=sender.source,
            answers=answers,
        )
        _store_files(report, given)
        set_fields(report, said, actor)
        ReportDecision.objects.bulk_create(ReportDecision(report=report, **one) for one in decided)
        _add_first_step(report, contents, actor)
        note(actor, "report-in", pool, report=report.pk, club=club_id, files=len(given), source=sender.source)
    report.refresh_from_db()
    return report


def _written(said: EventFields | Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are given and not blank: a blank would take back what was said of a report."""
    return {name: value for name, value in fields_to_json(said).items() if value != ""}


def _add_first_step(report: Report, contents: Contents, actor: Actor) -> None:
    """Add a report's first step: it waits, or is held until the pages that it names come."""
    links = [] if contents.incoming.reports else contents.incoming.waiting
    state = Report.State.HELD if links else Report.State.WAITING
    notices.notify_of_step(add_step(report, state, actor, " ".join(link.source for link in links)))


def _decided_before(answered: Report, contents: Contents) -> list[dict[str, Any]]:
    """Who is who by the decisions on the report that was sent back, each by its officer at its time.

    They go by the name: a corrected file may have other start ranks. A name is asked again that two players
    of one file have, or that was decided to be several members.
    """
    before, now = _names_once(read_contents(answered)), _names_once(contents)
    rows = [row for row in decision_rows(answered) if row.name in before]
    members = {name: {row.player_id for row in rows if row.name == name} for name in now}
    decided = {row.name: row for row in rows if len(members.get(row.name, ())) == 1}
    return [
        {"at": row.at, "author": row.author, "player_id": row.player_id}
        | {"file": file, "number": number, "name": name}
        for name, row in decided.items()
        for file, number in now[name]
    ]


def _names_once(contents: Contents) -> dict[str, list[tuple[str, int]]]:
    """Where the names stand that no two players of one file have: file and start rank."""
    found: dict[str, list[tuple[str, int]]] = {}
    for file, report in contents.incoming.reports:
        for player in report.players:
            found.setdefault(player.name, []).append((file, player.number))
    return {name: at for name, at in found.items() if len({file for file, _ in at}) == len(at)}


def find_sent_before(pool: Pool, club_id: str, files: Sequence[File]) -> Report | None:
    """The club's last report of the very same files that is open or stands in the book; None for none."""
    hashes = sorted(sha256(data) for _, data in files)
    same = Report.objects.filter(pool=pool, club_id=club_id, state__in=(*OPEN_STATES, Report.State.ACCEPTED))
    for report in same.filter(files__sha256=hashes[0]).distinct().order_by("-pk"):
        if sorted(report.files.values_list("sha256", flat=True)) == hashes and _stands(report):
            return report
    return None


def _stands(report: Report) -> bool:
    """Whether a report is open, or an event or game of it stands in the book, as entered or changed."""
    if report.state in OPEN_STATES:
        return True
    entry = report.steps.latest("pk").entry
    events = models.Event.objects.filter(entry=entry).values("event_id")
    games = models.GoGame.objects.filter(entry=entry).values("game_id")
    return (
        standing_rows(report.pool, facts.Event).filter(event_id__in=events).exists()
        or standing_rows(report.pool, go_facts.GoGame).filter(game_id__in=games).exists()
    )


def _find_waiting(pool: Pool, club_id: str, contents: Contents) -> Report | None:
    """The held report whose mail names one of these pages: the club's own, or anybody's for an officer."""
    sources = {report.event.source for _, report in contents.incoming.reports} - {""}
    named = Q(pk=None)
    for source in sources:
        named |= Q(steps__state=Report.State.HELD, steps__why__contains=source)
    for report in Report.objects.filter(named, pool=pool, state=Report.State.HELD).distinct().order_by("pk"):
        links = {link.source for link in read_contents(report).incoming.waiting}
        if links & sources and club_id in ("", report.club_id):
            return report
    return None


def add_files(report: Report, files: Iterable[File], actor: Actor) -> Report:
    """Add files to an open report, as the page that its mail names; it waits again.

    Raises RefusedError as `receive` does, and ReportClosedError.
    """
    check_open(Report.objects.get(pk=report.pk))
    given = _read_together(report, files, actor)
    with transaction.atomic():
        now = lock_open_report(report)
        _store_files(now, given)
        update_title(now)
        add_step(now, Report.State.WAITING, actor, "")
        note(actor, "report-joined", now.pool, report=now.pk)
    return now


def _read_together(report: Report, files: Iterable[File], actor: Actor) -> list[File]:
    """The files, under free names, once they were read with those of the report. Raises RefusedError."""
    there = [(name, bytes(data)) for name, data in report.files.order_by("pk").values_list("name", "data")]
    given = check_files(files, [name for name, _ in there])
    check_reports(given, read([*there, *given], actor.name))
    return given


def _store_files(report: Report, files: Sequence[File]) -> None:
    ReportFile.objects.bulk_create(
        [ReportFile(report=report, name=name, data=data, sha256=sha256(data)) for name, data in files]
    )
