"""One table of a ledger as a CSV file: rows with their lines, every fault with its address."""

from __future__ import annotations

import csv
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from banzuke.core.fault import Fault, fault
from banzuke.ledger.cells import CellError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from banzuke.ledger.cells import Kind
    from banzuke.ledger.schema import Table

#: A ledger shows this many faults at the most.
MOST_FAULTS = 100


class Rows(NamedTuple):
    """A table that was read: records, and the line of the file that each ended on."""

    file: str
    records: list[Any]
    lines: array[int]


def read_csv(path: Path, table: Table, faults: list[Fault]) -> Rows:
    """The rows of a CSV file; rows that could not be read are left out, with a fault each."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return _read(path.name, _lines_of(stream, path.name, faults), table, faults)
    except UnicodeDecodeError:
        faults.append(_not_utf8(path))
    return Rows(path.name, [], array("I"))


def _not_utf8(path: Path) -> Fault:
    """The first line that is not UTF-8."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return fault(path.name, number, "", "not-utf8", byte=error.start + 1)
    return fault(path.name, 0, "", "not-utf8", byte=1)


def _lines_of(stream: TextIO, file: str, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line that each ends on; blank lines are passed over."""
    reader = csv.reader(stream, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        faults.append(fault(file, reader.line_num, "", "not-csv", error=error))


def _read(file: str, numbered: Iterator[tuple[int, list[str]]], table: Table, faults: list[Fault]) -> Rows:
    """The rows below a header that the table knows."""
    rows = Rows(file, [], array("I"))
    header = next(numbered, None)
    if header is None:
        faults.append(fault(file, 0, "", "no-header", columns=", ".join(table.columns)))
    elif header_is_good(file, header[1], table, faults):
        read_rows(rows, header[1], numbered, table, faults)
    return rows


def header_is_good(file: str, header: list[str], table: Table, faults: list[Fault]) -> bool:
    before = len(faults)
    for name in header:
        if name not in table.columns:
            faults.append(fault(file, 1, name, "unknown-column", columns=", ".join(table.columns)))
        elif header.count(name) > 1:
            faults.append(fault(file, 1, name, "double-column"))
    for name in table.columns:
        if name in table.required and name not in header:
            faults.append(fault(file, 1, name, "missing-column"))
    return len(faults) == before


def read_rows(
    rows: Rows,
    header: list[str],
    numbered: Iterable[tuple[int, list[str]]],
    table: Table,
    faults: list[Fault],
) -> None:
    """Cells are read by column; a value that a column has had before is not read again."""
    readers = [_Memo(table.columns[name], required=name in table.required) for name in header]
    record = _record_of(table, header)
    width, append, note = len(header), rows.records.append, rows.lines.append
    for line, row in numbered:
        if len(row) != width:
            faults.append(fault(rows.file, line, "", "row-width", cells=len(row), columns=width))
            continue
        try:
            append(record([memo[cell] for memo, cell in zip(readers, row, strict=True)]))
            note(line)
        except CellError:
            _note_faults(rows.file, line, header, row, readers, faults)
        if len(faults) >= MOST_FAULTS:
            return


class _Memo(dict[str, Any]):
    """The values of a column's cells, read once each."""

    def __init__(self, kind: Kind, *, required: bool) -> None:
        self.kind = kind
        self.required = required

    def __missing__(self, cell: str) -> Any:  # noqa: ANN401 - the column's type
        if not cell.strip():
            if self.required:
                raise CellError("cell-blank")
            value = self.kind.blank
        else:
            value = self.kind.read(cell)
        self[cell] = value
        return value


def _record_of(table: Table, header: Sequence[str]) -> Callable[[list[Any]], Any]:
    """A function from the cells, in the header's order, to the table's record."""
    make = table.record
    names = tuple(header)

    def record(values: list[Any]) -> Any:  # noqa: ANN401 - the table's record
        return make(**dict(zip(names, values, strict=True)))

    return record


def _note_faults(
    file: str, line: int, header: list[str], row: list[str], readers: list[_Memo], faults: list[Fault]
) -> None:
    """Every fault of a row, cell by cell."""
    for name, cell, memo in zip(header, row, readers, strict=True):
        try:
            memo[cell]
        except CellError as error:
            faults.append(fault(file, line, name, error.code, **error.facts))


def write_csv(stream: TextIO, table: Table, records: Iterable[Any]) -> None:
    """The records as CSV, in the table's order of columns; reading it gives the same records."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    columns = [(name, kind) for name, kind in table.columns.items()]
    for record in records:
        writer.writerow([_cell(getattr(record, name), kind) for name, kind in columns])


def _cell(value: Any, kind: Kind) -> str:  # noqa: ANN401 - the column's type
    return "" if value is None or value == "" else kind.write(value)
