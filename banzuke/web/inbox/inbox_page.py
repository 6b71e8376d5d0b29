"""The inbox: reports by state, club and turn, with what each still needs; deciding on several in one go."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.contrib import messages
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST

from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.models import Pool, Report
from banzuke.database.models.reports import OPEN_STATES
from banzuke.formats.files.text import whole_number
from banzuke.office.event_progress import Turn
from banzuke.office.inbox import reports
from banzuke.office.inbox.bulk_acts import BulkOutcome, accept_all, accept_clean, hold_all
from banzuke.office.inbox.inbox_rows import ReportFilter, clubs_with_reports, find_reports, inbox_rows
from banzuke.office.inbox.problems import field_label
from banzuke.office.inbox.report_summary import ReportSummary, summary
from banzuke.office.inbox.review import review_report
from banzuke.office.inbox.waiting_reports import open_reports
from banzuke.office.jobs.pool_size import is_small
from banzuke.web import access
from banzuke.web.inbox.views import find_report, states
from banzuke.web.shortcuts import is_part, page_language, page_of, pool_page, sent_reason
from banzuke.words import comma_list, said_of

#: So many reports of a small pool are looked at while the page is made; the others once it is there.
MOST_AT_ONCE = 10
#: So many reports are decided on in one go.
MOST_CHOSEN = 50
TURNS = {
    Turn.OFFICE: pgettext_lazy("turn", "the office"),
    Turn.CLUB: pgettext_lazy("turn", "the club"),
    Turn.NOBODY: "–",
}
NOTHING_CHOSEN = gettext_lazy("Choose reports first, by the boxes before their numbers.")


def _report_filter(sent: Mapping[str, str]) -> ReportFilter:
    """The reports that an address or a form names. Raises Http404."""
    state, turn = sent.get("state", Report.State.WAITING), sent.get("turn", "")
    if state not in Report.State.values or turn not in ("", Turn.CLUB, Turn.OFFICE):
        raise Http404
    return ReportFilter(state, sent.get("club", ""), turn if state in OPEN_STATES else "")


@access.reporter
def inbox(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The reports in one state, the oldest first (decided ones: the newest)."""
    clubs = access.clubs_of(request, pool)
    is_officer, names, counts = clubs is None, states(), reports.counts(pool, clubs)
    wanted = _report_filter(request.GET.dict())
    is_open = wanted.state in OPEN_STATES
    page = page_of(request, find_reports(pool, clubs, wanted))
    rows = inbox_rows(pool, list(page))
    needs = _needs_at_hand(pool, list(page)) if is_officer and is_open else {}
    shown = [(row, TURNS[row.turn], row.report.pk in needs, needs.get(row.report.pk)) for row in rows]
    filters = {"club": wanted.club, "turn": wanted.turn}
    return pool_page(
        request,
        "inbox/inbox.html",
        pool,
        tabs=[(one, name, counts[one]) for one, name in names.items()],
        kept=urlencode({name: value for name, value in filters.items() if value}),
        wanted=wanted,
        turns=[(turn, name) for turn, name in TURNS.items() if turn],
        clubs=clubs_with_reports(pool, clubs),
        rows=shown,
        page=page,
        is_officer=is_officer,
        is_go=rules_of(pool).is_go,
        is_open=is_open,
        of=counts,
    )


