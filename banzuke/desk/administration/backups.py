"""Backups made from the pages: each is fetched once, by the administrator who asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.book.models import Job
from banzuke.desk.administration import handed_in
from banzuke.desk.journal import note
from banzuke.desk.refusals import NoFileError

if TYPE_CHECKING:
    from typing import BinaryIO

    from banzuke.desk.journal import Actor

KIND, FETCH = "backup", "fetch-backup"


def waiting(actor: Actor) -> Job | None:
    """The last backup that he asked for and that he can still fetch; None: there is none."""
    job = Job.objects.filter(kind=KIND, author=actor.name, state=Job.State.DONE).order_by("-pk").first()
    try:
        if job is not None:
            handed_in.find((job.result or {})["file"])
    except NoFileError:
        return None
    return job


def fetch(actor: Actor) -> tuple[BinaryIO, str]:
    """The backup that waits for him and its file's name; it waits no longer. Raises NoFileError."""
    job = waiting(actor)
    if job is None:
        raise NoFileError
    word = (job.result or {})["file"]
    path = handed_in.find(word)
    stream = path.open("rb")
    handed_in.drop(word)
    note(actor, FETCH, made=job.at.isoformat(timespec="minutes"), rows=(job.result or {})["rows"])
    return stream, path.name
