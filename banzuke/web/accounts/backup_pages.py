"""A backup of the whole office from the browser: made by the worker, fetched once."""

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import localtime
from django.views.decorators.http import require_POST

from banzuke.office.administration import backup
from banzuke.office.jobs import job_queue
from banzuke.office.refusals import NoFileError
from banzuke.web import access
from banzuke.web.downloads import ZIP
from banzuke.web.page_language import page_language


@access.administrator
def backups(request: HttpRequest) -> HttpResponseBase:
    """Ask for a backup, and fetch it when it is made."""
    actor = access.actor(request)
    if request.method == "POST":
        name = f"banzuke-{localtime():%Y%m%d-%H%M}.zip"
        job = job_queue.start(backup.JOB, None, {"name": name, "next": reverse("accounts-backup")}, actor)
        return redirect("board-job", number=job.pk)
    return render(request, "accounts/backup.html", {"job": backup.waiting_backup(actor)})


@access.administrator
@require_POST
def fetch(request: HttpRequest) -> HttpResponseBase:
    """The backup that waits for whoever asked for it; it is fetched once."""
    try:
        stream, name = backup.fetch_backup(access.actor(request))
    except NoFileError as refused:
        messages.error(request, refused.sentence(page_language()))
        return redirect("accounts-backup")
    answer = FileResponse(stream, as_attachment=True, filename=name, content_type=ZIP)
    answer["Cache-Control"] = "no-store"
    return answer
