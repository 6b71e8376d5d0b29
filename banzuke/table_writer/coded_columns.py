"""Tables of columns, and their rows as CSV: each word is rendered once, the rows are joined by number.

A column is a code a row and what each code says (`Column`), a number a row and how it is said (`Numbers`), or
runs of the same code (`Runs`). What is said is the cell's text as a file has it, unquoted.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from io import StringIO
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
AnyColumn: TypeAlias = "Column | Numbers | Runs"

#: A blank number: smaller than any other.
MISSING = -(2**31)
#: Rows joined at a time: their cells and their text stay in the processor's cache.
ROWS = 1 << 13
#: Bytes copied at a time; a word may be followed by so many that the next one overwrites.
STRIDE = 16
#: Numbers within a range so wide are coded by their place in it, others by their place among those there are.
WIDEST = 1 << 17
#: Ranges begin and end at multiples of it, so that the words of one list mostly serve the next.
STEP = 1 << 10
#: Added to a number, in 32 bits, so that a blank becomes the largest.
BLANK_IS_LAST = -MISSING - 1
#: A letter that may need a quotation mark.
NOT_PLAIN = re.compile(r"[^\w.:/+\-]")


class Column(NamedTuple):
    """A code a row, and the text of each code, a blank cell's being empty."""

    codes: Int32s
    words: tuple[str, ...]


class Numbers(NamedTuple):
    """A number a row, and how it is written (as by `decimal`), no two alike; MISSING is an empty cell."""

    values: Int32s
    say: Callable[[int], str] = str


class Runs(NamedTuple):
    """Rows of which many in turn say the same: a code a run, the row after its last, the text of each code.

    No run is empty.
    """

    codes: Int32s
    ends: Int64s
    words: tuple[str, ...]


class WordsKey:
    """Words by which something is kept: the very tuple, for a million words take long to compare."""

    __slots__ = ("words",)

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words

    def __hash__(self) -> int:
        return id(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordsKey) and self.words is other.words


class Table(NamedTuple):
    """Columns of the same length, in the order in which they are written."""

    columns: dict[str, AnyColumn]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return rows_of(next(iter(self.columns.values())))


class Words(NamedTuple):
    """Words one after another; word w is the bytes `starts[w]` to `starts[w + 1]`."""

    text: Bytes
    starts: Int64s


def constant(word: str, rows: int) -> Runs:
    """The same word in every row."""
    return runs(np.zeros(1, np.int32), np.array([rows]), (word,))


def runs(codes: Int32s, lengths: Int64s, words: tuple[str, ...]) -> Runs:
    """So many rows of each code."""
    some = np.flatnonzero(lengths)
    return Runs(codes[some], np.cumsum(lengths[some]), words)


def rows_of(column: AnyColumn) -> int:
    """How many rows a column has."""
    if isinstance(column, Runs):
        return int(column.ends[-1]) if len(column.ends) else 0
    return len(column[0])


def part_of(column: AnyColumn, start: int, end: int) -> AnyColumn:
    """Some rows of a column."""
    if isinstance(column, Numbers):
        return column._replace(values=column.values[start:end])
    if isinstance(column, Column):
        return column._replace(codes=column.codes[start:end])
    ends = np.clip(column.ends, start, end) - start
    return runs(column.codes, np.diff(ends, prepend=0), column.words)


def copy_of(column: AnyColumn) -> AnyColumn:
    """A column that holds on to no larger one of which it is a part."""
    if isinstance(column, Numbers):
        return column._replace(values=column.values.copy())
    if isinstance(column, Column):
        return column._replace(codes=column.codes.copy())
    return column  # parts of runs are arrays of their own


def to_words(column: AnyColumn) -> Column:
    """A code a row, and in words."""
    if isinstance(column, Column):
        return column
    if isinstance(column, Runs):
        return Column(np.repeat(column.codes, np.diff(column.ends, prepend=0)), column.words)
    values, say = column
    low, high = bounds(values)
    if high - low <= WIDEST:
        return Column(_places(values, low), _number_words(say, low, high))
    found, codes = np.unique(values, return_inverse=True)
    words = tuple("" if value == MISSING else say(value) for value in found.tolist())
    return Column(codes.astype(np.int32), words)


def bounds(values: Int32s) -> tuple[int, int]:
    """A range that has all numbers which are not blank, from multiples of STEP to such."""
    low, high = extent(values)
    if low > high:
        low = high = 0
    return low // STEP * STEP, (high // STEP + 1) * STEP


@njit(cache=True, nogil=True)
def extent(values: Int32s) -> tuple[int, int]:
    """The smallest and the largest number that is not blank; where there is none, the largest is smaller."""
    low, high = np.uint32(2**32 - 1), np.int32(MISSING)
    for row in range(len(values)):  # several at a time, as long as all keeps to 32 bits
        value = values[row]
        from_first = np.uint32(np.uint32(value) + np.uint32(BLANK_IS_LAST))
        low = min(low, from_first)
        high = max(high, value)
    return int(low) - BLANK_IS_LAST, int(high)


