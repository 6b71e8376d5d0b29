"""Parquet files of coded columns: the same rows give the same bytes, in whatever pieces they come.

Every row group but the last has `ROWS` rows. A column of a group is a dictionary, the words in the order in
which they first appear, and one page of numbers into it, packed to as many bits as the largest needs;
nothing is compressed, for that little is left to gain. Counts are int64, null where the cell is blank; all
other columns are strings, never null.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np
from numba import njit

from banzuke.office.columnar.coded import joined, pooled
from banzuke.office.columnar.thrift import INT, LIST, LONG, STRUCT, TEXT, lists, struct, varint

if TYPE_CHECKING:
    from banzuke.bulk.columns import Flags, Int32s, Int64s
    from banzuke.office.columnar.coded import Pool, Table

    Buffer = bytes | memoryview

#: Rows of a row group.
ROWS = 1 << 19
#: In the places of words: not met in this group; a blank count.
NEW, BLANK = -1, -2

LONG_BITS = 64
MAGIC = b"PAR1"
FORMAT = 2
CREATED_BY = b"banzuke"
# Numbers of the format: types, repetition, encodings, pages.
INT64, BYTE_ARRAY = 2, 6
REQUIRED, OPTIONAL = 0, 1
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
UTF8, UNCOMPRESSED = 0, 0


class _Segment(NamedTuple):
    """Words of a group's dictionary: some of a column's words, by code, in order."""

    words: tuple[str, ...]
    codes: Int32s


class Writer:
    """Writes a Parquet file of columns of those names into a stream, row group by row group."""

    def __init__(self, stream: BinaryIO, names: tuple[str, ...], counts: frozenset[str]) -> None:
        self._stream = stream
        self._columns = [_Collected(name, is_count=name in counts) for name in names]
        self._rows, self._all_rows = 0, 0
        self._groups: list[bytes] = []
        self._at = stream.write(MAGIC)

    def append(self, table: Table) -> None:
        """More rows; the table's columns are those of the file, in its order."""
        start = 0
        while start < table.rows:
            end = min(table.rows, start + ROWS - self._rows)
            for collected, (codes, words) in zip(self._columns, table.columns.values(), strict=True):
                collected.collect(codes[start:end], words, self._rows)
            self._rows += end - start
            start = end
            if self._rows == ROWS:
                self._write_group()

    def close(self) -> None:
        """Write what is left, and the footer. The stream stays open."""
        if self._rows:
            self._write_group()
        footer = self._footer()
        self._stream.write(footer + len(footer).to_bytes(4, "little") + MAGIC)

    def _write_group(self) -> None:
        start = self._at
        chunks = [self._write_chunk(column) for column in self._columns]
        group = struct(
            (1, LIST, lists(STRUCT, chunks)),
            (2, LONG, self._at - start),
            (3, LONG, self._rows),
        )
        self._groups.append(group)
        self._all_rows += self._rows
        self._rows = 0

    def _write_chunk(self, column: _Collected) -> bytes:
        """A column's dictionary and page; gives its record in the footer."""
        start = self._at
        self._write_page(DICTIONARY_PAGE, column.dictionary(), (7, STRUCT, _dictionary_head(column.words)))
        data = self._at
        self._write_page(DATA_PAGE, column.page(self._rows), (5, STRUCT, _page_head(self._rows)))
        column.begin()
        return _chunk(column, self._rows, start, data, self._at - start)

    def _write_page(self, kind: int, page: list[Buffer], head: tuple[int, int, bytes]) -> None:
        size = sum(memoryview(part).nbytes for part in page)
        self._at += self._stream.write(struct((1, INT, kind), (2, INT, size), (3, INT, size), head))
        for part in page:
            self._at += self._stream.write(part)

    def _footer(self) -> bytes:
        root = struct((4, TEXT, b"schema"), (5, INT, len(self._columns)))
        return struct(
            (1, INT, FORMAT),
            (2, LIST, lists(STRUCT, [root, *(_schema(column) for column in self._columns)])),
            (3, LONG, self._all_rows),
            (4, LIST, lists(STRUCT, self._groups)),
            (6, TEXT, CREATED_BY),
        )


class _Collected:
    """A column of the row group that is being filled: numbers into a dictionary that grows with them."""

    def __init__(self, name: str, *, is_count: bool) -> None:
        self.name, self.is_count = name, is_count
        self._numbers = np.empty(ROWS, np.int32)
        self.begin()

    def begin(self) -> None:
        """Empty, for the next group."""
        self.words = 0
        self._segments: list[_Segment] = []
        self._last: tuple[str, ...] = ()
        self._places = np.empty(0, np.int32)

    def collect(self, codes: Int32s, words: tuple[str, ...], at: int) -> None:
        """Rows from row `at` of the group on."""
        if self._last is not words:
            self._last, self._places = words, self._places_of(words)
        first = _first_of_its_kind(words)
        codes = codes if first is None else first[codes]
        new = np.empty(min(len(words), len(codes)), np.int32)
        before = self.words
        self.words = _number(codes, self._places, before, new, self._numbers[at : at + len(codes)])
        if self.words > before:
            self._segments.append(_Segment(words, new[: self.words - before]))

    def _places_of(self, words: tuple[str, ...]) -> Int32s:
        """The place of each word in the dictionary so far."""
        places = np.full(len(words), NEW, np.int32)
        if self._segments:
            met = (segment.words[code] for segment in self._segments for code in segment.codes.tolist())
            numbers = {word: number for number, word in enumerate(met)}
            places[:] = [numbers.get(word, NEW) for word in words]
        if self.is_count:
            places[_counts(words).blank] = BLANK
        return places

    def dictionary(self) -> list[Buffer]:
        """The words of the group, plain."""
        if self.is_count:
            return [_counts(words).values[codes].data for words, codes in self._segments]
        return [joined(codes, _with_lengths(words)) for words, codes in self._segments]

    def page(self, rows: int) -> list[Buffer]:
        """The numbers of the group; of a count first which are not null."""
        numbers = self._numbers[:rows]
        if not self.is_count:
            return _packed(numbers, self.words)
        given = numbers != BLANK
        levels = _levels(given)
        return [len(levels).to_bytes(4, "little"), levels, *_packed(numbers[given], self.words)]


