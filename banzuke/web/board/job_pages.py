"""The page of a long act: how far it is, and what became of it."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Job, Role
from banzuke.office.jobs import job_queue
from banzuke.web import access
from banzuke.web.page_language import page_language

TITLES = {
    "rehearse": _("Rehearsal"),
    "publish": _("Publishing"),
    "revise": _("Publishing revisions"),
    "correct": _("Carrying out a correction"),
    "preview": _("What a correction would change"),
    "due": _("Revisions that are due"),
    "verify": _("Verifying a list"),
    "members": _("Importing a member register"),
    "fide": _("Reading a FIDE rating list"),
    "backup": _("Backup"),
    "laboratory": _("The laboratory at work"),
}
#: Acts whose steps are lists; how far others are is told in per cent.
BY_LISTS = {"rehearse", "publish", "revise", "correct", "preview", "due", "verify"}


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
    return {
        "job": found,
        "title": TITLES.get(found.kind, found.kind),
        "is_over": found.state not in (Job.State.WAITING, Job.State.RUNNING),
        "refused": result.get("refused", {}).get(page_language(), ""),
        "lists": result.get("lists", []),
        "by_lists": found.kind in BY_LISTS,
        "per_cent": 100 * found.done // found.all if found.all else 0,
    }
