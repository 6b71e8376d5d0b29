"""Deciding on a report: who is who, its events' fields, rulings; accepting, holding, sending back."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Pool, Report, Role
from banzuke.exchange.player_identities import NEW, Decision, likely_members, proposals
from banzuke.office.inbox import acceptance_undo, reports
from banzuke.office.inbox.event_fields import EXCLUDED, JOINED, RATED, READABLE, RULING, SAID
from banzuke.office.inbox.reports import accept
from banzuke.office.inbox.review import review_for_club, review_report
from banzuke.office.inbox.review_findings import EventReview, Review
from banzuke.office.refusals import WaiverError
from banzuke.office.search import look_ups
from banzuke.office.search.look_ups import LookUpKind
from banzuke.web import access
from banzuke.web.inbox import report_view
from banzuke.web.inbox.forms import RULINGS, WAIVERS
from banzuke.web.inbox.views import find_report
from banzuke.web.look_ups import CHOOSE, LookUpInput
from banzuke.web.shortcuts import sent_reason, show_errors, show_refusal

#: The choice of a member who is no candidate: the id is typed.
OTHER = "other"
#: For so many names at most the page offers whom they may mean.
MOST_DOUBTFUL = 20
#: The act that takes every likely member.
LIKELY = "likely"


@require_POST
@access.reporter
def decide(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Store the form, then carry out the act of its button."""
    report = find_report(request, pool, number)
    act = ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponseBadRequest()
    is_officer = access.has_role(request, Role.Kind.OFFICER, pool)
    is_chief = access.has_role(request, Role.Kind.CHIEF, pool)
    if act is not _save:
        access.require(request, Role.Kind.OFFICER, pool)
    sent, doubtful = _with_ids(request.POST, pool) if is_officer else (request.POST, {})
    with show_refusal(request):
        is_good = _keep(request, report, sent, is_officer=is_officer, is_chief=is_chief)
        if is_good and not doubtful:
            act(request, report)
    if doubtful:
        messages.warning(request, CHOOSE)
    return redirect(_address_of(report, doubtful))


def _address_of(report: Report, doubtful: Mapping[str, str]) -> str:
    """The report's page; it offers whom the doubtful names may mean."""
    page = reverse("inbox-report", kwargs={"slug": report.pool.slug, "number": report.pk})
    return f"{page}?{urlencode(dict(islice(doubtful.items(), MOST_DOUBTFUL)))}" if doubtful else page


