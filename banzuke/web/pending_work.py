"""What waits for a visitor in a pool: reports, newcomers, fees, lists, inquiries, reforms."""

from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest
from django.urls import reverse
from django.utils.timezone import localdate, now
from django.utils.translation import gettext as _

from banzuke.database.models import Inquiry, Job, Pool, Report, Role, Sanction
from banzuke.office.fees import dues
from banzuke.office.fees.invoices import accounts
from banzuke.office.inbox import reports
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.lists.coming_list import find_coming_list as coming_list
from banzuke.office.lists.coming_list import today_of
from banzuke.office.objections.club_answers import questions_to
from banzuke.office.reforms.reform_acts import reforms_of
from banzuke.office.register import clubs, event_applications, members
from banzuke.web import access
from banzuke.web.board.views import due
from banzuke.web.fees.views import window_to_pay
from banzuke.web.templatetags.ratings import list_of_name


@dataclass(frozen=True, slots=True)
class WorkItem:
    """Something to do: what it is, in the visitor's language, how many there are, and where it is done."""

    text: str
    count: int
    url: str


def inbox_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """For an officer the reports that wait or are held; for a club's reporter those that were sent back."""
    clubs = access.clubs_of(request, pool)
    url = reverse("inbox", kwargs={"slug": pool.slug})
    if clubs is None:
        counts = reports.counts(pool, None)
        return [
            WorkItem(_("Reports that wait"), counts[Report.State.WAITING], url),
            WorkItem(_("Reports on hold"), counts[Report.State.HELD], f"{url}?state=held"),
        ]
    back = reports.reports(pool, clubs).filter(state=Report.State.RETURNED, answered_by=None).count()
    return [WorkItem(_("Reports sent back to be corrected"), back, f"{url}?state=returned")]


def register_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """What an officer has to do; a club has nothing to do here."""
    if access.clubs_of(request, pool) is not None:
        return []
    found = (
        (_("Events applied for"), _applications(pool), "register-events"),
        (_("Newcomers to complete"), len(members.newcomers(pool)), "register-newcomers"),
        (
            _("Club registrations that have expired"),
            len(clubs.lapsed_clubs(pool, localdate())),
            "register-clubs",
        ),
    )
    return [
        WorkItem(text, count, reverse(name, kwargs={"slug": pool.slug}))
        for text, count, name in found
        if count
    ]


def _applications(pool: Pool) -> int:
    return event_applications.applications(pool, None).filter(state=Sanction.State.ASKED).count()


def fees_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """Of the window that is paid for this month: what an officer has to invoice, what a club has to pay."""
    names = dues.window_names(pool, localdate())
    of = dues.find_window(pool, window_to_pay(names, localdate())) if names else None
    if of is None:
        return []
    clubs = access.clubs_of(request, pool)
    found = accounts(pool, of, clubs)
    url = reverse("fees-window", kwargs={"slug": pool.slug, "window": of.name})
    unpaid = sum(state.open > 0 for account in found for state in account.states)
    waits = [WorkItem(_("Invoices not paid"), unpaid, url)]
    if clubs is None and localdate() > of.closes:
        to_invoice = sum(bool(account.lines) for account in found)
        waits.append(WorkItem(_("Clubs to invoice"), to_invoice, url))
    to_settle = sum(state.is_to_settle for account in found for state in account.states)
    if clubs is None and to_settle:
        waits.append(WorkItem(_("Invoices to settle"), to_settle, url))
    return waits


#: So long a job that failed is shown.
RECENT = timedelta(days=7)
FAILED = (Job.State.FAILED, Job.State.INTERRUPTED)


def board_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """For an officer; for a club's reporter what the office asks about inquiries."""
    words, clubs = {"slug": pool.slug}, access.clubs_of(request, pool)
    if clubs is not None:
        asked = questions_to(pool, clubs).count()
        questions = WorkItem(_("Questions of the office"), asked, reverse("club-questions", kwargs=words))
        return [questions] if asked else []
    inquiries = Inquiry.objects.filter(pool=pool, state=Inquiry.State.OPEN).count()
    found = [WorkItem(_("Open inquiries"), inquiries, reverse("board-inquiries", kwargs=words))]
    coming = coming_list(pool, today_of(pool))
    if coming is not None and coming.is_closed:
        text = _("List %(list)s to publish") % {"list": list_of_name(coming.name)}
        found.append(WorkItem(text, 1, reverse("board", kwargs=words)))
    lists = len(due(pool).lists) if is_small(pool) and pool.lists.exists() else 0
    found.append(WorkItem(_("Lists whose revision is due"), lists, reverse("board-revisions", kwargs=words)))
    return [*found, *_failed_acts(pool)]


def _failed_acts(pool: Pool) -> list[WorkItem]:
    """The last act that failed lately, with how many did."""
    jobs = Job.objects.filter(pool=pool, state__in=FAILED, at__gte=now() - RECENT).order_by("-pk")
    last = jobs.first()
    if last is None:
        return []
    return [WorkItem(_("Recent failures"), jobs.count(), reverse("board-job", kwargs={"number": last.pk}))]


def reform_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """For an officer reforms of others to sign; for a chief officer those to announce, and those stopped."""
    if access.clubs_of(request, pool) is not None:
        return []
    me, is_chief = access.actor(request).name, access.has_role(request, Role.Kind.CHIEF, pool)
    found, url = reforms_of(pool), reverse("reforms", kwargs={"slug": pool.slug})
    to_sign = sum(each.needs_signature and each.draft.author != me for each in found)
    to_announce = sum(is_chief and each.is_open and each.signature is not None for each in found)
    stopped = sum(is_chief and each.waits and each.stop is not None for each in found)
    return [
        WorkItem(_("Reforms to sign"), to_sign, url),
        WorkItem(_("Reforms to announce"), to_announce, url),
        WorkItem(_("Reforms that did not come into force"), stopped, url),
    ]


def pending_work(request: HttpRequest, pool: Pool) -> list[WorkItem]:
    """All that waits for the visitor in the pool."""
    areas = (inbox_work, register_work, fees_work, board_work, reform_work)
    return [each for area in areas for each in area(request, pool) if each.count]
