"""The desk of a club: its events, each with the steps from application to invoice, and what is missing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from banzuke.core import facts
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Invoice, Pool, Report, ReportStep, Sanction
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import (
    EventProgress,
    State,
    Turn,
    progress_of_events,
    progress_of_reports,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.fees import invoices
from banzuke.office.fees.invoices import InvoiceState
from banzuke.office.inbox import reports as inbox
from banzuke.office.inbox.club_questions import Questions, questions
from banzuke.office.inbox.review import review_for_club
from banzuke.office.register import clubs as club_register
from banzuke.office.register import event_applications, members

#: So many applications, reports and events are looked at, the newest first; of so many open reports the
#: questions are counted.
MOST, MOST_COUNTED = 200, 10


class Step(StrEnum):
    """The way of an event, in order."""

    APPLY = "apply"
    GRANT = "grant"
    REPORT = "report"
    QUESTIONS = "questions"
    ACCEPT = "accept"
    RATE = "rate"
    INVOICE = "invoice"


class Todo(StrEnum):
    """What is missing, for the club to mend."""

    START_LIST = "start-list"
    REPORT = "report"
    ANSWER = "answer"  # questions on the report's page
    HELD = "held"
    CORRECT = "correct"  # sent back
    NEWCOMERS = "newcomers"
    PAY = "pay"


class DeskEvent(NamedTuple):
    """An event of the club: where it stands, the steps done, the next one (None: no more), what to do.

    `asked` are the questions of its open report, `newcomers` the ids of those whom it brought and who are not
    complete, `invoice` the last one that has a line of it.
    """

    progress: EventProgress
    steps: Sequence[Step]
    done: frozenset[Step]
    next: Step | None
    todos: Sequence[Todo]
    asked: Questions | None
    newcomers: Sequence[str]
    invoice: InvoiceState | None

    @property
    def is_over(self) -> bool:
        """Whether nothing is to happen any more."""
        return not self.todos and not self.progress.is_open


class ClubDesk(NamedTuple):
    """The events of clubs, what is to be done first; and the clubs whose registration has run out."""

    events: Sequence[DeskEvent]
    lapsed: Sequence[str]


def club_desk(pool: Pool, clubs: Collection[str], today: date) -> ClubDesk:
    """The desk of who acts for those clubs."""
    asked = _questions(pool, clubs, today)
    found = _progress(pool, clubs, {number: one.number for number, one in asked.items()})
    bills = _invoices(pool, clubs)
    new = _newcomers(pool, clubs)
    events = [
        _event(
            one,
            today,
            asked.get(one.report or 0),
            new.get(one.report or 0, ()),
            bills.get(one.event_id),
            has_fees=_has_fees(pool, one),
        )
        for one in found
    ]
    return ClubDesk(sorted(events, key=_order), _lapsed_names(pool, clubs, today))


def _order(event: DeskEvent) -> tuple[int, int]:
    """What the club has to do first, then what is under way, then the rest; the newest first."""
    rank = 0 if event.todos else 1 if event.progress.is_open else 2
    return rank, -(event.progress.starts or date.max).toordinal()


def _questions(pool: Pool, clubs: Collection[str], today: date) -> dict[int, Questions]:
    """The questions of the clubs' open reports, by number."""
    rows = inbox.reports(pool, set(clubs)).filter(state__in=OPEN_STATES).order_by("-pk")[:MOST_COUNTED]
    return {report.pk: questions(review_for_club(report, today)) for report in rows}


def _progress(pool: Pool, clubs: Collection[str], counted: Mapping[int, int]) -> list[EventProgress]:
    """Where every event stands that the clubs applied for, reported or organised; each once."""
    asked = list(Sanction.objects.filter(pool=pool, organiser__in=clubs).order_by("-starts", "-pk")[:MOST])
    sent = _reports(pool, clubs)
    by_report = progress_of_reports(pool, sent, counted)
    numbers = {one.event_id: one.report for one in by_report if one.event_id}
    found = [
        one._replace(report=one.report or numbers.get(one.event_id))
        for one in progress_of_sanctions(pool, asked, counted)
    ]
    known = {one.event_id for one in found}
    shown = {one.report for one in found}
    found += [one for one in by_report if one.report not in shown and one.event_id not in known - {""}]
    known |= {one.event_id for one in found}
    rows = standing_rows(pool, facts.Event).filter(organiser__in=clubs).order_by("-ends", "-event_id")
    others = [event for event in rows.values_list("event_id", flat=True)[:MOST] if event not in known]
    return [*found, *progress_of_events(pool, others).values()] if others else found


def _reports(pool: Pool, clubs: Collection[str]) -> list[Report]:
    """The clubs' last reports, but those that were withdrawn or sent again."""
    rows = Report.objects.filter(pool=pool, club_id__in=clubs).exclude(state=Report.State.WITHDRAWN)
    gone = rows.filter(state=Report.State.RETURNED, answered_by__isnull=False).values("pk")
    return list(rows.exclude(pk__in=gone).order_by("-pk")[:MOST])


