"""The looks that are taken as jobs: they change nothing. What each wants and gives is plain JSON."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from banzuke.book.models import Inquiry
from banzuke.book.reading import last_entry
from banzuke.desk import correcting, previewed
from banzuke.desk.due import due_now
from banzuke.desk.verifying import verify as verified

if TYPE_CHECKING:
    from banzuke.book.models import Job, Pool
    from banzuke.office.rating_run import Progress

#: So much of what differs is told of a verification.
MOST = 200


def _pool(job: Job) -> Pool:
    if job.pool is None:
        raise ValueError(job.kind)
    return job.pool


def preview(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `inquiry` and `today`; gives what `desk.previewed` keeps of its draft."""
    pool = _pool(job)
    inquiry = Inquiry.objects.get(pool=pool, pk=job.wanted["inquiry"])
    at, today = last_entry(pool), date.fromisoformat(job.wanted["today"])
    found = correcting.preview(inquiry, today, progress)
    return previewed.kept(previewed.told(found, at, inquiry.draft))


def due(job: Job, progress: Progress) -> dict[str, Any]:
    """Gives what `desk.previewed` keeps of the revisions that are due."""
    pool = _pool(job)
    at = last_entry(pool)
    return previewed.kept(previewed.told(due_now(pool, progress), at, []))


def verify(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list` and `revision`; gives how much was compared, and what differs."""
    found = verified(_pool(job), job.wanted["list"], job.wanted["revision"], progress)
    return {
        "sha256": found.sha256,
        "is_good": found.is_good,
        "rows": found.rows,
        "lines": found.lines,
        "differing": [len(found.differences), len(found.line_differences), len(found.workings)],
        "differences": found.differences[:MOST],
    }


LOOKS = {"preview": preview, "due": due, "verify": verify}
