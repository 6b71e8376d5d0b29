"""Long acts: done at once in a small pool, by the worker in a large one; the page of one."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

from django.contrib import messages
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Job, Pool, Role
from banzuke.office.jobs import job_queue
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.lists.coming_list import today_of
from banzuke.office.mending import MendingPlace, MendingTarget
from banzuke.web import access
from banzuke.web.mending_links import MendingLink, MendingLinks
from banzuke.web.shortcuts import page_language

Made = TypeVar("Made")


def cached(pool: Pool, what: str, make: Callable[[], Made]) -> Made:
    """What is made of a pool's book and lists as they are now; kept in memory until either changes."""
    entry, hashed = pool.entries.latest("pk"), sha256(what.encode()).hexdigest()
    key = f"{hashed}-{pool.pk}-{entry.pk}-{entry.at.timestamp()}-{pool.lists.count()}"
    memory = caches["memory"]
    found: Made | None = memory.get(key)
    if found is None:
        found = make()
        memory.set(key, found)
    return found


def work(
    request: HttpRequest, pool: Pool, kind: str, wanted: dict[str, Any], onward: str, back: str
) -> HttpResponse:
    """Start a long act; `onward` is the page that shows what became of it, `back` that for a refusal."""
    wanted |= {"today": today_of(pool).isoformat(), "next": onward}
    job = job_queue.start(kind, pool, wanted, access.actor(request))
    if not is_small(pool):
        return redirect("board-job", number=job.pk)
    return run_now(request, job, onward, back)


def run_now(request: HttpRequest, job: Job, onward: str, back: str) -> HttpResponse:
    """Do a job now; a refusal is shown to the visitor. One that the worker took has a page of its own."""
    job = job_queue.run(job)
    if job.state == Job.State.DONE:
        return redirect(onward)
    if job.state != Job.State.FAILED:
        return redirect("board-job", number=job.pk)
    refused, link = why_refused(job)
    linked = format_html('{} <a href="{}">{}</a>', refused, *link) if link else refused
    messages.error(request, linked)
    return redirect(back)


def why_refused(job: Job) -> tuple[str, MendingLink | None]:
    """Why a job was not done, and the link to where that can be mended."""
    result = job.result or {}
    refused, mend = result.get("refused", {}).get(page_language(), ""), result.get("mend")
    if mend is None or job.pool is None:
        return refused, None
    links, wanted = MendingLinks(job.pool), MendingTarget(MendingPlace(mend[0]), mend[1])
    links.find_reports([wanted.of])
    return refused, links.link(wanted)


def last_done(pool: Pool, kind: str, **wanted: Any) -> Job | None:
    """The last job of a kind that was done, and wanted that."""
    found = Job.objects.filter(pool=pool, kind=kind, state=Job.State.DONE)
    return found.filter(**{f"wanted__{key}": value for key, value in wanted.items()}).order_by("-pk").first()


TITLES = {
    "rehearse": _("Rehearsal"),
    "publish": _("Publishing"),
    "publish-planned": _("Publishing at the planned hour"),
    "revise": _("Publishing revisions"),
    "correct": _("Carrying out a correction"),
    "preview": _("What a correction would change"),
    "due": _("Revisions that are due"),
    "verify": _("Verifying a list"),
    "members": _("Importing a member register"),
    "fide": _("Reading a FIDE rating list"),
    "backup": _("Backup"),
    "laboratory": _("The laboratory at work"),
    "rehearse-reform": _("Rehearsal of a reform"),
    "coming": _("The coming list so far"),
    "rules": _("Rating all games by other rules"),
}
#: Acts whose steps are lists; the progress of others is in per cent.
BY_LISTS = {
    "rehearse",
    "publish",
    "publish-planned",
    "revise",
    "correct",
    "preview",
    "due",
    "verify",
    "rehearse-reform",
    "coming",
}


@access.officer
def job(request: HttpRequest, number: int) -> HttpResponse:
    """How far a job is; a job that is done leads on to the page that its view named in `wanted["next"]`."""
    found = _job(request, number, Role.Kind.OFFICER)
    onward, is_part = found.wanted.get("next"), "HX-Request" in request.headers
    if found.state == Job.State.DONE and onward:
        return HttpResponse(headers={"HX-Redirect": onward}) if is_part else redirect(onward)
    return render(request, "board/job_state.html" if is_part else "board/job.html", _context(found))


@require_POST
@access.chief
def job_again(request: HttpRequest, number: int) -> HttpResponse:
    """Let an interrupted job wait once more."""
    job_queue.restart(_job(request, number, Role.Kind.CHIEF))
    return redirect("board-job", number)


def _job(request: HttpRequest, number: int, kind: Role.Kind) -> Job:
    """The job, if the visitor has that role in its pool (of a job for no pool: in all of them)."""
    found = get_object_or_404(Job, pk=number)
    if not access.has_role(request, kind if found.pool else Role.Kind.ADMINISTRATOR, found.pool):
        raise PermissionDenied
    return found


def _context(found: Job) -> dict[str, object]:
    result = found.result or {}
    refused, link = why_refused(found)
    return {
        "job": found,
        "title": TITLES.get(found.kind, found.kind),
        "is_over": found.state not in (Job.State.WAITING, Job.State.RUNNING),
        "refused": refused,
        "link": link,
        "lists": result.get("lists", []),
        "by_lists": found.kind in BY_LISTS,
        "per_cent": 100 * found.done // found.all if found.all else 0,
    }
