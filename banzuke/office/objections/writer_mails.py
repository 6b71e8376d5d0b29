"""Mails to who wrote an objection: one at each step, in the language of the page on which it was written.

A mail is noted in the transaction of its step, and sent once that is committed. What fails is sent again by
the worker, with longer and longer pauses, and given up after the last one; then the journal says so.
"""

import logging
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import F

from banzuke.database.models import Inquiry, Objection, ObjectionMail
from banzuke.office import notices
from banzuke.office.journal import note
from banzuke.office.objections import secret_links
from banzuke.words import LANGUAGES

#: How long after each try the next one is made; after as many and one more a mail is given up.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (5, 30, 120, 480, 1440))
#: So many mails the worker sends before it looks for other work.
MOST = 5
_LOG = logging.getLogger(__name__)


def notify_of_inquiry(inquiry: Inquiry, what: str) -> None:
    """Tell who wrote without an account what became of it, if there is an address, once it is committed."""
    objection = Objection.objects.filter(inquiry=inquiry).exclude(email="").first()
    if objection is None or not notices.are_sent():
        return
    now = datetime.now(UTC)
    mail = ObjectionMail.objects.create(objection=objection, what=what, due_at=now)

    def send() -> None:  # a failure beyond it is logged by its name, which a partial does not have
        _send(mail, now)

    transaction.on_commit(send, robust=True)


def send_due_mails(now: datetime) -> int:
    """Send some mails that are due, up to the first that fails; how many were sent."""
    sent = 0
    for mail in ObjectionMail.objects.filter(due_at__lte=now).order_by("due_at", "pk")[:MOST]:
        if not _send(mail, now):
            break
        sent += 1
    return sent


def _send(mail: ObjectionMail, now: datetime) -> bool:
    """Send a mail, unless another process is at it; whether it was sent here."""
    pause = PAUSES[min(mail.tries, len(PAUSES) - 1)]
    same = ObjectionMail.objects.filter(pk=mail.pk, tries=mail.tries)
    if not same.update(tries=F("tries") + 1, due_at=now + pause):
        return False
    objection = Objection.objects.select_related("inquiry__pool").get(pk=mail.objection_id)
    if not objection.email or not notices.are_sent():  # forgotten, or switched off meanwhile
        mail.delete()
        return False
    notice = _notice(objection, mail.what)
    failure = notices.deliver(notice, [objection.email])[0]
    if failure:
        _LOG.warning("a notice of %s was not sent (try %s): %s", notice.about, mail.tries + 1, failure)
    if not failure or mail.tries == len(PAUSES):
        mail.delete()
        act = "notice-failed" if failure else "notice-sent"
        facts = {"failure": failure} if failure else {}
        note(notices.OFFICE, act, notice.pool, **notice.about, receivers=1, **facts)
    return not failure


def _notice(objection: Objection, what: str) -> notices.Notice:
    inquiry, page = objection.inquiry, secret_links.address_of(objection)
    return notices.Notice(
        inquiry.pool,
        club_id="",
        what=f"inquiry-{what}",
        facts={"number": inquiry.pk},
        page=page,
        about={"inquiry": inquiry.pk, "what": what},
        where="where-secret" if page else "where-address",
        languages=tuple(lang for lang in LANGUAGES if lang == objection.language) or LANGUAGES,
    )
