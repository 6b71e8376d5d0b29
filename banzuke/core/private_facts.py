"""What a rule book asks of the facts on a player that are nobody else's business.

A public ledger has no more of them than this: in place of a day (a birth date) another one to which the
book's clauses give the same answers, and of the other cells only those that a rating took.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from banzuke.core.batch import Register
from banzuke.core.facts import Event, Game, Player


class Participation(NamedTuple):
    """A player in an event, as a book is asked what it needs to know of the player to rate it.

    `games` are the player's own, `settings` those of the edition. `unrated` are the speeds at which the
    player has no starting rating. `is_new`: there is none at all, and the book asked nothing in an earlier
    event.
    """

    player: Player
    event: Event
    games: Sequence[Game]
    settings: Any
    unrated: frozenset[str]
    is_new: bool


class DayClause(NamedTuple):
    """How a book's clauses go by a day in a player's row.

    `answer(day, asked)` is what they make of it; days with the same answer rate the same, and a later day
    never comes back to an answer that an earlier one has left. `true_day(register, player)` is the day that
    they go by, if it is not simply the cell.
    """

    answer: Callable[[date, Any], Hashable]
    true_day: Callable[[Register, str], date | None] | None = None


@dataclass(frozen=True, slots=True)
class PrivateFacts:
    """What a book asks of the columns of players.csv that are not public, in order to rate.

    `asked(participation)` gives a column, and what is asked of it, for everything that may decide in this
    event: of a day what its clause in `days` takes (the year of play), of another cell nothing, None.
    """

    asked: Callable[[Participation], Iterable[tuple[str, Hashable]]] = lambda _: ()
    days: Mapping[str, DayClause] = field(default_factory=dict)


#: A book that asks nothing: it rates everybody alike, whatever their ages.
NOTHING_PRIVATE = PrivateFacts()
