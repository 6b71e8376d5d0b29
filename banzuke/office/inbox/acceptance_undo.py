"""Taking back that a report was accepted, as long as no published list has an event of it.

What the report brought is struck as if it had never stood: events, games, byes, memberships of the events,
and whoever came with it and is named nowhere else. The report waits again, with its files and decisions.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from banzuke.core import facts
from banzuke.core.calendar import Window
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Pool, RatingList, Report, ReportDecision, ReportStep
from banzuke.exchange.player_identities import NEW
from banzuke.office import notices
from banzuke.office.fact_rows import last_struck, record_of, standing_rows, strike_all
from banzuke.office.inbox.review_findings import decisions
from banzuke.office.journal import Actor, add_step, by_whom, note
from banzuke.office.merged_ids import kept_ids, standing_merges
from banzuke.office.refusals import (
    CorrectedSinceError,
    NoReasonError,
    NotAcceptedError,
    NotDoneError,
    RatedAtOnceError,
    ReportPublishedError,
)

TAKE_BACK = "take-back-report"


def why_not(report: Report) -> NotDoneError | None:
    """Why the acceptance cannot be taken back, with what can be done instead; None where it can."""
    last = report.steps.latest("pk")
    if last.state != Report.State.ACCEPTED or last.entry_id is None:
        return NotAcceptedError(report=report.pk, state=last.state, **by_whom(last.author, last.at))
    if rules_of(report.pool).is_go:
        return RatedAtOnceError(report=report.pk)
    ids = _events_of(last.entry_id)
    rows = standing_rows(report.pool, facts.Event).filter(event_id__in=ids)
    windows = [rules_of(report.pool).schedule.window_of(record_of(row, facts.Event)) for row in rows]
    found = _list_that_has(report.pool, last.entry_id, ids, windows)
    if found is not None:
        return ReportPublishedError(report=report.pk, list=found.name)
    known = [rules_of(report.pool).schedule.known_until(window) for window in windows]
    day = _day_of(report.pool, ids)
    too_late = any(until is not None and until <= day for until in known)
    return CorrectedSinceError(report=report.pk) if too_late else None


def take_back(report: Report, actor: Actor, why: str) -> ReportStep:
    """Take the acceptance of a report back: all of it in one entry, or nothing.

    Raises NoReasonError, NotAcceptedError (somebody was faster), RatedAtOnceError, ReportPublishedError, and
    CorrectedSinceError.
    """
    if not why.strip():
        raise NoReasonError
    with transaction.atomic():
        pool = Pool.objects.select_for_update().get(pk=report.pool_id)  # before the report, as who accepts
        now = Report.objects.select_for_update().get(pk=report.pk)
        refusal = why_not(now)
        if refusal is not None:
            raise refusal
        accepted = models.Entry.objects.get(pk=now.steps.latest("pk").entry_id or 0)
        entry = open_entry(pool, Act(actor.name, TAKE_BACK, why.strip()))
        events = _strike_events(entry, accepted)
        gone, left = _strike_newcomers(entry, accepted)
        _decide_again(now, accepted, left)
        step: ReportStep = add_step(now, Report.State.WAITING, actor, why.strip(), entry=entry)
        about = {"events": sorted(events), "struck": sorted(gone), "left": sorted(left), "why": why.strip()}
        note(actor, TAKE_BACK, pool, report=now.pk, entry=entry.pk, **about)
        notices.notify_of_taking_back(now)
    return step


def _list_that_has(
    pool: Pool, entry: int, ids: Collection[str], windows: Iterable[Window]
) -> RatingList | None:
    """The first published list or revision that has an event which that entry brought."""
    has_lines = Q(pk__in=models.Line.objects.filter(list__pool=pool, event_id__in=ids).values("list"))
    of_them = Q(name__in={window.name for window in windows}, entry_id__gte=entry)
    return pool.lists.filter(has_lines | of_them).order_by("number").first()


def _events_of(entry: int) -> set[str]:
    return set(models.Event.objects.filter(entry=entry).values_list("event_id", flat=True))


def _rows_of(ids: Collection[str]) -> dict[Any, Q]:
    """Which rows are of those events, by table."""
    return dict.fromkeys((facts.Event, facts.Game, facts.Bye, facts.Membership), Q(event_id__in=ids))


def _day_of(pool: Pool, ids: Collection[str]) -> date:
    """The day as of which the events go: what an inquiry has struck of them until then names them still."""
    return last_struck(pool, _rows_of(ids))


def _strike_events(entry: models.Entry, accepted: models.Entry) -> set[str]:
    """Strike the events with all that stands of them, also what was changed since; gives their ids."""
    ids = _events_of(accepted.pk)
    day = _day_of(entry.pool, ids)
    for record, of_them in _rows_of(ids).items():
        strike_all(entry, record, standing_rows(entry.pool, record).filter(of_them), day)
    return ids


def _strike_newcomers(entry: models.Entry, accepted: models.Entry) -> tuple[set[str], set[str]]:
    """Strike who came with the report; gives who is gone, and who stays since others name or changed them."""
    came = set(models.Player.objects.filter(entry=accepted).values_list("player_id", flat=True))
    left = _named_elsewhere(entry.pool, came, accepted)
    gone = came - left
    of_games = Q(white__in=gone) | Q(black__in=gone)
    day = last_struck(entry.pool, {facts.Membership: Q(player_id__in=gone), facts.Game: of_games})
    for record in (facts.Player, facts.Membership):
        strike_all(entry, record, standing_rows(entry.pool, record).filter(player_id__in=gone), day)
    return gone, left


def _named_elsewhere(pool: Pool, player_ids: Collection[str], accepted: models.Entry) -> set[str]:
    """Those of the players who are more by now than what one entry brought."""
    ids = set(player_ids)
    untouched = standing_rows(pool, facts.Player).filter(player_id__in=ids, entry=accepted)
    found = ids - set(untouched.values_list("player_id", flat=True))
    games = standing_rows(pool, facts.Game).filter(Q(white__in=ids) | Q(black__in=ids))
    for pair in games.values_list("white", "black"):
        found |= ids.intersection(pair)
    others: tuple[QuerySet[Any], ...] = (
        standing_rows(pool, facts.Bye),
        standing_rows(pool, facts.Opening),
        standing_rows(pool, facts.Membership).exclude(entry=accepted),
        models.Contact.objects.filter(pool=pool).exclude(entry=accepted),
        models.Seed.objects.filter(pool=pool),
        models.ListRow.objects.filter(list__pool=pool),
    )
    for rows in others:
        found |= set(rows.filter(player_id__in=ids).values_list("player_id", flat=True))
    return found | {merge.kept for merge in standing_merges(pool, *ids) if merge.kept in ids}


def _decide_again(report: Report, accepted: models.Entry, left: Iterable[str]) -> None:
    """Who stays in the register is that member from now on, and not new once more.

    Of two with one name nobody knows which of them a decision means: an officer decides again.
    """
    rows = models.Player.objects.filter(entry=accepted)
    staying, kept = set(left), kept_ids(report.pool, left)
    named: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        for name in {row.name_native, row.name} - {""}:
            named[name].add(row.player_id)
    now = {
        name: kept.get(player, player)
        for name, (player, *others) in named.items()
        if player in staying and not others
    }
    ReportDecision.objects.bulk_create(
        ReportDecision(
            report=report,
            at=datetime.now(UTC),
            author=report.steps.latest("pk").author,
            file=decision.file,
            number=decision.number,
            name=decision.name,
            player_id=now[decision.name],
        )
        for decision in decisions(report)
        if decision.player_id == NEW and decision.name in now
    )