def _newcomers(pool: Pool, clubs: Collection[str]) -> dict[int, list[str]]:
    """Who came by reports of the clubs and is not complete, by the report's number."""
    found = {one.row.player_id: one for one in members.newcomers(pool, clubs)}
    entries = {one.row.entry_id for one in found.values()}
    steps = ReportStep.objects.filter(report__pool=pool, entry__in=entries) if entries else ()
    reports = {step.entry_id: step.report_id for step in steps}
    by_report: dict[int, list[str]] = {}
    for player_id, one in found.items():
        if one.row.entry_id in reports:
            by_report.setdefault(reports[one.row.entry_id], []).append(player_id)
    return by_report


def _invoices(pool: Pool, clubs: Collection[str]) -> dict[str, InvoiceState]:
    """The last invoice of each event that stands on one."""
    made = list(invoices.invoices_of(pool).filter(club_id__in=clubs)[:MOST])
    by_event: dict[str, Invoice] = {}
    for invoice in reversed(made):
        by_event |= {line["event"]: invoice for line in invoice.lines}
    wanted = {invoice.pk: invoice for invoice in by_event.values()}
    stand = {one.invoice.pk: one for one in invoices.states(pool, list(wanted.values()))}
    return {event: stand[invoice.pk] for event, invoice in by_event.items()}


def _has_fees(pool: Pool, event: EventProgress) -> bool:
    """Whether the edition in force when the event ends asks clubs for a fee."""
    edition = rules_of(pool).find_edition(event.ends) if event.ends else None
    return edition is not None and isinstance(edition.book, ChessBook) and edition.book.fees is not None


def _lapsed_names(pool: Pool, clubs: Collection[str], today: date) -> list[str]:
    """The names of the clubs whose registration has run out."""
    return [club.name for club in club_register.lapsed_clubs(pool, today) if club.row.club_id in clubs]


#: How many of the steps each state has behind it; the last ones only where nothing is open.
_BEHIND = {
    State.APPLIED: 1,
    State.DECLINED: 1,
    State.CANCELLED: 1,
    State.GRANTED: 2,
    State.RETURNED: 2,
    State.REFUSED: 2,
    State.STRUCK: 2,
    State.WITHDRAWN: 2,
    State.REPORTED: 3,
    State.HELD: 3,
    State.ACCEPTED: 5,
    State.RATED: 6,
}


def _event(
    progress: EventProgress,
    today: date,
    asked: Questions | None,
    newcomers: Sequence[str],
    invoice: InvoiceState | None,
    *,
    has_fees: bool,
) -> DeskEvent:
    every = list(Step)
    behind = every[: _BEHIND[progress.state]]
    if progress.state is State.REPORTED and progress.questions == 0:
        behind = every[: every.index(Step.ACCEPT)]
    done = set(behind)
    if invoice is not None and invoice.open <= 0:
        done.add(Step.INVOICE)
    left_out = {Step.APPLY, Step.GRANT} if progress.sanction is None else set[Step]()
    if not (has_fees or invoice):
        left_out.add(Step.INVOICE)
    steps = [step for step in every if step not in left_out]
    following = next((step for step in steps if step not in done), None)
    todos = list(_todos(progress, today, newcomers, invoice))
    return DeskEvent(progress, steps, frozenset(done), following, todos, asked, newcomers, invoice)


def _todos(
    progress: EventProgress, today: date, newcomers: Sequence[str], invoice: InvoiceState | None
) -> Iterable[Todo]:
    """What the club can do now."""
    state = progress.state
    if state is State.GRANTED:
        has_begun = progress.starts is not None and progress.starts <= today
        yield Todo.REPORT if has_begun else Todo.START_LIST
    elif state is State.REPORTED and progress.questions:
        yield Todo.ANSWER
    elif state is State.HELD and progress.turn is Turn.CLUB:
        yield Todo.HELD
    elif state is State.RETURNED:
        yield Todo.CORRECT
    if newcomers:
        yield Todo.NEWCOMERS
    if invoice is not None and invoice.open > 0:
        yield Todo.PAY


def granted_to_report(pool: Pool, clubs: set[str] | None) -> list[Sanction]:
    """The granted events of the clubs (None: of all) of which no report is there, the latest first."""
    rows = event_applications.applications(pool, clubs).filter(state=Sanction.State.GRANTED)
    granted = list(rows.order_by("-starts", "-pk")[:MOST])
    stand = progress_of_sanctions(pool, granted)
    return [one for one, found in zip(granted, stand, strict=True)
            if found.state in (State.GRANTED, State.RETURNED)]  # fmt: skip
