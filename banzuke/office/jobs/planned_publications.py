"""Publishing at a day and hour: planned by an officer, done by the worker, once; late if the office was down.

What stands in the way at that hour publishes nothing: the officers read why on the board, and by e-mail.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.timezone import localdate

from banzuke.core.fault import RefusedError
from banzuke.database.models import Job, PlannedPublication, Pool, RatingList, Role
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import Progress
from banzuke.office import notices
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import today_of
from banzuke.office.lists.list_index import revisions_of
from banzuke.office.lists.preliminary_lists import was_preliminary
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import (
    AlreadyPlannedError,
    NotDoneError,
    NothingPlannedError,
    OfficerGoneError,
    PastHourError,
    PreliminaryDayError,
    refusal_sentence,
)
from banzuke.words import LANGUAGES, fault_text, say

#: The kind of its jobs, and the acts in the journal.
KIND = "publish-planned"
PLAN, CANCEL, STOPPED, CAUGHT_UP = (
    "plan-publication",
    "cancel-publication",
    "publication-stopped",
    "caught-up",
)
#: What is done so long after its hour is said to be late.
LATE = timedelta(minutes=10)
State = PlannedPublication.State
UNDER_WAY = (State.WAITING, State.RUNNING)
#: So often a worker may be killed at it before the office gives up: it may be what ends the worker.
MOST_INTERRUPTED = 2
#: The notice where it is late, and final because the day until which it was to be preliminary is over.
CAUGHT_UP_FINAL = "caught-up-final"
#: Who may publish.
CHIEFS = (Role.Kind.CHIEF, Role.Kind.ADMINISTRATOR)


def plan(
    pool: Pool,
    name: str,
    position: int,
    at: datetime,
    actor: Actor,
    preliminary_until: date | None = None,
) -> PlannedPublication:
    """Have a list published at an hour to come, as its officer has seen it: the book up to that entry.

    It is preliminary up to the end of a day, where one is given. Raises PastHourError, PreliminaryDayError,
    and AlreadyPlannedError where another one of the pool waits.
    """
    now = datetime.now(UTC)
    if at <= now:
        raise PastHourError
    if preliminary_until and preliminary_until < localdate(at):
        raise PreliminaryDayError(day=preliminary_until)
    try:
        with transaction.atomic():
            made = PlannedPublication.objects.create(
                pool=pool,
                list=name,
                position=position,
                at=at,
                author=actor.name,
                where=actor.where,
                asked_at=now,
                preliminary_until=preliminary_until,
            )
            note(actor, PLAN, pool, lists=[name], at=_hour(made), entry=position)
    except IntegrityError:
        there = waiting_publication(pool)
        raise AlreadyPlannedError(list=there.list if there else name) from None
    return made


def waiting_publication(pool: Pool) -> PlannedPublication | None:
    """What is planned in the pool, or under way."""
    return pool.planned_publications.filter(state__in=UNDER_WAY).first()


def last_ended_publication(pool: Pool) -> PlannedPublication | None:
    """The last one of the pool that is over."""
    return pool.planned_publications.exclude(state__in=UNDER_WAY).order_by("-pk").first()


def cancel(planned: PlannedPublication, actor: Actor) -> None:
    """Cancel what no worker has begun, or what a worker that was killed has left undone.

    Raises NothingPlannedError where it is under way or over.
    """
    ended = {"state": State.CANCELLED, "ended_at": datetime.now(UTC), "ended_by": actor.name}
    idle = (Job.State.WAITING, Job.State.INTERRUPTED)
    with transaction.atomic():
        planned.refresh_from_db()
        job = planned.job_id
        if job and _published_already(planned):
            raise NothingPlannedError
        if not _as_seen(planned).filter(state__in=UNDER_WAY).update(job=None, **ended):
            raise NothingPlannedError
        if job and not Job.objects.filter(pk=job, state__in=idle).delete()[0]:
            raise NothingPlannedError
        note(actor, CANCEL, planned.pool, lists=[planned.list])


def cancel_published(pool: Pool, actor: Actor) -> None:
    """Cancel what is planned where its list was published meanwhile; what is under way ends by itself."""
    planned = waiting_publication(pool)
    if planned is not None and pool.lists.filter(name=planned.list).exists():
        with suppress(NothingPlannedError):
            cancel(planned, actor)


def start_due_publications(now: datetime) -> int:
    """Start what is due, and again what a worker that was killed has left; how many there are.

    What its job has ended without saying so is ended here, and what was interrupted too often.
    """
    running = PlannedPublication.objects.filter(state=State.RUNNING).select_related("pool", "job")
    for planned in running.filter(job__state__in=(Job.State.DONE, Job.State.FAILED)):
        _settle(planned)
    again = sum(_start_again(planned) for planned in running.filter(job__state=Job.State.INTERRUPTED))
    return again + sum(
        _start(each) for each in PlannedPublication.objects.filter(state=State.WAITING, at__lte=now)
    )


def _as_seen(planned: PlannedPublication) -> QuerySet[PlannedPublication]:
    """It, unless another worker or officer has acted on it meanwhile."""
    return PlannedPublication.objects.filter(pk=planned.pk, state=planned.state, job=planned.job_id)


def _start_again(planned: PlannedPublication) -> bool:
    """Another job for it, unless it was interrupted too often: then it is stopped, or is there."""
    interrupted = planned.pool.jobs.filter(kind=KIND, state=Job.State.INTERRUPTED)
    if interrupted.filter(wanted__planned=planned.pk).count() < MOST_INTERRUPTED:
        return _start(planned)
    if _published_already(planned):
        _finish(planned)
    else:
        _stop(planned, {lang: say("office", "planned-interrupted", lang) for lang in LANGUAGES})
    return False


def _start(planned: PlannedPublication) -> bool:
    """A job for it; the one before ended with its worker, and all of it or nothing was done."""
    with transaction.atomic():
        if not _as_seen(planned).update(state=State.RUNNING, job=None):
            return False
        job = Job.objects.create(
            kind=KIND,
            pool=planned.pool,
            wanted={"planned": planned.pk, "list": planned.list},
            author=planned.author,
            where=planned.where,
            at=datetime.now(UTC),
        )
        PlannedPublication.objects.filter(pk=planned.pk).update(job=job)
    return True


def carry_out(planned: PlannedPublication, job: Job, progress: Progress) -> list[RatingList]:
    """Publish what was planned, in its officer's name; a refusal is kept, told and raised.

    Where somebody has published the list meanwhile, the plan ends without a word. Raises NothingPlannedError
    for a job that is not the plan's any more.
    """
    if (planned.state, planned.job_id) != (State.RUNNING, job.pk):
        raise NothingPlannedError
    try:
        lists = _published_already(planned) or _publish(planned, progress)
    except (NotDoneError, UnknownListError) as refusal:
        lists = _published_already(planned)  # by another worker that took this one for dead
        if not lists and (there := revisions_of(planned.pool, planned.list).first()):
            _end(planned, State.CANCELLED, None, ended_by=there.author)
            return [there]
        if not lists:
            _stop(planned, {lang: refusal_sentence(refusal, lang) for lang in LANGUAGES})
            raise
    except RefusedError as refusal:  # a rule book that is not installed, say
        _stop(planned, {lang: fault_text(refusal.faults[0], lang) for lang in LANGUAGES})
        raise
    except Exception:
        _stop(planned, _fault())
        raise
    _finish(planned)
    return lists


def _settle(planned: PlannedPublication) -> None:
    """End what its job could not end: the list is there, or the job says why not."""
    if _published_already(planned):
        _finish(planned)
    else:
        result = planned.job.result if planned.job else None
        _stop(planned, (result or {}).get("refused") or _fault())


def _publish(planned: PlannedPublication, progress: Progress) -> list[RatingList]:
    if not _may_publish(planned):
        raise OfficerGoneError(author=planned.author)
    pool, until = planned.pool, planned.preliminary_until
    today = today_of(pool)
    if until and until < today:  # the office was down: the list is final at once, and the notice says so
        until = None
    return publish(pool, planned.list, _actor(planned), today, planned.position, progress, until)


def _published_already(planned: PlannedPublication) -> list[RatingList]:
    """What this very plan has published: its worker was killed before it could say so."""
    found = revisions_of(planned.pool, planned.list).first()
    if found is None or found.author != planned.author or found.published_at < planned.at:
        return []
    return list(planned.pool.lists.filter(entry=found.entry_id, published_at=found.published_at, revision=0))


def _may_publish(planned: PlannedPublication) -> bool:
    """Whether its officer is one still."""
    user = get_user_model().objects.filter(username=planned.author, is_active=True).first()
    roles = Role.objects.filter(user=user, kind__in=CHIEFS) if user else Role.objects.none()
    return any(role.pool_id in (None, planned.pool_id) for role in roles)


def _actor(planned: PlannedPublication) -> Actor:
    return Actor(planned.author, planned.where)


def _hour(planned: PlannedPublication) -> str:
    return planned.at.isoformat(timespec="minutes")


def _fault() -> dict[str, str]:
    return {lang: say("office", "job-fault", lang) for lang in LANGUAGES}


def _finish(planned: PlannedPublication) -> None:
    """It is published; long after its hour that is told."""
    _end(planned, State.DONE, CAUGHT_UP if datetime.now(UTC) - planned.at > LATE else None)


def _stop(planned: PlannedPublication, refused: Mapping[str, str]) -> None:
    """It is not published, for this reason in each language."""
    _end(planned, State.STOPPED, STOPPED, refused)


def is_final_after_all(planned: PlannedPublication) -> bool:
    """Whether its list was to be preliminary, and came when the last day for that was over."""
    first = revisions_of(planned.pool, planned.list).first() if planned.preliminary_until else None
    return first is not None and was_preliminary(first) is None


def _end(
    planned: PlannedPublication,
    state: str,
    told: str | None,
    refused: Mapping[str, str] | None = None,
    ended_by: str = "",
) -> None:
    """It is over: that is kept first, and then told, once, whatever fails at it."""
    ended = {"state": state, "ended_at": datetime.now(UTC), "refused": refused, "ended_by": ended_by}
    with transaction.atomic():
        is_first = PlannedPublication.objects.filter(pk=planned.pk, state=State.RUNNING).update(**ended)
        if is_first and told:
            note(_actor(planned), told, planned.pool, lists=[planned.list], at=_hour(planned))
    if is_first and told:
        is_final = told == CAUGHT_UP and is_final_after_all(planned)
        notices.notify_of_publication(planned, CAUGHT_UP_FINAL if is_final else told)