@lru_cache(maxsize=64)
def _number_words(say: Callable[[int], str], low: int, high: int) -> tuple[str, ...]:
    """A blank, and the numbers from `low` until `high`."""
    return ("", *map(say, range(low, high)))


@njit(cache=True, nogil=True)
def _places(values: Int32s, low: int) -> Int32s:
    """0 for a blank, else the number's place from `low`, counted from 1."""
    codes = np.empty(len(values), np.int32)
    for row in range(len(values)):
        codes[row] = 0 if values[row] == MISSING else values[row] - low + 1
    return codes


def header(names: tuple[str, ...]) -> bytes:
    """The first line of a CSV file."""
    return ",".join(map(_quote, names)).encode() + b"\n"


def csv_blocks(table: Table) -> Iterator[memoryview]:
    """The rows as CSV, byte for byte as Python's writer gives them, lines ended by a line feed.

    Some thousands at a time; each view lasts until the next one is asked for.
    """
    columns = list(map(to_words, table.columns.values()))
    width, rows = len(columns), table.rows
    words, firsts, longest = _all_words(columns)
    cells = np.empty(ROWS * width, np.int32)
    text = np.empty(min(rows, ROWS) * longest + STRIDE, np.uint8)
    for start in range(0, rows, ROWS):
        block = min(ROWS, rows - start)
        for place, column in enumerate(columns):
            _lay(column.codes[start : start + block], firsts[place], place, width, cells)
        end = _join(cells[: block * width], words.text, words.starts, text)
        yield memoryview(text)[:end]  # type: ignore[arg-type]


def _all_words(columns: list[Column]) -> tuple[Words, list[int], int]:
    """The words of all columns with what follows them, the first of each column, and the longest row."""
    ends = [b","] * (len(columns) - 1) + [b"\n"]
    is_alone = len(columns) == 1
    parts = [_render_words(WordsKey(c.words), end, is_alone) for c, end in zip(columns, ends, strict=True)]
    firsts, base, word = [], 0, 0
    starts = []
    for part in parts:
        firsts.append(word)
        starts.append(part.starts[:-1] + base)
        word += len(part.starts) - 1
        base += len(part.text)
    whole = Words(
        np.concatenate([*(part.text for part in parts), np.zeros(STRIDE, np.uint8)]),
        np.concatenate([*starts, np.array([base], np.int64)]),
    )
    return whole, firsts, sum(int(np.diff(part.starts).max(initial=0)) for part in parts)


@lru_cache(maxsize=64)
def _render_words(same: WordsKey, end: bytes, is_alone: bool) -> Words:
    """The words as CSV writes them, each followed by `end`."""
    cells = [_quote(word).encode() + end for word in same.words]
    return string_words(b'""\n' if is_alone and cell == b"\n" else cell for cell in cells)


def string_words(words: Iterable[bytes]) -> Words:
    """The words one after another."""
    parts = list(words)
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return Words(np.frombuffer(b"".join(parts), np.uint8), starts)


def join_words(cells: Int32s, words: Words) -> memoryview:
    """The words of those numbers one after another."""
    padded = np.concatenate([words.text, np.zeros(STRIDE, np.uint8)])
    text = np.empty(int(np.diff(words.starts)[cells].sum()) + STRIDE, np.uint8)
    return memoryview(text)[: _join(cells, padded, words.starts, text)]  # type: ignore[arg-type]


@cache
def _odd(word: str) -> str:
    """A word as Python's writer gives it in a row of several cells."""
    line = StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow((word, ""))
    return line.getvalue()[:-2]


def _quote(word: str) -> str:
    return _odd(word) if NOT_PLAIN.search(word) else word


@njit(cache=True, nogil=True)
def _lay(codes: Int32s, first: int, place: int, width: int, cells: Int32s) -> None:
    """A column's codes into its place in each row, as numbers of words."""
    for row in range(len(codes)):
        cells[row * width + place] = codes[row] + first


def _copying(_typing: Any, text: Any, at: Any, pool: Any, start: Any) -> Any:
    """`text[at : at + STRIDE] = pool[start : start + STRIDE]` as one load and one store, unchecked."""
    letters = ir.VectorType(ir.IntType(8), STRIDE).as_pointer()

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, source = (
            context.make_array(signature.args[n])(context, builder, arguments[n]).data for n in (0, 2)
        )
        read = builder.load(builder.bitcast(builder.gep(source, [arguments[3]]), letters))
        read.align = 1
        builder.store(read, builder.bitcast(builder.gep(to, [arguments[1]]), letters)).align = 1
        return context.get_dummy_value()

    return types.void(text, at, pool, start), generate


copy_stride: Any = intrinsic(_copying)


@njit(cache=True, nogil=True)
def _join(cells: Int32s, pool: Bytes, starts: Int64s, text: Bytes) -> int:
    """The words of those numbers one after another into `text`; gives its length."""
    at = 0
    for cell in cells:
        start, length = starts[cell], starts[cell + 1] - starts[cell]
        copy_stride(text, at, pool, start)
        for more in range(STRIDE, length, STRIDE):
            copy_stride(text, at + more, pool, start + more)
        at += length
    return at
