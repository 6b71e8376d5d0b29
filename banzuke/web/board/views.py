"""The board: what the coming list takes, what waits; the published lists; revisions that are due."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_POST

from banzuke.database.models import InquiryStep, Job, Pool, RatingList, Report, Role
from banzuke.database.models.reports import OPEN_STATES
from banzuke.engine.history import UnknownListError
from banzuke.formats.files.text import whole_number
from banzuke.office.fees.dues import club_dues, find_window
from banzuke.office.inbox import reports as inbox
from banzuke.office.jobs import planned_publications
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.json_codec import from_json
from banzuke.office.lists import coming_list, corrections, late_events, preliminary_lists, rehearsal
from banzuke.office.lists.coming_list import ComingList
from banzuke.office.lists.list_differences import Difference
from banzuke.office.lists.staleness import find_entry_since, last_list_number
from banzuke.office.pages.event_lists import note_event_names
from banzuke.web import access
from banzuke.web.board import jobs
from banzuke.web.board.difference_names import name_preview
from banzuke.web.board.forms import WORDS, PublicReasonForm
from banzuke.web.problem_views import names_of_not_members, warnings_of_list
from banzuke.web.shortcuts import page_language, page_of, pool_page

#: So long the board shows what became of a planned publication.
SHOWN = timedelta(days=7)


@access.officer
def board(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The coming list: what is in it, what waits and why."""
    today = coming_list.today_of(pool)
    coming = coming_list.find_coming_list(pool, today)
    context: dict[str, Any] = {"coming": coming, "today": today}
    if coming is not None:
        found = rehearsal_now(pool, coming.name)
        events = coming_list.events_of(pool, coming)
        context["warnings"] = warnings_of_list(pool, found.warnings) if found else []
        context["not_members"] = names_of_not_members(pool, found) if found else {}
        summaries = {event.event_id: event for event in found.events} if found else {}
        context |= {"opens": coming.opens, "rehearsed": found, "unpaid": _unpaid(pool, coming)}
        context["events"] = [(each, summaries.get(each.row.event_id)) for each in events]
        context["last"] = jobs.last_done(pool, "rehearse", list=coming.name)
        context["late"] = late_events.late_events(pool, coming)
        context["rulings"] = WORDS
        context["has_late_lists"] = late_events.has_late_lists(pool)
        context["furthest"] = coming_list.furthest_list(pool, coming, today)
    else:
        context["due"] = [name for name, _ in due(pool).lists] if is_small(pool) else []
    context |= {"reports": _reports(pool), "lists": pool.lists.order_by("-number")[:5]}
    context["is_chief"] = access.has_role(request, Role.Kind.CHIEF, pool)
    context |= _planned_context(pool)
    context["preliminary"] = list(preliminary_lists.preliminary_of(pool))
    if context["preliminary"]:
        note_event_names(one.list for one in context["preliminary"])
        context["inquiries"] = list(preliminary_lists.open_inquiries(pool))
    return pool_page(request, "board/board.html", pool, **context)


def _planned_context(pool: Pool) -> dict[str, Any]:
    """What is to be published at an hour, and what became of the last that was, for a week."""
    ended = planned_publications.last_ended_publication(pool)
    is_recent = ended is not None and ended.ended_at is not None and now() - ended.ended_at < SHOWN
    if ended is None or not is_recent or ended.state not in (ended.State.STOPPED, ended.State.DONE):
        return {"planned": planned_publications.waiting_publication(pool)}
    refused = (ended.refused or {}).get(page_language(), "")
    is_late = ended.ended_at is not None and ended.ended_at - ended.at > planned_publications.LATE
    is_there = pool.lists.filter(name=ended.list).exists()
    shown = {"ended": ended} if (refused and not is_there) or (not refused and is_late) else {}
    is_final = bool(shown) and not refused and planned_publications.is_final_after_all(ended)
    planned = planned_publications.waiting_publication(pool)
    return {"planned": planned, "refused": refused, "ended_final": is_final, **shown}


def rehearsal_now(pool: Pool, name: str) -> rehearsal.Rehearsal | None:
    """The list as it would be now: made at once in a small pool, in a large one from the last rehearsal.

    None where nobody rehearsed it since the book changed, or where the book makes no such list yet.
    """
    if not is_small(pool):
        job = jobs.last_done(pool, "rehearse", list=name, today=coming_list.today_of(pool).isoformat())
        found = from_json(rehearsal.Rehearsal, job.result) if job and job.result else None
        return found if found and find_entry_since(pool, found.position, name) is None else None
    today = coming_list.today_of(pool)
    try:
        return jobs.cached(pool, f"{name} {today}", lambda: rehearsal.rehearse(pool, name, today))
    except UnknownListError:
        return None


