"""A column of a Parquet row group: a dictionary and a page of places in it, from whatever parts it comes in.

The same cells give the same bytes. Of counts the dictionary is every number from the smallest to the largest,
or, where these are more than the rows, those that there are, in order. Of texts it is the words in the order
in which they first appear. Places are packed to as many bits as the last needs; of texts that mostly repeat
the one before, the page has runs of the same place.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.table_writer.bit_packing import EIGHT, pack_bits
from banzuke.table_writer.coded_columns import (
    MISSING,
    WIDEST,
    AnyColumn,
    Bytes,
    Column,
    Flags,
    Int32s,
    Int64s,
    Numbers,
    Runs,
    Words,
    WordsKey,
    extent,
    join_words,
    string_words,
    to_words,
)
from banzuke.table_writer.thrift import varint

Buffer = bytes | memoryview

#: Rows that a run must have, one with another, for a page to be made of runs.
LONG = 64
#: In the places of words: not met in this group.
NEW = -1
#: Bytes of a run at most: its length in sevens of bits, and a place.
RUN = 5 + 4


class Chunk(NamedTuple):
    """A dictionary of so many words, and a page, each as the file has it after its head."""

    words: int
    dictionary: list[Buffer]
    page: list[Buffer]


def chunk_of_counts(parts: Sequence[AnyColumn]) -> Chunk:
    """Whole numbers, null where the cell is blank."""
    values = np.concatenate([_values(part) for part in parts])
    given = values != MISSING
    count = int(np.count_nonzero(given))
    low, high = extent(values)
    if high - low < len(values):
        words = np.arange(low, high + 1)
    else:
        words = np.unique(values[given])
        values, low = np.where(given, np.searchsorted(words, values), MISSING).astype(np.int32), 0
    levels = _levels(given, count)
    page = [len(levels).to_bytes(4, "little"), levels, *_pack_places(values, low, count, len(words))]
    return Chunk(len(words), [words.astype("<i8").data], page)


def chunk_of_texts(parts: Sequence[AnyColumn]) -> Chunk:
    """Words, of which a blank is one."""
    runs = [part for part in parts if isinstance(part, Runs)]
    if len(runs) == len(parts):
        numbers, new = _by_word([Column(part.codes, part.words) for part in runs])
        lengths = np.concatenate([np.diff(part.ends, prepend=0) for part in runs])
    else:
        numbers, new = _by_value(parts) or _by_word(list(map(to_words, parts)))
        lengths = None
    words = sum(len(part.codes) for part in new)
    dictionary: list[Buffer] = [join_words(codes, _with_lengths(WordsKey(said))) for codes, said in new]
    return Chunk(words, dictionary, _page(numbers, lengths, words))


def _page(numbers: Int32s, lengths: Int64s | None, words: int) -> list[Buffer]:
    """The page of those places, each so many times (None: once), in a dictionary of so many words."""
    rows = len(numbers) if lengths is None else int(lengths.sum())
    turns = np.empty(rows // LONG, np.int64)
    count = _turns(numbers, turns)
    if count > len(turns):
        return _pack_places(numbers if lengths is None else np.repeat(numbers, lengths), 0, rows, words)
    turns = turns[:count]
    each = np.diff(turns, append=rows) if lengths is None else np.add.reduceat(lengths, turns)
    return _in_runs(numbers[turns], each, words)


def _values(part: AnyColumn) -> Int32s:
    """The numbers of a column of counts; MISSING is a blank."""
    if isinstance(part, Numbers):
        return part.values
    codes, words = to_words(part)
    return _counts(WordsKey(words))[codes]


@lru_cache(maxsize=64)
def _counts(same: WordsKey) -> Int32s:
    return np.array([int(word) if word else MISSING for word in same.words], np.int32)


def _by_value(parts: Sequence[AnyColumn]) -> tuple[Int32s, list[Column]] | None:
    """As `_by_word` for numbers that one function says and that lie in a range; None for others."""
    numbers = [part for part in parts if isinstance(part, Numbers)]
    if len(numbers) < len(parts) or len({part.say for part in numbers}) > 1:
        return None
    values = np.concatenate([part.values for part in numbers])
    low, high = extent(values)
    if high - low > WIDEST:
        return None
    places = np.full(max(high - low, 0) + 2, NEW, np.int32)
    new, found = np.empty(len(places), np.int32), np.empty(len(values), np.int32)
    words = _number_values(values, low, places, new, found)
    return found, [to_words(Numbers(new[:words], numbers[0].say))]


def _by_word(parts: Sequence[Column]) -> tuple[Int32s, list[Column]]:
    """The place of each cell in the dictionary, and what is in that: of each part the words that were new."""
    numbers, new = np.empty(sum(len(part.codes) for part in parts), np.int32), list[Column]()
    known, entered = dict[str, int](), 0
    last, places, at, words = None, np.empty(0, np.int32), 0, 0
    for codes, said in parts:
        if said is not last:
            for met, spelt in new[entered:]:
                for code in met.tolist():
                    known[spelt[code]] = len(known)
            last, places, entered = said, _places_of(said, known), len(new)
        met, here = np.empty(min(len(said), len(codes)), np.int32), numbers[at : at + len(codes)]
        more = _number(codes, _first_of_its_kind(WordsKey(said)), places, words, met, here)
        if more:
            new.append(Column(met[:more], said))
        at, words = at + len(codes), words + more
    return numbers, new


def _places_of(words: tuple[str, ...], known: dict[str, int]) -> Int32s:
    """The place of each word in the dictionary so far."""
    if not known:
        return np.full(len(words), NEW, np.int32)
    return np.array([known.get(word, NEW) for word in words], np.int32)


@lru_cache(maxsize=64)
def _first_of_its_kind(same: WordsKey) -> Int32s:
    """The first code that says the same, for each code."""
    if len(set(same.words)) == len(same.words):
        return np.arange(len(same.words), dtype=np.int32)
    first: dict[str, int] = {}
    return np.array([first.setdefault(word, code) for code, word in enumerate(same.words)], np.int32)


@lru_cache(maxsize=64)
def _with_lengths(same: WordsKey) -> Words:
    """The words, each after its length in four bytes."""
    letters = [word.encode() for word in same.words]
    return string_words(len(word).to_bytes(4, "little") + word for word in letters)


@njit(cache=True, nogil=True)
def _number(codes: Int32s, first: Int32s, places: Int32s, words: int, new: Int32s, numbers: Int32s) -> int:
    """The place of each code's word into `numbers`, and the codes of words not met before into `new`.

    `first` has the first code that says the same. There are `words` words in the dictionary before, and as
    many more after as it gives.
    """
    more = 0
    for row in range(len(codes)):
        code = np.uint64(codes[row])
        number = places[code]
        if number == NEW:
            said = first[code]
            if places[said] == NEW:
                places[said] = words + more
                new[more] = said
                more += 1
            number = places[code] = places[said]
        numbers[row] = number
    return more


@njit(cache=True, nogil=True)
def _number_values(values: Int32s, low: int, places: Int32s, new: Int32s, numbers: Int32s) -> int:
    """The place of each number in the order of first appearance, and the numbers in that order into `new`.

    They lie from `low` on; `places` has that of a blank before theirs. Gives how many differ.
    """
    words = 0
    for row in range(len(values)):
        value = values[row]
        at = np.uint64(0 if value == MISSING else value - low + 1)
        number = places[at]
        if number == NEW:
            number = places[at] = words
            new[words] = value
            words += 1
        numbers[row] = number
    return words


@njit(cache=True, nogil=True)
def _turns(numbers: Int32s, turns: Int64s) -> int:
    """Where another number begins, into `turns`; gives how many, one too many where not all fit."""
    count, last = 0, NEW
    for at in range(len(numbers)):
        if numbers[at] != last:
            if count == len(turns):
                return count + 1
            turns[np.uint64(count)], last = at, numbers[at]
            count += 1
    return count


def _width(words: int) -> int:
    """The bits of a place in a dictionary of so many words."""
    return max(words - 1, 1).bit_length()


def _in_runs(numbers: Int32s, lengths: Int64s, words: int) -> list[Buffer]:
    """Places in a dictionary of so many words: their width in bits, and each with how often it stands."""
    written = np.empty(RUN * len(numbers), np.uint8)
    end = _write_runs(numbers, lengths, -(-_width(words) // 8), written)
    return [bytes([_width(words)]), written[:end].data]


@njit(cache=True, nogil=True)
def _write_runs(numbers: Int32s, lengths: Int64s, size: int, written: Bytes) -> int:
    """Of each run twice its length, seven bits a byte, and its number in so many bytes; gives the end."""
    at = 0
    for run in range(len(numbers)):
        left = lengths[run] << 1
        while left >= 1 << 7:
            written[at] = left & 0x7F | 0x80
            left >>= 7
            at += 1
        written[at] = left
        for byte in range(size):
            written[at + 1 + byte] = numbers[run] >> (8 * byte) & 0xFF
        at += 1 + size
    return at


def _pack_places(values: Int32s, low: int, count: int, words: int) -> list[Buffer]:
    """Places in a dictionary of so many words: their width in bits, and one run of all.

    They are those of the values that are not blank, so many, counted from `low`.
    """
    width = _width(words)
    if words <= 1:
        return [bytes([width]), varint(count << 1), b"\0"] if count else [bytes([width])]
    return [bytes([width]), varint(-(-count // EIGHT) << 1 | 1), pack_bits(values, low, count, width).data]


def _levels(given: Flags, count: int) -> bytes:
    """Which values are there, as one run of bits."""
    if count == len(given):
        return varint(count << 1) + b"\1"
    bits = np.packbits(given, bitorder="little")
    return varint(len(bits) << 1 | 1) + bits.tobytes()
