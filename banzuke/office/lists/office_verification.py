"""Verifying an office: whether its database is closed, whether lists, acts or files are missing or changed.

Each list is made again, and so are the live standings of a Go server; the log is compared with what it tells.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.database import guards
from banzuke.database.models import JournalEntry, Pool, RatingList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.office.lists.verification import PUBLISHING, Verification, verify_lists
from banzuke.office.live.live_verification import differing_standings
from banzuke.office.record_checks import (
    MOST_NAMED,
    changed_report_files,
    missing_journal_numbers,
    skipped_journal_numbers,
)
from banzuke.office.transparency.erasure_verification import differing_erasures
from banzuke.office.transparency.log_verification import verify_log


class Findings(NamedTuple):
    """What was found: faults of database and pools, remarks, how many lists are good, and the others."""

    faults: list[Fault]
    remarks: list[Fault]
    good: int
    bad: list[Verification]

    @property
    def is_good(self) -> bool:
        """Whether everything is as it was left."""
        return not self.faults and not self.bad


def verify_office(progress: Progress = no_progress) -> Findings:
    """Verify everything that was published, in every pool."""
    faults = [*_open_tables()]
    has_one_role = connection.vendor == "postgresql" and guards.can_be_taken_away()
    remarks = [fault("", 0, "", "book-one-role")] if has_one_role else []
    good = 0
    bad: list[Verification] = []
    broken = guards.missing_columns()
    for table, columns in broken.items():
        faults.append(fault(table, 0, "", "book-columns-missing", columns=", ".join(columns)))
    if broken:  # nothing can be read
        return Findings(faults, remarks, good, bad)
    faults += [*changed_report_files(), *missing_journal_numbers(), *differing_erasures()]
    remarks += skipped_journal_numbers()
    logged = verify_log(progress)
    faults += logged.faults
    remarks += logged.remarks
    for pool in Pool.objects.order_by("slug"):
        faults += _missing_lists(pool)
        try:
            for found in _verified(pool, progress):
                if found.is_good:
                    good += 1
                else:
                    bad.append(found)
            faults += differing_standings(pool)
        except RefusedError as refused:  # rules that cannot be read, or a book that is not installed
            faults += [each._replace(file=f"{pool.slug}/{each.file}") for each in refused.faults]
    return Findings(faults, remarks, good, bad)


def _open_tables() -> Iterator[Fault]:
    for gap in guards.gaps():
        if gap.kind == "missing":
            yield fault(gap.table, 0, "", "book-trigger-missing", trigger=gap.trigger)
        elif gap.kind == "changed":
            yield fault(gap.table, 0, "", "book-trigger-changed", trigger=gap.trigger)
        else:
            yield fault(gap.table, 0, "", "book-trigger-foreign", trigger=gap.trigger)


def _verified(pool: Pool, progress: Progress) -> Iterator[Verification]:
    """Every list of the pool, those of one entry together."""
    by_entry = defaultdict(list)
    for published in RatingList.objects.filter(pool=pool).select_related("pool").order_by("number"):
        by_entry[published.entry_id].append(published)
    for lists in by_entry.values():
        yield from verify_lists(lists, progress)


def _missing_lists(pool: Pool) -> Iterator[Fault]:
    """Numbers and revisions between others that are not there, and lists that only the journal knows."""
    lists = list(pool.lists.order_by("number").values_list("name", "number", "revision"))
    numbers = {number for _, number, _ in lists}
    gone = sorted(set(range(1, max(numbers, default=0) + 1)) - numbers)
    if gone:
        named = ", ".join(map(str, gone[:MOST_NAMED]))
        yield fault(pool.slug, 0, "", "book-numbers-missing", count=len(gone), numbers=named)
    there = Counter(name for name, _, _ in lists)
    last = {name: revision for name, _, revision in sorted(lists, key=lambda each: each[2])}
    journalled: Counter[str] = Counter()
    for what in JournalEntry.objects.filter(pool=pool, act__in=PUBLISHING).values_list("what", flat=True):
        journalled.update(what.get("lists", ()))
    for name in sorted(there.keys() | journalled.keys()):
        wanted = max(last.get(name, -1) + 1, journalled[name])
        if there[name] < wanted:
            yield fault(pool.slug, 0, "", "book-list-missing", list=name, there=there[name], wanted=wanted)
