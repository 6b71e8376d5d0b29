"""What a demo office knows of itself: the event whose report a visitor sends in.

It is in a file of the office's folder, where only who starts the office can put it. Other offices have
none, and no backup has it.
"""

import json
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from banzuke.database.models import Sanction
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import EventProgress

FILE = "demo.json"


class Demo(NamedTuple):
    """The pool, the application whose report is to come, the list that takes it, one of its players.

    `mail` is the name of the report's file in the office's folder, `reported` the day that it counts for.
    """

    pool: str
    sanction: int
    list: str
    player: str
    mail: str
    reported: str

    @property
    def file(self) -> Path:
        """Where the report lies."""
        return _home().joinpath(self.mail)


def _home() -> Path:
    return Path(settings.HOME)


def keep_demo(demo: Demo, mail: bytes) -> None:
    """Make the office a demo."""
    _home().joinpath(demo.mail).write_bytes(mail)
    _home().joinpath(FILE).write_text(json.dumps(demo._asdict()), "utf-8")


def find_demo() -> Demo | None:
    """What the office is a demo of; None: it is none."""
    try:
        return Demo(**json.loads(_home().joinpath(FILE).read_text("utf-8")))
    except FileNotFoundError:
        return None


def progress_of(demo: Demo) -> EventProgress | None:
    """How far the event is; None where its application is gone."""
    found = Sanction.objects.filter(pk=demo.sanction, pool__slug=demo.pool).select_related("pool").first()
    return progress_of_sanctions(found.pool, [found])[0] if found else None
