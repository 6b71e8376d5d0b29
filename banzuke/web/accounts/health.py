"""What a supervisor asks: does the office work?"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import JsonResponse

from banzuke.desk.jobs.worker_beat import is_alive
from banzuke.web import access

if TYPE_CHECKING:
    from django.http import HttpRequest

#: With less room in the office's folder (bytes) nothing is promised: a report may have 60 MiB.
LEAST = 100 << 20


@access.public
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 if the database answers and is up to date, there is room, and jobs are worked on; else 503."""
    found = {"database": _database_answers(), "disk": _has_room()}
    if found["database"]:
        found |= {"migrations": _is_up_to_date(), "jobs": is_alive()}
    return JsonResponse(
        {name: "ok" if good else "failed" for name, good in found.items()},
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


def _is_up_to_date() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _has_room() -> bool:
    """Whether the office's folder can be written to, and is not almost full."""
    try:
        return os.access(settings.HOME, os.W_OK) and shutil.disk_usage(settings.HOME).free >= LEAST
    except OSError:
        return False
