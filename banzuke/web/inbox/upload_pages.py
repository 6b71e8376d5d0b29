"""Sending a report: its files, pages that come later, the blank form; and its files given back."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Report, Sanction
from banzuke.database.two_names import name_here
from banzuke.formats.files.text import whole_number
from banzuke.formats.report import Report as Reported
from banzuke.formats.report import ReportedEvent
from banzuke.formats.report_form.form_writer import write_form
from banzuke.office.club_desk import granted_to_report
from banzuke.office.inbox import reports
from banzuke.office.inbox.duplicates import same_event
from banzuke.office.inbox.receiving import Sender, add_files, receive
from banzuke.office.inbox.report_files import MOST_MIB_TOGETHER, File, check_files, sort_files
from banzuke.office.journal import note
from banzuke.office.page_words import page_line, page_text
from banzuke.office.refusals import NotDoneError
from banzuke.office.register import clubs as club_register
from banzuke.web import access
from banzuke.web.downloads import XLSX, as_file
from banzuke.web.inbox.forms import EventForm, SendForm, fields_for
from banzuke.web.inbox.views import find_report
from banzuke.web.register.event_application_pages import application_named
from banzuke.web.shortcuts import page_language, pool_page, sent_reason, show_refusal
from banzuke.words import day_text


def clubs_to_choose(request: HttpRequest, pool: Pool) -> list[tuple[str, str]]:
    """The clubs for which the visitor may report, with their names; an officer also for none."""
    names, mine = club_register.names(pool), access.clubs_of(request, pool)
    own = [("", _("no club (reported by the office)"))] if mine is None else []
    chosen = sorted(names if mine is None else mine)
    return own + [(club_id, f"{names.get(club_id, '')} ({club_id})".strip()) for club_id in chosen]


def returned_report(request: HttpRequest, pool: Pool) -> Report | None:
    """The report sent back that is sent again, if the visitor names one and may see it."""
    number = whole_number(request.GET.get("answers") or request.POST.get("answers") or "")
    if number is None:
        return None
    report = find_report(request, pool, number)
    return report if report.state == Report.State.RETURNED else None


@access.reporter
@access.takes_files(MOST_MIB_TOGETHER)
def send(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Send reports by upload: files of one event, or of several, each answered by itself."""
    own = access.clubs_of(request, pool)
    answers = returned_report(request, pool)
    is_go = rules_of(pool).is_go
    granted = [] if answers or is_go else granted_to_report(pool, own)
    chosen = chosen_event(request, granted)
    club = answers.club_id if answers else chosen.organiser if chosen else ""
    form = SendForm(
        request.POST or None,
        request.FILES or None,
        initial={"club": club, "of_event": chosen.pk if chosen else ""} if club else {},
        clubs=clubs_to_choose(request, pool),
        is_go=is_go,
        events=[(str(one.pk), _event_with_day(one)) for one in granted],
    )
    event = EventForm(request.POST or None, prefix="event", asked=fields_for(is_officer=own is None))
    if request.method == "POST" and form.is_valid() and event.is_valid():
        files = [(each.name, each.read()) for each in form.cleaned_data["files"]]
        values = said_of_event(form.cleaned_data.get("of_event", ""), granted) | event.changed_fields()
        answer = _take_all(
            request, pool, files, Sending(values, form.cleaned_data["club"], "upload", answers)
        )
        if answer is not None:
            return answer
    about = {"form": form, "event": event, "answers": answers, "chosen": chosen, "is_go": is_go}
    names = club_register.names(pool)
    return pool_page(request, "inbox/send.html", pool, **about, club_names=names)


def _event_with_day(event: Sanction) -> str:
    """The event with its first day, as one of several to choose from."""
    day = day_text(event.starts.isoformat(), page_language())
    return f"{name_here(event.name, event.name_native)} ({day})"


def chosen_event(request: HttpRequest, granted: Sequence[Sanction]) -> Sanction | None:
    """The event applied for that the address names, or else the only one there is to report by now."""
    number = whole_number(request.GET.get("event", ""))
    if number is not None:
        return next((one for one in granted if one.pk == number), None)
    begun = [one for one in granted if one.starts <= localdate()]
    return begun[0] if len(begun) == 1 and len(granted) == 1 else None


def said_of_event(number: str, granted: Sequence[Sanction]) -> dict[str, Any]:
    """That a report is of an event applied for: its id; from there the office knows the rest."""
    found = next((one for one in granted if str(one.pk) == number), None)
    return {"event_id": found.event_id} if found else {}


class Sending(NamedTuple):
    """What comes with files: what is said of the event, the club, how they came, the report they answer."""

    values: dict[str, Any]
    club: str
    source: str
    answers: Report | None


class FileAnswer(NamedTuple):
    """What became of files: the report, and whether it was there before; or why they were refused."""

    files: Sequence[str]
    report: Report | None
    is_known: bool
    why: Sequence[str]