class _Counts(NamedTuple):
    """Words of a column of counts as numbers, and the codes of those that are blank."""

    values: Int64s
    blank: Int64s


@lru_cache(maxsize=64)
def _counts(words: tuple[str, ...]) -> _Counts:
    values = np.array([int(word or 0) for word in words], "<i8")
    return _Counts(values, np.array([code for code, word in enumerate(words) if not word], np.int64))


@lru_cache(maxsize=64)
def _first_of_its_kind(words: tuple[str, ...]) -> Int32s | None:
    """The first code that says the same, for each code; None where all words differ."""
    first: dict[str, int] = {}
    codes = [first.setdefault(word, code) for code, word in enumerate(words)]
    return None if len(first) == len(words) else np.array(codes, np.int32)


@lru_cache(maxsize=64)
def _with_lengths(words: tuple[str, ...]) -> Pool:
    """The words, each after its length in four bytes."""
    letters = [word.encode() for word in words]
    return pooled(len(word).to_bytes(4, "little") + word for word in letters)


@njit(cache=True, nogil=True)
def _number(codes: Int32s, places: Int32s, words: int, new: Int32s, numbers: Int32s) -> int:
    """The place of each code's word into `numbers`, and the codes of words not met before into `new`.

    There are `words` words in the dictionary before, and as many as it gives after.
    """
    first = words
    for row in range(len(codes)):
        place = places[codes[row]]
        if place == NEW:
            place = places[codes[row]] = words
            new[words - first] = codes[row]
            words += 1
        numbers[row] = place
    return words


def _packed(numbers: Int32s, words: int) -> list[Buffer]:
    """Numbers into a dictionary of so many words: their width in bits, and one run of them."""
    width = max(words - 1, 1).bit_length()
    if words <= 1:
        return [bytes([width]), varint(len(numbers) << 1), b"\0"] if len(numbers) else [bytes([width])]
    eights = -(-len(numbers) // 8)
    bits = np.zeros(-(-eights * width // 8), "<i8")
    _pack(numbers, width, bits)
    return [bytes([width]), varint(eights << 1 | 1), bits.view(np.uint8)[: eights * width].data]


@njit(cache=True, nogil=True)
def _pack(numbers: Int32s, width: int, bits: Int64s) -> None:
    """The numbers, `width` bits each, one after another from the lowest bit on."""
    collected, filled, at = np.int64(0), 0, 0
    for number in numbers:
        collected |= np.int64(number) << filled
        filled += width
        if filled >= LONG_BITS:
            bits[at] = collected
            at += 1
            filled -= LONG_BITS
            collected = np.int64(number) >> (width - filled)
    if filled:
        bits[at] = collected


def _levels(given: Flags) -> bytes:
    """Which values are there, as one run of bits."""
    if given.all():
        return varint(len(given) << 1) + b"\1"
    eights = -(-len(given) // 8)
    return varint(eights << 1 | 1) + np.packbits(given, bitorder="little").tobytes()


def _dictionary_head(words: int) -> bytes:
    return struct((1, INT, words), (2, INT, PLAIN))


def _page_head(rows: int) -> bytes:
    return struct((1, INT, rows), (2, INT, RLE_DICTIONARY), (3, INT, RLE), (4, INT, RLE))


def _chunk(column: _Collected, rows: int, start: int, data: int, size: int) -> bytes:
    """What the footer says of a column of a row group."""
    facts = struct(
        (1, INT, INT64 if column.is_count else BYTE_ARRAY),
        (2, LIST, lists(INT, (PLAIN, RLE, RLE_DICTIONARY))),
        (3, LIST, lists(TEXT, [column.name.encode()])),
        (4, INT, UNCOMPRESSED),
        (5, LONG, rows),
        (6, LONG, size),
        (7, LONG, size),
        (9, LONG, data),
        (11, LONG, start),
    )
    return struct((2, LONG, 0), (3, STRUCT, facts))


def _schema(column: _Collected) -> bytes:
    """What the footer says of a column."""
    name = column.name.encode()
    if column.is_count:
        return struct((1, INT, INT64), (3, INT, OPTIONAL), (4, TEXT, name))
    string = struct((1, STRUCT, struct()))
    return struct(
        (1, INT, BYTE_ARRAY), (3, INT, REQUIRED), (4, TEXT, name), (6, INT, UTF8), (10, STRUCT, string)
    )
