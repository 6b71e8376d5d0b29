"""What whoever wrote an objection may do on its page: appeal a refusal once, and withdraw."""

from datetime import date, timedelta

from django.db import transaction
from django.utils.timezone import localdate

from banzuke.database.book_reader import MissingBookError
from banzuke.database.models import Inquiry, InquiryStep, Objection
from banzuke.office import notices
from banzuke.office.journal import add_step, note
from banzuke.office.lists.list_index import known_until
from banzuke.office.objections import writer_mails
from banzuke.office.objections.incoming_objections import VISITOR, plain_text
from banzuke.office.refusals import AppealClosedError, NotWithdrawnError

Act = InquiryStep.Act
#: However late a refusal comes, it can be appealed for so long: a right that is over before is none.
LEAST = timedelta(days=14)


def last_day_to_appeal(objection: Objection) -> date | None:
    """The last of the book's correction days of its list, or `LEAST` after a refusal; None: there is none."""
    try:
        known = known_until(objection.list) if objection.list else None
    except MissingBookError:
        return None
    if known is None:
        return None
    refused = objection.inquiry.steps.filter(state=Act.DISMISSED).order_by("-pk").first()
    last = known - known.resolution
    return max(last, localdate(refused.at) + LEAST) if refused else last


def may_appeal(objection: Objection, today: date) -> bool:
    """Whether the decision can be appealed: a refusal, not appealed before, whose days are not over."""
    inquiry, last = objection.inquiry, last_day_to_appeal(objection)
    if inquiry.state != Inquiry.State.DISMISSED or (last is not None and today > last):
        return False
    return not is_appealed(inquiry)


def is_appealed(inquiry: Inquiry) -> bool:
    """Whether the decision was appealed, whatever came of it."""
    return inquiry.steps.filter(state=Act.APPEALED).exists()


def appeal(objection: Objection, why: str, today: date) -> None:
    """Appeal the decision, once: the inquiry is open again. Raises AppealClosedError."""
    with transaction.atomic():
        objection.inquiry = Inquiry.objects.select_for_update().get(pk=objection.inquiry_id)
        if not may_appeal(objection, today):
            raise AppealClosedError
        inquiry = objection.inquiry
        inquiry.state = Inquiry.State.OPEN
        inquiry.save(update_fields=["state"])
        add_step(inquiry, Act.APPEALED, VISITOR, plain_text(why), is_state=False)
        note(VISITOR, "appeal", inquiry.pool, inquiry=inquiry.pk)
        writer_mails.notify_of_inquiry(inquiry, "appealed")
        notices.notify_officers_of_inquiry(inquiry, "appeal-came")


def may_withdraw(inquiry: Inquiry) -> bool:
    """Whether it can be withdrawn: it is open, and not upheld."""
    last = inquiry.steps.order_by("-pk").first()
    return inquiry.state == Inquiry.State.OPEN and (last is None or last.state != Act.UPHELD)


def withdraw(objection: Objection) -> None:
    """Close the inquiry, as its writer wishes. Raises NotWithdrawnError."""
    with transaction.atomic():
        inquiry = Inquiry.objects.select_for_update().get(pk=objection.inquiry_id)
        if not may_withdraw(inquiry):
            raise NotWithdrawnError
        add_step(inquiry, Inquiry.State.WITHDRAWN, VISITOR, "")
        note(VISITOR, "withdraw", inquiry.pool, inquiry=inquiry.pk)
        writer_mails.notify_of_inquiry(inquiry, "withdrawn")
