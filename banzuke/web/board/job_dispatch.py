"""Long acts of the board: done at once in a small pool, by the worker in a large one."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

from django.contrib import messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate

from banzuke.database.models import Game, GoGame, Job, Pool
from banzuke.office.jobs import job_queue
from banzuke.web import access
from banzuke.web.page_language import page_language

Made = TypeVar("Made")
#: Up to so many games a pool's lists are made again within the request: in less than a second.
AT_ONCE = 5_000


def is_small(pool: Pool) -> bool:
    """Whether the pool's lists are made again within a request."""
    return not any(
        model.objects.filter(pool=pool)[AT_ONCE : AT_ONCE + 1].exists() for model in (Game, GoGame)
    )


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
    wanted |= {"today": localdate().isoformat(), "next": onward}
    job = job_queue.start(kind, pool, wanted, access.actor(request))
    if not is_small(pool):
        return redirect("board-job", number=job.pk)
    return redirect(onward if run_now(request, job) else back)


def run_now(request: HttpRequest, job: Job) -> bool:
    """Do a job now; if it was refused, the visitor is told why."""
    job = job_queue.run(job)
    if job.state == Job.State.FAILED:
        messages.error(request, (job.result or {}).get("refused", {}).get(page_language(), ""))
    return job.state == Job.State.DONE


def last_done(pool: Pool, kind: str, **wanted: Any) -> Job | None:
    """The last job of a kind that was done, and wanted that."""
    found = Job.objects.filter(pool=pool, kind=kind, state=Job.State.DONE)
    return found.filter(**{f"wanted__{key}": value for key, value in wanted.items()}).order_by("-pk").first()
