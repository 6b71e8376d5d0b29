"""Sending a report: its files, pages that come later, the blank form; and its files given back."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Report
from banzuke.formats.files.text import whole_number
from banzuke.formats.report_form.form_writer import write_form
from banzuke.office.inbox.receiving import Sender, add_files, receive
from banzuke.office.inbox.report_files import MOST_MIB_TOGETHER
from banzuke.office.journal import note
from banzuke.office.refusals import NotDoneError
from banzuke.office.register import clubs as club_register
from banzuke.web import access
from banzuke.web.downloads import XLSX, as_file
from banzuke.web.inbox.forms import EventForm, SendForm, fields_for
from banzuke.web.inbox.views import find_report
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import fault_line


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
    """Send a report by upload."""
    is_officer = access.clubs_of(request, pool) is None
    answers = returned_report(request, pool)
    initial = {"club": answers.club_id} if answers else {}
    clubs = clubs_to_choose(request, pool)
    is_go = rules_of(pool).is_go
    form = SendForm(request.POST or None, request.FILES or None, initial=initial, clubs=clubs, is_go=is_go)
    asked = fields_for(is_officer=is_officer)
    event = EventForm(request.POST or None, prefix="event", asked=asked)
    if request.method == "POST" and form.is_valid() and event.is_valid():
        files = [(each.name, each.read()) for each in form.cleaned_data["files"]]
        report = take(
            request, pool, files, event.changed_fields(), form.cleaned_data["club"], "upload", answers
        )
        if report is not None:
            return redirect("inbox-report", slug=pool.slug, number=report.pk)
    return pool_page(request, "inbox/send.html", pool, form=form, event=event, answers=answers)


def take(
    request: HttpRequest,
    pool: Pool,
    files: Sequence[tuple[str, bytes]],
    values: dict[str, Any],
    club: str,
    source: str,
    answers: Report | None,
) -> Report | None:
    """Take a report in and say what became of it; None where it is refused at the door."""
    last = Report.objects.filter(pool=pool).order_by("pk").last()
    try:
        sender = Sender(access.actor(request), access.user(request), club, source)
        report = receive(pool, files, values, sender, answers)
    except RefusedError as refusal:
        for one in refusal.faults:
            messages.error(request, fault_line(one, page_language()).lstrip(": "))
        return None
    if last is not None and report.pk <= last.pk:
        text = _("These files were already received, as report %(number)s.") % {"number": report.pk}
        messages.warning(request, text)
    else:
        text = _("The report was received as number %(number)s.") % {"number": report.pk}
        messages.success(request, text)
    return report


@require_POST
@access.reporter
@access.takes_files(MOST_MIB_TOGETHER)
def add(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Add a page to a report that waits for it."""
    report = find_report(request, pool, number)
    files = [(each.name or "", each.read()) for each in request.FILES.getlist("files")]
    lang = page_language()
    try:
        add_files(report, files, access.actor(request))
    except RefusedError as refusal:
        for one in refusal.faults:
            messages.error(request, fault_line(one, lang).lstrip(": "))
    except NotDoneError as refusal:
        messages.error(request, refusal.sentence(lang))
    return redirect("inbox-report", slug=pool.slug, number=number)


@access.reporter
def file(request: HttpRequest, pool: Pool, number: int, file: int) -> HttpResponse:
    """A file of a report, byte for byte; whoever takes one is in the journal, for it may have birth dates."""
    report = find_report(request, pool, number)
    found = get_object_or_404(report.files, pk=file)
    note(access.actor(request), "report-file", pool, report=report.pk, file=found.pk)
    return as_file(bytes(found.data), found.name)


@access.reporter
def blank_form(_request: HttpRequest, pool: Pool) -> HttpResponse:  # noqa: ARG001  # the address names the pool
    """The report form, empty."""
    return as_file(write_form(), "report-form.xlsx", XLSX)
