"""Notices by e-mail to the clubs that want them: what became of a report. In both languages, without names.

They are sent once the act has been committed. A mail server that fails is noted in the journal; the act
stands. The reason of a decision is read on the report's page, not in the mail.
"""

import logging
import smtplib
from collections.abc import Iterable
from functools import partial

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q

from banzuke.database.models import Event, GoGame, OfficeSettings, Pool, RatingList, Report, ReportStep, Role
from banzuke.office.journal import Actor, note
from banzuke.words import LANGUAGES, say

#: The steps that a club hears of, and that its games have been rated.
TOLD = (Report.State.ACCEPTED, Report.State.HELD, Report.State.RETURNED, Report.State.REFUSED)
RATED = "rated"
#: In whose name the journal says what became of a mail.
OFFICE = Actor("office")
_LOG = logging.getLogger(__name__)


def notify_of_step(step: ReportStep) -> None:
    """Tell the club of a report's step, once it is committed."""
    if step.state in TOLD and _sends():
        transaction.on_commit(partial(_send, step.report, str(step.state)), robust=True)


def notify_of_lists(pool: Pool, lists: Iterable[RatingList]) -> None:
    """Tell the clubs whose reports entered lists that have been published, once that is committed."""
    new = [one for one in lists if one.revision == 0]
    if new and _sends():
        transaction.on_commit(partial(_tell_of, pool, new), robust=True)


def _sends() -> bool:
    return OfficeSettings.objects.filter(sends_notices=True).exists()


def _tell_of(pool: Pool, lists: list[RatingList]) -> None:
    for one in lists:
        events = one.lines.order_by().values("event_id").distinct()
        entries = Event.objects.filter(pool=pool, event_id__in=events).values("entry")
        games = GoGame.objects.filter(pool=pool, game_id__in=events).values("entry")
        steps = ReportStep.objects.filter(Q(entry__in=entries) | Q(entry__in=games), report__pool=pool)
        for step in steps.select_related("report").order_by("report_id"):
            _send(step.report, RATED, one.name)


def receivers(report: Report) -> list[str]:
    """The addresses of those who act for the report's club and want notices."""
    roles = Role.objects.filter(
        Q(pool=report.pool) | Q(pool=None), club_id=report.club_id, wants_notices=True, user__is_active=True
    ).exclude(club_id="")
    return sorted({role.user.email for role in roles.select_related("user") if role.user.email})


def _send(report: Report, what: str, rated_in: str = "") -> None:
    """Send the notice, to each receiver by itself; what became of it is in the journal."""
    to = receivers(report)
    if not to:
        return
    facts = {"report": report.pk, "event": " ".join(report.title.split()) or "-", "list": rated_in}
    subject, text = _written(report.pool, what, facts)
    act = "notice-sent"
    try:
        with get_connection() as connection:
            connection.send_messages([EmailMessage(subject, text, to=[one]) for one in to])
    except (OSError, smtplib.SMTPException) as error:
        act = "notice-failed"
        _LOG.warning("a notice of report %s was not sent: %s", report.pk, type(error).__name__)
    note(OFFICE, act, report.pool, report=report.pk, what=what, receivers=len(to))


def _written(pool: Pool, what: str, facts: dict[str, object]) -> tuple[str, str]:
    """The subject, and the text under the pool's name, Japanese above English."""
    orders = LANGUAGES[::-1]
    subject = " / ".join(say("notices", f"subject-{what}", lang, **facts) for lang in orders)
    texts = [
        f"{say('notices', what, lang, **facts)}\n{say('notices', 'where', lang, **facts, pool=pool.slug)}"
        for lang in orders
    ]
    return " ".join(subject.split()), "\n\n".join([pool.name, *texts]) + "\n"
