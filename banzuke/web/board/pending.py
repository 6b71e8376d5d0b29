"""What waits on the board: a list that can be published, revisions due, inquiries, acts that failed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.timezone import localdate, now
from django.utils.translation import gettext as _

from banzuke.database.models import Inquiry, Job
from banzuke.office.lists.coming_list import coming as coming_list
from banzuke.web import access
from banzuke.web.board import job_dispatch
from banzuke.web.board.views import due
from banzuke.web.pending_work import Waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.database.models import Pool

#: So long a job that failed is shown.
RECENT = timedelta(days=7)
FAILED = (Job.State.FAILED, Job.State.INTERRUPTED)


def waiting(request: HttpRequest, pool: Pool) -> list[Waiting]:
    """For an officer; a club's reporter has nothing to do here."""
    if access.clubs_of(request, pool) is not None:
        return []
    words = {"slug": pool.slug}
    inquiries = Inquiry.objects.filter(pool=pool, state=Inquiry.State.OPEN).count()
    found = [Waiting(_("Open inquiries"), inquiries, reverse("board-inquiries", kwargs=words))]
    coming = coming_list(pool, localdate())
    if coming is not None and coming.is_closed:
        text = _("List %(list)s can be published") % {"list": coming.name}
        found.append(Waiting(text, 1, reverse("board", kwargs=words)))
    lists = len(due(pool).lists) if job_dispatch.is_small(pool) and pool.lists.exists() else 0
    found.append(Waiting(_("Lists whose revision is due"), lists, reverse("board-revisions", kwargs=words)))
    return [*found, *_failed(pool)]


def _failed(pool: Pool) -> list[Waiting]:
    """The last act that failed lately, with how many did."""
    jobs = Job.objects.filter(pool=pool, state__in=FAILED, at__gte=now() - RECENT).order_by("-pk")
    last = jobs.first()
    if last is None:
        return []
    return [
        Waiting(_("Acts that failed lately"), jobs.count(), reverse("board-job", kwargs={"number": last.pk}))
    ]
