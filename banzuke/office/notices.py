"""Notices by e-mail to the clubs that want them: what became of a report. In both languages, without names.

They are sent once the act has been committed. Whatever fails at that is noted in the journal; the act
stands. The reason of a decision is read on the report's page, not in the mail.
"""

import logging
from collections.abc import Iterable

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q

from banzuke.database.models import Event, GoGame, OfficeSettings, Pool, RatingList, Report, ReportStep, Role
from banzuke.ledger.written_text import CONTROL, tidy
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
    if step.state not in TOLD or not _sends():
        return

    def tell() -> None:  # a failure beyond it is logged by its name, which a partial does not have
        _send(step.report, str(step.state))

    transaction.on_commit(tell, robust=True)


def notify_of_lists(pool: Pool, lists: Iterable[RatingList]) -> None:
    """Tell the clubs whose reports entered lists that have been published, once that is committed."""
    new = [one for one in lists if one.revision == 0]
    if not new or not _sends():
        return

    def tell() -> None:
        _tell_of(pool, new)

    transaction.on_commit(tell, robust=True)


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
    act, failed = "notice-sent", {}
    try:
        subject, text = _written(report, what, rated_in)
        with get_connection() as connection:
            connection.send_messages([EmailMessage(subject, text, to=[one]) for one in to])
    except Exception as error:  # noqa: BLE001  # of a server, a library or a text: the act is done, the page goes on
        act, failed = "notice-failed", {"failure": type(error).__name__}
        _LOG.warning("a notice of report %s was not sent: %s", report.pk, type(error).__name__)
    note(OFFICE, act, report.pool, report=report.pk, what=what, receivers=len(to), **failed)


def _written(report: Report, what: str, rated_in: str) -> tuple[str, str]:
    """The subject, and the text under the pool's name, Japanese above English."""
    pool, orders = report.pool, LANGUAGES[::-1]
    facts = {"report": report.pk, "event": _seen(report.title) or "-", "list": rated_in}
    subject = " / ".join(say("notices", f"subject-{what}", lang, **facts) for lang in orders)
    texts = [
        f"{say('notices', what, lang, **facts)}\n{say('notices', 'where', lang, **facts, pool=pool.slug)}"
        for lang in orders
    ]
    return _seen(subject), "\n\n".join([_seen(pool.name), *texts]) + "\n"


def _seen(text: str) -> str:
    """The text as one line without signs that nobody sees, that turn it round or that a program obeys."""
    return CONTROL.sub("", tidy(" ".join(text.split())))
