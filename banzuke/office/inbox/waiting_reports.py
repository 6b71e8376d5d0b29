"""What the public may know of reports that wait: who is in them for certain, and how many questions are open.

Nothing of it hangs on what the register says of anybody: questions are those that the club itself may read,
and a player is in a report only by an id that stands in its files, or because an officer decided so. So
nobody learns a birth date, or who somebody is, by sending a report with a guess.
"""

from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Report, WaitingPlayer, WaitingReport
from banzuke.database.models.reports import OPEN_STATES
from banzuke.exchange.player_identities import NEW
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox.club_questions import questions
from banzuke.office.inbox.report_files import read_contents
from banzuke.office.inbox.review import review_for_club
from banzuke.office.inbox.review_findings import decisions

#: What of a report is looked at, by the rows that it is kept in.
_PARTS = ("files", "said", "decisions")
#: What was seen of reports, by their numbers: the last row of each part.
Seen = dict[int, list[int | None]]


def open_reports(pool: Pool) -> Seen:
    """The pool's reports that can be decided on, each with the last rows of its parts."""
    reports: QuerySet[Any] = Report.objects.filter(pool=pool, state__in=OPEN_STATES)
    last = {f"last_{part}": Subquery(_last(part)) for part in _PARTS}
    rows = reports.annotate(**last).values_list("pk", *last)
    return {number: list(parts) for number, *parts in rows}


def _last(part: str) -> QuerySet[Any, Any]:
    model = Report._meta.get_field(part).related_model  # noqa: SLF001 (Django's name for it)
    rows: QuerySet[Any] = QuerySet(model)
    return rows.filter(report=OuterRef("pk")).order_by("-pk").values("pk")[:1]


def kept_reports(pool: Pool) -> Seen:
    """The reports of which facts are kept, with what was seen of each."""
    return dict(WaitingReport.objects.filter(report__pool=pool).values_list("report", "seen"))


def keep_waiting_reports(pool: Pool, today: date) -> None:
    """Look at the open reports of a chess pool that are new or changed, and drop what is open no more."""
    now, kept = open_reports(pool), kept_reports(pool)
    WaitingReport.objects.filter(report__pool=pool).exclude(report__in=now).delete()
    for number, seen in now.items():
        if kept.get(number) != seen:
            _keep(Report.objects.get(pk=number), seen, today)


def _keep(report: Report, seen: list[int | None], today: date) -> None:
    asked, players = questions(review_for_club(report, today)).number, _players(report)
    with transaction.atomic():
        WaitingReport.objects.filter(report=report).delete()
        waiting = WaitingReport.objects.create(report=report, questions=asked, seen=seen)
        WaitingPlayer.objects.bulk_create(
            WaitingPlayer(waiting=waiting, player_id=player) for player in sorted(players)
        )


def _players(report: Report) -> set[str]:
    """The members who are in the report by their ids, or by an officer's decision."""
    people = [(file, one) for file, found in read_contents(report).incoming.reports for one in found.players]
    there = {(file, one.number, one.name) for file, one in people}
    decided = {one.player_id for one in decisions(report) if one[:3] in there} - {NEW}
    national = {one.national_id for _, one in people} - {""}
    fide = {one.fide_id for _, one in people} - {""}
    rows = standing_rows(report.pool, facts.Player)
    of_fide = "player_id" if rules_of(report.pool).has_fide_ids else "fide_id"
    by_id = rows.filter(player_id__in=decided | national).values_list("player_id", flat=True)
    return {*by_id, *rows.filter(**{f"{of_fide}__in": fide}).values_list("player_id", flat=True)}
