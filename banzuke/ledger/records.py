"""The rows of a table as they are read, and which of them stand.

Cells become values by column, values a record. A row is added and struck by inquiries, and a list knows those
made in time. A book knows its corrections by day where its calendar says how long a list may be corrected;
any other takes the rows that are not struck.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from inspect import signature
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Protocol, TypeVar

from banzuke.core.facts import Game, More
from banzuke.ledger.cells import CellError, Kind
from banzuke.ledger.schema import Table


class Correctable(Protocol):
    """A row with the days of the inquiries that added and struck it."""

    @property
    def added(self) -> date | None:
        """The day it was added by an inquiry; None: reported so."""

    @property
    def struck(self) -> date | None:
        """The day it was struck by an inquiry; None: it stands."""


Row = TypeVar("Row", bound=Correctable)


def standing_records(rows: Iterable[Row], until: date | None) -> list[Row]:
    """The rows that stand for who knows the inquiries made before the day `until`.

    None takes every row that is not struck.
    """
    if until is None:
        return [row for row in rows if row.struck is None]
    return [
        row
        for row in rows
        if (row.added is None or row.added < until) and (row.struck is None or row.struck >= until)
    ]


def stand_together(one: Correctable, other: Correctable, *, by_day: bool) -> bool:
    """Whether two rows ever stand at the same time."""
    if not by_day:
        return one.struck is None and other.struck is None
    added = max(one.added or date.min, other.added or date.min)
    return added < min(one.struck or date.max, other.struck or date.max)


#: The field of a record that holds the columns that a book adds.
MORE = "more"


@dataclass(slots=True)
class Rows:
    """A table that was read: records, and the line of the file that each begins on.

    `left_out` holds the keys (the cells of the table's first column) of rows that could not be read;
    `is_whole` is False where the reading could not begin, or stopped before the end.
    """

    file: str
    records: list[Any] = field(default_factory=list)
    lines: "array[int]" = field(default_factory=lambda: array("I"))
    left_out: set[str] = field(default_factory=set)
    is_whole: bool = True

    def may_have_lost(self, key: str) -> bool:
        """Whether the file may have a row of that key which is not among the records."""
        return not self.is_whole or key in self.left_out


class Memo(dict[str, Any]):
    """The values of a column's cells, read once each."""

    def __init__(self, kind: Kind, *, required: bool) -> None:
        self.kind = kind
        self.required = required

    def __missing__(self, cell: str) -> Any:
        if not cell.strip():
            if self.required:
                raise CellError("cell-blank")
            value = self.kind.blank
        else:
            value = self.kind.read(cell)
        self[cell] = value
        return value


def record_of(table: Table, header: Sequence[str]) -> Callable[[list[Any]], Any]:
    """A function from the cells, in the header's order, to the table's record.

    A header may name `more`, the field itself, in place of the columns that a book adds.
    """
    missing = [name for name in table.columns if name not in header]
    blanks = [table.columns[name].blank for name in missing]
    names = [*header, *missing]
    fields = [*fields_of(table), *([MORE] if MORE in header and MORE not in table.columns else [])]
    in_order = itemgetter(*(names.index(name) for name in fields))
    make = table.record

    def record(values: list[Any]) -> Any:
        return make(*in_order(values + blanks))

    added = [(name, at, table.columns[name].blank) for at, name in enumerate(header) if name in table.added]

    def record_with_more(values: list[Any]) -> Any:
        more = More((name, values[at]) for name, at, blank in added if values[at] != blank)
        return make(*in_order(values + blanks), more)

    return record_with_more if added else record


def fields_of(table: Table) -> list[str]:
    """The fields of the table's record that are columns, in the record's order; `more` comes after them."""
    return [name for name in signature(table.record).parameters if name != MORE]


def value_of(record: Any, table: Table, column: str) -> Any:
    """What a record has in a column of the table."""
    if column in table.added and (column in record.more or not hasattr(record, column)):
        return record.more.get(column, table.columns[column].blank)
    return getattr(record, column)


def by_event(games: Iterable[Game]) -> dict[str, list[Game]]:
    """The games of each event, in their order; those of one event mostly stand together."""
    found: dict[str, list[Game]] = defaultdict(list)
    for event_id, run in groupby(games, attrgetter("event_id")):
        found[event_id].extend(run)
    return dict(found)
