"""The rows of a plain table by Arrow's blocks: cells as text, most of them once a block for each word.

Plain is what `ledger.fast_csv` takes: UTF-8, no quotation mark, line ends of Unix or Windows, every row as
wide as the header, which has the table's columns; in Parquet, columns of text and whole numbers. What is
not plain is left to the reader of rows, which gives the very same records, and the faults.
"""

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv as pa_csv
from pyarrow import parquet as pq

from banzuke.core.fault import Fault
from banzuke.ledger.csv_table import is_special
from banzuke.ledger.folder import read_table, tables_of_chess
from banzuke.ledger.pool_rules import Pool, read_pool
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import Table, tables_of

#: How much of a CSV file is read at once, in bytes, and of a Parquet file, in rows.
BLOCK, ROWS = 1 << 23, 1 << 19

WORDS = pa.dictionary(pa.int32(), pa.string())


class NotPlainError(Exception):
    """The table is to be read row by row."""


@contextmanager
def plain_or_not() -> Iterator[None]:
    """An error of Arrow, or in the data, becomes NotPlainError."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        raise NotPlainError from error


def small_tables(folder: Path, *, is_go: bool) -> tuple[Pool, dict[str, Rows]]:
    """The pool and the tables but the games, by the ledger's own readers; not checked against each other.

    Raises NotPlainError where any has a fault, and where the pool is of the other kind.
    """
    faults = list[Fault]()
    try:
        names = {path.name for path in folder.iterdir()}
    except (OSError, ValueError):
        raise NotPlainError from None
    pool = read_pool(folder, faults)
    if pool is None or pool.is_go is not is_go or tables_of_chess(names, pool):
        raise NotPlainError
    tables = {
        table.name: Rows("games.csv") if table.name == "games" else read_table(folder, names, table, faults)
        for table in tables_of(pool)
    }
    if faults:
        raise NotPlainError
    return pool, tables


def blocks(folder: Path, table: Table, texts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The columns that the file has, by name, some rows at a time.

    Those named in `texts` are string arrays, the others dictionary arrays. Raises NotPlainError.
    """
    path = _file_of(folder, table)
    of_its_kind = _of_csv if path.suffix == ".csv" else _of_parquet
    with plain_or_not():
        for batch in of_its_kind(path, table, texts):
            yield dict(zip(batch.schema.names, batch.columns, strict=True))


def most_rows(folder: Path, table: Table) -> int:
    """How many rows the table's file can have at most, if none lacks a cell; of Parquet what it says itself.

    Raises NotPlainError.
    """
    path = _file_of(folder, table)
    with plain_or_not():
        if path.suffix == ".csv":
            return path.stat().st_size // (2 * len(table.required))  # a letter and a sign after it each
        return int(pq.read_metadata(path).num_rows)


def _file_of(folder: Path, table: Table) -> Path:
    """The table's one file. Raises NotPlainError where there is none, or two, or a pipe."""
    both = (folder / f"{table.name}.csv", folder / f"{table.name}.parquet")
    found = [path for path in both if path.exists() or path.is_symlink()]
    if len(found) != 1 or is_special(found[0]):
        raise NotPlainError
    return found[0]


def _check_header(header: list[str], table: Table) -> None:
    names = set(header)
    if len(names) != len(header) or not table.required <= names <= set(table.columns):
        raise NotPlainError


def _of_csv(path: Path, table: Table, texts: Iterable[str]) -> Iterator[Any]:
    with path.open("rb") as stream:
        header = stream.readline().decode("utf-8-sig").rstrip("\r\n").split(",")
    _check_header(header, table)
    _check_signs(path)
    types = dict.fromkeys(header, WORDS) | {name: pa.string() for name in texts if name in header}
    reader = pa_csv.open_csv(
        path,
        pa_csv.ReadOptions(block_size=BLOCK, column_names=header, skip_rows=1),
        pa_csv.ParseOptions(quote_char=False),
        pa_csv.ConvertOptions(column_types=types, null_values=[], strings_can_be_null=False),
    )
    with reader:
        for batch in reader:
            if any(_longest(column) > csv.field_size_limit() for column in batch.columns):
                raise NotPlainError
            yield batch


def _check_signs(path: Path) -> None:
    """No quotation mark, and no line end but those of Unix and Windows."""
    before, returns, windows_ends = b"", 0, 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            if b'"' in block:
                raise NotPlainError
            returns += block.count(b"\r")
            windows_ends += (before + block).count(b"\r\n") if returns else 0
            before = block[-1:]
    if returns != windows_ends:
        raise NotPlainError


def _longest(column: Any) -> int:
    """The bytes of a column's longest cell."""
    words = column.dictionary if pa.types.is_dictionary(column.type) else column
    return pc.max(pc.binary_length(words)).as_py() or 0


def _of_parquet(path: Path, table: Table, texts: Iterable[str]) -> Iterator[Any]:
    schema = pq.read_schema(path)
    _check_header(list(schema.names), table)
    if not all(_is_plain(column.type) for column in schema):
        raise NotPlainError
    coded = [column.name for column in schema if _is_text(column.type) and column.name not in texts]
    with pq.ParquetFile(path, read_dictionary=coded) as file:
        for batch in file.iter_batches(ROWS):
            columns = [
                _text(column) if name in texts else _words(column)
                for name, column in zip(schema.names, batch.columns, strict=True)
            ]
            yield pa.record_batch(columns, names=schema.names)


def _is_plain(kind: Any) -> bool:
    return _is_text(kind) or bool(pa.types.is_integer(kind))


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _words(column: Any) -> Any:
    """A column as a dictionary of words, the blank one where it holds nothing."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    words, indices = coded.dictionary.cast(pa.string()), coded.indices
    if coded.null_count:
        indices = indices.fill_null(len(words))
        words = pa.concat_arrays([words, pa.array([""])])
    return pa.DictionaryArray.from_arrays(indices.cast(pa.int32()), words)


def _text(column: Any) -> Any:
    """A column as text, blank where it holds nothing."""
    return column.cast(pa.string()).fill_null("")
