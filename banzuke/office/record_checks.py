"""Whether what came in is there as it came: report files byte for byte, the journal without a gap."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise

from django.db import connection
from django.db.models import Count, Max, Min

from banzuke.core.fault import Fault, fault
from banzuke.database.models import JournalEntry, ReportFile

#: So many missing numbers are named.
MOST_NAMED = 20
RESTORE = "restore"
#: Files are as large as a report may be: few at once.
FILES_AT_ONCE = 4


def changed_report_files() -> Iterator[Fault]:
    """Every report file whose bytes are not those of its SHA-256; of one that was erased, that has any."""
    files = ReportFile.objects.order_by("pk").values_list(
        "report__pool__slug", "report_id", "name", "data", "sha256", "erased"
    )
    for slug, report, name, data, wanted, erased in files.iterator(chunk_size=FILES_AT_ONCE):
        if data if erased else sha256(data).hexdigest() != wanted:
            yield fault(slug, 0, "", "book-file-changed", report=report, name=name)


def missing_journal_numbers() -> Iterator[Fault]:
    """Numbers that the journal lacks, since the last restore if there was one: SQLite gives each in turn."""
    if connection.vendor == "sqlite":
        restored = JournalEntry.objects.filter(act=RESTORE).aggregate(Max("pk"))["pk__max"]
        yield from _missing(restored or 1, _last_given(), "book-journal-missing")


def skipped_journal_numbers() -> Iterator[Fault]:
    """Numbers that the journal may lack: PostgreSQL spends one on an act that is not done, too."""
    if connection.vendor != "sqlite":
        found = JournalEntry.objects.aggregate(Min("pk"), Max("pk"))
        yield from _missing(found["pk__min"] or 1, found["pk__max"] or 0, "book-journal-skips")


def _last_given() -> int:
    """The number of the journal's last act, even if it was taken out."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [JournalEntry._meta.db_table])  # noqa: SLF001
        found = cursor.fetchone()
    return int(found[0]) if found else 0


def _missing(first: int, last: int, code: str) -> Iterator[Fault]:
    there = JournalEntry.objects.filter(pk__range=(first, last))
    count = max(last - first + 1, 0) - (there.aggregate(Count("pk"))["pk__count"])
    if count > 0:
        known = [first - 1, *there.order_by("pk").values_list("pk", flat=True), last + 1]
        gone = (number for one, other in pairwise(known) for number in range(one + 1, other))
        named = ", ".join(str(number) for number, _ in zip(gone, range(MOST_NAMED), strict=False))
        yield fault("", 0, "", code, count=count, numbers=named)
