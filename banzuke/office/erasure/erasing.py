"""Carrying an erasure out: in one transaction all of it, or nothing; then no byte of it is left in the files.

It is the one act for which closed tables are opened (`database.append_only.opened`). What was taken is told by
a row of a closed table, by the journal and by the office's log.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection, transaction
from django.db.models import F, Func, IntegerField, Q, QuerySet

from banzuke.core.rating import Line as _Line  # noqa: F401
from banzuke.database.append_only import CLOSED, opened
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    Contact,
    Entry,
    ErasedEvents,
    ErasedFile,
    Erasure,
    Event,
    FoundUpTo,
    GoPlayer,
    JournalEntry,
    ListRow,
    NameWord,
    NearWord,
    Player,
    PlayerSalt,
    Pool,
    RatingList,
    ReportFile,
    Working,
)
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.exchange.name_likeness import spelt_words
from banzuke.office import player_search
from banzuke.office.erasure import noted_ids
from banzuke.office.erasure.erased_columns import BLANKED
from banzuke.office.erasure.erased_files import wipe
from banzuke.office.erasure.erasure_plan import ErasurePlan, plan_erasure, rows_of
from banzuke.office.erasure.personal_words import known_words
from banzuke.office.erasure.stand_in_rows import ListChanges, erased_rows, list_changes, row_columns
from banzuke.office.journal import Actor, note
from banzuke.office.lists.list_events import events_sha256_of
from banzuke.office.lists.record_hashes import hashes_of_records
from banzuke.office.refusals import ErasureMovedOnError, ErasureWaitsError
from banzuke.office.transparency.office_log import append_erasure

ERASE = "erase-person"
