"""Correcting: an inquiry, what its correction would change, carrying it out; revisions due without one."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from django.db import transaction

from banzuke.core.fault import Fault
from banzuke.core.gc_pause import uncollected
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Inquiry, InquiryStep, Pool, RatingList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import ChessLedger
from banzuke.office.journal import Actor, add_step, note
from banzuke.office.lists.correction_drafts import (
    apply_draft,
    check_inquiry_open,
    enter_draft,
    faults_of,
    lock_open_inquiry,
)
from banzuke.office.lists.list_differences import (
    Difference,
    LineDifference,
    line_differences,
    row_differences,
)
from banzuke.office.lists.list_index import current_lists, known_until
from banzuke.office.lists.list_storage import Publication, store, stored_if_current
from banzuke.office.lists.recompute import DueRevision, recompute
from banzuke.office.lists.record_hashes import hashes_of_records
from banzuke.office.lists.staleness import (
    ATTEMPTS,
    current_basis,
    last_list_number,
    lock_book,
    lock_publications,
    refuse_outdated_book,
)
from banzuke.office.objections import writer_mails
from banzuke.office.refusals import (
    AppealOfficerError,
    DayNotWaitingError,
    DraftChangedError,
    FaultyDraftError,
    InquiryDayError,
    NothingToDoError,
    SameOfficerError,
    refuse_outdated,
)

ACT = "correct"


class ListRevision(NamedTuple):
    """A published list by its name and revision."""

    name: str
    revision: int


class Preview(NamedTuple):
    """What a correction would do, made from the book as of an entry (`position`).

    `draft` is the hash of the inquiry's draft and day; blank: it is of due revisions.
    `may_change` are the published lists that the inquiry came in time for, `frozen` the others; `lists` those
    that do change, with every row and line that differs; `faults` why it cannot be carried out; `number` is
    the last published list's.
    """

    position: int
    draft: str
    may_change: list[ListRevision]
    frozen: list[ListRevision]
    lists: list[ListRevision]
    differences: list[Difference]
    lines: list[LineDifference]
    faults: list[Fault]
    number: int = 0


def open_inquiry(
    pool: Pool, today: date, asked_by: str, about: str, actor: Actor, asked_on: date | None = None
) -> Inquiry:
    """A new inquiry that comes in today.

    An earlier day `asked_on` counts once another officer has confirmed it (`confirm_day`).
    """
    day = asked_on or today
    with transaction.atomic():
        inquiry = Inquiry.objects.create(
            pool=pool, day=day, recorded_on=today, recorded_by=actor.name, asked_by=asked_by, about=about
        )
        note(actor, "inquiry", pool, inquiry=inquiry.pk, day=day.isoformat(), recorded=today.isoformat())
    return inquiry


def record_inquiry(
    pool: Pool, today: date, asked_by: str, about: str, actor: Actor, asked_on: date
) -> Inquiry:
    """An inquiry that an officer records: a new one, or the open one where the form came twice."""
    said = {"day": asked_on, "asked_by": asked_by, "about": about}
    mine = {"recorded_on": today, "recorded_by": actor.name, "state": Inquiry.State.OPEN}
    with transaction.atomic():
        lock_book(pool)
        there = Inquiry.objects.filter(pool=pool, **said, **mine).first()
        return there or open_inquiry(pool, today, asked_by, about, actor, asked_on)


def confirm_day(inquiry: Inquiry, actor: Actor) -> Inquiry:
    """Confirm the earlier day of an inquiry, as another officer than the one who recorded it.

    Raises InquiryClosedError, DayNotWaitingError, SameOfficerError.
    """
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        if not found.needs_confirmation:
            raise DayNotWaitingError
        if found.recorded_by == actor.name:
            raise SameOfficerError(asked=found.day, day=found.recorded_on)
        found.confirmed_by, found.confirmed_at = actor.name, datetime.now(UTC)
        found.save(update_fields=["confirmed_by", "confirmed_at"])
        note(actor, "confirm-day", found.pool, inquiry=found.pk, day=found.day.isoformat())
    return found


def is_in_time(published: RatingList, day: date) -> bool:
    """Whether an inquiry of that day may change the list, by its book's calendar."""
    known = known_until(published)
    return known is None or day < known


