"""Where an event stands, as people ask it: from the application to the list that rates it.

`progress_of_reports` begins with reports, `progress_of_events` with events of the book, and
`application_progress` with events applied for. Each asks the database the same few times, however many there
are (of Go a few times a report, for an accepted report's games go into several rankings).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from banzuke.core import facts
from banzuke.core.calendar import Window
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.models import (
    Pool,
    RatingList,
    Report,
    ReportSaid,
    ReportStep,
    WaitingReport,
)
from banzuke.database.models.reports import OPEN_STATES
from banzuke.database.two_names import name_here
from banzuke.engine.go_windows import day_of
from banzuke.ledger.list_schedule import Schedule
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists.list_index import current_lists


class State(StrEnum):
    """How far an event is, in order; the last five go no further."""

    APPLIED = "applied"  # the office has not decided
    GRANTED = "granted"  # no report has come
    REPORTED = "reported"  # the report waits
    HELD = "held"
    RETURNED = "returned"  # sent back, and not sent again
    ACCEPTED = "accepted"  # in the coming list `list`
    RATED = "rated"  # in the published list `list`
    DECLINED = "declined"  # the application was refused
    CANCELLED = "cancelled"  # it does not take place
    REFUSED = "refused"  # the report was refused
    WITHDRAWN = "withdrawn"  # the club took its report back
    STRUCK = "struck"  # it was accepted, and taken out of the book later


class Turn(StrEnum):
    """Who acts next."""

    CLUB = "club"
    OFFICE = "office"
    NOBODY = ""


class EventProgress(NamedTuple):
    """Where an event stands, and since when.

    `event_id` is blank until it is known; `sanction` and `report` are the numbers of the application and of
    the last report. `questions` are those that the club has to answer before the report can be accepted
    (None: not counted). `list` is the list that takes the event, `closes` the last day of its window (None:
    every event makes a list), `published` the list's last revision once that is public; without the event in
    it the state is still ACCEPTED. `why` is the reason of the last step, for the club alone.
    """

    state: State
    since: datetime | None
    turn: Turn
    name: str
    starts: date | None
    ends: date | None
    event_id: str = ""
    club_id: str = ""
    sanction: int | None = None
    report: int | None = None
    questions: int | None = None
    list: str = ""
    closes: date | None = None
    published: RatingList | None = None
    why: str = ""

    @property
    def is_open(self) -> bool:
        """Whether something is still to happen."""
        return self.state in OPEN

    @property
    def has_own_list(self) -> bool:
        """Whether its list is made for it alone."""
        return self.list == self.event_id

    def awaits_report(self, today: date) -> bool:
        """Whether it was granted and is over, and no report has come."""
        return self.state is State.GRANTED and self.ends is not None and self.ends < today


OPEN = frozenset((State.APPLIED, State.GRANTED, State.REPORTED, State.HELD, State.RETURNED, State.ACCEPTED))
_OF_REPORTS = {
    Report.State.WAITING: State.REPORTED,
    Report.State.HELD: State.HELD,
    Report.State.RETURNED: State.RETURNED,
    Report.State.ACCEPTED: State.ACCEPTED,
    Report.State.REFUSED: State.REFUSED,
    Report.State.WITHDRAWN: State.WITHDRAWN,
}
_TURNS = {
    State.RETURNED: Turn.CLUB,
    State.ACCEPTED: Turn.OFFICE,
}


def progress_of_reports(
    pool: Pool, reports: Sequence[Report], questions: Mapping[int, int] | None = None
) -> list[EventProgress]:
    """Where reports stand, in their order: an accepted one as its event that is the least far."""
    steps = last_steps(ReportStep, "report_id", [report.pk for report in reports])
    accepted = [report for report in reports if report.state == Report.State.ACCEPTED]
    events = _events_of(pool, [step.entry_id for step in steps.values() if step.entry_id is not None])
    if questions is None:
        questions = _questions(reports)
    of_rows = {
        one.event_id: one for one in progress_of_rows(pool, [row for rows in events.values() for row in rows])
    }
    is_go = bool(accepted) and rules_of(pool).is_go
    answered = _answered_reports([steps[one.pk] for one in reports if one.state == Report.State.HELD])
    found = []
    for report in reports:
        step = steps[report.pk]
        if report.state != Report.State.ACCEPTED:
            number = questions.get(report.pk)
            found.append(_of_report(report, step, number, has_answered=report.pk in answered))
        elif is_go:
            found.append(_of_go_report(report, step))
        else:
            rows = [of_rows[row.event_id] for row in events.get(step.entry_id or 0, ())]
            found.append(_least_far(report, step, rows))
    return found


def _questions(reports: Sequence[Report]) -> dict[int, int]:
    """The questions of open reports, as far as they are counted (`inbox.waiting_reports`)."""
    numbers = [report.pk for report in reports if report.state in OPEN_STATES]
    rows = WaitingReport.objects.filter(report__in=numbers) if numbers else WaitingReport.objects.none()
    return dict(rows.values_list("report", "questions"))


def _answered_reports(held: Sequence[ReportStep]) -> set[int]:
    """The held reports of which somebody else than who holds them has said something since."""
    by = {step.report_id: step for step in held}
    rows = ReportSaid.objects.filter(report__in=list(by)) if by else ReportSaid.objects.none()
    return {
        number
        for number, at, author in rows.values_list("report_id", "at", "author")
        if at > by[number].at and author != by[number].author
    }


def _of_report(
    report: Report, step: ReportStep, questions: int | None = None, *, has_answered: bool = False
) -> EventProgress:
    """A report that is not in the book; of a held one that the club has answered the office has the turn.

    So has it of a report without a club, which nobody else can answer for.
    """
    state = _OF_REPORTS[Report.State(report.state)]
    if not report.club_id:
        questions, has_answered = None, True
    if state is State.REPORTED:
        turn = Turn.CLUB if questions else Turn.OFFICE
    elif state is State.HELD:
        turn = Turn.OFFICE if has_answered else Turn.CLUB
    else:
        turn = _TURNS.get(state, Turn.NOBODY)
    return EventProgress(
        state, step.at, turn, report.title, report.starts, report.ends,
        club_id=report.club_id, report=report.pk, questions=questions, why=step.why,
    )  # fmt: skip


def _least_far(report: Report, step: ReportStep, rows: list[EventProgress]) -> EventProgress:
    """Of an accepted report's events that stand the one that is still to be rated, else the last."""
    if not rows:
        return _of_report(report, step)._replace(state=State.STRUCK, turn=Turn.NOBODY)
    first = min(rows, key=lambda row: (row.state is State.RATED, row.ends))
    since = first.since if first.state is State.RATED else step.at
    return first._replace(since=since, report=report.pk, club_id=report.club_id or first.club_id)


