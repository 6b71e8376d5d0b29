"""What waits of the inbox: reports for an officer, and those sent back for their club."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from banzuke.database.models import Report
from banzuke.office.inbox import reports
from banzuke.web import access
from banzuke.web.pending_work import Waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.database.models import Pool


def waiting(request: HttpRequest, pool: Pool) -> list[Waiting]:
    """For an officer the reports that wait or are held; for a club's reporter those sent back to him."""
    clubs = access.clubs_of(request, pool)
    url = reverse("inbox", kwargs={"slug": pool.slug})
    if clubs is None:
        counts = reports.counts(pool, None)
        return [
            Waiting(_("Reports that wait"), counts[Report.State.WAITING], url),
            Waiting(_("Reports on hold"), counts[Report.State.HELD], f"{url}?state=held"),
        ]
    back = reports.reports(pool, clubs).filter(state=Report.State.RETURNED, answered_by=None).count()
    return [Waiting(_("Reports sent back to be corrected"), back, f"{url}?state=returned")]
