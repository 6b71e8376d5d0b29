"""The folder of what is made of a published list once and then kept."""

from pathlib import Path

from django.conf import settings

from banzuke.database.models import RatingList


def kept_files(published: RatingList) -> Path:
    """The list's folder in the office's.

    Its name begins with the list's key in the database, and has the moment of its publication: after a
    backup was restored another list may get the same key.
    """
    moment = f"{published.published_at:%Y%m%dT%H%M%S%f}"
    folder: Path = settings.HOME / "files" / f"{published.pk}-{moment}"
    return folder
