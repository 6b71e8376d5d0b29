"""Asking a club about an inquiry, and its answer."""

from collections.abc import Collection
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from banzuke.database.models import ClubQuestion, Inquiry, Pool, Role
from banzuke.office import notices
from banzuke.office.journal import Actor, by_whom, note
from banzuke.office.lists.correction_drafts import lock_open_inquiry
from banzuke.office.objections import writer_mails
from banzuke.office.refusals import AlreadyAnsweredError, AlreadyAskedError


def ask_club(inquiry: Inquiry, club_id: str, question: str, actor: Actor) -> ClubQuestion:
    """Ask a club. Raises InquiryClosedError, and AlreadyAskedError where it has not answered yet."""
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        if found.questions.filter(club_id=club_id, answered_at=None).exists():
            raise AlreadyAskedError(club=club_id)
        asked: ClubQuestion = found.questions.create(
            club_id=club_id, asked_at=datetime.now(UTC), asked_by=actor.name, question=question
        )
        note(actor, "club-asked", found.pool, inquiry=found.pk, club=club_id)
        notices.notify_of_question(asked)
        writer_mails.notify_of_inquiry(found, "asked")
    return asked


def answer(question: ClubQuestion, text: str, actor: Actor) -> None:
    """The club's answer. Raises InquiryClosedError, and AlreadyAnsweredError where somebody was faster."""
    with transaction.atomic():
        inquiry = lock_open_inquiry(question.inquiry)
        found = ClubQuestion.objects.select_for_update().get(pk=question.pk)
        if found.answered_at is not None:
            raise AlreadyAnsweredError(**by_whom(found.answered_by, found.answered_at))
        found.answered_at, found.answered_by, found.answer = datetime.now(UTC), actor.name, text
        found.save(update_fields=["answered_at", "answered_by", "answer"])
        note(actor, "club-answered", inquiry.pool, inquiry=inquiry.pk, club=found.club_id)
        writer_mails.notify_of_inquiry(inquiry, "answered")
        notices.notify_officers_of_inquiry(inquiry, "answer-came")


def has_reporter(pool: Pool, club_id: str) -> bool:
    """Whether somebody can answer for the club."""
    roles = Role.objects.filter(Q(pool=pool) | Q(pool=None), club_id=club_id, user__is_active=True)
    return roles.exists()


def questions_to(pool: Pool, clubs: Collection[str] | None) -> QuerySet[ClubQuestion]:
    """What clubs (None: all) were asked and have not answered, of inquiries that are open."""
    rows = ClubQuestion.objects.filter(
        inquiry__pool=pool, inquiry__state=Inquiry.State.OPEN, answered_at=None
    ).select_related("inquiry")
    return (rows if clubs is None else rows.filter(club_id__in=clubs)).order_by("pk")
