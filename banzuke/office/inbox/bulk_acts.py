"""Several reports accepted or held in one go: each by itself, each in the journal, each refusal told."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import NamedTuple

from banzuke.database.models import Report
from banzuke.office.inbox import reports
from banzuke.office.inbox.report_summary import summary
from banzuke.office.inbox.review import BIRTH_DATES, review_report
from banzuke.office.journal import Actor
from banzuke.office.refusals import BirthDatesError, NotDoneError


class BulkOutcome(NamedTuple):
    """What became of several reports: those done, those refused and why, those that are not clean."""

    done: list[Report]
    refused: list[tuple[Report, NotDoneError]]
    left: list[Report]


def accept_all(chosen: Iterable[Report], actor: Actor, today: date) -> BulkOutcome:
    """Accept each report that nothing blocks and that need not be looked at by itself."""

    def accept(report: Report) -> None:
        codes = {problem.fault.code for problem in review_report(report, today).problems}
        if BIRTH_DATES in codes:
            raise BirthDatesError(report=report.pk)
        reports.accept(report, actor, today)

    return _each(chosen, accept)


def accept_clean(found: Iterable[Report], actor: Actor, today: date) -> BulkOutcome:
    """Accept each report in which there is nothing to look at, as it is when its turn comes."""
    outcome = BulkOutcome([], [], [])
    for report in found:
        if summary(review_report(report, today)).is_clean:
            one = _each([report], lambda each: reports.accept(each, actor, today))
            outcome.done.extend(one.done)
            outcome.refused.extend(one.refused)
        else:
            outcome.left.append(report)
    return outcome


def hold_all(chosen: Iterable[Report], actor: Actor, why: str) -> BulkOutcome:
    """Hold each report, with one reason for all."""
    return _each(chosen, lambda report: reports.hold(report, actor, why))


def _each(chosen: Iterable[Report], act: Callable[[Report], object]) -> BulkOutcome:
    outcome = BulkOutcome([], [], [])
    for report in chosen:
        try:
            act(report)
        except NotDoneError as refusal:
            outcome.refused.append((report, refusal))
        else:
            outcome.done.append(report)
    return outcome
