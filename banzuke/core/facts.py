"""What a ledger holds of a chess pool: facts and rulings, as reported, never as computed.

Rows may carry the day of the inquiry that added or struck them (`added`, `struck`).
"""

from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

STANDARD, RAPID, BLITZ = "standard", "rapid", "blitz"
SPEEDS = (STANDARD, RAPID, BLITZ)

FORMS = TOURNAMENT, MEETING = "tournament", "meeting"
#: A form that only some books know (`ChessBook.forms`).
MATCH = "match"
RULINGS = EXCLUDE, ACCEPT_LATE, WAIVE_FEE, INCLUDE = "exclude", "accept-late", "waive-fee", "include"
MEMBERSHIPS = ANNUAL, ONE_EVENT = "annual", "event"
CLUBS = FEDERATION, CLUB, STUDENT = "federation", "club", "student"

#: Half points of White and Black by the result as a ledger writes it; None: not played.
SCORES: dict[str, tuple[int | None, int | None]] = {
    "1-0": (2, 0),
    "1/2-1/2": (1, 1),
    "0-1": (0, 2),
    "+/-": (None, None),
    "-/+": (None, None),
    "-/-": (None, None),
    "u1-0": (None, None),
    "u1/2-1/2": (None, None),
    "u0-1": (None, None),
}


class More(dict[str, Any]):
    """The cells of the columns that a rule book adds to a table, by name; blank ones are left out."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


NO_MORE = More()


#: The most digits of a FIDE id.
_FIDE_DIGITS = 11


class Player(NamedTuple):
    """A player of the register; `fide_*` are the ratings taken over, fixed by the office.

    `title` is `GM`, `WIM` or the federation's own, `title_from` says where it was read.
    """

    player_id: str
    name: str
    name_native: str = ""
    birth_date: date | None = None
    sex: str = ""
    club_id: str = ""
    fide_id: str = ""
    fide_standard: int | None = None
    fide_rapid: int | None = None
    fide_blitz: int | None = None
    title: str = ""
    title_from: str = ""
    added: date | None = None
    struck: date | None = None
    more: More = NO_MORE


class Identified(Protocol):
    """Who has an id in the pool, and perhaps one of FIDE beside it."""

    @property
    def player_id(self) -> str:
        """The id in the pool."""

    @property
    def fide_id(self) -> str:
        """FIDE's; blank where none is written beside the pool's."""


def fide_number(player: Identified, *, has_fide_ids: bool) -> str:
    """The player's FIDE id; blank where none is known.

    In a pool of FIDE's ids the player's own id is FIDE's, unless it has letters (`P00001`) or is too long.
    """
    own = player.player_id if has_fide_ids else ""
    return player.fide_id or (own if own.isdecimal() and own.isascii() and len(own) <= _FIDE_DIGITS else "")


class Club(NamedTuple):
    """An organiser; `kind` is `federation`, `club` or `student`; recognised from-to, inclusive."""

    club_id: str
    name: str
    kind: str
    valid_from: date
    valid_to: date
    name_native: str = ""


class Membership(NamedTuple):
    """A membership from-to, inclusive; `kind` is `annual`, or `event` for that event alone."""

    player_id: str
    kind: str
    valid_from: date
    valid_to: date
    event_id: str = ""
    added: date | None = None
    struck: date | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament or a club meeting as it was reported."""

    event_id: str
    name: str
    starts: date
    ends: date
    reported: date
    organiser: str = ""
    place: str = ""
    responsible: str = ""
    reporter: str = ""
    form: str = ""
    speed: str = ""
    base_minutes: int | None = None
    increment_seconds: int | None = None
    fide_rated: bool | None = None
    applied: date | None = None
    notified: date | None = None
    paid: date | None = None
    ruling: str = ""
    nonmembers: int | None = None
    name_native: str = ""
    added: date | None = None
    struck: date | None = None
    more: More = NO_MORE

    @property
    def minutes(self) -> int | None:
        """Minutes a player has for 60 moves: base + 60 times the increment; None if not given."""
        if self.base_minutes is None and self.increment_seconds is None:
            return None
        return (self.base_minutes or 0) + (self.increment_seconds or 0)


class Game(NamedTuple):
    """A game of an event; `played` None means the event's first day."""

    event_id: str
    round: int
    white: str
    black: str
    result: str
    played: date | None = None
    ruling: str = ""
    added: date | None = None
    struck: date | None = None


class Bye(NamedTuple):
    """Points of a player for a round of an event without an opponent: 2 half points, or 1."""

    event_id: str
    round: int
    player_id: str
    points: int


class Opening(NamedTuple):
    """A player's rating in the list that a pool opens with."""

    player_id: str
    rating: int
    games: int
    speed: str = ""
    peak: int | None = None
    earned: bool | None = None
    more: More = NO_MORE


class Adjustment(NamedTuple):
    """An act of a board on all ratings of a list, after its games, by a map (`core.adjustments`) as written.

    `speed` blank: at every speed. `decision` says by which decision.
    """

    adjustment_id: str
    list: str
    points: str
    decision: str
    speed: str = ""
    added: date | None = None
    struck: date | None = None


class Entry(NamedTuple):
    """An event with its games, ordered by round and White."""

    event: Event
    games: list[Game]
