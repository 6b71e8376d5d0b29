"""How long the e-mail addresses of those who wrote objections are kept."""

from datetime import datetime, timedelta

from django.utils.timezone import localdate

from banzuke.database.models import Inquiry, InquiryStep, Objection
from banzuke.office.objections.writer_acts import is_appealed, last_day_to_appeal

#: So long after an inquiry was closed, and after the last day to appeal a refusal, the address is kept.
KEPT = timedelta(days=30)


def forget_addresses(now: datetime) -> int:
    """Delete the addresses of those whose inquiries were closed long enough ago; how many.

    Whoever can still appeal a refusal is to get the mails of that, too. Where an appeal has no last day, only
    the closing counts.
    """
    late = InquiryStep.objects.filter(at__gt=now - KEPT).values("inquiry")
    closed = Objection.objects.exclude(email="").exclude(inquiry__state=Inquiry.State.OPEN)
    over = closed.exclude(inquiry__in=late)
    refused = over.filter(inquiry__state=Inquiry.State.DISMISSED).select_related("inquiry", "list")
    kept = [found.pk for found in refused if _may_be_appealed_since(found, now)]
    return over.exclude(pk__in=kept).update(email="", site="", salt="")


def _may_be_appealed_since(refused: Objection, now: datetime) -> bool:
    """Whether the last day to appeal is to come, or not long enough over."""
    last = last_day_to_appeal(refused)
    return last is not None and last >= localdate(now - KEPT) and not is_appealed(refused.inquiry)
