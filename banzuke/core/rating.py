"""Ratings, and what rating a batch gives: a line for each side of each game, and the sums.

Scores are half points (0, 1, 2), expectations hundredths (0 to 100), changes hundredths of a
point. `None` means unrated, or not given, and nothing else.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from banzuke.core.facts import NO_MORE, Event, More
from banzuke.core.rounding import rounded


class Rating(NamedTuple):
    """A player's state at one speed: rating, games it rests on, highest ever, earned as UR.

    `more` is what else the rule book carries from list to list, by name.
    """

    value: int | None
    games: int
    peak: int | None
    earned: bool
    more: More = NO_MORE


UNRATED = Rating(None, 0, None, earned=False)


class RatingScale(NamedTuple):
    """How exact a book's ratings are: carried on with so many decimals, and how a state holds the figure."""

    places: int
    read: Callable[[Rating], Fraction]
    write: Callable[[Rating, Fraction], Rating]


#: The ratings of most books.
WHOLE_POINTS = RatingScale(
    0, lambda rating: Fraction(rating.value or 0), lambda rating, figure: rating._replace(value=int(figure))
)

# Verdicts: of a side whose game counts; why a game does not enter; why one that entered is not rated.
RATED, FIRST = "rated", "first"
RULING, SPEED, LATE, FEE, MEMBER, FORFEIT = "ruling", "speed", "late", "fee", "member", "forfeit"
AGAINST_UNRATED = "unrated"


class FirstGame(NamedTuple):
    """A game that an unrated player has on file for a first rating."""

    event_id: str
    round: int
    played: date
    opponent: str
    opponent_rating: int | None
    score: int


class Coefficient(NamedTuple):
    """A K with the reason why it is this K, and the clause."""

    value: int
    why: str
    clause: str


class Line(NamedTuple):
    """One side of one game: what happened, and by which clause."""

    round: int
    player: str
    opponent: str
    score: int | None
    own: int | None
    opponent_rating: int | None
    difference: int | None
    expected: int | None
    k: Coefficient | None
    change: int | None
    verdict: str
    clause: str


#: A line from the tuple of its fields: half the time of `Line(...)`, and it is made twice a game.
line: Callable[[tuple[object, ...]], Line] = partial(tuple.__new__, Line)


class EventLines(NamedTuple):
    """The lines of one event, White's before Black's, and the speed they were rated at.

    A book whose figures are finer than hundredths gives in `exact`, for each line, the expectation and the
    change as changes.csv has them; the lines hold them rounded.
    """

    event: Event
    speed: str
    lines: list[Line]
    exact: Sequence[tuple[str, str]] = ()


class FirstWorking(NamedTuple):
    """The working of a first rating, or of why there is none yet (`rating` None, `why` says).

    `games` are the games used; `mean` the opponents' mean as (sum, count); `points` are half
    points; `percent` is p in hundredths; `dp` what is added to the mean.
    """

    games: tuple[FirstGame, ...]
    mean: tuple[int, int]
    points: int
    percent: int
    dp: int
    rating: int | None
    why: str
    clause: str

    @property
    def exact_rating(self) -> int:
        """Mean and dp, rounded once, before any floor or cap."""
        total, count = self.mean
        return rounded(total + self.dp * count, count)


class Calculation(NamedTuple):
    """How one player's rating at one speed came about in one batch.

    `before` is the published state, `entered` the same after the floor and inheritance
    (`source` says where an inherited rating came from); `total` is the sum of the changes,
    `shift` that sum rounded, `floored` whether the floor held the rating up. `more` is what else the rule
    book tells of it, in plain JSON values by name.
    """

    player: str
    before: Rating
    entered: Rating
    source: str
    total: int
    shift: int
    floored: bool
    first: FirstWorking | None
    after: Rating
    more: More = NO_MORE


class PlayerState(NamedTuple):
    """Where a player stands at one speed on a day, with what a next game would be rated on.

    `on_file` are the games that wait for a first rating, in the order in which they were entered.
    """

    speed: str
    rating: Rating
    on_file: tuple[FirstGame, ...]
    day: date


Ratings = dict[str, dict[str, Rating]]
Waiting = dict[str, dict[str, tuple[FirstGame, ...]]]


@dataclass(frozen=True, slots=True)
class Standings:
    """The state between two batches: by speed and player, ratings and games waiting."""

    ratings: Ratings = field(default_factory=dict)
    waiting: Waiting = field(default_factory=dict)

    def of(self, speed: str, player: str) -> Rating:
        """The player's state at that speed; unrated if there is none."""
        return self.ratings.get(speed, {}).get(player, UNRATED)


class Outcome(NamedTuple):
    """What rating a batch gives: the standings after it, and how they came about."""

    standings: Standings
    events: list[EventLines]
    calculations: dict[str, dict[str, Calculation]]
