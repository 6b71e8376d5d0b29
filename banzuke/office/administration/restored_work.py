"""What waited or was planned when a backup was made: after a restore none of it goes on by itself."""

from datetime import datetime

from banzuke.database.models import Job, ObjectionMail, PlannedPublication
from banzuke.words import LANGUAGES, say

#: The kinds of jobs that no person asked for; the worker starts them anew where they are due.
UNASKED = ("coming",)


def stop_restored_work(at: datetime) -> None:
    """Interrupt the jobs that waited, stop planned publications with the reason, drop waiting mails."""
    ObjectionMail.objects.all().delete()
    waiting = Job.objects.filter(state=Job.State.WAITING)
    waiting.filter(kind__in=UNASKED).delete()
    waiting.update(state=Job.State.INTERRUPTED)
    state = PlannedPublication.State
    planned = PlannedPublication.objects.filter(state__in=(state.WAITING, state.RUNNING))
    why = {lang: say("office", "planned-before-restore", lang) for lang in LANGUAGES}
    planned.update(state=state.STOPPED, ended_at=at, refused=why)
