"""What is said of a rating, before it is put into words: sentences by key, with their clause and their facts.

A rule book gives sentences as values; `banzuke.explanations` looks the words up in the reader's language,
in the book's own `[sentences]` first and then in the common ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date

    from banzuke.core.facts import Event
    from banzuke.core.go_facts import GoLine, GoState, Zone
    from banzuke.core.rating import Calculation, Line, Rating


class Word(NamedTuple):
    """A fact that is itself a word or a part of a sentence, by its key, with facts of its own."""

    key: str
    facts: Mapping[str, object] = {}


class PlayerName(NamedTuple):
    """A fact that is a player's name as the reader's language has it."""

    player: str


class EventName(NamedTuple):
    """A fact that is an event's name; its id, where nobody knows the name."""

    event: str


class ListName(NamedTuple):
    """A fact that is a list's name: its month as the reader's language has it, or the name of its event."""

    name: str


class Statement(NamedTuple):
    """A sentence without its words. A fact is printed as it is, unless it is a day or of a type above.

    `is_said_once`: it is left out where the same text stands in the section already.
    """

    key: str
    clause: str
    facts: Mapping[str, object] = {}
    is_said_once: bool = False


class AdjustmentStep(NamedTuple):
    """What an adjustment of the pool made of a rating: figures as the book carries them on, and the state.

    `points` is its map, as a ledger has it.
    """

    adjustment_id: str
    decision: str
    points: str
    before: str
    after: str
    state: Rating


class Figures(NamedTuple):
    """What one speed of a player's list rests on beside the lines of the player's games.

    Where no game entered (`has_entered` False), the calculation holds only the states before and after.
    `opens_edition`: the list is the first of its edition, whose floor raises ratings; `taken_over`: an
    inherited rating before any floor; `on_file`: the events whose games wait for a first rating after it.
    `adjusted` are the list's adjustments, one after another: the calculation ends before them.
    """

    calculation: Calculation
    has_entered: bool
    opens_edition: bool
    taken_over: int | None
    on_file: tuple[str, ...]
    adjusted: tuple[AdjustmentStep, ...] = ()

    @property
    def after(self) -> Rating:
        """The state after the list."""
        return self.adjusted[-1].state if self.adjusted else self.calculation.after


class Side(NamedTuple):
    """A line with its event and the day its game was played.

    `not_members` are those of the two whose missing membership keeps the game out, where that is known.
    """

    event: Event
    line: Line
    played: date
    not_members: tuple[str, ...] = ()


class Part(NamedTuple):
    """One speed of a player's list; `last` is the last list so far with a line of the player, blank if none.

    `settings` are those of the edition that made the list.
    """

    speed: str
    sides: list[Side]
    figures: Figures
    last: str
    settings: Any


@dataclass(frozen=True, slots=True)
class Sentences:
    """How a book that rates chess tells one speed of a player's list, in the order of the page.

    `before` what stood before it, `game` each game, `result` how the rating came out of them, `after` what
    stands now. Of games that make no list only `game` is asked.
    """

    before: Callable[[Part], Iterable[Statement]]
    game: Callable[[Part, Side], Iterable[Statement]]
    result: Callable[[Part], Iterable[Statement]]
    after: Callable[[Part], Iterable[Statement]]


@dataclass(frozen=True, slots=True)
class GoSentences:
    """How a book that rates Go tells where a player stands, and what a game did for one side."""

    state: Callable[[GoState, Zone], Iterable[Statement]]
    game: Callable[[GoLine], Statement]
