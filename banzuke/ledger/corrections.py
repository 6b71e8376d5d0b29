"""Which rows stand: a row is added and struck by inquiries, and a list knows those made in time.

A book knows its corrections by day where its calendar says how long a list may be corrected; any other takes
the rows that are not struck.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class Correctable(Protocol):
    """A row with the days of the inquiries that added and struck it."""

    @property
    def added(self) -> date | None:
        """The day it was added by an inquiry; None: reported so."""

    @property
    def struck(self) -> date | None:
        """The day it was struck by an inquiry; None: it stands."""


Row = TypeVar("Row", bound=Correctable)


def standing(rows: Iterable[Row], until: date | None) -> list[Row]:
    """The rows that stand for who knows the inquiries made before the day `until`.

    None takes every row that is not struck.
    """
    if until is None:
        return [row for row in rows if row.struck is None]
    return [
        row
        for row in rows
        if (row.added is None or row.added < until) and (row.struck is None or row.struck >= until)
    ]


def together(one: Correctable, other: Correctable, *, by_day: bool) -> bool:
    """Whether two rows ever stand at the same time."""
    if not by_day:
        return one.struck is None and other.struck is None
    added = max(one.added or date.min, other.added or date.min)
    return added < min(one.struck or date.max, other.struck or date.max)