def _of_go_report(report: Report, step: ReportStep) -> EventProgress:
    """Games of Go: rated when every ranking that takes one of them is published; the last of these counts."""
    schedule = rules_of(report.pool).schedule
    ends = models.GoGame.objects.filter(entry=step.entry_id).values_list("ended", flat=True)
    names = sorted({schedule.window_on(day_of(datetime.fromisoformat(ended))).name for ended in ends})
    lists = {one.name: one for one in current_lists(report.pool).filter(name__in=names)}
    published = lists.get(names[-1]) if names else None
    is_rated = published is not None and len(lists) == len(names)
    return _of_report(report, step)._replace(
        state=State.RATED if is_rated else State.ACCEPTED,
        since=published.published_at if published and is_rated else step.at,
        turn=Turn.NOBODY if is_rated else Turn.OFFICE,
        list=names[-1] if names else "",
        published=published if is_rated else None,
    )


def progress_of_events(pool: Pool, event_ids: Collection[str]) -> dict[str, EventProgress]:
    """Where events of a chess pool's book stand, by their ids."""
    rows = list(standing_rows(pool, facts.Event).filter(event_id__in=list(event_ids)))
    return {one.event_id: one for one in progress_of_rows(pool, rows)}


def progress_of_rated(row: models.Event, published: RatingList) -> EventProgress:
    """An event that a published list has; nothing is asked of the database."""
    return EventProgress(
        State.RATED, published.published_at, Turn.NOBODY, name_here(row.name, row.name_native),
        row.starts, row.ends, row.event_id, row.organiser, list=published.name, published=published,
    )  # fmt: skip


