"""The rows of a table as they are read: cells become values by column, values a record."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass, field
from inspect import signature
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from banzuke.core.facts import More
from banzuke.ledger.cells import CellError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from banzuke.core.facts import Game
    from banzuke.ledger.cells import Kind
    from banzuke.ledger.schema import Table


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
    lines: array[int] = field(default_factory=lambda: array("I"))
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
    if column in table.added:
        return record.more.get(column, table.columns[column].blank)
    return getattr(record, column)


def by_event(games: Iterable[Game]) -> dict[str, list[Game]]:
    """The games of each event, in their order; those of one event mostly stand together."""
    found: dict[str, list[Game]] = defaultdict(list)
    for event_id, run in groupby(games, attrgetter("event_id")):
        found[event_id].extend(run)
    return dict(found)
