"""Notices by e-mail to clubs and officers that want them: what became of an application, a report, a fee.

In both languages, without names of players; at the end stands the newest checkpoint of the log. They are sent
once the act has been committed, to each receiver by itself; whatever fails at one is noted in the journal,
and the others get theirs. The act stands. Why something was decided is read on the page, not in the mail.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Q
from django.utils.translation import override

from banzuke.core.fault import RefusedError
from banzuke.database.models import (
    ClubQuestion,
    Event,
    GoGame,
    Inquiry,
    Invoice,
    OfficeSettings,
    PlannedPublication,
    Pool,
    RatingList,
    Reform,
    Report,
    ReportStep,
    Role,
    Sanction,
    SanctionStep,
)
from banzuke.ledger.written_text import CONTROL, tidy
from banzuke.office.journal import Actor, minute_text, note
from banzuke.office.transparency.log_checkpoints import signed_log
from banzuke.words import LANGUAGES, Language, day_text, list_title, say

#: The steps that a club hears of: of its reports, and of its applications with what is said of them.
TOLD = frozenset(state for state in Report.State if state != Report.State.WITHDRAWN)
TOLD_OF_EVENTS = {
    Sanction.State.GRANTED: "granted",
    Sanction.State.REFUSED: "not-granted",
    Sanction.State.CANCELLED: "cancelled",
}
RATED, INVOICED = "rated", "invoice"
#: In whose name the journal says what became of a mail.
OFFICE = Actor("office")
_LOG = logging.getLogger(__name__)


class TwoNames(NamedTuple):
    """What something is called; the second in Japanese, blank for none."""

    name: str
    name_native: str


class Notice(NamedTuple):
    """What a club is told: what happened, the facts of the sentence, the page to read, and the journal's."""

    pool: Pool
    club_id: str
    what: str
    facts: dict[str, Any]
    page: str
    about: dict[str, Any]
    to: tuple[str, ...] | None = None  # None: whoever acts for the club
    where: str = "where"  # the sentence that says where the page is
    languages: tuple[Language, ...] = LANGUAGES


def notify_of_step(step: ReportStep) -> None:
    """Tell the club of a report's step, once it is committed."""
    if step.state in TOLD:
        _tell(lambda: [_of_report(step.report, str(step.state))])


def notify_of_taking_back(report: Report) -> None:
    """Tell the club that the acceptance of its report was taken back, once that is committed."""
    _tell(lambda: [_of_report(report, "taken-back")])


def notify_of_lists(pool: Pool, lists: Iterable[RatingList]) -> None:
    """Tell the clubs whose reports entered lists that have been published, once that is committed."""
    new = [one for one in lists if one.revision == 0]
    if new:
        _tell(lambda: _of_lists(pool, new))


def notify_of_application(step: SanctionStep) -> None:
    """Tell the club that its event was granted, refused or cancelled, once that is committed."""
    what = TOLD_OF_EVENTS.get(Sanction.State(step.state))
    if what is not None:
        _tell(lambda: [_of_application(step.sanction, what)])


def notify_of_invoice(made: Invoice) -> None:
    """Tell the club of an invoice, once it is committed."""
    facts = {"number": made.number, "yen": f"{made.amount:,}", "list": _names_of_list(made.pool, made.window)}
    page, about = f"fees/invoices/{made.number}/", {"invoice": made.number}
    _tell(lambda: [Notice(made.pool, made.club_id, INVOICED, facts, page, about)])


def notify_of_publication(planned: PlannedPublication, what: str) -> None:
    """Tell its officer and others who want notices what became of a planned publication."""
    pool, author = planned.pool, planned.author
    facts = {"list": _names_of_list(pool, planned.list), "author": author, "at": planned.at}
    about = {"list": planned.list, "what": what}
    _tell(lambda: [Notice(pool, "", what, facts, "board/", about, _officers(pool, author))])


