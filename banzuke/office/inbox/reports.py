"""Reports: fields and decisions that people add, their states, accepting them, and where one stands."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max
from django.utils import timezone

from banzuke.core import facts, go_facts
from banzuke.core.calendar import Window
from banzuke.core.rating import FIRST, RATED
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import Entry, Pool, RatingList, Report, ReportDecision, ReportSaid, ReportStep
from banzuke.database.models.reports import OPEN_STATES
from banzuke.database.two_names import name_here
from banzuke.engine.go_windows import day_of
from banzuke.exchange.player_identities import Decision
from banzuke.exchange.report_import import EventFields
from banzuke.office import notices
from banzuke.office.fact_rows import TABLES, record_of
from banzuke.office.inbox import go_review
from banzuke.office.inbox.event_fields import fields_said, fields_to_json
from banzuke.office.inbox.problems import BLOCKS
from banzuke.office.inbox.report_files import read_contents
from banzuke.office.inbox.review import review_report
from banzuke.office.inbox.review_findings import Review, events_and_games
from banzuke.office.journal import Actor, add_step, by_whom, note
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.staleness import last_list_number, lock_if_current, refusal_of_entry
from banzuke.office.live.live_pool import synchronise
from banzuke.office.refusals import (
    NoReasonError,
    ReportChangedError,
    ReportClosedError,
    ReportNotReadyError,
    refuse_outdated,
)

ACCEPT = "accept-report"
#: How often a report is looked at again because something else was entered meanwhile.
MOST_TRIES = 5
_OF_TITLE = ("name", "starts", "ends")


def set_fields(report: Report, fields: EventFields | Mapping[str, Any], actor: Actor, file: str = "") -> None:
    """Add fields of a report's event (of that file's, where it has several) beyond its files.

    The last value counts; a blank text takes a field back. Beside the event's fields:
    `ruling`, `excluded` and `readable` (see `event_fields`). Raises ReportClosedError.
    """
    given = fields_to_json(fields)
    with transaction.atomic():
        now = lock_open_report(report)
        if given:
            about = {"file": file} if file else {}
            ReportSaid.objects.create(
                report=now, at=datetime.now(UTC), author=actor.name, fields=given | about
            )
        update_title(now)


def update_title(report: Report) -> None:
    """What the report is about, for lists of reports: the first event's name, the first and the last day."""
    found = read_contents(report).incoming.reports
    events = [
        {name: getattr(one.event, name) for name in _OF_TITLE} | fields_said(report, file)
        for file, one in found
    ] or [fields_said(report, "")]
    names, starts, ends = ([event.get(name) for event in events] for name in _OF_TITLE)
    report.title = next(filter(None, names), "")
    report.starts, report.ends = (
        min(filter(None, starts), default=None),
        max(filter(None, ends), default=None),
    )
    report.save(update_fields=["title", "starts", "ends"])


def decide(report: Report, decisions: Iterable[Decision], actor: Actor) -> None:
    """Decide who reported players are; a blank id takes a decision back. Raises ReportClosedError."""
    with transaction.atomic():
        now = lock_open_report(report)
        ReportDecision.objects.bulk_create(
            [
                ReportDecision(report=now, at=datetime.now(UTC), author=actor.name, **decision._asdict())
                for decision in decisions
            ]
        )


def keep(
    report: Report,
    fields: Iterable[tuple[str, Mapping[str, Any]]],
    decisions: Iterable[Decision],
    actor: Actor,
    seen: str = "",
) -> None:
    """Add fields, each with the file of its event, and decisions, as a page gives them: all or nothing.

    `seen` are the `last_rows` of the page. Raises ReportClosedError, ReportChangedError.
    """
    with transaction.atomic():
        now = lock_open_report(report)
        refuse_outdated(seen, last_rows(now), ReportChangedError)
        for file, given in fields:
            set_fields(now, given, actor, file)
        decide(now, decisions, actor)


def hold(report: Report, actor: Actor, why: str) -> ReportStep:
    """Hold a report, with the reason. Raises NoReasonError, ReportClosedError."""
    return _change_state(report, Report.State.HELD, actor, why)


