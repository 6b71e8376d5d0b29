"""Publishing at a day and hour: planned by an officer, done by the worker, once; late if the office was down.

What stands in the way at that hour publishes nothing: the officers read why on the board, and by e-mail.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from banzuke.database.models import Job, PlannedPublication, Pool, RatingList, Role
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import Progress
from banzuke.office import notices
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import today_of
from banzuke.office.lists.list_index import revisions_of
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import (
    AlreadyPlannedError,
    NotDoneError,
    NothingPlannedError,
    OfficerGoneError,
    PastHourError,
)
from banzuke.words import LANGUAGES, say

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
#: Who may publish.
CHIEFS = (Role.Kind.CHIEF, Role.Kind.ADMINISTRATOR)


def plan(pool: Pool, name: str, position: int, at: datetime, actor: Actor) -> PlannedPublication:
    """Have a list published at an hour to come, as its officer has seen it: the book up to that entry.

    Raises PastHourError, and AlreadyPlannedError where another one of the pool waits.
    """
    now = datetime.now(UTC)
    if at <= now:
        raise PastHourError
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
            )
            note(actor, PLAN, pool, lists=[name], at=at.isoformat(timespec="minutes"), entry=position)
    except IntegrityError:
        there = waiting_publication(pool)
        raise AlreadyPlannedError(list=there.list if there else name) from None
    return made


def waiting_publication(pool: Pool) -> PlannedPublication | None:
    """What is planned in the pool, or under way."""
    return pool.planned_publications.filter(state__in=(State.WAITING, State.RUNNING)).first()


def last_ended_publication(pool: Pool) -> PlannedPublication | None:
    """The last one of the pool that is over."""
    return pool.planned_publications.exclude(state__in=(State.WAITING, State.RUNNING)).order_by("-pk").first()


def cancel(planned: PlannedPublication, actor: Actor) -> None:
    """Cancel what is planned. Raises NothingPlannedError where it is under way or over."""
    with transaction.atomic():
        ended = {"state": State.CANCELLED, "ended_at": datetime.now(UTC), "ended_by": actor.name}
        if not _waits(planned).update(**ended):
            raise NothingPlannedError
        note(actor, CANCEL, planned.pool, lists=[planned.list])


def start_due_publications(now: datetime) -> int:
    """Start what is due, and again what a worker that was killed has left; how many there are."""
    left = PlannedPublication.objects.filter(state=State.RUNNING, job__state=Job.State.INTERRUPTED)
    again = sum(_start(planned) for planned in left)
    return again + sum(
        _start(each) for each in PlannedPublication.objects.filter(state=State.WAITING, at__lte=now)
    )


def _waits(planned: PlannedPublication) -> Any:
    return PlannedPublication.objects.filter(pk=planned.pk, state=State.WAITING)


def _start(planned: PlannedPublication) -> bool:
    """A job for it; the one before ended with its worker, and all of it or nothing was done."""
    with transaction.atomic():
        if planned.state == State.WAITING and not _waits(planned).update(state=State.RUNNING):
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


def carry_out(planned: PlannedPublication, progress: Progress) -> list[RatingList]:
    """Publish what was planned, in its officer's name; a refusal is kept, told and raised."""
    try:
        lists = _published_already(planned) or _publish(planned, progress)
    except (NotDoneError, UnknownListError) as refusal:
        _stop(planned, refusal)
        raise
    except Exception:
        _stop(planned, None)
        raise
    _end(planned, State.DONE)
    now = datetime.now(UTC)
    if now - planned.at > LATE:
        note(_actor(planned), CAUGHT_UP, planned.pool, lists=[planned.list], at=_hour(planned))
        notices.notify_of_publication(planned, CAUGHT_UP)
    return lists


def _publish(planned: PlannedPublication, progress: Progress) -> list[RatingList]:
    if not _may_publish(planned):
        raise OfficerGoneError(author=planned.author)
    pool = planned.pool
    return publish(pool, planned.list, _actor(planned), today_of(pool), planned.position, progress)


def _published_already(planned: PlannedPublication) -> list[RatingList]:
    """What this very plan has published: its worker was killed before it could say so."""
    found = revisions_of(planned.pool, planned.list).first()
    is_own = found is not None and found.author == planned.author and found.published_at >= planned.at
    return list(planned.pool.lists.filter(published_at__gte=planned.at, revision=0)) if is_own else []


def _may_publish(planned: PlannedPublication) -> bool:
    """Whether its officer is one still."""
    user = get_user_model().objects.filter(username=planned.author, is_active=True).first()
    roles = Role.objects.filter(user=user, kind__in=CHIEFS) if user else Role.objects.none()
    return any(role.pool_id in (None, planned.pool_id) for role in roles)


def _actor(planned: PlannedPublication) -> Actor:
    return Actor(planned.author, planned.where)


def _hour(planned: PlannedPublication) -> str:
    return planned.at.isoformat(timespec="minutes")


def _stop(planned: PlannedPublication, refusal: NotDoneError | UnknownListError | None) -> None:
    with transaction.atomic():
        _end(planned, State.STOPPED, {lang: _why(refusal, lang) for lang in LANGUAGES})
        note(_actor(planned), STOPPED, planned.pool, lists=[planned.list], at=_hour(planned))
        notices.notify_of_publication(planned, STOPPED)


def _why(refusal: NotDoneError | UnknownListError | None, lang: Any) -> str:
    if isinstance(refusal, NotDoneError):
        return refusal.sentence(lang)
    if refusal is None:
        return say("office", "job-fault", lang)
    return say("office", "unknown-list", lang, list=refusal.name, known=refusal.known)


def _end(planned: PlannedPublication, state: str, refused: Mapping[str, str] | None = None) -> None:
    ended = {"state": state, "ended_at": datetime.now(UTC), "refused": refused}
    PlannedPublication.objects.filter(pk=planned.pk).update(**ended)
