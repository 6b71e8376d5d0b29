"""What a supervisor asks: does the office work?"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import Error, connection, transaction
from django.http import HttpRequest, JsonResponse

from banzuke.database.outages import Outage, outage_of
from banzuke.database.patience import waiting_at_most
from banzuke.database.schema_age import needs_migrating, newer_migrations
from banzuke.office.jobs.heartbeat import is_alive, restarts
from banzuke.web import access

#: With less room in the office's folder (bytes) nothing is promised: a report may have 60 MiB.
LEAST = 100 << 20


@access.public
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 if the database answers, takes writing, is up to date, there is room, and jobs are worked on.

    `worker_restarts` is there if the worker died of late: how often it was started again.
    """
    found = {"database": _database_answers(), "disk": _has_room()}
    if found["database"]:
        found |= {
            "writing": _takes_writing(),
            "migrations": not (needs_migrating() or newer_migrations()),
            "jobs": is_alive(),
        }
    often = len(restarts())
    return JsonResponse(
        {name: "ok" if good else "failed" for name, good in found.items()}
        | ({"worker_restarts": often} if often else {}),
        status=200 if all(found.values()) else 503,
    )


def _database_answers() -> bool:
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def _takes_writing() -> bool:
    """Whether the database could be written to; one that somebody else writes to just now can be."""
    try:
        with waiting_at_most(0), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_session WHERE 1 = 0")
    except Error as error:
        return outage_of(error) is Outage.BUSY
    return True


def _has_room() -> bool:
    """Whether the office's folder can be written to, and neither it nor what else it needs is almost full."""
    try:
        return os.access(settings.HOME, os.W_OK) and all(
            shutil.disk_usage(folder).free >= LEAST for folder in _folders()
        )
    except OSError:
        return False


def _folders() -> Iterator[str | Path]:
    """Where the office writes: its folder, that of its database, and what is sent and not yet read."""
    yield settings.HOME
    yield tempfile.gettempdir()
    if connection.vendor == "sqlite" and Path(connection.settings_dict["NAME"]).is_file():
        yield Path(connection.settings_dict["NAME"]).parent
