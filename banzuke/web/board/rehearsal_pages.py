"""Rehearsing the coming list, and publishing what was rehearsed."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Job, PlannedPublication, Pool, Role
from banzuke.formats.files.text import whole_number
from banzuke.office.jobs import planned_publications
from banzuke.office.json_codec import from_json
from banzuke.office.lists import preliminary_lists
from banzuke.office.lists.rehearsal import Rehearsal
from banzuke.office.lists.staleness import find_entry_since, refuse_stale
from banzuke.office.pages.list_files import REHEARSAL_KINDS, rehearsal_file
from banzuke.office.reforms.reform_acts import reforms_due_by
from banzuke.office.refusals import NotDoneError
from banzuke.web import access
from banzuke.web.board import jobs
from banzuke.web.board.forms import PublishingHourForm
from banzuke.web.downloads import TABLES, as_file
from banzuke.web.problem_views import games_not_counted, warnings_of_list
from banzuke.web.shortcuts import page_language, page_of, pool_page, show_refusal
from banzuke.web.templatetags.banzuke import day
from banzuke.web.templatetags.ratings import list_of_name


@access.officer
@require_POST
def rehearse(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """Make the list as it would be; nothing is published."""
    onward = reverse("board-rehearsal", kwargs={"slug": pool.slug, "name": name})
    back = reverse("board", kwargs={"slug": pool.slug})
    return jobs.work(request, pool, "rehearse", {"list": name}, onward, back)


def find_rehearsal(pool: Pool, name: str) -> tuple[Job, Rehearsal]:
    """The last rehearsal of a list. Raises Http404 where it was never rehearsed."""
    job = jobs.last_done(pool, "rehearse", list=name)
    if job is None or not job.result:
        raise Http404
    return job, from_json(Rehearsal, job.result)


@access.officer
def rehearsal(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """The last rehearsal of a list."""
    job, found = find_rehearsal(pool, name)
    context = {"job": job, "found": found, "kinds": REHEARSAL_KINDS}
    context["warnings"] = warnings_of_list(pool, found.warnings)
    context["left_out"] = games_not_counted(pool, found)
    return pool_page(request, "board/rehearsal.html", pool, **context, **_state(request, pool, found))


def _state(request: HttpRequest, pool: Pool, found: Rehearsal) -> dict[str, bool]:
    """Whether what was rehearsed can be published, and by the visitor."""
    is_published = pool.lists.filter(name=found.name).exists()
    is_fresh = find_entry_since(pool, found.position, found.name) is None
    return {
        "is_published": is_published,
        "is_fresh": is_fresh,
        "is_ready": is_fresh and found.is_closed and not found.due and not is_published,
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
    }


@access.officer
def rows(request: HttpRequest, pool: Pool, name: str, speed: str = "") -> HttpResponse:
    """The whole rehearsed list at one speed."""
    job, found = find_rehearsal(pool, name)
    wanted = speed or (found.speeds[0] if found.speeds else "")
    ranked = sorted(
        (row for row in found.rows if row.speed == wanted), key=lambda row: (row.place, row.player_id)
    )
    page = page_of(request, ranked, 100)
    context = {"job": job, "found": found, "page": page, "speed": wanted}
    return pool_page(request, "board/rehearsal_rows.html", pool, **context)


@access.officer
def download(_request: HttpRequest, pool: Pool, name: str, kind: str) -> HttpResponse:
    """The whole rehearsed list as a file, marked as a rehearsal."""
    if kind not in REHEARSAL_KINDS:
        raise Http404
    _, found = find_rehearsal(pool, name)
    data = rehearsal_file(pool, found, kind, page_language(), gettext("rehearsal"))
    return as_file(data, f"rehearsal-{pool.slug}-{found.position}.{kind}", TABLES[kind])


@access.chief
def publish(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """What will be published, now or at an hour, and the one act that does it."""
    job, found = find_rehearsal(pool, name)
    form = PublishingHourForm(request.POST if "when" in request.POST else None)
    if request.method == "POST" and request.POST.get("confirm") == found.name:
        try:  # the page may be of an earlier rehearsal
            refuse_stale(pool, whole_number(request.POST.get("position", "")) or found.position, name)
        except NotDoneError as refusal:
            messages.error(request, refusal.sentence(page_language()))
            return redirect("board-publish", slug=pool.slug, name=name)
        if not form.is_bound or (form.is_valid() and form.cleaned_data["when"] == form.NOW):
            return _publish_now(request, pool, found, _preliminary_until(form))
        if form.is_valid() and _is_planned(request, pool, found, form):
            return redirect("board", slug=pool.slug)
    is_unconfirmed = request.method == "POST" and request.POST.get("confirm") != found.name
    context = {"job": job, "found": found, "form": form, "is_unconfirmed": is_unconfirmed}
    context["planned"] = planned_publications.waiting_publication(pool)
    context["warnings"] = warnings_of_list(pool, found.warnings)
    return pool_page(request, "board/publish.html", pool, **context, **_state(request, pool, found))


def _preliminary_until(form: PublishingHourForm) -> date | None:
    """The last day on which the list is preliminary, where the form says one."""
    until: date | None = form.cleaned_data.get("preliminary_until") if form.is_bound else None
    return until


def _publish_now(request: HttpRequest, pool: Pool, found: Rehearsal, until: date | None) -> HttpResponse:
    """Publish what was rehearsed."""
    wanted: dict[str, Any] = {"list": found.name, "position": found.position}
    if until:
        wanted["preliminary_until"] = until.isoformat()
    onward = reverse("board-published", kwargs={"slug": pool.slug, "name": found.name})
    back = reverse("board-publish", kwargs={"slug": pool.slug, "name": found.name})
    return jobs.work(request, pool, "publish", wanted, onward, back)


def _is_planned(request: HttpRequest, pool: Pool, found: Rehearsal, form: PublishingHourForm) -> bool:
    """Whether the list is planned to be published at the form's hour; a refusal is shown."""
    hour, until = form.cleaned_data["hour"], _preliminary_until(form)
    try:
        planned_publications.plan(pool, found.name, found.position, hour, access.actor(request), until)
    except NotDoneError as refusal:
        messages.error(request, refusal.sentence(page_language()))
        return False
    messages.success(
        request, _("List %(list)s will be published at that hour.") % {"list": list_of_name(found.name)}
    )
    for reform in reforms_due_by(pool, localdate(hour)):
        stops = _(
            "But reform %(number)s comes into force on %(day)s. The ledger then has changed, and the list is "
            "not published. Choose an hour before that day, or rehearse and plan again after it."
        )
        messages.warning(request, stops % {"number": reform.reform.number, "day": day(reform.start)})
    return True


@access.chief
@require_POST
def cancel(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Cancel a planned publication."""
    planned = get_object_or_404(PlannedPublication, pool=pool, pk=number)
    with show_refusal(request):
        planned_publications.cancel(planned, access.actor(request))
        messages.success(request, _("The planned publication is cancelled."))
    return redirect("board", slug=pool.slug)


@access.chief
@require_POST
def make_final(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """Make a preliminary list final before its day."""
    with show_refusal(request):
        preliminary_lists.make_final(pool, name, access.actor(request))
        messages.success(request, _("List %(list)s is final now.") % {"list": list_of_name(name)})
    return redirect("board", slug=pool.slug)


@access.officer
def published(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """What was published together with a list: numbers and hashes."""
    last = pool.lists.filter(name=name, revision=0).first()
    if last is None:
        return redirect("board", slug=pool.slug)
    together = pool.lists.filter(entry=last.entry_id, published_at=last.published_at).order_by("number")
    until = preliminary_lists.until_of(last)
    return pool_page(request, "board/published.html", pool, list=last, lists=together, until=until)
