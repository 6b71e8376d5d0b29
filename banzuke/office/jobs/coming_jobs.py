"""When the coming list is made again: after each entry and each publication, and when a report changes."""

from typing import Any

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Job, Pool
from banzuke.office.inbox.waiting_reports import kept_reports, open_reports
from banzuke.office.jobs.job_queue import start
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_list import today_of
from banzuke.office.lists.coming_ratings import book_state, is_kept

#: The kind of job, and who starts it.
KIND, WORKER = "coming", Actor("worker")
UNDER_WAY = (Job.State.WAITING, Job.State.RUNNING)


def start_due() -> int:
    """Start a job for each chess pool whose coming list is not what the book gives now; how many there are.

    What failed is not tried again before something changes, nor what was interrupted twice: it may be what
    ends the worker.
    """
    return sum(_start(pool) for pool in Pool.objects.all())


def _start(pool: Pool) -> bool:
    wanted, jobs = wanted_of(pool), Job.objects.filter(pool=pool, kind=KIND)
    if wanted is None or jobs.filter(state__in=UNDER_WAY).exists():
        return False
    tried = [job for job in jobs.exclude(state=Job.State.DONE) if _is_for(job, wanted)]
    if len(tried) > 1 or any(job.state == Job.State.FAILED for job in tried):
        return False
    jobs.exclude(pk__in=[job.pk for job in tried]).delete()
    start(KIND, pool, wanted | {"today": today_of(pool).isoformat()}, WORKER)
    return True


def _is_for(job: Job, wanted: dict[str, Any]) -> bool:
    return all(job.wanted.get(key) == value for key, value in wanted.items())


def wanted_of(pool: Pool) -> dict[str, Any] | None:
    """What the pool's coming list is to be made from; None where it is made from that already."""
    try:
        is_go = rules_of(pool).is_go
    except (RefusedError, LookupError):  # its rules cannot be read: the board says so
        return None
    if is_go:
        return None
    state, reports = book_state(pool), open_reports(pool)
    if is_kept(pool, state) and kept_reports(pool) == reports:
        return None
    return {**state._asdict(), "reports": [[number, *parts] for number, parts in reports.items()]}