@access.officer
def missing(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """What a report still needs, for its row; a browser by itself is led to the report's page."""
    report = find_report(request, pool, number)
    if not is_part(request):
        return redirect("inbox-report", slug=pool.slug, number=number)
    found = _needs(pool, [report], 1)[report.pk] if report.state in OPEN_STATES else None
    return pool_page(request, "inbox/missing.html", pool, needs=found)


class ReportNeeds(NamedTuple):
    """What a report needs, in a few words, and whether there is nothing to look at."""

    parts: Sequence[str]
    is_clean: bool


def _needs_at_hand(pool: Pool, found: list[Report]) -> dict[int, ReportNeeds]:
    """What open reports need, as far as it is known; of a small pool some are looked at now."""
    return _needs(pool, found, MOST_AT_ONCE if is_small(pool) else 0)


def _needs(pool: Pool, found: Sequence[Report], most: int) -> dict[int, ReportNeeds]:
    """What open reports need; so many at most are looked at now of those that have not been."""
    memory, today = caches["memory"], localdate()
    as_of = f"{pool.pk} {last_entry(pool)} {today} {open_reports(pool)}"
    keys = {report.pk: sha256(f"{report.pk} {as_of}".encode()).hexdigest() for report in found}
    known: dict[str, ReportSummary] = memory.get_many(list(keys.values()))
    for report in found:
        key = keys[report.pk]
        if key not in known and most:
            known[key] = summary(review_report(report, today))
            memory.set(key, known[key])
            most -= 1
    return {number: _in_words(known[key]) for number, key in keys.items() if key in known}


def _in_words(found: ReportSummary) -> ReportNeeds:
    lang = page_language()
    fields = comma_list((field_label(name, lang) for name in found.fields), lang)
    who = ngettext("%(n)s player to decide on", "%(n)s players to decide on", found.undecided)
    counted = (
        (who, found.undecided),
        (ngettext("%(n)s point to settle", "%(n)s points to settle", found.to_settle), found.to_settle),
        (_("some games are not rated"), found.left_out),
        (ngettext("%(n)s point to check", "%(n)s points to check", found.to_check), found.to_check),
    )
    parts = [text % {"n": n} if "%(n)s" in text else text for text, n in counted if n]
    lacking = [_("missing: %(fields)s") % {"fields": fields}] if fields else []
    return ReportNeeds([*parts, *lacking], found.is_clean)


@require_POST
@access.officer
def bulk(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Accept or hold several reports, and say what became of each."""
    act, why = request.POST.get("act"), sent_reason(request)
    wanted, actor = _report_filter(request.POST.dict()), access.actor(request)
    found = list(find_reports(pool, None, wanted)[:MOST_CHOSEN])
    numbers = {whole_number(text) for text in request.POST.getlist("chosen")[:MOST_CHOSEN]}
    chosen = list(reports.reports(pool, None).filter(pk__in=numbers - {None}))
    if act == "accept-clean":
        _tell(request, accept_clean(found, actor, localdate()), _accepted_text)
    elif act not in ("accept", "hold"):
        return HttpResponseBadRequest()
    elif not chosen:
        messages.warning(request, NOTHING_CHOSEN)
    elif act == "accept":
        _tell(request, accept_all(chosen, actor, localdate()), _accepted_text)
    else:
        _tell(request, hold_all(chosen, actor, why), _held_text)
    asked = urlencode({name: value for name, value in wanted._asdict().items() if value})
    return redirect(f"{reverse('inbox', kwargs={'slug': pool.slug})}?{asked}")


def _accepted_text(number: int) -> str:
    return ngettext("%(n)s report is accepted:", "%(n)s reports are accepted:", number) % {"n": number}


def _held_text(number: int) -> str:
    return ngettext("%(n)s report is on hold:", "%(n)s reports are on hold:", number) % {"n": number}


def _tell(request: HttpRequest, outcome: BulkOutcome, done: Callable[[int], str]) -> None:
    """Say what was done, and of each report that was not, why."""
    if outcome.done:
        messages.success(request, f"{done(len(outcome.done))} {_report_names(outcome.done)}")
    for report, refusal in outcome.refused:
        lang = page_language()
        messages.error(request, said_of(_report_names([report]), refusal.sentence(lang), lang))
    if outcome.left:
        number = len(outcome.left)
        left = ngettext("%(n)s has something to look at:", "%(n)s have something to look at:", number)
        messages.warning(request, f"{left % {'n': number}} {_report_names(outcome.left)}")
    if not any(outcome):
        messages.info(request, _("There is no report to accept."))


def _report_names(found: Iterable[Report]) -> str:
    return comma_list((f"{report.pk} {report.title}".strip() for report in found), page_language())
