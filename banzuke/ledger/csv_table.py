"""One table of a ledger as a CSV file: rows with their lines, every fault with its address.

What spreadsheet programs leave at a table's end is passed over: rows with nothing in them below the last one,
and columns without a name behind the last one, as long as all their cells are blank.
"""

import csv
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from banzuke.core.fault import MOST_FAULTS, Fault, fault
from banzuke.ledger import fast_csv
from banzuke.ledger.cells import CellError, Kind
from banzuke.ledger.records import Memo, Rows, record_of, value_of
from banzuke.ledger.schema import Table

#: What programs put between cells in place of a comma, as a sentence shows it.
SEPARATORS = {";": ";", "\t": "Tab"}
#: What a spreadsheet program writes above a table to remember the separator.
SEPARATOR_LINE = "sep="
#: How the workbooks of spreadsheet programs begin: XLSX and ODS, XLS.
WORKBOOKS = (b"PK\3\4", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def is_special(path: Path) -> bool:
    """Whether reading it might never end: a pipe or a device."""
    return path.exists() and not path.is_file() and not path.is_dir()


def read_csv(path: Path, table: Table, faults: list[Fault]) -> Rows:
    """The rows of a CSV file; rows that could not be read are left out, with a fault each.

    A file that is as plain as files mostly are is read by blocks, in a third of the time; one that
    is not, or that has a fault, row by row.
    """
    rows = fast_csv.read(path, table)
    if rows is not None:
        return rows
    rows = Rows(path.name)
    try:
        if _is_workbook(path):
            faults.append(fault(path.name, 0, "", "workbook"))
            rows.is_whole = False
            return rows
        with path.open(encoding="utf-8-sig", newline="") as stream:
            _read(rows, _lines_of(stream, rows, faults), table, faults)
    except UnicodeDecodeError:
        faults.append(encoding_fault(path.name, path.read_bytes()))
        rows.is_whole = False
    except OSError as error:
        faults.append(fault(path.name, 0, "", "unreadable", error=error.strerror))
        rows.is_whole = False
    return rows


def _is_workbook(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(max(map(len, WORKBOOKS))).startswith(WORKBOOKS)


def encoding_fault(file: str, data: bytes) -> Fault:
    """The first line that is not UTF-8."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            return fault(file, number, "", "not-utf8", byte=error.start + 1)
    return fault(file, 0, "", "not-utf8", byte=1)


def _lines_of(stream: TextIO, rows: Rows, faults: list[Fault]) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line that each begins on; blank lines are passed over."""
    reader = csv.reader(stream, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        faults.append(fault(rows.file, line, "", "not-csv", error=error))
        rows.is_whole = False


def _read(rows: Rows, numbered: Iterator[tuple[int, list[str]]], table: Table, faults: list[Fault]) -> None:
    """The rows below a header that the table knows."""
    line, header = next(numbered, (0, []))
    if not header:
        if rows.is_whole:
            faults.append(fault(rows.file, 0, "", "no-header", columns=", ".join(table.columns)))
        rows.is_whole = False
    elif header[0].lower().startswith(SEPARATOR_LINE):
        faults.append(fault(rows.file, line, "", "separator-line", text=",".join(header).strip()))
        rows.is_whole = False
    elif sign := _other_separator(header, table):
        faults.append(fault(rows.file, line, "", "separator", sign=SEPARATORS[sign]))
        rows.is_whole = False
    else:
        named = _named(header)
        if len(named) < len(header):
            numbered = _rows_of_named(rows.file, line, header, len(named), numbered, table, faults)
        _read_below(rows, line, named, numbered, table, faults)


def _named(header: list[str]) -> list[str]:
    """The columns up to the last that has a name."""
    width = max((at for at, name in enumerate(header, 1) if name.strip()), default=len(header))
    return header[:width]


def _rows_of_named(
    file: str,
    line: int,
    header: list[str],
    width: int,
    numbered: Iterable[tuple[int, list[str]]],
    table: Table,
    faults: list[Fault],
) -> Iterator[tuple[int, list[str]]]:
    """The rows without the columns behind the last name; the first that has something there is a fault."""
    is_good = True
    for number, row in numbered:
        if len(row) > len(header):  # as a text with a comma in it makes a row: said below
            yield number, row
            continue
        if is_good and any(map(str.strip, row)):
            if any(map(str.strip, row[width:])):
                faults.append(fault(file, number, "", "unnamed-column", place=width + 1))
                is_good = False
            elif len(row) != len(header):
                faults.append(_unknown_column(file, line, header[width], table))
                is_good = False
        yield number, row[:width]


def _read_below(
    rows: Rows,
    line: int,
    header: list[str],
    numbered: Iterator[tuple[int, list[str]]],
    table: Table,
    faults: list[Fault],
) -> None:
    """The rows below a header; as far as it is known where it is not good, to show their faults too."""
    if header_is_good(rows, line, header, table, faults):
        read_rows(rows, header, numbered, table, faults)
        return
    meant = [_meant_column(name, table) or name for name in header]
    if table.required <= set(meant):
        _read_known(rows, meant, numbered, table, faults)


def _other_separator(header: list[str], table: Table) -> str | None:
    """What stands between the columns in place of commas; None where commas do."""
    (cell, *others) = header
    named = (sign for sign in SEPARATORS if not others and cell.partition(sign)[0] in table.columns)
    return next((sign for sign in named if sign in cell), None)


def _read_known(
    rows: Rows,
    header: list[str],
    numbered: Iterator[tuple[int, list[str]]],
    table: Table,
    faults: list[Fault],
) -> None:
    """The columns that the table knows, so that the faults of their rows are shown in one go."""
    known = [n for n, name in enumerate(header) if name in table.columns and name not in header[:n]]
    fitting = ((line, row) for line, row in numbered if len(row) == len(header))
    cells = ((line, [row[n] for n in known]) for line, row in fitting)
    rows.is_whole = True
    read_rows(rows, [header[n] for n in known], cells, table, faults)


def header_is_good(rows: Rows, line: int, header: list[str], table: Table, faults: list[Fault]) -> bool:
    """Whether every column is one of the table's, once, and none that is required is missing."""
    before, written_otherwise = len(faults), set[str]()
    for position, name in enumerate(header):
        meant = _meant_column(name, table)
        if meant and meant != name and meant not in header and meant not in written_otherwise:
            written_otherwise.add(meant)
            faults.append(fault(rows.file, line, name, "column-spelling", value=name, name=meant))
        elif name not in table.columns:
            faults.append(_unknown_column(rows.file, line, name, table))
        elif name in header[:position]:
            faults.append(fault(rows.file, line, name, "double-column"))
    missing = [name for name in table.columns if name in table.required and name not in header]
    faults += [
        fault(rows.file, line, name, "missing-column") for name in missing if name not in written_otherwise
    ]
    rows.is_whole = len(faults) == before
    return rows.is_whole


def _unknown_column(file: str, line: int, name: str, table: Table) -> Fault:
    return fault(file, line, name, "unknown-column", value=name, columns=", ".join(table.columns))


def _meant_column(name: str, table: Table) -> str | None:
    """The table's column of that name, whatever its case, width, blanks and hyphens; None: there is none."""
    plain = unicodedata.normalize("NFKC", name).strip().casefold()
    plain = "_".join(plain.replace("-", " ").replace("_", " ").split())
    return plain if plain in table.columns else None


def read_rows(
    rows: Rows,
    header: list[str],
    numbered: Iterable[tuple[int, list[str]]],
    table: Table,
    faults: list[Fault],
) -> None:
    """Cells are read by column; a value that a column has had before is not read again.

    Rows with nothing in them are one fault together; those below the last row are passed over.
    """
    readers = [Memo(table.columns[name], required=name in table.required) for name in header]
    record = record_of(table, header)
    width, append, note = len(header), rows.records.append, rows.lines.append
    key_at = header.index(next(iter(table.columns)))
    first_blank = blank = between = 0
    for line, row in numbered:
        if not any(map(str.strip, row)):
            first_blank, blank = first_blank or line, blank + 1
            continue
        between = blank
        if len(row) != width:
            faults.append(fault(rows.file, line, "", "row-width", cells=len(row), columns=width))
            rows.left_out.update(row[key_at : key_at + 1])
            continue
        try:
            append(record([memo[cell] for memo, cell in zip(readers, row, strict=True)]))
            note(line)
        except CellError:
            _note_faults(rows.file, line, header, row, readers, faults)
            rows.left_out.add(row[key_at])
        if len(faults) >= MOST_FAULTS:
            break
    if between:
        faults.append(fault(rows.file, first_blank, "", "blank-rows", count=between))


def _note_faults(
    file: str, line: int, header: list[str], row: list[str], readers: list[Memo], faults: list[Fault]
) -> None:
    """Every fault of a row, cell by cell."""
    for name, cell, memo in zip(header, row, readers, strict=True):
        try:
            memo[cell]
        except CellError as error:
            faults.append(fault(file, line, name, error.code, **error.facts))


def cell_faults(table: Table, record: Any) -> list[Fault]:
    """What of a record the table's file could not hold, or would not be read from it again."""
    faults: list[Fault] = []
    for name, kind in table.columns.items():
        try:
            Memo(kind, required=name in table.required)[_cell(value_of(record, table, name), kind)]
        except CellError as error:
            faults.append(fault("", 0, name, error.code, **error.facts))
    return faults


def write_csv(stream: TextIO, table: Table, records: Iterable[Any]) -> None:
    """The records as CSV, in the table's order of columns; reading it gives the same records."""
    rows = list(records) if table.left_out else records
    unused = {name for name in table.left_out if not any(value_of(row, table, name) for row in rows)}
    columns = {name: kind for name, kind in table.columns.items() if name not in unused}
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(_cell(value_of(row, table, name), kind) for name, kind in columns.items())


def _cell(value: Any, kind: Kind) -> str:
    return "" if value is None or value == "" else kind.write(value)
