"""Closing an inquiry whose matter is corrected elsewhere: by another inquiry, by the annulment of a game."""

from django.db import transaction
from django.db.models import QuerySet

from banzuke.database.models import Entry, Inquiry, InquiryStep, Pool
from banzuke.office.journal import Actor, add_step, note
from banzuke.office.lists.correction_drafts import lock_open_inquiry
from banzuke.office.lists.corrections import refuse_first_officer
from banzuke.office.live.pool_events import standing_annulment
from banzuke.office.objections import writer_mails
from banzuke.office.refusals import NotAnnulledError, NotCorrectedError


def corrections_of(pool: Pool) -> QuerySet[InquiryStep]:
    """The corrections of the pool's inquiries, the newest first."""
    rows = InquiryStep.objects.filter(inquiry__pool=pool, state=InquiryStep.Act.CORRECTED)
    return rows.exclude(entry=None).select_related("inquiry").order_by("-pk")


def close_as_corrected(inquiry: Inquiry, by: int, actor: Actor, why: str, clause: str = "") -> None:
    """Close an inquiry as upheld, whose matter the inquiry of the number `by` has corrected.

    Raises NotCorrectedError, InquiryClosedError, AppealOfficerError.
    """
    correction = corrections_of(inquiry.pool).filter(inquiry=by).first()
    if correction is None or correction.entry is None:
        raise NotCorrectedError(inquiry=by)
    _close(inquiry, correction.entry, actor, "corrected-by", why, clause=clause, other=by)


def close_as_annulled(inquiry: Inquiry, game_id: str, actor: Actor, why: str, clause: str = "") -> None:
    """Close an inquiry as upheld, whose game of Go has been annulled.

    Raises NotAnnulledError, InquiryClosedError, AppealOfficerError.
    """
    with transaction.atomic():
        annulled = standing_annulment(inquiry.pool, game_id)
        if annulled is None:
            raise NotAnnulledError(game=game_id)
        _close(inquiry, annulled.entry, actor, "annulled", why, clause=clause, game=game_id)


def _close(
    inquiry: Inquiry, entry: Entry, actor: Actor, act: str, why: str, clause: str, **facts: object
) -> None:
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        refuse_first_officer(found, actor)
        add_step(found, Inquiry.State.CORRECTED, actor, why, entry=entry, clause=clause)
        note(actor, act, found.pool, inquiry=found.pk, **facts)
        writer_mails.notify_of_inquiry(found, "corrected")