def progress_of_rows(pool: Pool, rows: Sequence[models.Event]) -> list[EventProgress]:
    """Where events of a chess pool's book stand, in their order: accepted, or rated in a published list."""
    if not rows:
        return []
    schedule = rules_of(pool).schedule
    windows = {row.event_id: schedule.window_of(record_of(row, facts.Event)) for row in rows}
    lists = {one.name: one for one in current_lists(pool).filter(name__in={w.name for w in windows.values()})}
    lines = models.Line.objects.filter(list__in=lists.values(), event_id__in=list(windows))
    rated = {event: lists[name] for name, event in
             lines.order_by().values_list("list__name", "event_id").distinct()}  # fmt: skip
    left = [event for event, window in windows.items() if event not in rated and window.name in lists]
    rated |= _taken_elsewhere(pool, left)
    entered = dict(models.Entry.objects.filter(pk__in={row.entry_id for row in rows}).values_list("pk", "at"))
    return [
        progress_of_rated(row, rated[row.event_id])
        if row.event_id in rated
        else _of_accepted(row, windows[row.event_id], schedule, lists, entered.get(row.entry_id))
        for row in rows
    ]


def _taken_elsewhere(pool: Pool, event_ids: Collection[str]) -> dict[str, RatingList]:
    """The first list that took each of the events which the list of their own window does not have."""
    if not event_ids:
        return {}
    current = {one.pk: one for one in current_lists(pool)}
    lines = models.Line.objects.filter(list__in=list(current), event_id__in=event_ids).order_by()
    found = [(current[number], event) for number, event in lines.values_list("list", "event_id").distinct()]
    return {event: one for one, event in sorted(found, key=lambda pair: pair[0].closes, reverse=True)}


def _of_accepted(
    row: models.Event,
    window: Window,
    schedule: Schedule,
    lists: Mapping[str, RatingList],
    entered: datetime | None,
) -> EventProgress:
    return EventProgress(
        State.ACCEPTED, entered, Turn.OFFICE, name_here(row.name, row.name_native),
        row.starts, row.ends, row.event_id, row.organiser,
        list=window.name,
        closes=None if schedule.is_by_event else window.closes,
        published=lists.get(window.name),
    )  # fmt: skip


def _events_of(pool: Pool, entries: Collection[int]) -> dict[int, list[models.Event]]:
    """The events that stand and that those entries brought, under the entry; one corrected since, too."""
    brought: dict[int, list[str]] = {}
    rows = models.Event.objects.filter(entry__in=entries).order_by("pk") if entries else ()
    for row in rows:
        brought.setdefault(row.entry_id, []).append(row.event_id)
    ids = {event_id for every in brought.values() for event_id in every}
    standing = {row.event_id: row for row in standing_rows(pool, facts.Event).filter(event_id__in=ids)}
    return {
        entry: [standing[event_id] for event_id in every if event_id in standing]
        for entry, every in brought.items()
    }


def last_steps(model: Any, column: str, numbers: Sequence[int]) -> dict[int, Any]:
    """The last step of each of those."""
    rows = model.objects.filter(**{f"{column}__in": numbers}).order_by("pk")
    return {getattr(row, column): row for row in rows}
