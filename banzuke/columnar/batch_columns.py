"""What a batch is in columns of integers, and what rating it gives: what the fast twins of chess are given.

Players and events go by number: their place among all ids in the order of code points, so that sorting by
number is sorting by id. Days are ordinals (`date.toordinal`), 0 where there is none. Scores are half points,
expectations hundredths, changes hundredths of a point, as in `core.rating`; what is blank is `MISSING`.
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.core import rating
from banzuke.core.facts import SCORES, Event
from banzuke.table_writer import coded_columns

Int8s = NDArray[np.int8]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Flags = NDArray[np.bool_]

#: A blank: unrated, or not given. Smaller than any number that is.
MISSING = coded_columns.MISSING

#: A blank among figures that are counted in their last decimal, and among facts that a book carries on.
NO_FIGURE = np.iinfo(np.int64).min
#: Cells of the columns that a book adds to lists, by column and player; blank ones are left out.
Added = Mapping[str, Mapping[int, str | int]]
NOTHING_ADDED: Added = MappingProxyType({})

#: Verdicts of lines, by their code.
VERDICTS = (
    rating.RATED,
    rating.FIRST,
    rating.AGAINST_UNRATED,
    rating.RULING,
    rating.SPEED,
    rating.LATE,
    rating.FEE,
    rating.MEMBER,
    rating.FORFEIT,
)
RATED, FIRST, AGAINST_UNRATED, RULING, SPEED, LATE, FEE, MEMBER, FORFEIT = range(len(VERDICTS))

#: Results of games, by their code, and White's and Black's half points of each (MISSING: not played).
RESULTS = tuple(SCORES)
WHITE_SCORES, BLACK_SCORES = (
    np.array([MISSING if both[side] is None else both[side] for both in SCORES.values()], np.int32)
    for side in (0, 1)
)


class Games(NamedTuple):
    """Games, a row each, those of an event together and ordered by round and White.

    `played` is the day, 0 for the event's first; `result` a code of RESULTS; `excluded` a ruling.
    """

    round: Int32s
    white: Int32s
    black: Int32s
    result: Int8s
    played: Int32s
    excluded: Flags


class Register(NamedTuple):
    """What is known of people, by player: day of birth (0: not known) and the ratings taken over.

    `fide` has a row for standard, rapid, blitz. The memberships of a player are the rows `span_first[player]`
    to `span_first[player + 1]` of `span_from`, `span_to` (days, inclusive) and `span_event`, the event's
    number, or -1 for an annual one. `own` has a row for each fact of `ChessTwin.own_facts`.
    """

    born: Int32s
    fide: Int32s
    span_first: Int64s
    span_from: Int32s
    span_to: Int32s
    span_event: Int32s
    own: Int32s


class Waiting(NamedTuple):
    """Games on file for first ratings, a row each in the order in which they came.

    `speed` is the row of the standings; `opponent_rating` is MISSING for an unrated one.
    """

    speed: Int8s
    player: Int32s
    event: Int32s
    round: Int32s
    played: Int32s
    opponent: Int32s
    opponent_rating: Int32s
    score: Int32s


#: Of books that carry on nothing more.
NOTHING_MORE: Int64s = np.empty((0, 0, 0), np.int64)


class State(NamedTuple):
    """The standings, a row for each speed of the pool and a column for each player; MISSING: unrated.

    `more` has such rows for each fact of `ChessTwin.carried`; NO_FIGURE: blank.
    """

    value: Int32s
    games: Int32s
    peak: Int32s
    earned: Flags
    waiting: Waiting
    more: Int64s = NOTHING_MORE


class Batch(NamedTuple):
    """The events that one list takes, ordered by event id; `event_ids` are their numbers.

    The games of event i are the rows `first[i]` to `last[i]` of `games`. `closes`, `published`,
    `opens_edition` are those of `core.batch.Batch`; `in_force` (FIDE) has for each event the standings
    whose list was in force on its first day. `player_ids` are the ids by number (none where parts of a batch
    are rated on many machines).
    """

    name: str
    published: date
    closes: date
    events: tuple[Event, ...]
    event_ids: Int32s
    first: Int64s
    last: Int64s
    games: Games
    register: Register
    opens_edition: bool
    in_force: tuple[State, ...]
    player_ids: tuple[str, ...]


class Lines(NamedTuple):
    """A row for each side of each game, White's before Black's, in the order of the batch's events.

    `of_event` says how many each of these has; `verdict` is a code of VERDICTS, `clause` a place in the
    `Rated.clauses`. What changes.csv leaves blank is MISSING.
    """

    of_event: Int64s
    round: Int32s
    player: Int32s
    opponent: Int32s
    score: Int32s
    own: Int32s
    opponent_rating: Int32s
    difference: Int32s
    expected: Int32s
    k: Int32s
    change: Int32s
    verdict: Int8s
    clause: Int8s

    @property
    def event(self) -> Int32s:
        """Each line's place in the batch's events."""
        return np.repeat(np.arange(len(self.of_event), dtype=np.int32), self.of_event)


class Exact(NamedTuple):
    """Expectations and changes finer than those of the lines, by line; NO_FIGURE is blank.

    Both have so many decimals, and are counted in the last of them.
    """

    expected: Int64s
    change: Int64s
    places: int


class DecimalColumn(NamedTuple):
    """Figures with so many decimals, counted in the last of them."""

    values: Int64s
    places: int


class Rated(NamedTuple):
    """What rating a batch gives: the standings before and after it, and every line (None if not asked for).

    `speeds` has the speed of each event, blank where it makes no list. With the lines come `exact`, of a book
    that gives finer figures, and `added`, the cells of its own columns that tell of this batch.
    """

    batch: Batch
    before: State
    after: State
    speeds: tuple[str, ...]
    clauses: tuple[str, ...]
    lines: Lines | None
    exact: Exact | None = None
    added: Added = NOTHING_ADDED


def lines_for(games: Int64s) -> Lines:
    """Lines for so many games of each event, yet to be written."""
    of_event = 2 * games
    sides = int(of_event.sum())
    plain: dict[str, Any] = {name: np.empty(sides, np.int32) for name in Lines._fields}
    codes = {name: np.empty(sides, np.int8) for name in ("verdict", "clause")}
    return Lines(**plain | codes | {"of_event": of_event})


def exact_for(games: Int64s, places: int) -> Exact:
    """Finer figures of the lines of so many games of each event, all blank."""
    sides = 2 * int(games.sum())
    return Exact(np.full(sides, NO_FIGURE), np.full(sides, NO_FIGURE), places)


def waiting_for(games: int) -> Waiting:
    """Rows for so many games on file, yet to be written."""
    plain: Any = [np.empty(games, np.int32) for _ in range(len(Waiting._fields) - 1)]
    return Waiting(np.empty(games, np.int8), *plain)


def nothing_waits() -> Waiting:
    """No games on file."""
    return waiting_for(0)
