"""What waited or was planned when a backup was made: after a restore none of it goes on by itself."""

from datetime import datetime

from banzuke.database.models import Job, ObjectionMail, PlannedPublication, ReformStep, Webhook
from banzuke.words import LANGUAGES, say

#: The kinds of jobs that no person asked for; the worker starts them anew where they are due.
UNASKED = ("coming",)


def stop_restored_work(at: datetime) -> None:
    """Interrupt the jobs that waited, stop planned publications and announced reforms, drop waiting mails.

    Webhooks are switched off: the office may be a copy, and its feed gives numbers anew.
    """
    ObjectionMail.objects.all().delete()
    Webhook.objects.filter(off_at=None).update(off_at=at)
    waiting = Job.objects.filter(state=Job.State.WAITING)
    waiting.filter(kind__in=UNASKED).delete()
    waiting.update(state=Job.State.INTERRUPTED)
    state = PlannedPublication.State
    planned = PlannedPublication.objects.filter(state__in=(state.WAITING, state.RUNNING))
    why = {lang: say("office", "planned-before-restore", lang) for lang in LANGUAGES}
    planned.update(state=state.STOPPED, ended_at=at, refused=why)
    _stop_reforms(at)


def _stop_reforms(at: datetime) -> None:
    """Announced reforms do not come into force by themselves: they may have been withdrawn since."""
    act = ReformStep.Act
    over = ReformStep.objects.filter(act__in=(act.IN_FORCE, act.STOPPED, act.WITHDRAWN)).values("reform")
    refused = {lang: say("office", "reform-before-restore", lang) for lang in LANGUAGES}
    for step in ReformStep.objects.filter(act=act.ANNOUNCED).exclude(reform__in=over):
        stop = {"at": at, "author": step.author, "act": act.STOPPED, "sha256": step.sha256}
        ReformStep.objects.create(reform_id=step.reform_id, facts={"refused": refused}, **stop)
