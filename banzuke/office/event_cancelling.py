"""An event that does not take place: cancelled by its club or the office, or taking place after all."""

from django.db import transaction

from banzuke.database.models import Pool, Sanction
from banzuke.office import notices
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import State
from banzuke.office.journal import Actor, add_step, note

CANCEL, RESUME = "cancel-event", "resume-event"


class NotCancelledError(Exception):
    """An event of which a report has come, or that goes no further already."""


def may_cancel(application: Sanction) -> bool:
    """Whether the event may be cancelled: it was applied for or granted, and no report has come."""
    return _state(application) in (State.APPLIED, State.GRANTED)


def cancel(pool: Pool, number: int, actor: Actor, why: str) -> Sanction:
    """Say that an event does not take place. Raises NotCancelledError where `may_cancel` says no."""
    with transaction.atomic():
        application: Sanction = Sanction.objects.select_for_update().get(pool=pool, pk=number)
        if not may_cancel(application):
            raise NotCancelledError(application.event_id)
        step = add_step(application, Sanction.State.CANCELLED, actor, why)
        notices.notify_of_application(step)
        note(actor, CANCEL, pool, event=application.event_id, why=why)
    return application


def resume(pool: Pool, number: int, actor: Actor) -> Sanction:
    """Take a cancellation back: the application stands where it stood. Raises NotCancelledError for none."""
    with transaction.atomic():
        application: Sanction = Sanction.objects.select_for_update().get(pool=pool, pk=number)
        if application.state != Sanction.State.CANCELLED:
            raise NotCancelledError(application.event_id)
        before = application.steps.exclude(state=Sanction.State.CANCELLED).latest("pk")
        step = add_step(application, before.state, actor, "")
        notices.notify_of_application(step)
        note(actor, RESUME, pool, event=application.event_id)
    return application


def _state(application: Sanction) -> State:
    return progress_of_sanctions(application.pool, [application])[0].state
