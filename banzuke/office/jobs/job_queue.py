"""Long acts outside the request: they wait in the database, and a worker does one after another.

Every act changes nothing or everything, so that a job whose worker was killed may be started again.
"""

import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

from banzuke.core.fault import RefusedError
from banzuke.database.models import Job, Pool
from banzuke.engine.history import UnknownListError
from banzuke.office.administration.restored_work import UNASKED
from banzuke.office.jobs.job_kinds import ACTS
from banzuke.office.journal import Actor
from banzuke.office.mending import target_of_refusal
from banzuke.office.page_words import page_line
from banzuke.office.refusals import NotDoneError, refusal_sentence
from banzuke.words import LANGUAGES, Language, say

#: Progress is written so often at most.
STEP = timedelta(seconds=0.5)
#: A page does the acts of small pools itself; one that is silent for so long has ended with its process.
SILENCE = timedelta(minutes=5)
#: So many faults of a refused file are kept.
MOST_FAULTS = 5

log = logging.getLogger(__name__)


def start(kind: str, pool: Pool | None, wanted: Mapping[str, Any], actor: Actor) -> Job:
    """A new job of a kind (a key of `job_kinds.ACTS`), which the worker will take; `wanted` is plain JSON."""
    if kind not in ACTS:
        raise KeyError(kind)
    now = datetime.now(UTC)
    return Job.objects.create(
        kind=kind, pool=pool, wanted=dict(wanted), author=actor.name, where=actor.where, at=now
    )


def restart(job: Job) -> bool:
    """Let a job that was interrupted wait once more; False if it was not."""
    stopped = Job.objects.filter(pk=job.pk, state=Job.State.INTERRUPTED)
    return bool(stopped.update(state=Job.State.WAITING, done=0, all=0))


def interrupt_running() -> int:
    """Mark the jobs that a worker left behind; called by its successor. The number of them."""
    return Job.objects.filter(state=Job.State.RUNNING).update(state=Job.State.INTERRUPTED)


def interrupt_silent(now: datetime) -> int:
    """Mark the jobs of which nothing was heard for long: the page's process that did them is gone."""
    silent = Job.objects.filter(state=Job.State.RUNNING, beat__lt=now - SILENCE)
    return silent.update(state=Job.State.INTERRUPTED) if silent.exists() else 0


def work_off() -> Job | None:
    """Do the job that waits longest, those that nobody waits for last; None if none waits."""
    waiting = Job.objects.filter(state=Job.State.WAITING).order_by("pk")
    job = waiting.exclude(kind__in=UNASKED).first() or waiting.first()
    return job and run(job)


def run(job: Job) -> Job:
    """Do a waiting job, and keep its result; one that another worker took is left to it."""
    taken = Job.objects.filter(pk=job.pk, state=Job.State.WAITING)
    if taken.update(state=Job.State.RUNNING, beat=datetime.now(UTC)):
        state, result = _done(job)
        Job.objects.filter(pk=job.pk).update(state=state, result=result, beat=datetime.now(UTC))
    return Job.objects.filter(pk=job.pk).first() or job  # a plan that was cancelled takes its job along


def _done(job: Job) -> tuple[Job.State, dict[str, Any]]:
    """What became of it: the act's result, or why it was not done in each language."""
    try:
        return Job.State.DONE, ACTS[job.kind](job, ProgressWriter(job))
    except (NotDoneError, UnknownListError, RefusedError) as refusal:
        why = {lang: _why(refusal, lang) for lang in LANGUAGES}
        return Job.State.FAILED, {"refused": why, "mend": target_of_refusal(refusal)}
    except Exception as error:  # noqa: BLE001 - the worker goes on; the log has where, not what it held
        place = "".join(traceback.format_tb(error.__traceback__))
        log.error("job %s (%s) failed: %s\n%s", job.pk, job.kind, type(error).__name__, place)  # noqa: TRY400
        return Job.State.FAILED, {"refused": {lang: say("office", "job-fault", lang) for lang in LANGUAGES}}


def _why(refusal: NotDoneError | UnknownListError | RefusedError, lang: Language) -> str:
    if isinstance(refusal, RefusedError):
        return " ".join(page_line(fault, lang) for fault in refusal.faults[:MOST_FAULTS])
    return refusal_sentence(refusal, lang)


class ProgressWriter:
    """A job's progress, written now and then; not within the act's own transaction, where nobody sees it."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._depth = _depth()
        self._last = datetime.now(UTC) - STEP

    def __call__(self, done: int, of: int, _what: str) -> None:
        """Write how far the job is."""
        now = datetime.now(UTC)
        if now - self._last >= STEP and _depth() == self._depth:
            Job.objects.filter(pk=self._job.pk).update(done=done, all=of, beat=now)
            self._last = now


def _depth() -> tuple[bool, int]:
    """How deep in transactions we are."""
    return connection.in_atomic_block, len(connection.savepoint_ids)
