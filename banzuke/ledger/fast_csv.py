"""Tables that are as plain as files mostly are, read by blocks instead of row by row.

Plain is: UTF-8, no quotation mark, line ends of Unix or Windows, every row as wide as the header, no
fault in any cell. What is not plain is left to the reader of rows (`csv_table.read_csv`), which gives the
very same records, and the faults.
"""

import csv
from array import array
from collections.abc import Callable, Iterable, Iterator
from inspect import signature
from itertools import repeat
from pathlib import Path
from typing import Any, BinaryIO

from banzuke.core.facts import NO_MORE
from banzuke.ledger.cells import CellError
from banzuke.ledger.records import Memo, Rows
from banzuke.ledger.schema import Table

#: How much of a file is read at once, in bytes.
BLOCK = 1 << 20


class _NotPlainError(Exception):
    """The file is to be read row by row."""


def read(path: Path, table: Table) -> Rows | None:
    """The rows of a plain file; None for any other."""
    rows = Rows(path.name)
    try:
        with path.open("rb") as stream:
            header = stream.readline().decode("utf-8-sig").rstrip("\r\n").split(",")
            if not _is_plain(header, table):
                return None
            _read_blocks(stream, header, table, rows)
    except (OSError, UnicodeDecodeError, CellError, _NotPlainError):
        return None
    rows.lines = array("I", range(2, len(rows.records) + 2))
    return rows


def _is_plain(header: list[str], table: Table) -> bool:
    names = set(header)
    return len(names) == len(header) and table.required <= names <= set(table.columns) - table.added


def _read_blocks(stream: BinaryIO, header: list[str], table: Table, rows: Rows) -> None:
    memos = [Memo(table.columns[name], required=name in table.required) for name in header]
    fields = signature(table.record).parameters
    blanks: dict[str, Iterable[Any]] = {name: repeat(kind.blank) for name, kind in table.columns.items()}
    blanks["more"] = repeat(NO_MORE)
    records = _maker(table.record)
    for cells in _blocks(stream, len(header)):
        columns = {
            name: _values(cells[at :: len(header) + 1], memo)
            for at, (name, memo) in enumerate(zip(header, memos, strict=True))
        }
        rows.records += records(columns.get(name, blanks[name]) for name in fields)
    if any(len(cell) > csv.field_size_limit() for memo in memos for cell in memo):
        raise _NotPlainError


def _values(cells: list[str], memo: Memo) -> Iterable[Any]:
    """The values of a column's cells; many a column is blank from top to bottom."""
    if cells and not any(cells):
        return repeat(memo[""], len(cells))
    return list(map(memo.__getitem__, cells))


def _maker(record: Callable[..., Any]) -> Callable[[Iterable[Iterable[Any]]], Iterable[Any]]:
    """Makes records from columns; a named tuple by its parent's constructor, in a third of the time."""
    if isinstance(record, type) and issubclass(record, tuple):
        return lambda columns: map(tuple.__new__, repeat(record), zip(*columns, strict=False))
    return lambda columns: map(record, *columns)


def _blocks(stream: BinaryIO, width: int) -> Iterator[list[str]]:
    """The cells of some rows at a time, a line end as a cell of its own after each row.

    Raises _NotPlainError for a row of another width, a blank line, or a sign that needs the CSV reader.
    """
    rest = b""
    while block := stream.read(BLOCK):
        block = rest + block
        end = block.rfind(b"\n") + 1
        rest = block[end:]
        yield _cells(block[:end].decode(), width)
    if rest:
        yield _cells(f"{rest.decode()}\n", width)


def _cells(block: str, width: int) -> list[str]:
    block = block.replace("\r\n", "\n")
    cells = block.replace("\n", ",\n,").split(",")
    cells.pop()
    ends = cells[width :: width + 1]
    if '"' in block or "\r" in block or ends.count("\n") * (width + 1) != len(cells):
        raise _NotPlainError
    return cells
