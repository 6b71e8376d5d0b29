"""Moments of a column of text, in microseconds since 1970: the usual forms compiled, others by their cell."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR, MOMENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from banzuke.columnar.batch_columns import Int32s, Int64s

    Bytes = NDArray[np.uint8]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
A_SECOND = 1_000_000
A_DAY = 86_400 * A_SECOND

#: The usual forms, by their length.
WITH_OFFSET, IN_UTC = len("2025-03-01T12:00:00+09:00"), len("2025-03-01T12:00:00Z")
DIGITS, HOURS, MINUTES = 10, 24, 60
MONTHS_A_YEAR = 12

#: The days since 1970 on which the months begin, from January of EARLIEST_YEAR to the one after LATEST_YEAR.
MONTHS = np.array(
    [
        (date(month // MONTHS_A_YEAR, month % MONTHS_A_YEAR + 1, 1) - EPOCH.date()).days
        for month in range(MONTHS_A_YEAR * EARLIEST_YEAR, MONTHS_A_YEAR * (LATEST_YEAR + 1) + 1)
    ],
    np.int32,
)

#: What `_usual` gives for a text of another form.
UNUSUAL = -(2**63)

T, Z, PLUS, DASH, COLON, NOUGHT = b"TZ+-:0"


def microseconds(at: datetime) -> int:
    """A moment's microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def moments(column: Any, first: date, take: Callable[[str], datetime]) -> Int64s:
    """The moments of an Arrow string array, each on `first` or later by the day it is written with.

    `take` reads a text that is unusual or on an earlier day. Raises what it raises.
    """
    texts = np.frombuffer(column.buffers()[2] or b"", np.uint8)
    starts = np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
    found = _usual(texts, starts, MONTHS, EARLIEST_YEAR, (first - EPOCH.date()).days)
    for row in np.flatnonzero(found == UNUSUAL).tolist():
        found[row] = microseconds(take(column[row].as_py()))
    return found


def read_moment(text: str) -> datetime:
    """The moment of a cell. Raises CellError."""
    at: datetime = MOMENT.read(text)
    return at


@njit(cache=True)
def _number(texts: Bytes, at: int, digits: int) -> int:
    """The digits from there on; -1 where one is none."""
    number = 0
    for place in range(at, at + digits):
        digit = texts[place] - NOUGHT
        if not 0 <= digit < DIGITS:
            return -1
        number = 10 * number + digit
    return number


@njit(cache=True)
def _usual(texts: Bytes, starts: Int32s, months: Int32s, first_year: int, first_day: int) -> Int64s:
    """Texts as `2025-03-01T12:00:00+09:00` or with `Z`; UNUSUAL for another one, and before the first day."""
    found = np.full(len(starts) - 1, UNUSUAL, np.int64)
    for row in range(len(found)):
        at, size = starts[row], starts[row + 1] - starts[row]
        if size != WITH_OFFSET and (size != IN_UTC or texts[at + IN_UTC - 1] != Z):
            continue
        day = _day(texts, at, months, first_year)
        second = _second(texts, at)
        ahead = _ahead(texts, at + IN_UTC - 1) if size == WITH_OFFSET else 0
        if day >= first_day and second >= 0 and ahead != UNUSUAL:
            found[row] = day * A_DAY + (second - ahead) * A_SECOND
    return found


@njit(cache=True)
def _day(texts: Bytes, at: int, months: Int32s, first_year: int) -> int:
    """Days since 1970; UNUSUAL where there is no such day or it is not written so."""
    if texts[at + 4] != DASH or texts[at + 7] != DASH:
        return UNUSUAL
    year, month, day = _number(texts, at, 4), _number(texts, at + 5, 2), _number(texts, at + 8, 2)
    place = MONTHS_A_YEAR * (year - first_year) + month - 1
    if not 1 <= month <= MONTHS_A_YEAR or not 0 <= place < len(months) - 1:
        return UNUSUAL
    if not 1 <= day <= months[place + 1] - months[place]:
        return UNUSUAL
    return int(months[place]) + day - 1


@njit(cache=True)
def _second(texts: Bytes, at: int) -> int:
    """Seconds since midnight; -1 where it is not written so."""
    if texts[at + 10] != T or texts[at + 13] != COLON or texts[at + 16] != COLON:
        return -1
    hour, minute, second = _number(texts, at + 11, 2), _number(texts, at + 14, 2), _number(texts, at + 17, 2)
    if not 0 <= hour < HOURS or not 0 <= minute < MINUTES or not 0 <= second < MINUTES:
        return -1
    return 3600 * hour + 60 * minute + second


@njit(cache=True)
def _ahead(texts: Bytes, at: int) -> int:
    """Seconds ahead of UTC; UNUSUAL where it is not written so."""
    hour, minute = _number(texts, at + 1, 2), _number(texts, at + 4, 2)
    if texts[at + 3] != COLON or not 0 <= hour < HOURS or not 0 <= minute < MINUTES:
        return UNUSUAL
    if texts[at] not in (PLUS, DASH):
        return UNUSUAL
    size = 3600 * hour + 60 * minute
    return size if texts[at] == PLUS else -size
