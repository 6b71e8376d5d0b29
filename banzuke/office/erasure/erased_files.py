"""That no byte is left of what was taken out of the database, and nothing in the office's own folder."""

import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from banzuke.database.models import Pool, RatingList

#: So often it is tried again, so many seconds apart, where others still read what was there before.
TRIES, WAIT = 5, 1


@contextmanager
def overwriting() -> Iterator[None]:
    """On SQLite what is changed or taken out within is overwritten in the file."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete=ON")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete=OFF")


def wipe(pools: Collection[Pool]) -> bool:
    """Take away the files made of the pools' lists, what was handed in, and old pages of the database.

    Call it outside a transaction. It says whether all of it is gone: on SQLite not while another process
    reads what was there before.
    """
    for published in RatingList.objects.filter(pool__in=pools).values_list("pk", flat=True):
        for folder in _home("files").glob(f"{published}-*"):
            shutil.rmtree(folder, ignore_errors=True)
    for folder in _home("handed-in").glob("*"):
        shutil.rmtree(folder, ignore_errors=True)
    return connection.vendor != "sqlite" or _rewrite()


def _home(name: str) -> Path:
    return Path(settings.HOME) / name


def _rewrite() -> bool:
    """Write the file of the database anew, and empty its log."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        for _ in range(TRIES):
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if not cursor.fetchone()[0]:
                return True
            time.sleep(WAIT)
    return False
