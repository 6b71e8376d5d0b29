"""The numbers of ids: a table in which the words of a column are found, some thousands at once."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import Int32s, Int64s
from banzuke.table_writer.coded_columns import Bytes, string_words

#: Places in the table for each id, at least.
ROOM = 2
#: The factor of the FNV hash.
PRIME = 1099511628211
NOBODY = -1


class Numbering:
    """Ids by their place among those it is made from; they differ."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = string_words(name.encode() for name in ids)
        count = len(self._ids.starts) - 1
        self._table = np.full(1 << (ROOM * count + 1).bit_length(), NOBODY, np.int32)
        _enter(self._ids.text, self._ids.starts, self._table)

    def of(self, words: Any) -> Int32s:
        """The number of each word of an Arrow array of strings; NOBODY where it is no id."""
        _, starts, text = words.buffers()
        begins = np.frombuffer(starts, np.int32)[words.offset : words.offset + len(words) + 1]
        letters = np.frombuffer(text or b"", np.uint8)
        return _found(letters, begins.astype(np.int64), self._ids.text, self._ids.starts, self._table)


@njit(cache=True, nogil=True)
def _place(text: Bytes, start: int, end: int, ids: Bytes, starts: Int64s, table: Int32s) -> int:
    """The place in the table of the id that stands in a text: its own, or the empty one where it would be."""
    mixed = 0
    for at in range(start, end):
        mixed = (mixed ^ text[at]) * PRIME
    place = (mixed ^ (mixed >> 32)) & (len(table) - 1)
    while table[place] != NOBODY:
        first = starts[table[place]]
        if starts[table[place] + 1] - first == end - start:
            same = 0
            while same < end - start and ids[first + same] == text[start + same]:
                same += 1
            if same == end - start:
                return place
        place = (place + 1) & (len(table) - 1)
    return place


@njit(cache=True, nogil=True)
def _enter(ids: Bytes, starts: Int64s, table: Int32s) -> None:
    """Every id into the table."""
    for number in range(len(starts) - 1):
        table[_place(ids, starts[number], starts[number + 1], ids, starts, table)] = number


@njit(cache=True, nogil=True)
def _found(text: Bytes, begins: Int64s, ids: Bytes, starts: Int64s, table: Int32s) -> Int32s:
    """The number of each word of a text."""
    numbers = np.empty(len(begins) - 1, np.int32)
    for word in range(len(numbers)):
        numbers[word] = table[_place(text, begins[word], begins[word + 1], ids, starts, table)]
    return numbers