def notify_of_question(question: ClubQuestion) -> None:
    """Tell the club that it was asked about an inquiry, once that is committed."""
    inquiry = question.inquiry
    facts, about = {"number": inquiry.pk}, {"inquiry": inquiry.pk, "what": "club-asked"}
    _tell(lambda: [Notice(inquiry.pool, question.club_id, "club-asked", facts, "club/questions/", about)])


def notify_officers_of_inquiry(inquiry: Inquiry, what: str) -> None:
    """Tell the pool's officers who want notices what came from the public or from a club, once committed."""
    facts, about = {"number": inquiry.pk}, {"inquiry": inquiry.pk, "what": what}
    page = f"board/inquiries/{inquiry.pk}/"
    _tell(lambda: [Notice(inquiry.pool, "", what, facts, page, about, _officers(inquiry.pool))])


def notify_officers_of_reform(reform: Reform, what: str) -> None:
    """Tell the pool's officers who want notices where a reform has come to, once that is committed."""
    facts, about = {"number": reform.number}, {"reform": reform.number, "what": what}
    pool, page = reform.pool, f"reforms/{reform.number}/"
    _tell(lambda: [Notice(pool, "", what, facts, page, about, _officers(pool))])


def notify_officers_of_webhook(pool: Pool, number: int, host: str, since: datetime) -> None:
    """Tell the pool's officers who want notices that its feed is posted there no more, once committed."""
    about, facts = {"webhook": number, "what": "webhook-off"}, {"host": host, "since": since}
    _tell(lambda: [Notice(pool, "", "webhook-off", facts, "live/webhooks/", about, _officers(pool))])


def _officers(pool: Pool, author: str = "") -> tuple[str, ...]:
    """The addresses of an officer, and of the pool's others who want notices."""
    wanted = Q(wants_notices=True) | Q(user__username=author)
    roles = Role.objects.filter(wanted, Q(pool=pool) | Q(pool=None), user__is_active=True)
    roles = roles.exclude(kind=Role.Kind.REPORTER).select_related("user")
    return tuple(sorted({role.user.email for role in roles if role.user.email}))


def _names_of_list(pool: Pool, name: str) -> TwoNames:
    """What readers call a list: its month, or the event that it is made for alone."""
    titles = TwoNames(*(list_title(name, lang) for lang in LANGUAGES))
    is_month = titles.name_native != name
    row = None if is_month else Event.objects.filter(pool=pool, event_id=name).last()
    return TwoNames(_plain_line(row.name), _plain_line(row.name_native or "")) if row else titles


def _of_report(report: Report, what: str, rated_in: TwoNames | None = None) -> Notice:
    facts = {"report": report.pk, "event": _plain_line(report.title) or "-", "list": rated_in}
    return Notice(
        report.pool, report.club_id, what, facts, f"inbox/{report.pk}/", {"report": report.pk, "what": what}
    )


def _of_application(application: Sanction, what: str) -> Notice:
    names = TwoNames(_plain_line(application.name), _plain_line(application.name_native or ""))
    facts = {"event": names, "starts": application.starts}
    page, about = f"register/events/{application.pk}/", {"event": application.event_id, "what": what}
    return Notice(application.pool, application.organiser, what, facts, page, about)


def _of_lists(pool: Pool, lists: list[RatingList]) -> Iterable[Notice]:
    for one in lists:
        called = _names_of_list(pool, one.name)
        events = one.lines.order_by().values("event_id").distinct()
        entries = Event.objects.filter(pool=pool, event_id__in=events).values("entry")
        games = GoGame.objects.filter(pool=pool, game_id__in=events).values("entry")
        steps = ReportStep.objects.filter(Q(entry__in=entries) | Q(entry__in=games), report__pool=pool)
        accepted = Report.objects.filter(pk__in=steps.values("report"), state=Report.State.ACCEPTED)
        for report in accepted.order_by("pk"):
            yield _of_report(report, RATED, called)


def _tell(notices: Callable[[], Iterable[Notice]]) -> None:
    """Send notices once the transaction is committed, if the office sends any."""
    if not are_sent():
        return

    def tell() -> None:  # a failure beyond it is logged by its name, which a partial does not have
        for one in notices():
            _send(one)

    transaction.on_commit(tell, robust=True)


