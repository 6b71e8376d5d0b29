"""Inquiries: noting them, what their drafts say and would change, carrying them out, dismissing them."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.models import Inquiry, InquiryStep, Pool, RatingList, Role
from banzuke.formats.files.text import whole_number
from banzuke.office import table_files
from banzuke.office.fact_rows import record_of
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.json_codec import from_json
from banzuke.office.lists import corrections
from banzuke.office.lists.coming_list import today_of
from banzuke.office.lists.correction_drafts import (
    ADD,
    CORRECTED,
    STRIKE,
    cells_of,
    hash_of_draft,
    record_from,
    struck_row,
    table_in,
)
from banzuke.office.lists.list_differences import Difference
from banzuke.office.lists.staleness import last_list_number
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.refusals import NotDoneError
from banzuke.office.register import clubs
from banzuke.web import access, form_fields
from banzuke.web.board import jobs
from banzuke.web.board.difference_names import name_preview, with_id
from banzuke.web.board.forms import TABLES as NAMES
from banzuke.web.board.forms import WORDS, DecisionForm, InquiryForm, PublicReasonForm
from banzuke.web.board.objection_context import objection_context
from banzuke.web.board.row_texts import describe, event_name, player_name
from banzuke.web.downloads import CSV, as_file
from banzuke.web.result_names import result_text
from banzuke.web.shortcuts import is_part, page_language, page_of, pool_page, show_refusal
from banzuke.words import day_text

#: The column with the player or event of a row; it stays when the row is changed.
SUBJECT_COLUMN = {
    "players": "player_id",
    "memberships": "player_id",
    "events": "event_id",
    "games": "event_id",
}


class ChangedField(NamedTuple):
    """A cell that changes: what it is called, and how it reads before and after."""

    label: Any
    before: str
    after: str


class DraftChange(NamedTuple):
    """A change of the draft: `first` and `many` say which places of it; `act` is strike, add or change."""

    first: int
    many: int
    act: str
    table: Any
    what: str
    cells: list[ChangedField]


def changes(inquiry: Inquiry) -> list[DraftChange]:
    """The changes of an inquiry's draft, in their order."""
    found: list[DraftChange] = []
    draft, number = inquiry.draft, 0
    while number < len(draft):
        later = draft[number + 1] if number + 1 < len(draft) else None
        change = _change(inquiry, number, draft[number], later)
        found.append(change)
        number += change.many
    return found


def _change(
    inquiry: Inquiry, number: int, one: Mapping[str, Any], later: Mapping[str, Any] | None
) -> DraftChange:
    name = one["table"]
    if one["act"] == ADD:
        return DraftChange(number, 1, ADD, NAMES[name], describe(inquiry.pool, name, one["record"]), [])
    table = table_in(inquiry.pool, name)
    before = cells_of(table, record_of(struck_row(inquiry, dict(one)), CORRECTED[name]))
    if later and later["act"] == ADD and later["table"] == name:
        after = cells_of(table, record_from(dict(later)))
        if before[SUBJECT_COLUMN[name]] == after[SUBJECT_COLUMN[name]]:
            return DraftChange(
                number,
                2,
                "change",
                NAMES[name],
                describe(inquiry.pool, name, before),
                _cells(inquiry.pool, name, before, after),
            )
    return DraftChange(number, 1, STRIKE, NAMES[name], describe(inquiry.pool, name, before), [])


