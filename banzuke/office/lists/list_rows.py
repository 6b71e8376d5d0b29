"""A list that was made: its rows, lines and workings as they are stored, and the hash of its content."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from banzuke.ledger.pool_rules import EditionInForce


#: Who had a game that counted in so many months up to a list is active.
ACTIVE_MONTHS = 12


class Row(NamedTuple):
    """A row as `database.models.ListRow` keeps it."""

    speed: str
    place: int
    player_id: str
    name: str
    name_native: str
    club_id: str
    sex: str
    group: str
    active: bool
    rating: int | None
    games: int
    change: int | None
    peak: int | None
    status: str
    qualified: bool | None
    written: str = ""
    wins_in_bc: int | None = None


class LineRow(NamedTuple):
    """A line as `database.models.Line` keeps it."""

    position: int
    speed: str
    event_id: str
    round: int
    player_id: str
    opponent_id: str
    score: int | None
    own: int | None
    opponent: int | None
    difference: int | None
    expected: int | None
    k: int | None
    k_why: str
    k_clause: str
    change: int | None
    verdict: str
    clause: str
    rank: str = ""
    opponent_rank: str = ""
    rank_after: str = ""
    upper: bool | None = None


class WorkingRow(NamedTuple):
    """A working as `database.models.Working` keeps it."""

    speed: str
    player_id: str
    calculation: dict[str, Any]


class Made(Protocol):
    """A list made from a ledger; its stored forms are made when they are asked for."""

    @property
    def name(self) -> str:
        """The list's name."""

    @property
    def day(self) -> date:
        """The day it is published."""

    @property
    def closes(self) -> date:
        """The last day of its window."""

    @property
    def edition(self) -> EditionInForce:
        """The edition that made it."""

    @property
    def rows(self) -> list[Row]:
        """Every player on it, by id and speed."""

    @property
    def lines(self) -> list[LineRow]:
        """Both sides of every game in it."""

    @property
    def workings(self) -> Iterable[WorkingRow]:
        """What the ratings rest on, of everybody whose rating or games changed."""

    def content_sha256(self, entry: int) -> str:
        """The hash of its content, made from the book as of that entry."""


def places(values: Iterable[Any]) -> dict[Any, int]:
    """The place of each value from the highest down; those who share it share the place."""
    place, found = 1, {}
    for value, count in sorted(Counter(values).items(), reverse=True):
        found[value] = place
        place += count
    return found