def are_sent() -> bool:
    """Whether the office sends any notices."""
    return OfficeSettings.objects.filter(sends_notices=True).exists()


def receivers(pool: Pool, club_id: str) -> list[str]:
    """The addresses of those who act for the club and want notices."""
    roles = Role.objects.filter(
        Q(pool=pool) | Q(pool=None), club_id=club_id, wants_notices=True, user__is_active=True
    ).exclude(club_id="")
    return sorted({role.user.email for role in roles.select_related("user") if role.user.email})


def _send(notice: Notice) -> None:
    """Send the notice, to each receiver by itself; what became of it is in the journal."""
    to = receivers(notice.pool, notice.club_id) if notice.to is None else list(notice.to)
    if not to:
        return
    failures = Counter(filter(None, deliver(notice, to)))
    sent = len(to) - failures.total()
    if sent:
        note(OFFICE, "notice-sent", notice.pool, **notice.about, receivers=sent)
    for failure, count in failures.items():
        _LOG.warning("a notice of %s was not sent: %s", notice.about, failure)
        note(OFFICE, "notice-failed", notice.pool, **notice.about, receivers=count, failure=failure)


def deliver(notice: Notice, to: list[str]) -> list[str]:
    """Send the notice to each receiver by itself: the kind of what failed, blank where nothing did."""
    try:
        subject, text = _written(notice)
        connection = get_connection()
    except Exception as error:  # noqa: BLE001  # of a library or a text: the act is done, the page goes on
        return [type(error).__name__] * len(to)
    found = []
    for one in to:
        try:
            connection.send_messages([EmailMessage(subject, text, to=[one], connection=connection)])
            found.append("")
        except Exception as error:  # noqa: BLE001  # of this address or the server: the others are tried, too
            found.append(type(error).__name__)
            with suppress(Exception):
                connection.close()
    with suppress(Exception):
        connection.close()
    return found


def _written(notice: Notice) -> tuple[str, str]:
    """The subject, and the text under the pool's name; of two languages Japanese above English."""
    pool, orders = notice.pool, notice.languages[::-1]
    facts = {lang: facts_in(lang, notice.facts) for lang in orders}
    subject = " / ".join(say("notices", f"subject-{notice.what}", lang, **facts[lang]) for lang in orders)
    texts = [
        f"{say('notices', notice.what, lang, **facts[lang])}\n"
        f"{say('notices', notice.where, lang, pool=pool.slug, page=notice.page)}"
        for lang in orders
    ]
    names = dict.fromkeys(_plain_line(_name_of(pool, lang)) for lang in orders)
    return _plain_line(subject), "\n\n".join([" / ".join(names), *texts, *_checkpoint(orders)]) + "\n"


def _checkpoint(orders: tuple[Language, ...]) -> list[str]:
    """What the office signs of its log at this moment, and why it stands in a mail; nothing if it cannot."""
    try:
        note = signed_log().note.decode()
    except (RefusedError, OSError):
        return []
    why = "\n".join(say("notices", "checkpoint", lang) for lang in orders)
    return [why, note.removesuffix("\n")]


def _name_of(pool: Pool, lang: Language) -> str:
    with override(lang):
        return pool.name


def facts_in(lang: Language, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a notice in a language: days as it writes them, names as it has them."""
    return {name: _fact_in_words(fact, lang) for name, fact in facts.items()}


def _fact_in_words(fact: Any, lang: Language) -> Any:
    if isinstance(fact, TwoNames):
        return (fact.name_native if lang == "ja" else "") or fact.name
    if isinstance(fact, datetime):
        return day_text(minute_text(fact), lang)
    return day_text(fact.isoformat(), lang) if isinstance(fact, date) else fact


def _plain_line(text: str) -> str:
    """The text as one line without signs that nobody sees, that turn it round or that a program obeys."""
    return CONTROL.sub("", tidy(" ".join(text.split())))