def _cells(pool: Pool, table: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[ChangedField]:
    names = [name for name in {**before, **after} if before.get(name, "") != after.get(name, "")]
    return [
        ChangedField(
            form_fields.label(table, name),
            *(_cell_text(pool, table, name, of.get(name, "")) for of in (before, after)),
        )
        for name in names
    ]


def _cell_text(pool: Pool, table: str, column: str, cell: str) -> str:
    """A cell as people read it: players, events and clubs by name and id, codes in words."""
    if not cell:
        return ""
    if column in ("white", "black"):
        return player_name(pool, cell)
    if column == "event_id" and table != "events":
        return with_id(event_name(pool, cell), cell)
    if column == "club_id":
        return with_id(clubs.names(pool).get(cell, cell), cell)
    if column == "result":
        return result_text(cell)
    return str(WORDS.get(cell, cell)) if column in ("ruling", "form", "speed", "kind") else cell


FIGURE_COLUMNS = ("list", "speed", "player_id", "name", "figure", "before", "after")


@access.officer
def inquiries(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The inquiries, open ones first; and a form for one more."""
    today = today_of(pool)
    form = InquiryForm(pool, request.POST or None, today=today, initial={"day": today})
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        made = corrections.record_inquiry(
            pool, today, values["asked_by"], values["about"], access.actor(request), values["day"]
        )
        return redirect("board-inquiry", slug=pool.slug, number=made.pk)
    found = Inquiry.objects.filter(pool=pool)
    closed = found.exclude(state=Inquiry.State.OPEN).prefetch_related("steps").order_by("-pk")
    open_ones = found.filter(state=Inquiry.State.OPEN).select_related("objection")
    waiting = open_ones.prefetch_related("steps", "questions").order_by("day", "pk")
    page = page_of(request, closed)
    shown = [(each, turn_of(each)) for each in waiting]
    return pool_page(request, "board/inquiries.html", pool, form=form, open=shown, page=page)


def turn_of(inquiry: Inquiry) -> str:
    """What an open inquiry waits for: an appeal, the club, its correction, or (blank) a decision."""
    steps = sorted(inquiry.steps.all(), key=attrgetter("pk"))
    last = steps[-1].state if steps else ""
    questions = list(inquiry.questions.all())
    if last == InquiryStep.Act.APPEALED:
        return "appeal"
    if last == InquiryStep.Act.UPHELD:
        return "upheld"
    if any(one.answered_at is None for one in questions):
        return "club"
    return "answered" if questions else ""


def find_inquiry(pool: Pool, number: int) -> Inquiry:
    """An inquiry of the pool. Raises Http404."""
    return get_object_or_404(Inquiry, pool=pool, pk=number)


@access.officer
def inquiry(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One inquiry: its draft, what it would change, and what was done."""
    return inquiry_page(request, find_inquiry(pool, number))


def inquiry_page(request: HttpRequest, inquiry: Inquiry, **more: object) -> HttpResponse:
    """The page of an inquiry; `more` are forms with what is wrong in them, or a preview."""
    pool = inquiry.pool
    context = {
        "position": last_entry(pool),
        "inquiry": inquiry,
        "changes": changes(inquiry),
        "seen": hash_of_draft(inquiry.draft),
        "draft": corrections.hash_of(inquiry),
        "steps": inquiry.steps.order_by("pk"),
        "lists": _lists(inquiry),
        "is_go": rules_of(pool).is_go,
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
        "is_recorder": access.actor(request).name == inquiry.recorded_by,
        "carry_form": PublicReasonForm(prefix="carry"),
        **objection_context(request, inquiry),
    }
    return pool_page(request, "board/inquiry.html", pool, **(context | more))


def _lists(inquiry: Inquiry) -> list[RatingList]:
    """The revisions that its correction published."""
    entries = [step.entry_id for step in inquiry.steps.all() if step.entry_id]
    found = list(inquiry.pool.lists.filter(entry__in=entries, revision__gt=0).order_by("number"))
    note_event_names(found)
    return found


@access.officer
def preview(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """What the draft would change, for everybody; in a large pool a POST starts the job that finds out.

    A script is given that part of the inquiry's page, a browser by itself the whole page with it.
    """
    inquiry, about = find_inquiry(pool, number), {"slug": pool.slug, "number": number}
    if request.method == "POST":
        onward, back = (reverse(name, kwargs=about) for name in ("board-preview", "board-inquiry"))
        return jobs.work(request, pool, "preview", {"inquiry": number}, onward, back)
    found, refused = _current_preview(inquiry)
    days = rules_of(pool).schedule.correction_days
    shown = {"found": name_preview(pool, found), "refused": refused, "is_previewed": True, "days": days}
    shown |= {"position": found.position, "draft": found.draft} if found else {}
    if is_part(request):
        return pool_page(request, "board/preview.html", pool, inquiry=inquiry, **shown)
    return inquiry_page(request, inquiry, **shown)


def _current_preview(inquiry: Inquiry) -> tuple[corrections.Preview | None, str]:
    """The preview of the draft as it is now, or why there is none; neither where a job has to make it."""
    pool = inquiry.pool
    if is_small(pool):
        try:
            return corrections.preview(inquiry, today_of(pool)), ""
        except NotDoneError as error:
            return None, error.sentence(page_language())
    job = jobs.last_done(pool, "preview", inquiry=inquiry.pk)
    found = from_json(corrections.Preview, job.result) if job and job.result else None
    made_of = last_entry(pool), last_list_number(pool), corrections.hash_of(inquiry)
    is_fresh = found and (found.position, found.number, found.draft) == made_of
    return (found if is_fresh else None), ""


@access.officer
def preview_file(_request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """The same as a table for a spreadsheet."""
    try:
        found = corrections.preview(find_inquiry(pool, number), today_of(pool))
    except NotDoneError as error:
        return HttpResponse(
            error.sentence(page_language()), status=409, content_type="text/plain; charset=utf-8"
        )
    rows = [cells for each in found.differences for cells in _figures(each)]
    table = table_files.Table("", FIGURE_COLUMNS, rows)
    return as_file(table_files.write(table, table_files.CSV), f"preview-{pool.slug}-{number}.csv", CSV)


def _figures(each: Difference) -> list[tuple[str, ...]]:
    about = (each.list, each.speed, each.player, each.name)
    return [(*about, one.name, one.before, one.after) for one in each.figures]


@access.officer
@require_POST
def confirm_day(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Confirm the earlier day of an inquiry that another officer recorded."""
    with show_refusal(request):
        confirmed = corrections.confirm_day(find_inquiry(pool, number), access.actor(request))
        day = day_text(confirmed.day.isoformat(), page_language())
        messages.success(request, gettext("The inquiry now counts from %(day)s.") % {"day": day})
    return redirect("board-inquiry", slug=pool.slug, number=number)


@access.chief
@require_POST
def dismiss(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Close an inquiry without a correction."""
    inquiry, form = find_inquiry(pool, number), DecisionForm(request.POST, prefix="dismiss")
    if not form.is_valid():
        return inquiry_page(request, inquiry, dismiss_form=form)
    with show_refusal(request):
        corrections.dismiss(inquiry, access.actor(request), **form.cleaned_data)
        messages.success(request, gettext("The inquiry is dismissed."))
    return redirect("board-inquiry", slug=pool.slug, number=number)


@access.chief
@require_POST
def carry_out(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Enter the correction and publish the revisions that follow from it."""
    inquiry, form = find_inquiry(pool, number), PublicReasonForm(request.POST, prefix="carry")
    if not form.is_valid():
        return inquiry_page(request, inquiry, carry_form=form)
    draft, position = request.POST.get("draft", ""), whole_number(request.POST.get("position", ""))
    wanted = {"inquiry": number, "why": form.cleaned_data["why"], "draft": draft, "position": position}
    url = reverse("board-inquiry", kwargs={"slug": pool.slug, "number": number})
    return jobs.work(request, pool, "correct", wanted, url, url)
