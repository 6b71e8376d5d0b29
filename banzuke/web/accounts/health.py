"""What a supervisor asks: does the office work?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import JsonResponse

from banzuke.desk.worker_beat import is_alive
from banzuke.web import access

if TYPE_CHECKING:
    from django.http import HttpRequest


@access.public
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 if the database answers and is up to date, and jobs are worked on; else 503."""
    found = {"database": _database_answers()}
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
