"""What an officer looks at before a list is published: who moves most, who is new, who passes a mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.engine.rule_warnings import of_declarations, warnings
from banzuke.ledger.folder import GoLedger, Ledger
from banzuke.office.lists.fast_forward import ignored_declarations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.core.fault import Fault
    from banzuke.office.lists.list_rows import Made, Row
    from banzuke.office.lists.recompute import Due

#: Ratings whose passing is worth a look.
MARKS = (2000, 2300, 2400)
#: So many of the biggest movers are named.
MOST_MOVERS = 20


class Passing(NamedTuple):
    """A player whose rating comes to a mark from below, or falls below it."""

    mark: int
    row: Row

    @property
    def is_up(self) -> bool:
        """Whether the mark was come to from below."""
        return (self.row.rating or 0) >= self.mark


class Rehearsal(NamedTuple):
    """A list as it would be published now.

    `position` is the last entry of the book it was made from; `made` the list itself; `lists` all that would
    be published with it; `due` the published lists that must be revised first.
    """

    position: int
    made: Made
    lists: list[str]
    due: list[Due]
    is_closed: bool
    movers: list[Row]
    first: list[Row]
    passing: list[Passing]
    warnings: list[Fault]


def movers(rows: Iterable[Row]) -> list[Row]:
    """Who moves most, up or down."""
    moved = [row for row in rows if row.change]
    return sorted(moved, key=lambda row: (-abs(row.change or 0), row.player_id, row.speed))[:MOST_MOVERS]


def first_ratings(rows: Iterable[Row]) -> list[Row]:
    """Who has a rating for the first time, or again."""
    return [row for row in rows if row.change is None and row.rating is not None and not row.written]


def marks_passed(rows: Iterable[Row]) -> list[Passing]:
    """Who comes to a mark from below, or falls below it."""
    return [
        Passing(mark, row)
        for row in rows
        for mark in MARKS
        if row.change is not None
        and row.rating is not None
        and (row.rating - row.change < mark) is not (row.rating < mark)
    ]


def warnings_of(ledger: Ledger, made: Made) -> list[Fault]:
    """What the rules warn about in the list's own events, and in the tables as a whole."""
    if isinstance(ledger, GoLedger):
        return of_declarations(ledger.pool, ignored_declarations(ledger))
    found = warnings(ledger)
    events = {line.event_id for line in made.lines}
    known = {event.event_id for event in ledger.events}
    return [each for each in found if each.column in events or each.column not in known]