def send_back(report: Report, actor: Actor, why: str) -> ReportStep:
    """Send a report back to the club, which sends another one. Raises NoReasonError, ReportClosedError."""
    return _change_state(report, Report.State.RETURNED, actor, why)


def refuse(report: Report, actor: Actor, why: str) -> ReportStep:
    """Refuse a report for good. Raises NoReasonError, ReportClosedError."""
    return _change_state(report, Report.State.REFUSED, actor, why)


def withdraw(report: Report, actor: Actor, why: str = "") -> ReportStep:
    """Take a report back that its club sent, as long as it is open. Raises ReportClosedError.

    One that is accepted is in the book: the club asks for it, and an officer takes the acceptance back first.
    """
    with transaction.atomic():
        now = lock_open_report(report)
        step: ReportStep = add_step(now, Report.State.WITHDRAWN, actor, why.strip())
        note(actor, "report-withdrawn", now.pool, report=now.pk)
    return step


def _change_state(report: Report, state: Report.State, actor: Actor, why: str) -> ReportStep:
    if not why.strip():
        raise NoReasonError
    with transaction.atomic():
        now = lock_open_report(report)
        step: ReportStep = add_step(now, state, actor, why.strip())
        note(actor, f"report-{state}", now.pool, report=now.pk)
        notices.notify_of_step(step)
    return step


def accept(report: Report, actor: Actor, today: date, why: str = "") -> ReportStep:
    """Enter a report as it stands: all of it in one entry, or nothing.

    Raises ReportClosedError for one that was decided on (by whomever), ReportNotReadyError while something
    blocks it, and MovedOnError where others keep entering meanwhile.
    """
    for _ in range(MOST_TRIES):
        seen, last_list = last_rows(report), last_list_number(report.pool)
        review = review_report(report, today)
        with transaction.atomic():  # the pool is locked before the report, as where files join one
            is_current = _is_current(report.pool, review) and last_list == last_list_number(report.pool)
            now = lock_open_report(report)
            if is_current and seen == last_rows(now):
                step = _enter(now, review, actor, why)
                break
    else:
        raise refusal_of_entry(report.pool.entries.latest("pk"))
    if review.rules.is_go:
        synchronise(report.pool)  # the games are in the live standings at once
    return step


def _is_current(pool: Pool, review: Review) -> bool:
    """Lock the pool, and say whether nothing was entered that the review has not seen."""
    if not review.rules.is_go:
        return lock_if_current(pool, review.position)
    Pool.objects.select_for_update().get(pk=pool.pk)
    return go_review.is_current(pool, review)


def last_rows(report: Report) -> str:
    """The last row of its files, of the fields given for it, and of who is who in it."""
    parts: tuple[Any, ...] = (report.files, report.said, report.decisions)
    return "-".join(str(rows.aggregate(last=Max("pk"))["last"] or 0) for rows in parts)


def _enter(report: Report, review: Review, actor: Actor, why: str) -> ReportStep:
    if not review.is_ready:
        blocking = sum(problem.weight == BLOCKS for problem in review.problems)
        raise ReportNotReadyError(report=report.pk, problems=blocking)
    entry = open_entry(report.pool, Act(actor.name, ACCEPT, why))
    for record, rows in _new_rows(review).items():
        add_facts(entry, TABLES[record], rows)
    step: ReportStep = add_step(report, Report.State.ACCEPTED, actor, why, entry=entry)
    note(actor, ACCEPT, report.pool, report=report.pk, entry=entry.pk, **_journal_facts(review))
    notices.notify_of_step(step)
    return step


def _new_rows(review: Review) -> dict[Any, list[Any]]:
    """The rows of each table that the report brings."""
    if review.go is not None:
        return {go_facts.GoPlayer: review.go.added, go_facts.GoGame: review.go.games}
    events, games = events_and_games(review)
    return {
        facts.Player: review.added,
        facts.Membership: list(review.memberships),
        facts.Event: events,
        facts.Game: games,
        facts.Bye: [bye for event in review.events for bye in event.byes],
    }