def _unpaid(pool: Pool, coming: ComingList) -> int:
    """The events that are left out for want of the fee, as things stand."""
    try:
        of = find_window(pool, coming.name)
    except ValueError:  # a club's event
        return 0
    return sum(event.is_unpaid for club in club_dues(pool, of) for event in club.events) if of else 0


def _reports(pool: Pool) -> list[tuple[Report, str, str]]:
    """The reports that are not in the book yet, each with what it is of and why it waits."""
    found = inbox.reports(pool, None).filter(state__in=OPEN_STATES).prefetch_related("files", "steps")
    return [_report(report) for report in found.order_by("received_at")]


def _report(report: Report) -> tuple[Report, str, str]:
    names = [file.name for file in report.files.all()]
    steps = sorted(report.steps.all(), key=lambda step: step.pk)
    return report, report.title or ", ".join(names[:2]), steps[-1].why if steps else ""


@access.officer
def lists(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The published lists with their revisions, each to be verified."""
    page = page_of(request, pool.lists.order_by("-number"), 30)
    note_event_names(page)
    inquiry = dict(
        InquiryStep.objects.filter(inquiry__pool=pool, entry__isnull=False).values_list("entry", "inquiry")
    )
    shown = [(each, inquiry.get(each.entry_id), _verification(pool, each)) for each in page]
    return pool_page(request, "board/lists.html", pool, page=page, shown=shown)


def _verification(pool: Pool, each: RatingList) -> Job | None:
    return jobs.last_done(pool, "verify", list=each.name, revision=each.revision)


@access.officer
@require_POST
def verify(request: HttpRequest, pool: Pool, name: str, revision: int) -> HttpResponse:
    """Make a published list again from its ledger, and compare every figure."""
    get_object_or_404(RatingList, pool=pool, name=name, revision=revision)
    words = {"slug": pool.slug, "name": name, "revision": revision}
    onward = reverse("board-verification", kwargs=words)
    back = reverse("board-lists", kwargs={"slug": pool.slug})
    return jobs.work(request, pool, "verify", {"list": name, "revision": revision}, onward, back)


@access.officer
def verification(request: HttpRequest, pool: Pool, name: str, revision: int) -> HttpResponse:
    """What the last verification of a list found."""
    each = get_object_or_404(RatingList, pool=pool, name=name, revision=revision)
    job = _verification(pool, each)
    if job is None:
        return redirect("board-lists", slug=pool.slug)
    found = job.result or {}
    rows = from_json(list[Difference], found["differences"])
    return pool_page(request, "board/verification.html", pool, list=each, job=job, found=found, rows=rows)


def due(pool: Pool) -> corrections.Preview:
    """The revisions that are due, made at once."""
    return jobs.cached(pool, "due", lambda: corrections.due_revisions(pool))


@access.officer
def revisions(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The revisions that are due: what differs; published with a reason."""
    form = PublicReasonForm(request.POST or None)
    url = reverse("board-revisions", kwargs={"slug": pool.slug})
    if request.method == "POST" and "look" in request.POST:
        return jobs.work(request, pool, "due", {}, url, url)
    found = name_preview(pool, _due_now(pool))
    context = {"found": found, "form": form, "is_chief": access.has_role(request, Role.Kind.CHIEF, pool)}
    return pool_page(request, "board/revisions.html", pool, **context)


def _due_now(pool: Pool) -> corrections.Preview | None:
    if is_small(pool):
        return due(pool)
    job = jobs.last_done(pool, "due")
    found = from_json(corrections.Preview, job.result) if job and job.result else None
    is_fresh = (
        found and found.number == last_list_number(pool) and find_entry_since(pool, found.position) is None
    )
    return found if is_fresh else None


@access.chief
@require_POST
def revise(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Publish the revisions that are due."""
    form = PublicReasonForm(request.POST)
    if not form.is_valid():
        context = {"found": name_preview(pool, _due_now(pool)), "form": form, "is_chief": True}
        return pool_page(request, "board/revisions.html", pool, **context)
    onward = reverse("board-lists", kwargs={"slug": pool.slug})
    back = reverse("board-revisions", kwargs={"slug": pool.slug})
    wanted = {"why": form.cleaned_data["why"], "position": whole_number(request.POST.get("position", ""))}
    return jobs.work(request, pool, "revise", wanted, onward, back)