@require_POST
@access.officer
def take_back(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Take the acceptance of a report back: it waits again."""
    report = find_report(request, pool, number)
    with show_refusal(request):
        acceptance_undo.take_back(report, access.actor(request), sent_reason(request))
        messages.success(request, _("The acceptance is taken back: the report waits again."))
    return redirect("inbox-report", slug=pool.slug, number=number)


def _keep(request: HttpRequest, report: Report, sent: QueryDict, *, is_officer: bool, is_chief: bool) -> bool:
    """Store the events' fields and an officer's decisions. Returns whether every field was valid.

    Raises WaiverError, and ReportChangedError where the page is out of date, before anything is stored.
    """
    review = (review_report if is_officer else review_for_club)(report, localdate())
    if is_officer and not is_chief:
        _refuse_waivers(request.POST, review)
    fields, decisions, is_good = list[tuple[str, dict[str, Any]]](), list[Decision](), True
    for number, event in enumerate(review.events):
        form = report_view.event_form(event, number, request.POST, is_officer=is_officer)
        if form.is_valid():
            values = _new_values(form.changed_fields(), event)
            values |= _new_rulings(request.POST, event, number) if is_officer else {}
            fields.append((event.file, values))
        else:
            is_good = False
            show_errors(request, form)
    if is_officer:
        if review.go is not None and "faulty" in request.POST:
            fields.append(("", {READABLE: "readable" in request.POST}))
        takes_likely = request.POST.get("act") == LIKELY
        decisions += _decisions(sent, review, takes_likely=takes_likely)
    reports.keep(report, fields, decisions, access.actor(request), request.POST.get("seen", ""))
    return is_good


def _new_values(values: dict[str, Any], event: EventReview) -> dict[str, Any]:
    """The values that change; a blank counts where somebody has entered one before."""
    origins = {field.name: field.origin for field in event.known.fields.values()}
    return {name: value for name, value in values.items() if value != "" or origins[name] == SAID}


def _refuse_waivers(sent: QueryDict, review: Review) -> None:
    """See that no ruling is made or taken back that waives a fee or lateness. Raises WaiverError."""
    for number, event in enumerate(review.events):
        ruling = _new_ruling(sent, event, number)
        if ruling is not None and WAIVERS & {ruling, event.known.ruling}:
            raise WaiverError


def _new_ruling(sent: QueryDict, event: EventReview, number: int) -> str | None:
    """The ruling on an event if it changes."""
    ruling = sent.get(f"ruling-{number}", event.known.ruling)
    return ruling if ruling != event.known.ruling and ruling in dict(RULINGS) else None


def _new_rulings(sent: QueryDict, event: EventReview, number: int) -> dict[str, Any]:
    """What the officer rules anew: of the event, of its games, of faulty files."""
    ruling = _new_ruling(sent, event, number)
    values: dict[str, Any] = {} if ruling is None else {RULING: ruling}
    if f"games-{number}" in sent:
        known = {"-".join(map(str, place)): place for place in event.places}
        left_out = sorted(known[place] for place in sent.getlist(f"exclude-{number}") if place in known)
        if left_out != sorted(event.known.excluded):
            values[EXCLUDED] = left_out
    if "faulty" in sent:
        values[READABLE] = "readable" in sent
    if f"newcomers-{number}" in sent:
        values |= {name: f"{name}-{number}" in sent for name in (JOINED, RATED)}
    return values


def _with_ids(posted: QueryDict, pool: Pool) -> tuple[QueryDict, dict[str, str]]:
    """The form with the id in place of each name that was typed, and the names that several may mean."""
    sent, doubtful = posted.copy(), dict[str, str]()
    for key in posted:
        typed = LookUpInput().value_from_datadict(posted, None, key) or ""
        if key.startswith("who-") and key.endswith("-id") and typed.strip():
            found = look_ups.look_up(LookUpKind.MEMBER, pool, typed)
            sent[key] = found.id or ("" if found.offers else typed)
            if found.offers:
                doubtful[key] = typed[: look_ups.LONGEST]
    return sent, doubtful


def _decisions(sent: QueryDict, review: Review, *, takes_likely: bool) -> Iterator[Decision]:
    """Who is who, for every player that the form has a choice for, or else for whom a member is likely."""
    for number, event in enumerate(review.events):
        unknown = NEW if f"new-{number}" in sent else None
        players: list[tuple[Any, str, str | None]]
        players = [(m.reported, m.player_id, None) for m in event.matches]
        players += [(one.reported, "", None if one.candidates else unknown) for one in event.undecided]
        taken = [m.player_id for m in event.matches]
        proposed = proposals(event.undecided, taken)
        likely = likely_members(event.undecided, taken) if takes_likely else {}
        for player, now, otherwise in players:
            place = event.file, player.number
            chosen = _choice(sent, f"who-{number}-{player.number}", proposed.get(place, ""))
            chosen = likely.get(place) or otherwise if chosen is None else chosen
            if chosen is not None and chosen != now:
                yield Decision(event.file, player.number, player.name, chosen)
    unknown = NEW if "new-go" in sent else None
    for number, one in enumerate(review.go.unknown if review.go else ()):
        chosen = _choice(sent, f"who-0-{number}") or (None if one.candidates else unknown)
        if chosen:
            yield Decision(one.file, 0, one.name, chosen)


def _choice(sent: QueryDict, key: str, proposed: str = "") -> str | None:
    """The member chosen, `NEW`, a blank to take a decision back; None: nothing was chosen.

    An id that was typed counts more than the member that was filled in.
    """
    chosen = sent.get(key)
    typed = sent.get(f"{key}-id", "").strip()
    if typed and chosen in (None, "", OTHER, proposed):
        return typed
    return None if chosen in (None, "", OTHER) else "" if chosen == "undo" else chosen


def _save(request: HttpRequest, _report: Report) -> None:
    messages.success(request, _("Saved."))


def _take_likely(request: HttpRequest, _report: Report) -> None:
    messages.success(
        request, _("The likely members are taken. Each can be taken back in the list of players.")
    )


def _accept(request: HttpRequest, report: Report) -> None:
    why = sent_reason(request)
    accept(report, access.actor(request), localdate(), why)
    text = _("Report %(number)s is accepted and in the ledger.") % {"number": report.pk}
    messages.success(request, text)


def _hold(request: HttpRequest, report: Report) -> None:
    reports.hold(report, access.actor(request), sent_reason(request))
    messages.success(request, _("The report is on hold."))


def _send_back(request: HttpRequest, report: Report) -> None:
    reports.send_back(report, access.actor(request), sent_reason(request))
    messages.success(request, _("The report is sent back to the club."))


def _refuse(request: HttpRequest, report: Report) -> None:
    reports.refuse(report, access.actor(request), sent_reason(request))
    messages.success(request, _("The report is refused."))


#: What the buttons of the form do.
ACTS = {
    "save": _save,
    LIKELY: _take_likely,
    "accept": _accept,
    "hold": _hold,
    "return": _send_back,
    "refuse": _refuse,
}
