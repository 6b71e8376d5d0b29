"""The same tables as Parquet (extra `bulk`): cells as text, read by the rules of the CSV cells."""

from __future__ import annotations

import csv
from array import array
from typing import TYPE_CHECKING, Any

from banzuke.core.fault import Fault, fault
from banzuke.ledger.table import Rows, header_is_good, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from banzuke.ledger.schema import Table


def read(path: Path, table: Table, faults: list[Fault]) -> Rows:
    """The rows of a Parquet file; a row's line is its number, the header's being 1."""
    rows = Rows(path.name, [], array("I"))
    try:
        import pyarrow as pa
        from pyarrow import parquet as pq
    except ImportError:
        faults.append(fault(path.name, 0, "", "no-parquet"))
        return rows
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        faults.append(fault(path.name, 0, "", "not-parquet", error=error))
        return rows
    with file:
        header = list(file.schema_arrow.names)
        if header_is_good(path.name, header, table, faults):
            read_rows(rows, header, _numbered(file), table, faults)
    return rows


def _numbered(file: Any) -> Iterator[tuple[int, list[str]]]:
    line = 1
    for batch in file.iter_batches():
        columns = [[_cell(value) for value in column.to_pylist()] for column in batch.columns]
        for row in zip(*columns, strict=True):
            line += 1
            yield line, list(row)


def _cell(value: Any) -> str:
    """A Parquet value as the CSV would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if hasattr(value, "isoformat"):
        text: str = value.isoformat()
        return text
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


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
