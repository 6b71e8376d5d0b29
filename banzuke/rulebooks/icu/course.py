"""The course of an event: its players before it, then performances, changes and bonuses in their order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from banzuke.core.rating import RATED, Coefficient
from banzuke.rulebooks.icu.exact import Value
from banzuke.rulebooks.icu.icu import (
    FIXED,
    Bonus,
    GameFigures,
    Played,
    Rounds,
    Settings,
    Version,
    bonus_of,
    game_figures,
    performance_rounds,
    share_of,
    value_of_opponent,
)

TENTHS = Decimal(10)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of an event, as known before it; `rating` over `games` is None and 0 for the unrated.

    `played` are the games that were entered, in the order of the event's.
    """

    player: str
    kind: str
    rating: int | None
    games: int
    k: Coefficient | None
    played: list[Played] = field(default_factory=list)

    @property
    def value(self) -> int | None:
        """ICU 5: what the player counts as for opponents; None: the performance."""
        return self.rating if self.kind in (RATED, FIXED) else None


class Figures(NamedTuple):
    """A game of a player with a K: the opponent's value as used, and what it makes of the game."""

    value: Value
    game: GameFigures


class NotStableError(Exception):
    """The performances of an event still move after the last round that there is."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.rounds = rounds


@dataclass(slots=True)
class Course:
    """What an event comes to, player by player in the order of the entrants.

    `values` are those that rated and fixed players have for opponents, a bonus included; `figures` are the
    games of players with a K, None against an undefined opponent; `phases` are the rounds before a bonus,
    and those after it.
    """

    entrants: Sequence[Entrant]
    values: list[Value | None]
    figures: list[list[Figures | None]]
    changes: list[Decimal]
    bonuses: list[Bonus | None]
    phases: list[Rounds]


def course_of(entrants: Sequence[Entrant], version: Version, settings: Settings) -> Course:
    """ICU 8: performances, expectations, bonuses; with a bonus, each of them again as the version says.

    The entrants stand in the order of their ids. Raises NotStableError.
    """
    size = len(entrants)
    course = Course(
        entrants,
        [entrant.value for entrant in entrants],
        [[] for _ in entrants],
        [Decimal(0)] * size,
        [None] * size,
        [],
    )
    reach_performances(course, [None] * size, version.rounds_before, version)
    for number in range(size):
        expect(course, number)
    if grant_bonuses(course, settings):
        renew_values(course, range(size))
        touched = _met_a_bonus(course)
        for number in range(size):
            if number in touched:
                expect(course, number)
            if version.renews_values:
                renew_values(course, [number])
        reach_performances(course, course.phases[0].performances, version.rounds_after, version)
        if version.has_second_test:
            grant_bonuses(course, settings)
    return course


def _met_a_bonus(course: Course) -> set[int]:
    """The players who met somebody with a bonus; for all others every expectation comes out as before."""
    granted = [of.played for of, bonus in zip(course.entrants, course.bonuses, strict=True) if bonus]
    return {played.opponent for games in granted for played in games}


def reach_performances(course: Course, start: list[Decimal | None], limit: int, version: Version) -> None:
    """ICU 6: a phase of rounds; one that may have a single round need not be stable."""
    shares = [share_of(of.played, course.values, *_carried(of)) for of in course.entrants]
    rounds = performance_rounds(shares, start, limit, version.threshold / TENTHS)
    if not rounds.is_stable and limit > 1:
        raise NotStableError(limit)
    course.phases.append(rounds)


def _carried(entrant: Entrant) -> tuple[int, int]:
    """What a provisional player carries into the mean: the old rating, over so many games."""
    if entrant.value is not None or entrant.rating is None:
        return 0, 0
    return entrant.rating, entrant.games


def expect(course: Course, number: int) -> None:
    """ICU 4: the expectations of a player with a K, and the change that they make."""
    entrant = course.entrants[number]
    if entrant.k is not None and entrant.rating is not None:
        figures = _figures(course, entrant.played, entrant.k.value, entrant.rating)
        course.figures[number] = figures
        course.changes[number] = sum((each.game.change for each in figures if each), Decimal(0))


def _figures(course: Course, games: Sequence[Played], k: int, own: int) -> list[Figures | None]:
    """The figures of the games; None against an undefined opponent."""
    values, performances = course.values, course.phases[-1].performances
    found: list[Figures | None] = []
    for opponent, score, _ in games:
        value = value_of_opponent(opponent, values, performances)
        found.append(None if value is None else Figures(value, game_figures(k, score, value - own)))
    return found


def grant_bonuses(course: Course, settings: Settings) -> bool:
    """ICU 7, 8: whether anybody gets a bonus now; who gets none keeps one granted earlier."""
    performances = course.phases[-1].performances
    granted = False
    for number, entrant in enumerate(course.entrants):
        if entrant.k is None or entrant.rating is None:
            continue
        facts = entrant.k.value, len(entrant.played), course.changes[number], performances[number]
        bonus = bonus_of(entrant.rating, *facts, settings)
        if bonus is not None:
            course.bonuses[number] = bonus
            granted = True
    return granted


def renew_values(course: Course, numbers: Iterable[int]) -> None:
    """ICU 5: a rated player with a bonus counts with change and bonus, neither rounded nor held."""
    for number in numbers:
        bonus, rating = course.bonuses[number], course.entrants[number].rating
        if bonus is not None and rating is not None:
            course.values[number] = rating + course.changes[number] + bonus.points