@uncollected()
def preview(inquiry: Inquiry, today: date, progress: Progress = no_progress) -> Preview:
    """What the inquiry's draft would change, for everybody.

    Revisions that are due for other reasons are among the lists: they would be published with it. Raises
    EmptyDraftError, StaleDraftError, InquiryDayError.
    """
    _refuse_future(inquiry, today)
    pool = inquiry.pool
    number, position = last_list_number(pool), last_entry(pool)
    ledger = apply_draft(inquiry, read_book(pool, position))
    published = list(current_lists(pool).order_by("closes", "name"))
    faults = faults_of(ledger)
    due = [] if faults else recompute(pool, ledger, None, progress).due
    return _changes(position, due, number)._replace(
        draft=hash_of(inquiry),
        may_change=_revisions(each for each in published if is_in_time(each, inquiry.counted_day)),
        frozen=_revisions(each for each in published if not is_in_time(each, inquiry.counted_day)),
        faults=faults,
    )


def due_revisions(pool: Pool, progress: Progress = no_progress) -> Preview:
    """What differs in the revisions that are due without an inquiry: after a merge, a change of the rules."""
    number, position = last_list_number(pool), last_entry(pool)
    return _changes(position, recompute(pool, read_book(pool, position), None, progress).due, number)


def _changes(position: int, due: list[DueRevision], number: int) -> Preview:
    return Preview(
        position,
        draft="",
        may_change=[],
        frozen=[],
        lists=_revisions(each.published for each in due),
        differences=[found for each in due for found in row_differences(*each)],
        lines=[found for each in due for found in line_differences(*each)],
        faults=[],
        number=number,
    )


def _revisions(lists: Iterable[RatingList]) -> list[ListRevision]:
    return [ListRevision(each.name, each.revision) for each in lists]


def hash_of(inquiry: Inquiry) -> str:
    """The SHA-256 by which an inquiry's draft, with the day that counts, is known; blank: it is empty."""
    said = [inquiry.counted_day.isoformat(), inquiry.draft]
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest() if inquiry.draft else ""


def carry_out(
    inquiry: Inquiry,
    actor: Actor,
    why: str,
    today: date,
    progress: Progress = no_progress,
    draft: str = "",
    position: int | None = None,
) -> list[RatingList]:
    """Enter the correction and publish every revision that follows from it: all of it, or nothing.

    `draft` (by its `hash_of`) and `position` (the book up to an entry) are what the officer looked at; where
    they are given, nothing else may be there when this begins, nor another draft at its end.

    Raises EmptyDraftError, StaleDraftError, FaultyDraftError, InquiryDayError, AppealOfficerError,
    InquiryClosedError for an inquiry closed already, and DraftChangedError or OutdatedError where something
    else was looked at.
    """
    pool = inquiry.pool
    check_inquiry_open(Inquiry.objects.get(pk=inquiry.pk))
    refuse_outdated_book(pool, position)
    while True:
        _refuse_future(inquiry, today)
        basis = current_basis(pool)
        check_inquiry_open(Inquiry.objects.get(pk=inquiry.pk))
        refuse_first_officer(inquiry, actor)
        refuse_outdated(draft, hash_of(inquiry), DraftChangedError)
        ledger = apply_draft(inquiry, read_book(pool, basis.entry))
        _refuse_faulty(ledger)
        due = recompute(pool, ledger, None, progress).due
        with transaction.atomic():
            lock_publications(pool)
            lock_book(pool)
            now = lock_open_inquiry(inquiry)
            is_current = basis.has_same_lists() and basis.has_same_book()
            if is_current and hash_of(now) == hash_of(inquiry):
                return _carried_out(now, due, actor, why, progress)
        inquiry = now  # the ledger, the lists, the draft or the day that counts has changed meanwhile


def _refuse_future(inquiry: Inquiry, today: date) -> None:
    if inquiry.counted_day > today:
        raise InquiryDayError(day=inquiry.counted_day)


