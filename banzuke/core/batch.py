"""What a monthly rule book is given: the events of a list's window and what is known of people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from banzuke.core.facts import Entry, Player
from banzuke.core.rating import Ratings

Spans = tuple[tuple["date", "date"], ...]


@dataclass(frozen=True, slots=True)
class Register:
    """Players and memberships as a list may know them.

    `annual` maps a player to the years of membership; `one_event` a player and event to the days.
    """

    players: Mapping[str, Player]
    annual: Mapping[str, Spans]
    one_event: Mapping[tuple[str, str], Spans]


@dataclass(frozen=True, slots=True)
class Batch:
    """The events that one list takes, ordered by event id.

    `closes` is the last day of the window, `published` the day of the list; `opens_edition`
    marks the first list that an edition makes; `in_force` gives for each event the ratings of the list in
    force on its first day, if the book rates by those.
    """

    name: str
    published: date
    closes: date
    entries: Sequence[Entry]
    register: Register
    opens_edition: bool
    in_force: Mapping[str, Ratings]


def covers(spans: Spans, day: date) -> bool:
    """Whether one of the spans, both ends included, holds the day."""
    # any() with a generator takes twice as long, and this is asked twice a game
    for first, last in spans:  # noqa: SIM110
        if first <= day <= last:
            return True
    return False
