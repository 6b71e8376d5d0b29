"""The result files written table by table, as CSV or as Parquet (extra `bulk`)."""

import csv
from collections import deque
from collections.abc import Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

import numpy as np
from pyarrow import csv as pa_csv
from pyarrow import string

from banzuke.engine import result_rows
from banzuke.ledger.pool_rules import Pool
from banzuke.table_writer import parquet_file
from banzuke.table_writer.coded_columns import Column, Table, csv_blocks, header

#: Rows that may wait to be written while the next ones are made; one table may, however long.
WAITING = 1 << 20
#: Bytes of CSV read at a time; a row is shorter.
BLOCK = 1 << 24


class _Writer(Protocol):
    """Writes one file."""

    def append(self, table: Table) -> None:
        """More rows."""

    def close(self) -> None:
        """Whatever ends the file."""


class ResultFiles:
    """The result files of a run in a folder, each with its columns and its tables one after another.

    A context: the files are whole when it ends. They are written in a thread beside the work; an OSError of
    writing is raised where the next table is appended, or at the end. Files named in `late` are there only if
    they have rows.
    """

    def __init__(
        self,
        folder: Path,
        headers: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, frozenset[str]],
        *,
        as_parquet: bool,
        late: Collection[str] = (),
    ) -> None:
        self._streams = ExitStack()
        self._thread = self._streams.enter_context(ThreadPoolExecutor(1))
        self._jobs: deque[tuple[Future[None], int]] = deque()
        self._open = {
            name: partial(self._opened, folder, name, columns, counts[f"{name}.csv"], as_parquet=as_parquet)
            for name, columns in headers.items()
        }
        self._writers = {name: opened() for name, opened in self._open.items() if name not in late}

    def _opened(
        self, folder: Path, name: str, columns: tuple[str, ...], counts: frozenset[str], *, as_parquet: bool
    ) -> _Writer:
        path = folder / f"{name}.{'parquet' if as_parquet else 'csv'}"
        stream = self._streams.enter_context(path.open("wb"))
        return parquet_file.Writer(stream, columns, counts) if as_parquet else _CsvWriter(stream, columns)

    def append(self, name: str, table: Table) -> None:
        """More rows of the file `name`; the table has its columns in their order.

        The table's arrays must stay as they are until the file is closed.
        """
        if table.rows and name not in self._writers:
            self._writers[name] = self._open[name]()
        if name not in self._writers:
            return
        self._jobs.append((self._thread.submit(self._writers[name].append, table), table.rows))
        while len(self._jobs) > 1 and sum(rows for _, rows in self._jobs) > WAITING:
            job, _ = self._jobs.popleft()
            job.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        with self._streams:
            if kind is None:
                for job, _ in self._jobs:
                    job.result()
                for writer in self._writers.values():
                    writer.close()


def chess_files(folder: Path, pool: Pool, *, as_parquet: bool) -> ResultFiles:
    """The files `lists` and `changes` of a chess pool, and `adjusted`."""
    headers = {
        "lists": result_rows.list_header(pool.editions),
        "changes": result_rows.CHANGES,
        "adjusted": result_rows.ADJUSTED,
    }
    numbers = result_rows.number_columns(pool)
    return ResultFiles(folder, headers, numbers, as_parquet=as_parquet, late=("adjusted",))


def go_files(folder: Path, *, as_parquet: bool) -> ResultFiles:
    """The files `changes` and `standings` of a Go server."""
    headers = {"changes": result_rows.GO_CHANGES, "standings": result_rows.GO_STANDINGS}
    return ResultFiles(folder, headers, result_rows.GO_NUMBERS, as_parquet=as_parquet)


class _CsvWriter:
    """A header and rows as CSV."""

    def __init__(self, stream: BinaryIO, columns: tuple[str, ...]) -> None:
        self._stream = stream
        self._stream.write(header(columns))

    def append(self, table: Table) -> None:
        """More rows."""
        for block in csv_blocks(table):
            self._stream.write(block)

    def close(self) -> None:
        """Nothing ends a CSV file."""


def convert(path: Path, counts: frozenset[str]) -> None:
    """Turn a CSV file into the Parquet file that its tables would have made; the CSV file goes."""
    with path.open(encoding="utf-8", newline="") as source:
        columns = next(csv.reader(source))
    types = pa_csv.ConvertOptions(column_types=dict.fromkeys(columns, string()), strings_can_be_null=False)
    blocks = pa_csv.open_csv(path, pa_csv.ReadOptions(block_size=BLOCK), convert_options=types)
    with blocks, path.with_suffix(".parquet").open("wb") as stream:
        writer = parquet_file.Writer(stream, tuple(columns), counts)
        for batch in blocks:
            writer.append(Table({name: _column(batch.column(name)) for name in columns}))
        writer.close()
    path.unlink()


def _column(cells: Any) -> Column:
    """A column of strings, coded."""
    coded = cells.dictionary_encode()
    return Column(np.asarray(coded.indices, np.int32), tuple(coded.dictionary.to_pylist()))
