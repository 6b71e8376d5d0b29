"""Rehearsing the coming list, and publishing what was rehearsed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from banzuke.database.models import Job, Pool, Role
from banzuke.office.json_codec import from_json
from banzuke.office.lists.rehearsal import Rehearsal
from banzuke.office.lists.staleness import find_entry_since
from banzuke.office.pages.list_files import REHEARSAL_KINDS, rehearsal_file
from banzuke.web import access
from banzuke.web.board import jobs
from banzuke.web.downloads import TABLES, as_file
from banzuke.web.problem_views import warnings_of_list
from banzuke.web.shortcuts import page_language, page_of, pool_page


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
    """What will be published, and the one act that does it."""
    job, found = find_rehearsal(pool, name)
    if request.method == "POST" and request.POST.get("confirm") == found.name:
        wanted = {"list": name, "position": found.position}
        onward = reverse("board-published", kwargs={"slug": pool.slug, "name": name})
        back = reverse("board-publish", kwargs={"slug": pool.slug, "name": name})
        return jobs.work(request, pool, "publish", wanted, onward, back)
    context = {"job": job, "found": found, "is_unconfirmed": request.method == "POST"}
    context["warnings"] = warnings_of_list(pool, found.warnings)
    return pool_page(request, "board/publish.html", pool, **context, **_state(request, pool, found))


@access.officer
def published(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """What was published together with a list: numbers and hashes."""
    last = pool.lists.filter(name=name, revision=0).first()
    if last is None:
        return redirect("board", slug=pool.slug)
    together = pool.lists.filter(entry=last.entry_id, published_at=last.published_at).order_by("number")
    return pool_page(request, "board/published.html", pool, list=last, lists=together)
