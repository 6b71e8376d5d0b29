"""Numbers packed to as many bits as they need, as Parquet's pages have them: eight in `width` bytes."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.table_writer.coded_columns import MISSING, STRIDE, Bytes, Int32s, copy_stride

Longs = NDArray[np.uint64]

#: Values that are packed at a time: they stay in the processor's cache.
BLOCK = 1 << 12
#: Numbers that fill whole bytes together, whatever their width.
EIGHT = 8
#: Four numbers so wide fill a word.
HALF_WIDTH = 16
BYTE_BITS = 8

# A place that is an unsigned integer is not counted from the end: compiled loops need not look.


def pack_bits(values: Int32s, low: int, count: int, width: int) -> Bytes:
    """The values that are not blank, so many, counted from `low`, `width` bits each, from the lowest bit on.

    Zeros follow up to a whole eight of them.
    """
    size = -(-count // EIGHT) * width
    written = np.empty(size + STRIDE, np.uint8)
    _pack(values, low, count == len(values), width, written)
    return written[:size]


@njit(cache=True, nogil=True)
def _pack(values: Int32s, low: int, is_whole: bool, width: int, written: Bytes) -> None:
    """Block by block; numbers that make no whole eight stand before those of the next block."""
    block = np.empty(BLOCK + EIGHT, np.int32)
    words = np.empty(2 * (BLOCK // EIGHT + 1), np.uint64)
    left = at = 0
    for start in range(0, len(values), BLOCK):
        end = min(start + BLOCK, len(values))
        count = _gather(values[start:end], low, is_whole, block, left)
        if end == len(values):
            block[count:] = 0
            count += -count % EIGHT
        eights = count // EIGHT
        if width <= HALF_WIDTH:
            _join_narrow(block, eights, width, words)
            for eight in range(eights):
                copy_stride(written, at + eight * width, words.view(np.uint8), eight * STRIDE)
        else:
            _join_wide(block, eights, width, written[at:])
        at += eights * width
        left = count % EIGHT
        for number in range(left):
            block[number] = block[count - left + number]


@njit(cache=True, nogil=True)
def _gather(values: Int32s, low: int, is_whole: bool, block: Int32s, count: int) -> int:
    """What is not blank, counted from `low`, behind so many; gives how many there are then."""
    if is_whole:
        for row in range(len(values)):
            block[np.uint64(count + row)] = values[row] - low
        return count + len(values)
    for row in range(len(values)):
        block[np.uint64(count)] = values[row] - low
        count += values[row] != MISSING
    return count


@njit(cache=True, nogil=True)
def _join_narrow(block: Int32s, eights: int, width: int, words: Longs) -> None:
    """Each eight into two words, of which the first `width` bytes count."""
    one, two, four = np.uint64(width), np.uint64(2 * width), np.uint64(4 * width)
    for eight in range(eights):
        first, second = _four(block, EIGHT * eight, one, two), _four(block, EIGHT * eight + 4, one, two)
        words[np.uint64(2 * eight)] = first | second << (four - np.uint64(1)) << np.uint64(1)
        words[np.uint64(2 * eight + 1)] = second >> (np.uint64(64) - four)


@njit(cache=True, nogil=True)
def _four(block: Int32s, at: int, one: np.uint64, two: np.uint64) -> np.uint64:
    """Four numbers side by side, each as wide as `one` says, two as `two` says."""
    lower = np.uint64(block[np.uint64(at)]) | np.uint64(block[np.uint64(at + 1)]) << one
    upper = np.uint64(block[np.uint64(at + 2)]) | np.uint64(block[np.uint64(at + 3)]) << one
    return lower | upper << two


@njit(cache=True, nogil=True)
def _join_wide(block: Int32s, eights: int, width: int, written: Bytes) -> None:
    """The same for numbers of any width, byte by byte."""
    collected, filled, at = np.int64(0), 0, 0
    for row in range(EIGHT * eights):
        collected |= np.int64(block[row]) << filled
        filled += width
        while filled >= BYTE_BITS:
            written[at] = collected & 0xFF
            collected >>= BYTE_BITS
            filled -= BYTE_BITS
            at += 1
