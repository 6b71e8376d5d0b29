"""Backups made from the pages: each is fetched once, by the administrator who asked for it."""

from __future__ import annotations

from typing import BinaryIO

from banzuke.database.models import Job
from banzuke.office.administration import uploads
from banzuke.office.journal import Actor, note
from banzuke.office.refusals import NoFileError

KIND, FETCH = "backup", "fetch-backup"


def waiting(actor: Actor) -> Job | None:
    """The last backup that he asked for and that he can still fetch; None: there is none."""
    job = Job.objects.filter(kind=KIND, author=actor.name, state=Job.State.DONE).order_by("-pk").first()
    try:
        if job is not None:
            uploads.find((job.result or {})["file"])
    except NoFileError:
        return None
    return job


def fetch(actor: Actor) -> tuple[BinaryIO, str]:
    """The backup that waits for him and its file's name; it waits no longer. Raises NoFileError."""
    job = waiting(actor)
    if job is None:
        raise NoFileError
    word = (job.result or {})["file"]
    path = uploads.find(word)
    stream = path.open("rb")
    uploads.drop(word)
    note(actor, FETCH, made=job.at.isoformat(timespec="minutes"), rows=(job.result or {})["rows"])
    return stream, path.name
