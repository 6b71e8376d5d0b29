"""Rows of closed tables, bound into the log: the journal, what became of reports, fees, what was entered.

The worker enters once a day the hash of the rows that no entry is over yet. What a list says is hashed with
it (`office_log`), and what it was made from (`book_hashes`); here are all other rows that nobody may change.
Where a person is erased, the secrets for the hashes of those tables are destroyed, and hashes of the rows as
they are then are entered: but not where the rows were others already.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from heapq import merge
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import orjson
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from banzuke.core.fault import Fault, fault
from banzuke.database.append_only import CLOSED
from banzuke.database.models import HiddenPool, LogEntry, LoggedRows, Pool
from banzuke.office.raw_sql import is_postgresql
from banzuke.office.transparency.book_hashes import (
    OF_BOOK,
    ROWS,
    EntryRange,
    columns_of,
    rows_within,
    table_name,
)
from banzuke.office.transparency.office_log import append, lock_log, logged_until, new_secret
from banzuke.transparency.log_entries import RecordsEntry, moment_text, read_entry
from banzuke.transparency.strict_text import json_text

KIND = "records"
SECRET = "secret"  # noqa: S105  # a name
#: The log itself, and what is compared when a list is verified.
ELSEWHERE = {"logentry", "listrow", "line", "working", "listfigures", "listcontent", "listtree"}
#: Bytes of files, whose SHA-256 is another column.
HASHED_COLUMNS = {"reportfile": {"data"}}
#: In so many gaps between numbers a row may come late, by an act that took long (PostgreSQL).
GAPS = 100
Ranges = list[list[int]]


def log_new_rows() -> LogEntry | None:
    """Enter the hash of the rows that no entry is over, if none was entered today; None: nothing to enter."""
    today = moment_text(datetime.now(UTC))[:10]
    last = LoggedRows.objects.order_by("-entry__number").values_list("entry__body", flat=True).first()
    if last is not None and _moment_of(last)[:10] >= today:
        return None
    with transaction.atomic():
        _wait_for_erasures()
        return enter_new_rows()


def enter_new_rows(anew: Mapping[str, Ranges] = MappingProxyType({})) -> LogEntry | None:
    """Enter the hash of the rows that no entry is over, and of those that are to be hashed `anew`.

    Call it within a transaction.
    """
    lock_log()
    found = {name: _found(model, anew.get(name, [])) for name, model in closed_models().items()}
    tables = {name: each for name, each in found.items() if each["rows"]}
    if not tables:
        return None
    entry = append(KIND, {"sha256": _sha256(tables)})
    LoggedRows.objects.create(entry=entry, tables=tables)
    return entry


def _wait_for_erasures() -> None:
    """An erasure locks tables and then the log; whoever did so the other way round might wait for ever."""
    if is_postgresql():
        names = ", ".join(f"book_{name}" for name in closed_models())
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN ACCESS SHARE MODE")


def destroy_secrets(names: Collection[str]) -> dict[str, Ranges]:
    """Destroy the secrets of the hashes over these tables, because rows of them are to be erased.

    What it gives is for `enter_new_rows`: by table the rows that no hash is over any more. Where rows are
    already not as the log has them, the secret stays, so that this is still found.
    """
    models, gone = closed_models(), defaultdict[str, Ranges](list)
    for each in LoggedRows.objects.order_by("pk"):
        for name in names & each.tables.keys():
            told = each.tables[name]
            if SECRET in told and _hash(models[name], told) == told["sha256"]:
                del told[SECRET]
                gone[name] += told["rows"]
        each.save(update_fields=["tables"])
    return gone


def changed_rows() -> Iterator[Fault]:
    """Tables whose rows are not those of the log."""
    logged = {each.entry.number: each for each in LoggedRows.objects.select_related("entry")}
    anew = _entered_anew(logged)
    for entry in LogEntry.of_kind(KIND).order_by("number"):
        said, each = read_entry(entry.body.encode()), logged.pop(entry.number, None)
        if isinstance(said, RecordsEntry):
            yield from _differing(entry.number, said, each, anew)
    for number in logged:
        yield fault("book_loggedrows", 0, "", "log-rows-missing", number=number)


def closed_models() -> dict[str, type[Model]]:
    """The closed tables whose rows are bound here, by name."""
    return {name: apps.get_model("book", name) for name in sorted(CLOSED.keys() - ELSEWHERE)}


def _differing(
    number: int, said: RecordsEntry, each: LoggedRows | None, anew: Mapping[str, Ranges]
) -> Iterator[Fault]:
    if each is None or _sha256(each.tables) != said.sha256:
        yield fault("book_loggedrows", 0, "", "log-rows-missing", number=number)
        return
    models = closed_models()
    for name, told in each.tables.items():
        if SECRET not in told:  # of rows that were entered anew with an erasure
            covered = anew.get(name, [])
            if any(not any(a <= first and last <= b for a, b in covered) for first, last in told["rows"]):
                yield fault("book_loggedrows", 0, "", "log-rows-missing", number=number)
        elif _hash(models[name], told) != told["sha256"]:
            yield fault(f"book_{name}", 0, "", "log-rows-changed", number=number, at=said.at[:10])


def _found(model: type[Model], anew: Ranges) -> dict[str, Any]:
    """The rows of a table that no entry is over: their columns, their numbers in ranges, secret and hash."""
    rows = _joined(merge(([number, number] for number in _new_numbers(model)), sorted(anew)))
    hashed = HASHED_COLUMNS.get(table_name(model), set())
    columns = [column for column in columns_of(model) if column not in hashed]
    found = {"columns": columns, "rows": rows, SECRET: new_secret().hex()}
    return found | {"sha256": _hash(model, found) if rows else ""}


def _covered(model: type[Model]) -> Ranges:
    """The rows of a table that entries are over, or were."""
    name = table_name(model)
    every = LoggedRows.objects.order_by("entry__number").values_list("tables", flat=True)
    return _joined(sorted(each for tables in every if name in tables for each in tables[name]["rows"]))


def _entered_anew(logged: Mapping[int, LoggedRows]) -> dict[str, Ranges]:
    """By table the rows of which the log has a hash that was entered with an erasure."""
    erasures = set(LogEntry.of_kind("erasure").values_list("number", flat=True))
    found = defaultdict[str, Ranges](list)
    for number, each in logged.items():
        if number - 1 in erasures:
            for name, told in each.tables.items():
                found[name] += told["rows"] if SECRET in told else []
    return {name: _joined(sorted(rows)) for name, rows in found.items()}


def _new_numbers(model: type[Model]) -> Iterator[int]:
    """The rows of a table that no entry is over; none while a pool is hidden, whose rows may be taken out."""
    if HiddenPool.objects.exists():
        return
    covered = _covered(model)
    where = Q(pk__gt=covered[-1][1] if covered else 0)
    for (_, before), (after, _) in list(pairwise(covered))[-GAPS:]:
        where |= Q(pk__gt=before, pk__lt=after)
    rows: QuerySet[Any] = QuerySet(model).filter(where)
    if issubclass(model, OF_BOOK):
        rows = rows.exclude(_hashed_with_lists(model))
    yield from rows.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=ROWS)


def _hashed_with_lists(model: type[Model]) -> Q:
    """Rows of a book over which the entries of lists have hashes."""
    where = Q(pk__in=[])
    for pool in Pool.objects.order_by("pk"):
        where |= rows_within(model, EntryRange(pool, 0, logged_until(pool)))
    return where


def _hash(model: type[Model], told: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(bytes.fromhex(told[SECRET]))
    for first, last in told["rows"]:
        rows: QuerySet[Any] = QuerySet(model).filter(pk__range=(first, last)).order_by("pk")
        for row in rows.values_list(*told["columns"]).iterator(chunk_size=ROWS):
            digest.update(orjson.dumps(row, _hex, orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE))
    return digest.hexdigest()


def _hex(cell: Any) -> str:
    """Bytes in a text. Raises TypeError for anything else."""
    return bytes(memoryview(cell)).hex()


def _joined(ranges: Iterable[list[int]]) -> Ranges:
    """Ranges that come in order, as few as can be."""
    found: Ranges = []
    for first, last in ranges:
        if found and first <= found[-1][1] + 1:
            found[-1] = [found[-1][0], max(last, found[-1][1])]
        else:
            found.append([first, last])
    return found


def _sha256(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The hash of what is told of tables, without the secrets, which may go."""
    without = {name: {key: told[key] for key in told if key != SECRET} for name, told in tables.items()}
    return hashlib.sha256(json_text(without).encode()).hexdigest()


def _moment_of(body: str) -> str:
    said = read_entry(body.encode())
    return said.at if isinstance(said, RecordsEntry) else ""