def _take_all(
    request: HttpRequest, pool: Pool, files: Sequence[File], sending: Sending
) -> HttpResponse | None:
    """Take files in, those of each event as a report; None where nothing could be taken.

    Of a report that answers another one all files are one report.
    """
    lang = page_language()
    try:
        given = check_files(files)
        if sending.answers is not None or len(given) == 1:
            groups, refused = [given], list[FileAnswer]()
        else:
            found = sort_files(given, access.actor(request).name)
            groups = [[given[place] for place in places] for places in found.groups]
            refused = [
                FileAnswer([given[place][0]], None, is_known=False, why=[page_text(why, lang)])
                for place, why in found.refused
            ]
    except RefusedError as refusal:
        _say_refusal(request, refusal)
        return None
    if len(groups) == 1 and not refused:
        report = take(request, pool, groups[0], sending)
        return redirect("inbox-report", slug=pool.slug, number=report.pk) if report else None
    alone = {name: value for name, value in sending.values.items() if name != "event_id"}
    sending = sending if len(groups) == 1 else sending._replace(values=alone)  # it is of one of them at most
    found_of = [_answer(request, pool, group, sending) for group in groups] + refused
    return pool_page(request, "inbox/sent.html", pool, answers=found_of)


def _answer(request: HttpRequest, pool: Pool, files: Sequence[File], sending: Sending) -> FileAnswer:
    """What becomes of the files of one event."""
    names = [name for name, _data in files]
    try:
        report, is_known = _receive(request, pool, files, sending)
    except RefusedError as refusal:
        lang = page_language()
        return FileAnswer(names, None, is_known=False, why=[page_text(one, lang) for one in refusal.faults])
    return FileAnswer(names, report, is_known=is_known, why=())


def _receive(
    request: HttpRequest, pool: Pool, files: Sequence[File], sending: Sending
) -> tuple[Report, bool]:
    """The report that files become, and whether it was there before. Raises RefusedError."""
    last = Report.objects.filter(pool=pool).order_by("pk").last()
    sender = Sender(access.actor(request), access.user(request), sending.club, sending.source)
    report = receive(pool, files, sending.values, sender, sending.answers)
    return report, last is not None and report.pk <= last.pk


def _say_refusal(request: HttpRequest, refusal: RefusedError) -> None:
    for one in refusal.faults:
        messages.error(request, page_line(one, page_language()))


def take(request: HttpRequest, pool: Pool, files: Sequence[File], sending: Sending) -> Report | None:
    """Take a report in and say what became of it; None where it is refused at the door."""
    try:
        report, is_known = _receive(request, pool, files, sending)
    except RefusedError as refusal:
        _say_refusal(request, refusal)
        return None
    if is_known:
        text = _("These files are there already, as report %(number)s: nothing was sent twice.")
        text %= {"number": report.pk}
        messages.warning(request, text)
    else:
        text = _("The report was received as number %(number)s.") % {"number": report.pk}
        messages.success(request, text)
    twin = same_event(report)
    if twin is not None:
        page = reverse("inbox-report", kwargs={"slug": pool.slug, "number": twin.pk})
        text = _(
            "Your club has already sent a report of this event, which waits: %(link)s. Withdraw one of them."
        )
        link = format_html('<a href="{}">{}</a>', page, _("Report %(number)s") % {"number": twin.pk})
        messages.warning(request, format_html(text.replace("%(link)s", "{}"), link))
    return report


@require_POST
@access.reporter
def withdraw(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Take a report back, as long as it is not accepted."""
    report = find_report(request, pool, number)
    with show_refusal(request):
        reports.withdraw(report, access.actor(request), sent_reason(request))
        messages.success(request, _("The report is withdrawn."))
    return redirect("inbox-report", slug=pool.slug, number=number)


@require_POST
@access.reporter
@access.takes_files(MOST_MIB_TOGETHER)
def add(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Add a page to a report that waits for it."""
    report = find_report(request, pool, number)
    files = [(each.name or "", each.read()) for each in request.FILES.getlist("files")]
    try:
        add_files(report, files, access.actor(request))
    except RefusedError as refusal:
        _say_refusal(request, refusal)
    except NotDoneError as refusal:
        messages.error(request, refusal.sentence(page_language()))
    return redirect("inbox-report", slug=pool.slug, number=number)


@access.reporter
def file(request: HttpRequest, pool: Pool, number: int, file: int) -> HttpResponse:
    """A file of a report, byte for byte; whoever takes one is in the journal, for it may have birth dates."""
    report = find_report(request, pool, number)
    found = get_object_or_404(report.files, pk=file)
    note(access.actor(request), "report-file", pool, report=report.pk, file=found.pk)
    return as_file(bytes(found.data), found.name)


@access.reporter
@access.of_chess
def blank_form(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The report form, empty; with what is known of the event applied for that the address names."""
    found = application_named(request, pool)
    event = granted_event(found) if found else ReportedEvent()
    return as_file(write_form(Reported(event, (), ())), "report-form.xlsx", XLSX)


def granted_event(found: Sanction) -> ReportedEvent:
    """What an application says of its event, as a report would."""
    names = ("name", "place", "responsible", "speed", "fide_rated", "starts", "ends", "applied", "notified")
    organiser = club_register.names(found.pool).get(found.organiser, found.organiser)
    return ReportedEvent(organiser=organiser, **{name: getattr(found, name) for name in names})