def _journal_facts(review: Review) -> dict[str, Any]:
    """The facts of the entry for the journal."""
    if review.go is not None:
        return {"games": len(review.go.games), "new": len(review.go.added)}
    rulings = [event.known.ruling for event in review.events if event.known.ruling]
    return {
        "events": [event.event.event_id for event in review.events if event.event],
        "games": sum(len(event.games) for event in review.events),
        "new": [player.player_id for player in review.added],
        "excluded": sum(len(event.known.excluded) for event in review.events),
        **({"rulings": rulings} if rulings else {}),
    }


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


def lock_open_report(report: Report) -> Report:
    """The report as it is now, locked until the transaction ends. Raises ReportClosedError if not open."""
    now: Report = Report.objects.select_for_update().get(pk=report.pk)
    check_open(now)
    return now


def check_open(report: Report) -> None:
    """Raise ReportClosedError for a report that is not open, as far as is known of it."""
    if report.state not in OPEN_STATES:
        last = report.steps.latest("pk")
        raise ReportClosedError(report=report.pk, state=last.state, **by_whom(last.author, last.at))


class EventStatus(NamedTuple):
    """An event of an accepted report (of Go: its games, without an id): its list, and how far it is rated.

    `closes` is the last day of the list's window (None: unknown); `published` is the list's latest revision
    once it holds the event; `rated` of `games` sides count there, and `games_rated` of `games_played`
    games for a side at least.
    """

    event_id: str
    name: str
    list: str
    closes: date | None
    published: RatingList | None
    rated: int
    games: int
    games_rated: int
    games_played: int

    @property
    def is_closed(self) -> bool:
        """Whether the list's window is over."""
        return self.closes is not None and self.closes < timezone.localdate()


class ReportStatus(NamedTuple):
    """Where a report stands: its state, the last step (with the reason), and its events once accepted."""

    state: str
    step: ReportStep
    events: list[EventStatus]
    answered_by: int | None

    @property
    def is_rated(self) -> bool:
        """Whether every event of it is in a published list."""
        return bool(self.events) and all(event.published for event in self.events)


def status_of(report: Report) -> ReportStatus:
    """Where a report stands."""
    step = report.steps.latest("pk")
    answer = report.answered_by.order_by("pk").last()
    events = _events(report, step.entry) if step.entry else []
    return ReportStatus(step.state, step, events, answer.pk if answer else None)


def _events(report: Report, entry: Entry) -> list[EventStatus]:
    """The events of a report; of Go, the rankings that its games go into."""
    pool, rules = report.pool, rules_of(report.pool)
    if not rules.is_go:
        rows = models.Event.objects.filter(entry=entry).order_by("pk")
        events = [record_of(row, facts.Event) for row in rows]
        return [
            _event_status(pool, event, rules.schedule.window_of(event), [event.event_id]) for event in events
        ]
    games: dict[Window, list[str]] = defaultdict(list)
    for game_id, ended in models.GoGame.objects.filter(entry=entry).values_list("game_id", "ended"):
        games[rules.schedule.window_on(day_of(datetime.fromisoformat(ended)))].append(game_id)
    windows = sorted(games, key=lambda window: window.closes)
    return [_event_status(pool, None, window, games[window]) for window in windows]


def _event_status(pool: Pool, event: facts.Event | None, window: Window, ids: list[str]) -> EventStatus:
    """How far an event is rated (None: games of Go) by the lines of those ids in its list's last revision."""
    published = current_lists(pool).filter(name=window.name).first()
    lines = models.Line.objects.filter(list=published, event_id__in=ids)
    sides = list(lines.values_list("verdict", "event_id", "round", "player_id", "opponent_id"))
    sides = sides if published else []
    games = {(event_id, number, frozenset(pair)) for _, event_id, number, *pair in sides}
    rated = [
        (event_id, number, frozenset(pair))
        for verdict, event_id, number, *pair in sides
        if verdict in (RATED, FIRST)
    ]
    about = (event.event_id, name_here(event.name, event.name_native)) if event else ("", "")
    closes = window.closes if event else None
    counts = len(rated), len(sides), len(set(rated)), len(games)
    return EventStatus(*about, window.name, closes, published if sides else None, *counts)
