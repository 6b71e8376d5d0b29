"""Moments of a column of text, in microseconds since 1970: by Arrow, or cell by cell where one is unusual."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR, MOMENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.columnar.batch_columns import Int64s

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
A_SECOND = 1_000_000
A_DAY = 86_400 * A_SECOND

IN_UTC = pa.timestamp("us", "UTC")


def microseconds(at: datetime) -> int:
    """A moment's microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def moments(column: Any, first: date, take: Callable[[str], datetime]) -> Int64s:
    """The moments of an Arrow string array, each on `first` or later by the day it is written with.

    `take` reads the texts where one is unusual or on an earlier day. Raises what it raises.
    """
    try:
        found: Int64s = column.cast(IN_UTC).cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        found = np.empty(0, np.int64)
    if len(found) < len(column) or not _are_within(column, first):
        return np.array([microseconds(take(text)) for text in column.to_pylist()], np.int64)
    return found


def _are_within(column: Any, first: date) -> bool:
    """Whether texts that begin with a day are none of an earlier day, or of a year that no ledger has.

    What Arrow takes begins with year, month and day in ten signs, so that texts are ordered as their days.
    """
    ends = pc.min_max(column).as_py()
    if ends["min"] is None:
        return True
    earliest, latest = max(first, date(EARLIEST_YEAR, 1, 1)), date(LATEST_YEAR, 12, 31)
    return bool(earliest.isoformat() <= ends["min"][:10] and ends["max"][:10] <= latest.isoformat())


def read_moment(text: str) -> datetime:
    """The moment of a cell. Raises CellError."""
    at: datetime = MOMENT.read(text)
    return at
