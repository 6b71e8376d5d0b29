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

from banzuke.bulk.columns import MISSING
from banzuke.bulk.tables import place
from banzuke.office.columnar.coded import WIDEST, Column, Numbers, Same, bounds, joined, strung, worded
from banzuke.office.columnar.thrift import INT, LIST, LONG, STRUCT, TEXT, lists, struct, varint

if TYPE_CHECKING:
    from banzuke.bulk.columns import Int32s, Int64s
    from banzuke.office.columnar.coded import Bytes, Table, Words

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
            for collected, column in zip(self._columns, table.columns.values(), strict=True):
                collected.collect(_part(column, start, end), self._rows)
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


def _part(column: Column | Numbers, start: int, end: int) -> Column | Numbers:
    """Some rows of a column."""
    if isinstance(column, Numbers):
        return column._replace(values=column.values[start:end])
    return column._replace(codes=column.codes[start:end])


class _Collected:
    """A column of the row group that is being filled: places in a dictionary that grows with them.

    The dictionary is kept as parts of columns: of the words, or the numbers, that were new.
    """

    def __init__(self, name: str, *, is_count: bool) -> None:
        self.name, self.is_count = name, is_count
        self._numbers = np.empty(ROWS, np.int32)
        self._of_values = _Places(0, self._unmet(1))
        self.begin()

    def begin(self) -> None:
        """Empty, for the next group."""
        self.words = 0
        self._new: list[Column | Numbers] = []
        self._last: tuple[str, ...] = ()
        self._places = np.empty(0, np.int32)
        self._of_values = _Places(self._of_values.low, self._unmet(len(self._of_values.places)))
        self._places_are_numbers = True

    def _unmet(self, count: int) -> Int32s:
        """So many places, a blank's before all others; none was met."""
        places = np.full(count, NEW, np.int32)
        places[0] = BLANK if self.is_count else NEW
        return places

    def collect(self, column: Column | Numbers, at: int) -> None:
        """Rows from row `at` of the group on."""
        if isinstance(column, Numbers) and self._places_are_numbers:
            done = self._collect_numbers(column, at)
            column, at = column._replace(values=column.values[done:]), at + done
        if len(column[0]):
            self._places_are_numbers = False
            self._collect_words(worded(column), at)

    def _collect_numbers(self, column: Numbers, at: int) -> int:
        """Numbers by their place in a range, which is made wider where one lies outside; up to the widest."""
        values, out = column.values, self._numbers[at : at + len(column.values)]
        new, before, done = np.empty(len(values), np.int32), self.words, 0
        while done < len(values):
            here = new[self.words - before :]
            rows, self.words = _number_values(values[done:], *self._of_values, self.words, here, out[done:])
            done += rows
            if done < len(values) and not self._widen(*bounds(values[done:])):
                break
        if self.words > before:
            self._new.append(column._replace(values=new[: self.words - before]))
        return done

    def _widen(self, low: int, high: int) -> bool:
        """The range made to hold the numbers from `low` until `high`, too, if it is not too wide then."""
        first, places = self._of_values
        if len(places) > 1:
            low, high = min(low, first), max(high, first + len(places) - 1)
        if high - low > WIDEST:
            return False
        wider = self._unmet(high - low + 1)
        wider[0] = places[0]
        wider[first - low + 1 : first - low + len(places)] = places[1:]
        self._of_values = _Places(low, wider)
        return True

    def _collect_words(self, column: Column, at: int) -> None:
        codes, words = column
        if self._last is not words:
            self._last, self._places = words, self._places_of(words)
        first, new = _first_of_its_kind(Same(words)), np.empty(min(len(words), len(codes)), np.int32)
        before = self.words
        self.words = _number(codes, first, self._places, before, new, self._numbers[at : at + len(codes)])
        if self.words > before:
            self._new.append(Column(new[: self.words - before], words))

    def _places_of(self, words: tuple[str, ...]) -> Int32s:
        """The place of each word in the dictionary so far."""
        places = np.full(len(words), NEW, np.int32)
        if self._new:
            met = (part.words[code] for part in map(worded, self._new) for code in part.codes.tolist())
            numbers = {word: number for number, word in enumerate(met)}
            places[:] = [numbers.get(word, NEW) for word in words]
        if self.is_count:
            places[_counts(Same(words)).blank] = BLANK
        return places

    def dictionary(self) -> list[Buffer]:
        """The words of the group, plain."""
        if self.is_count:
            return [_values(part).data for part in self._new]
        return [joined(codes, _with_lengths(Same(words))) for codes, words in map(worded, self._new)]

    def page(self, rows: int) -> list[Buffer]:
        """The numbers of the group; of a count first which are not null."""
        numbers = self._numbers[:rows]
        if not self.is_count:
            return _packed(numbers, self.words)
        bits, given = np.zeros(-(-rows // 8), np.uint8), np.empty(rows, np.int32)
        count = _given(numbers, bits, given)
        levels = _levels(bits, rows, count)
        return [len(levels).to_bytes(4, "little"), levels, *_packed(given[:count], self.words)]


class _Places(NamedTuple):
    """Where numbers from `low` on stand in the dictionary; `places` has that of a blank before theirs."""

    low: int
    places: Int32s


def _values(part: Column | Numbers) -> Int64s:
    """Words of counts as numbers."""
    if isinstance(part, Numbers):
        return part.values.astype("<i8")
    return _counts(Same(part.words)).values[part.codes]


class _Counts(NamedTuple):
    """Words of a column of counts as numbers, and the codes of those that are blank."""

    values: Int64s
    blank: Int64s


@lru_cache(maxsize=64)
def _counts(same: Same) -> _Counts:
    words = same.words
    values = np.array([int(word or 0) for word in words], "<i8")
    return _Counts(values, np.array([code for code, word in enumerate(words) if not word], np.int64))


@lru_cache(maxsize=64)
def _first_of_its_kind(same: Same) -> Int32s:
    """The first code that says the same, for each code."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(word, code) for code, word in enumerate(same.words)], np.int32)


@lru_cache(maxsize=64)
def _with_lengths(same: Same) -> Words:
    """The words, each after its length in four bytes."""
    letters = [word.encode() for word in same.words]
    return strung(len(word).to_bytes(4, "little") + word for word in letters)


@njit(cache=True, nogil=True)
def _number(codes: Int32s, first: Int32s, places: Int32s, words: int, new: Int32s, numbers: Int32s) -> int:
    """The place of each code's word into `numbers`, and the codes of words not met before into `new`.

    `first` has the first code that says the same. There are `words` words in the dictionary before, and as
    many as it gives after.
    """
    before = words
    for row in range(len(codes)):
        code = place(codes[row])
        number = places[code]
        if number == NEW:
            said = first[code]
            if places[said] == NEW:
                places[said] = words
                new[words - before] = said
                words += 1
            number = places[code] = places[said]
        numbers[row] = number
    return words


@njit(cache=True, nogil=True)
def _number_values(
    values: Int32s, low: int, places: Int32s, words: int, new: Int32s, numbers: Int32s
) -> tuple[int, int]:
    """As `_number` for numbers, and how many rows were done: up to the first number that has no place yet."""
    before = words
    for row in range(len(values)):
        value, at = values[row], 0
        if value != MISSING:
            at = value - low + 1
            if at < 1 or at >= len(places):
                return row, words
        number = places[place(at)]
        if number == NEW:
            number = places[at] = words
            new[words - before] = value
            words += 1
        numbers[row] = number
    return len(values), words


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


@njit(cache=True, nogil=True)
def _given(numbers: Int32s, bits: Bytes, given: Int32s) -> int:
    """The numbers that are not blank, into `given`, and a bit for each of all; gives how many there are."""
    count = 0
    for row in range(len(numbers)):
        is_given = numbers[row] != BLANK
        given[count] = numbers[row]
        count += is_given
        bits[row >> 3] |= np.uint8(is_given) << np.uint8(row & 7)
    return count


def _levels(bits: Bytes, rows: int, given: int) -> bytes:
    """Which values are there, as one run of bits."""
    if given == rows:
        return varint(rows << 1) + b"\1"
    return varint(len(bits) << 1 | 1) + bits.tobytes()


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
