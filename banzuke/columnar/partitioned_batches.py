"""A batch whose parts may be rated on different machines: the result of each step, and what takes the steps.

A step that looks at games one by one may be given some of a batch's events on each of many machines. Their
results are added up, in any order.
"""

from datetime import date
from typing import NamedTuple, Protocol

import numpy as np

from banzuke.columnar.batch_columns import (
    Batch,
    Flags,
    Int8s,
    Int32s,
    Int64s,
    Lines,
    Register,
    State,
    Waiting,
)

#: In the place of a verdict: the game enters.
ENTERS = -1


class EventColumns(NamedTuple):
    """What the book says of each event; `speed` is a row of the standings, -1 where it makes no list."""

    number: Int32s
    excluded: Flags
    speed: Int8s
    oldest: Int32s
    unpaid: Flags
    starts: Int32s
    ends: Int32s
    first: Int64s
    last: Int64s


class Seats(NamedTuple):
    """Who plays in a game that enters: the row of the standings and the player, in this order."""

    speed: Int64s
    player: Int64s


class EntryDecisions(NamedTuple):
    """Of each game why it does not enter (ENTERS: it does); who plays in one that does; in which years."""

    why: Int8s
    seats: Seats
    years: Int64s


class Sums(NamedTuple):
    """Of who plays: the sum of changes, the games counted; and the new games for first ratings."""

    seats: Seats
    total: Int64s
    counted: Int32s
    fresh: Waiting


def seats_of(plays: Flags) -> Seats:
    """Those who play, from flags by speed and player."""
    players = [np.flatnonzero(at_speed) for at_speed in plays]
    return Seats(np.repeat(np.arange(len(players)), [len(each) for each in players]), np.concatenate(players))


class PartitionedBook(Protocol):
    """A book with its settings, which rates the parts of a batch step by step."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clause of each verdict, by its code; blank for one that the book does not have."""

    def events_of(self, batch: Batch) -> EventColumns:
        """What the book says of the batch's events."""

    def speeds_of(self, events: EventColumns) -> tuple[str, ...]:
        """The speed of each event, blank where it makes no list."""

    def opened(self, state: State, *, opens_edition: bool) -> State:
        """The standings before a batch, which may be the first of an edition."""

    def decide(self, events: EventColumns, batch: Batch, shape: tuple[int, ...]) -> EntryDecisions:
        """Which games enter, and who plays in them; `shape` is that of the standings."""

    def standing(self, before: State, register: Register, seats: Seats) -> State:
        """What games are rated on: who plays unrated may inherit."""

    def add_up(
        self, events: EventColumns, batch: Batch, decided: EntryDecisions, now: State, *, with_lines: bool
    ) -> tuple[Sums, Lines | None]:
        """The sums of the games that enter, and every line if asked for."""

    def close(self, before: State, now: State, sums: Sums, closes: date) -> State:
        """The new standings; `now`, what games were rated on, is used up."""
