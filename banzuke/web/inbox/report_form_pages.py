"""A report filled in in the browser: the players, and their games in a crosstable or one by one.

What is filled in becomes the office's own report form, a workbook, and comes in by the way of all files.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Report, Role
from banzuke.formats.files.text import whole_number
from banzuke.formats.report import Report as Reported
from banzuke.formats.report_form.form_layout import EVENT_FIELDS
from banzuke.formats.report_form.form_writer import write_form
from banzuke.office.inbox.event_fields import fields_said
from banzuke.office.inbox.report_files import read_contents
from banzuke.office.page_words import page_text
from banzuke.office.player_search import withheld_players
from banzuke.office.public_names import by_id_only
from banzuke.office.register import clubs as club_register
from banzuke.office.register.members import search_members
from banzuke.office.search import look_ups
from banzuke.office.search.look_ups import LookUpOffer
from banzuke.web import access
from banzuke.web.inbox.entry_sheet import GAMES, KINDS, ROUND_ROBIN, Sheet, sheet_of, sheet_sent
from banzuke.web.inbox.forms import ClubForm, EventForm, fields_for
from banzuke.web.inbox.upload_pages import (
    Sending,
    clubs_to_choose,
    granted_event,
    returned_report,
    take,
)
from banzuke.web.look_ups import FEWEST
from banzuke.web.register.event_application_pages import application_named
from banzuke.web.shortcuts import page_language, pool_page

#: The fields of an event that the workbook has.
ON_THE_FORM = frozenset(field.name for field in EVENT_FIELDS)


@access.reporter
@access.of_chess
def fill(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Fill in a report; for a report that was sent back, it begins with that report's event."""
    is_officer = access.clubs_of(request, pool) is None
    answers = returned_report(request, pool)
    events = list(read_contents(answers).incoming.reports) if answers else []
    chosen = None if answers else application_named(request, pool)
    part = min(whole_number(_parameter(request, "part")) or 1, max(len(events), 1))
    file, reported = events[part - 1] if events else ("", None)
    sheet = _sheet(request, pool, reported)
    if answers is not None and request.method == "GET":
        sheet.event |= fields_said(answers, file)
    if chosen is not None and request.method == "GET":
        sheet.event |= {name: value for name, value in granted_event(chosen)._asdict().items() if value}
    asked = fields_for(is_officer=is_officer)
    event = EventForm(request.POST or None, prefix="event", asked=asked, initial=sheet.event)
    initial = {"club": chosen.organiser} if chosen else {}
    club = ClubForm(request.POST or None, clubs=clubs_to_choose(request, pool), initial=initial)
    known = {"event_id": chosen.event_id} if chosen else {}
    report = _take_report(request, pool, sheet, event, club, Sending(known, "", "form", answers))
    if report is not None:
        return redirect("inbox-report", slug=pool.slug, number=report.pk)
    about = {"kind": sheet.kind, "kinds": KINDS, "sheet": sheet, "event": event, "club": club}
    about |= {"answers": answers, "club_names": club_register.names(pool)}
    about |= {"parts": [each.event.name for _, each in events], "part": part}
    return pool_page(request, "inbox/form.html", pool, **about)


def _take_report(
    request: HttpRequest, pool: Pool, sheet: Sheet, event: EventForm, club: ClubForm, sending: Sending
) -> Report | None:
    """The report that was sent and taken in; None where nothing was, or something cannot be read."""
    is_good = request.POST.get("act") == "send" and event.is_valid() and club.is_valid()
    if not (is_good and _is_sound(request, sheet)):
        return None
    values = {name: value for name, value in event.cleaned_data.items() if value not in (None, "")}
    data = write_form(sheet.report(pool, values), players=len(sheet.players), games=0)
    beyond = {name: value for name, value in values.items() if name not in ON_THE_FORM}
    sending = sending._replace(values=sending.values | beyond, club=club.cleaned_data["club"])
    return take(request, pool, [("report.xlsx", data)], sending)


def _parameter(request: HttpRequest, name: str) -> str:
    return request.POST.get(name) or request.GET.get(name, "")


def _sheet(request: HttpRequest, pool: Pool, reported: Reported | None) -> Sheet:
    """The sheet as it was sent, or to begin with."""
    kind = _parameter(request, "kind")
    kind = kind if kind in KINDS else (GAMES if reported else ROUND_ROBIN)
    book = rules_of(pool).editions[-1].book
    needs_colours = not isinstance(book, ChessBook) or book.needs_colours
    if request.method == "POST":
        return sheet_sent(request.POST, kind, needs_colours=needs_colours)
    return sheet_of(reported, kind, needs_colours=needs_colours)


def _is_sound(request: HttpRequest, sheet: Sheet) -> bool:
    """Whether the sheet can be read; shows the visitor what cannot."""
    for one in sheet.faults:
        messages.error(request, page_text(one, page_language()))
    return not sheet.faults


@access.reporter
def members(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The members meant by what is typed, to choose from.

    A member who is shown by id only has no name here either; a reporter finds them by id only.
    """
    cell = next((name for name in request.GET if name.startswith("player-")), "")
    typed = request.GET.get(cell, "").strip()
    hidden = by_id_only(pool)
    is_officer = access.has_role(request, Role.Kind.OFFICER, pool)
    left_out = set[str]() if is_officer else withheld_players(hidden, typed)
    rows = (
        search_members(pool, typed).exclude(player_id__in=left_out)[: look_ups.MOST]
        if len(typed) >= FEWEST
        else []
    )
    offered = [
        LookUpOffer(row.player_id, "")
        if row.player_id in hidden
        else LookUpOffer(row.player_id, row.name, row.name_native)
        for row in rows
    ]
    return render(request, "web/look_up_options.html", {"offers": offered})