def _refuse_faulty(ledger: ChessLedger) -> None:
    faults = faults_of(ledger)
    if faults:
        raise FaultyDraftError(faults)


def _carried_out(
    inquiry: Inquiry, due: list[DueRevision], actor: Actor, why: str, progress: Progress
) -> list[RatingList]:
    entry = open_entry(inquiry.pool, Act(actor.name, ACT, why))
    enter_draft(inquiry, entry)
    publication = Publication(entry.pk, actor.name, why)
    lists = store(inquiry.pool, [each.made for each in due], publication, progress)
    add_step(inquiry, Inquiry.State.CORRECTED, actor, why, entry=entry)
    writer_mails.notify_of_inquiry(inquiry, "corrected")
    names = [each.name for each in lists]
    facts = {"entry": entry.pk, "lists": names, "records": hashes_of_records(lists)}
    note(actor, ACT, inquiry.pool, inquiry=inquiry.pk, **facts)
    return lists


def dismiss(inquiry: Inquiry, actor: Actor, why: str, clause: str = "") -> None:
    """Close an inquiry without a correction. Raises InquiryClosedError, AppealOfficerError."""
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        refuse_first_officer(found, actor, is_refusal=True)
        add_step(found, Inquiry.State.DISMISSED, actor, why, clause=clause)
        note(actor, "dismiss", found.pool, inquiry=found.pk)
        writer_mails.notify_of_inquiry(found, "refused")


def uphold(inquiry: Inquiry, actor: Actor, why: str, clause: str = "") -> None:
    """Decide that the inquiry is right; it stays open until its correction is carried out.

    Raises InquiryClosedError, AppealOfficerError.
    """
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        refuse_first_officer(found, actor)
        add_step(found, InquiryStep.Act.UPHELD, actor, why, is_state=False, clause=clause)
        note(actor, "uphold", found.pool, inquiry=found.pk)
        writer_mails.notify_of_inquiry(found, "upheld")


def refuse_first_officer(inquiry: Inquiry, actor: Actor, *, is_refusal: bool = False) -> None:
    """What is appealed is decided by another officer, and then carried out by anybody.

    But whoever was appealed against does not refuse it again, whatever the other one decided. Raises
    AppealOfficerError.
    """
    steps = list(inquiry.steps.order_by("pk"))
    if (is_refusal or waits_for_appeal(steps)) and appealed_against(steps) == actor.name:
        raise AppealOfficerError(author=actor.name)


def waits_for_appeal(steps: Sequence[InquiryStep]) -> bool:
    """Whether the last of an inquiry's steps is an appeal."""
    return bool(steps) and steps[-1].state == InquiryStep.Act.APPEALED


def appealed_against(steps: Sequence[InquiryStep]) -> str | None:
    """Who made the decision that the last appeal among an inquiry's steps is against; None without one."""
    appeals = [at for at, step in enumerate(steps) if step.state == InquiryStep.Act.APPEALED]
    before = steps[: appeals[-1]] if appeals else ()
    return next((step.author for step in reversed(before) if step.state == InquiryStep.Act.DISMISSED), None)


def revise(
    pool: Pool, actor: Actor, why: str, progress: Progress = no_progress, position: int | None = None
) -> list[RatingList]:
    """Publish every revision that is due, with the reason; what comes meanwhile is as for `publish`.

    Raises NothingToDoError where none is, and OutdatedError where the officer saw the book up to a
    `position` from which it has moved on when this begins.
    """
    refuse_outdated_book(pool, position)
    attempts = count(1)
    while True:
        basis = current_basis(pool, is_fixed=next(attempts) >= ATTEMPTS)
        due = [each.made for each in recompute(pool, read_book(pool, basis.entry), None, progress).due]
        if not due:
            raise NothingToDoError
        publication = Publication(basis.entry, actor.name, why)
        with stored_if_current(basis, due, publication, progress) as lists:
            if lists:
                names, records = [each.name for each in lists], hashes_of_records(lists)
                note(actor, "revise", pool, lists=names, records=records, entry=basis.entry)
                return lists
