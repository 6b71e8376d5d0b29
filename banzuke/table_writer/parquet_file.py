"""Parquet files of coded columns: the same rows give the same bytes, in whatever pieces they come.

Every row group but the last has `ROWS` rows. A column of a group is a dictionary and one page of places in it
(`column_chunk`); nothing is compressed, for that little is left to gain. Counts are int64, null where the
cell is blank; all other columns are strings, never null.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO, NamedTuple

from banzuke.table_writer.coded_columns import AnyColumn, Table, copy_of, part_of
from banzuke.table_writer.column_chunk import Buffer, Chunk, chunk_of_counts, chunk_of_texts
from banzuke.table_writer.thrift import INT, LIST, LONG, STRUCT, TEXT, list_of, struct

#: Rows of a row group.
ROWS = 1 << 20

MAGIC = b"PAR1"
FORMAT = 2
CREATED_BY = b"banzuke"
# Numbers of the format: types, repetition, encodings, pages.
INT64, BYTE_ARRAY = 2, 6
REQUIRED, OPTIONAL = 0, 1
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
UTF8, UNCOMPRESSED = 0, 0


class _ColumnParts(NamedTuple):
    """A column of the row group that is being filled, in parts."""

    name: str
    is_count: bool
    parts: list[AnyColumn]


class Writer:
    """Writes a Parquet file of columns of those names into a stream, row group by row group."""

    def __init__(self, stream: BinaryIO, names: tuple[str, ...], counts: frozenset[str]) -> None:
        self._stream = stream
        self._columns = [_ColumnParts(name, name in counts, []) for name in names]
        self._rows, self._all_rows = 0, 0
        self._groups: list[bytes] = []
        self._at = stream.write(MAGIC)

    def append(self, table: Table) -> None:
        """More rows: the file's columns, in its order; they must stay as they are until it is closed."""
        start = 0
        while start < table.rows:
            end = min(table.rows, start + ROWS - self._rows)
            is_rest = end == table.rows and 2 * (end - start) < end  # most of the table is written
            for filled, column in zip(self._columns, table.columns.values(), strict=True):
                part = part_of(column, start, end)
                filled.parts.append(copy_of(part) if is_rest else part)
            self._rows += end - start
            start = end
            if self._rows == ROWS:
                self._write_group()

    def close(self) -> None:
        """Write what is left, and the footer. The stream stays open."""
        if self._rows:
            with ThreadPoolExecutor() as spare:  # nothing else is done meanwhile
                self._write_group(spare)
        footer = self._footer()
        self._stream.write(footer + len(footer).to_bytes(4, "little") + MAGIC)

    def _write_group(self, spare: ThreadPoolExecutor | None = None) -> None:
        """The group that is full, or the last; its columns side by side where threads are to spare."""
        start = self._at
        made = spare.map(_chunk_of, self._columns) if spare else map(_chunk_of, self._columns)
        chunks = [self._write_chunk(*each) for each in zip(self._columns, made, strict=True)]
        group = struct(
            (1, LIST, list_of(STRUCT, chunks)),
            (2, LONG, self._at - start),
            (3, LONG, self._rows),
        )
        self._groups.append(group)
        self._all_rows += self._rows
        self._rows = 0

    def _write_chunk(self, column: _ColumnParts, chunk: Chunk) -> bytes:
        """A column's dictionary and page; gives its record in the footer."""
        start = self._at
        self._write_page(DICTIONARY_PAGE, chunk.dictionary, (7, STRUCT, _dictionary_head(chunk.words)))
        data = self._at
        self._write_page(DATA_PAGE, chunk.page, (5, STRUCT, _page_head(self._rows)))
        return _chunk_record(column, self._rows, start, data, self._at - start)

    def _write_page(self, kind: int, page: list[Buffer], head: tuple[int, int, bytes]) -> None:
        size = sum(memoryview(part).nbytes for part in page)
        self._at += self._stream.write(struct((1, INT, kind), (2, INT, size), (3, INT, size), head))
        for part in page:
            self._at += self._stream.write(part)

    def _footer(self) -> bytes:
        root = struct((4, TEXT, b"schema"), (5, INT, len(self._columns)))
        return struct(
            (1, INT, FORMAT),
            (2, LIST, list_of(STRUCT, [root, *(_schema(column) for column in self._columns)])),
            (3, LONG, self._all_rows),
            (4, LIST, list_of(STRUCT, self._groups)),
            (6, TEXT, CREATED_BY),
        )


def _chunk_of(column: _ColumnParts) -> Chunk:
    """What the group's file has of a column, which is empty then."""
    chunk = (chunk_of_counts if column.is_count else chunk_of_texts)(column.parts)
    column.parts.clear()
    return chunk


def _dictionary_head(words: int) -> bytes:
    return struct((1, INT, words), (2, INT, PLAIN))


def _page_head(rows: int) -> bytes:
    return struct((1, INT, rows), (2, INT, RLE_DICTIONARY), (3, INT, RLE), (4, INT, RLE))


def _chunk_record(column: _ColumnParts, rows: int, start: int, data: int, size: int) -> bytes:
    """What the footer says of a column of a row group."""
    facts = struct(
        (1, INT, INT64 if column.is_count else BYTE_ARRAY),
        (2, LIST, list_of(INT, (PLAIN, RLE, RLE_DICTIONARY))),
        (3, LIST, list_of(TEXT, [column.name.encode()])),
        (4, INT, UNCOMPRESSED),
        (5, LONG, rows),
        (6, LONG, size),
        (7, LONG, size),
        (9, LONG, data),
        (11, LONG, start),
    )
    return struct((2, LONG, 0), (3, STRUCT, facts))


def _schema(column: _ColumnParts) -> bytes:
    """What the footer says of a column."""
    name = column.name.encode()
    if column.is_count:
        return struct((1, INT, INT64), (3, INT, OPTIONAL), (4, TEXT, name))
    string = struct((1, STRUCT, struct()))
    return struct(
        (1, INT, BYTE_ARRAY), (3, INT, REQUIRED), (4, TEXT, name), (6, INT, UTF8), (10, STRUCT, string)
    )
