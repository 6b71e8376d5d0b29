"""Entering a report: its event, games and newcomers into the book, in one transaction, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max

from banzuke.core import facts, go_facts
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import Pool, Report
from banzuke.office import notices
from banzuke.office.fact_rows import TABLES
from banzuke.office.inbox import go_review
from banzuke.office.inbox.problems import BLOCKS
from banzuke.office.inbox.report_states import add_step, lock_open
from banzuke.office.inbox.review import review
from banzuke.office.inbox.review_findings import with_day
from banzuke.office.journal import note
from banzuke.office.lists.staleness import lock_if_current, moved_on_error
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.refusals import ReportNotReadyError

if TYPE_CHECKING:
    from datetime import date

    from banzuke.database.models import ReportStep
    from banzuke.office.inbox.review_findings import Review
    from banzuke.office.journal import Actor

ACCEPT = "accept-report"
#: How often a report is looked at again because something else was entered meanwhile.
TRIES = 5


def accept(report: Report, actor: Actor, today: date, why: str = "") -> ReportStep:
    """Enter a report as it stands: all of it in one entry, or nothing.

    Raises ReportClosedError for one that was decided on (by whomever), ReportNotReadyError while something
    blocks it, and MovedOnError where others keep entering meanwhile.
    """
    for _ in range(TRIES):
        heard = _heard(report)
        examined = review(report, today)
        with transaction.atomic():  # the pool is locked before the report, as where files join one
            is_current = _is_current(report.pool, examined)
            now = lock_open(report)
            if is_current and heard == _heard(now):
                _refuse_unready(now, examined)
                taken = _entered(now, examined, actor, why)
                break
    else:
        raise moved_on_error(report.pool.entries.latest("pk"))
    if examined.rules.is_go:
        up_to_date(report.pool)  # the games are in the live standings at once
    return taken


def _is_current(pool: Pool, examined: Review) -> bool:
    """Lock the pool, and say whether nothing came in that the report was not held against."""
    if not examined.rules.is_go:
        return lock_if_current(pool, examined.position)
    Pool.objects.select_for_update().get(pk=pool.pk)
    return go_review.is_current(pool, examined)


def _heard(report: Report) -> list[int | None]:
    """How far its files, what is said of it and who is who in it have come: the last row of each."""
    parts: tuple[Any, ...] = (report.files, report.said, report.decisions)
    return [rows.aggregate(last=Max("pk"))["last"] for rows in parts]


def _refuse_unready(report: Report, examined: Review) -> None:
    if not examined.is_ready:
        blocking = sum(problem.weight == BLOCKS for problem in examined.problems)
        raise ReportNotReadyError(report=report.pk, problems=blocking)


def _entered(report: Report, examined: Review, actor: Actor, why: str) -> ReportStep:
    entry = open_entry(report.pool, Act(actor.name, ACCEPT, why))
    for record, rows in _rows(examined).items():
        add_facts(entry, TABLES[record], rows)
    taken = add_step(report, Report.State.ACCEPTED, actor, why, entry)
    note(actor, ACCEPT, report.pool, report=report.pk, entry=entry.pk, **_told(examined))
    notices.of_step(taken)
    return taken


def _rows(examined: Review) -> dict[Any, list[Any]]:
    """The rows of each table that the report brings."""
    if examined.go is not None:
        return {go_facts.GoPlayer: examined.go.added, go_facts.GoGame: examined.go.games}
    events, games = with_day(examined)
    return {
        facts.Player: examined.added,
        facts.Membership: list(examined.memberships),
        facts.Event: events,
        facts.Game: games,
    }


def _told(examined: Review) -> dict[str, Any]:
    """What the journal says of the entry."""
    if examined.go is not None:
        return {"games": len(examined.go.games), "new": len(examined.go.added)}
    rulings = [event.ruling for event in examined.events if event.ruling]
    return {
        "events": [event.event.event_id for event in examined.events if event.event],
        "games": sum(len(event.games) for event in examined.events),
        "new": [player.player_id for player in examined.added],
        "excluded": sum(len(event.excluded) for event in examined.events),
        **({"rulings": rulings} if rulings else {}),
    }
