"""The same tables as Parquet (extra `bulk`): cells as text, read by the rules of the CSV cells."""

import csv
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.ledger.csv_table import header_is_good, read_rows
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import Table


def read(path: Path, table: Table, faults: list[Fault]) -> Rows:
    """The rows of a Parquet file; a row's line is its number, the header's being 1."""
    rows = Rows(path.name)
    try:
        import pyarrow as pa
        from pyarrow import parquet as pq
    except ImportError:
        faults.append(fault(path.name, 0, "", "no-parquet"))
        rows.is_whole = False
        return rows
    try:
        with pq.ParquetFile(path) as file:
            header = list(file.schema_arrow.names)
            if header_is_good(rows, 1, header, table, faults) and _columns_are_plain(file, rows, faults):
                read_rows(rows, header, _numbered_rows(file), table, faults)
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        # a damaged file, or a day, an instant or a time zone that Python does not have
        faults.append(fault(path.name, 0, "", "not-parquet", error=error))
        rows.is_whole = False
    return rows


def _columns_are_plain(file: Any, rows: Rows, faults: list[Fault]) -> bool:
    """Whether every column holds single values, not lists or records."""
    for column in file.schema_arrow:
        if column.type.num_fields:
            faults.append(fault(rows.file, 1, column.name, "parquet-type", type=column.type))
            rows.is_whole = False
    return rows.is_whole


def _numbered_rows(file: Any) -> Iterator[tuple[int, list[str]]]:
    line = 1
    for batch in file.iter_batches():
        columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
        for row in zip(*columns, strict=True):
            line += 1
            yield line, list(row)


def _cell(value: Any) -> str:
    """A Parquet value as the CSV would write it."""
    match value:
        case None:
            text = ""
        case bytes():
            text = value.decode()
        case datetime() if value.tzinfo is None and value.time() == time.min:
            text = value.date().isoformat()  # a day, as pandas keeps it
        case date() | time():
            text = value.isoformat()
        case bool():
            text = str(int(value))
        case float() if value.is_integer():
            text = str(int(value))
        case Decimal():
            text = f"{value.normalize():f}"
        case _:
            text = str(value)
    return text


def convert(path: Path, counts: frozenset[str]) -> None:
    """Turn a CSV file into Parquet beside it: the same columns, `counts` as int64, the rest as strings.

    The CSV file goes. Raises ModuleNotFoundError without the extra `bulk`.
    """
    import pyarrow as pa
    from pyarrow import csv as pa_csv
    from pyarrow import parquet as pq

    with path.open(encoding="utf-8", newline="") as stream:
        header = next(csv.reader(stream))
    types = {name: pa.int64() if name in counts else pa.string() for name in header}
    options = pa_csv.ConvertOptions(column_types=types, strings_can_be_null=False)
    pq.write_table(pa_csv.read_csv(path, convert_options=options), path.with_suffix(".parquet"))
    path.unlink()
