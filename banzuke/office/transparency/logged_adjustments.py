"""Adjustments in the office's log: an entry for each entry of a book that brought some, or took one back.

It has the hash of these rows with their header, as adjustments.csv has them: public, so that whoever has the
pool's public ledger finds the act in the log.
"""

import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping

from banzuke.core.facts import Adjustment
from banzuke.core.fault import Fault, fault
from banzuke.database import models
from banzuke.database.models import LogEntry, Pool, Strike
from banzuke.ledger.csv_table import write_csv
from banzuke.office.fact_rows import TABLES, record_of
from banzuke.transparency.log_entries import AdjustmentEntry, known_entry

TABLE = TABLES[Adjustment]


def rows_by_entry(pool: Pool) -> Mapping[int, list[Adjustment]]:
    """The rows that each entry of the book added or struck, as they stood after it, in the order of entry."""
    rows = list(models.Adjustment.objects.filter(pool=pool).order_by("pk"))
    if not rows:
        return {}
    strikes = {strike.row: strike for strike in Strike.objects.filter(pool=pool, table=TABLE.name)}
    found: dict[int, list[Adjustment]] = {}
    for row in rows:
        record: Adjustment = record_of(row, Adjustment)
        strike = strikes.get(row.pk)
        if strike is None or strike.entry_id != row.entry_id:
            found.setdefault(row.entry_id, []).append(record)
        if strike is not None:
            found.setdefault(strike.entry_id, []).append(record._replace(struck=strike.day))
    return dict(sorted(found.items()))


def facts_of_rows(pool: Pool, entry: int, rows: Iterable[Adjustment]) -> dict[str, object]:
    """What an entry of the log says of rows, but for the moment."""
    records, text = list(rows), io.StringIO(newline="")
    write_csv(text, TABLE, records)
    sha256 = hashlib.sha256(text.getvalue().encode()).hexdigest()
    return {"pool": pool.slug, "entry": entry, "rows": len(records), "sha256": sha256}


def unlogged_adjustments(pool: Pool) -> Iterator[dict[str, object]]:
    """What entries of the log would say of adjustments that none tells of, in their order."""
    entered = rows_by_entry(pool)
    known = {said.entry for said in _logged(pool)} if entered else set()
    for entry, rows in entered.items():
        if entry not in known:
            yield facts_of_rows(pool, entry, rows)


def wrong_adjustments(
    pool: Pool, logged: Iterable[tuple[int, AdjustmentEntry]], until: int
) -> Iterator[Fault]:
    """Entries of the log whose rows are others now, and rows up to an entry of the book that it lacks.

    `logged` are the log's entries on adjustments, each with its number.
    """
    entered, told = rows_by_entry(pool), set[int]()
    for number, said in logged:
        told.add(said.entry)
        now = facts_of_rows(pool, said.entry, entered.get(said.entry, ()))
        if (now["rows"], now["sha256"]) != (said.rows, said.sha256):
            yield fault(pool.slug, 0, "", "log-adjustment-changed", number=number, entry=said.entry)
    for entry in entered:
        if entry not in told and entry <= until:
            yield fault(pool.slug, 0, "", "log-adjustment-missing", entry=entry)


def _logged(pool: Pool) -> Iterator[AdjustmentEntry]:
    """What the log has of the pool's adjustments."""
    for body in LogEntry.of_kind("adjustment").order_by("number").values_list("body", flat=True):
        said = known_entry(body)
        if isinstance(said, AdjustmentEntry) and said.pool == pool.slug:
            yield said
