"""The office's log as people read it: its entries with the lists that they tell of, the newest first."""

from datetime import datetime
from typing import Any, NamedTuple

from banzuke.core.fault import Fault, RefusedError
from banzuke.database.models import LogEntry, Pool, RatingList
from banzuke.office.transparency.list_proofs import entry_of
from banzuke.office.transparency.log_checkpoints import SignedLog, signed_log, signed_up_to
from banzuke.transparency.log_entries import RecordsEntry, kind_of, known_entry

#: So many entries stand on a page.
MOST = 50


class ShownEntry(NamedTuple):
    """An entry: its number, its kind, what it says, the pool and the list that it tells of.

    Entries one after another that have hashes of the records are shown as one, from the number `first` on.
    """

    number: int
    first: int
    kind: str
    said: Any
    pool: Pool | None
    published: RatingList | None

    @property
    def at(self) -> datetime:
        """When it happened, by what the entry says."""
        return datetime.fromisoformat(self.said.published if self.kind == "list" else self.said.at)


class SignedPlace(NamedTuple):
    """Where a list stands in the log: its entry's number, and the log signed up to it (blank: it is not)."""

    number: int
    checkpoint: str

    @property
    def next(self) -> int:
        """The number of the entry after it."""
        return self.number + 1


def place_in_log(published: RatingList) -> SignedPlace | None:
    """The list's place in the log; None while the worker has not entered a list of before."""
    entry = entry_of(published)
    if entry is None:
        return None
    try:
        return SignedPlace(entry.number, signed_up_to(entry.number + 1).decode())
    except RefusedError:
        return SignedPlace(entry.number, "")


class LogState(NamedTuple):
    """The log as it was signed, or why it was not; and how many lists of before are not in it yet."""

    signed: SignedLog | None
    refused: Fault | None
    waiting: int


def log_state() -> LogState:
    """How the log stands now."""
    waiting = RatingList.objects.filter(log_entry=None).count()
    try:
        return LogState(signed_log(), None, waiting)
    except RefusedError as refused:
        return LogState(None, refused.faults[0], waiting)


def shown_entries(before: int | None = None) -> list[ShownEntry]:
    """The entries before a number (None: the last ones), the newest first.

    What nobody can read is left out: it was written past the office, and the page says that none is signed.
    """
    rows = LogEntry.objects.select_related("list__pool").order_by("-number")
    found = list((rows if before is None else rows.filter(number__lt=before))[:MOST])
    read = [(row, said) for row in found if (said := known_entry(row.body)) is not None]
    slugs = {getattr(said, "pool", "") for _, said in read}
    pools = {pool.slug: pool for pool in Pool.objects.filter(slug__in=slugs)}
    shown: list[ShownEntry] = []
    for one in (_shown(row, said, pools) for row, said in read):
        if shown and all(isinstance(each.said, RecordsEntry) for each in (one, shown[-1])):
            shown[-1] = shown[-1]._replace(first=one.number)
        else:
            shown.append(one)
    return shown


def _shown(row: LogEntry, said: Any, pools: dict[str, Pool]) -> ShownEntry:
    pool, published = pools.get(getattr(said, "pool", "")), row.list
    if published is None and pool is not None and hasattr(said, "list"):
        published = pool.lists.filter(name=said.list, revision=said.revision).first()
    return ShownEntry(row.number, row.number, kind_of(said), said, pool, published)
