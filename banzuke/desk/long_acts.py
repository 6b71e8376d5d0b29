"""The acts that are done as jobs, by name: what each wants, and what it gives, as plain JSON.

`today` (ISO) is the day on which the act was asked for.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from banzuke.book.models import Inquiry
from banzuke.desk import correcting, publishing, rehearsed
from banzuke.desk.journal import Actor
from banzuke.desk.long_looks import LOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from banzuke.book.models import Job, Pool, RatingList
    from banzuke.office.rating_run import Progress

    Act = Callable[[Job, Progress], dict[str, Any]]


def _pool(job: Job) -> Pool:
    if job.pool is None:
        raise ValueError(job.kind)
    return job.pool


def _actor(job: Job) -> Actor:
    return Actor(job.author, job.where)


def _today(job: Job) -> date:
    return date.fromisoformat(job.wanted["today"])


def _published(lists: Iterable[RatingList]) -> dict[str, Any]:
    return {"lists": [{"name": each.name, "revision": each.revision} for each in lists]}


def rehearse(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list`; gives what `desk.rehearsed` keeps."""
    pool = _pool(job)
    found = publishing.rehearse(pool, job.wanted["list"], _today(job), progress)
    return rehearsed.kept(rehearsed.told(pool, found))


def publish(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `list`, and `position` if the officer saw a rehearsal; gives the lists published."""
    wanted = job.wanted
    lists = publishing.publish(
        _pool(job), wanted["list"], _actor(job), _today(job), wanted.get("position"), progress
    )
    return _published(lists)


def revise(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `why`; gives the lists published."""
    return _published(correcting.revise(_pool(job), _actor(job), job.wanted["why"], progress))


def correct(job: Job, progress: Progress) -> dict[str, Any]:
    """Wants `inquiry` and `why`; gives the lists published."""
    inquiry = Inquiry.objects.get(pool=_pool(job), pk=job.wanted["inquiry"])
    lists = correcting.carry_out(inquiry, _actor(job), job.wanted["why"], _today(job), progress)
    return _published(lists)


ACTS: Mapping[str, Act] = {
    "rehearse": rehearse,
    "publish": publish,
    "revise": revise,
    "correct": correct,
    **LOOKS,
}
