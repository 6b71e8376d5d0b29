"""ICU 8: the steps of an event in their order: performances, changes, bonuses, and each of them again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from banzuke.core.rating import RATED, Coefficient
from banzuke.rulebooks.icu.arithmetic import Value
from banzuke.rulebooks.icu.icu import (
    FIXED,
    Bonus,
    GameFigures,
    PlayedGame,
    Rounds,
    Settings,
    Version,
    bonus_of,
    game_figures,
    known_part,
    performance_rounds,
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
    played: list[PlayedGame] = field(default_factory=list)

    @property
    def value(self) -> int | None:
        """ICU 5: what the player counts as for opponents; None: the performance."""
        return self.rating if self.kind in (RATED, FIXED) else None


class NotStableError(Exception):
    """The performances of an event still move after the last round that there is."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.rounds = rounds


@dataclass(slots=True)
class EventFigures:
    """What the steps of an event have given so far. All lists but `phases` are in the order of the entrants.

    `values` is what each rated or fixed player counts as for opponents, a bonus included. `games` are the
    figures of each player with a K, in the event's order; None: the opponent is undefined. `phases` are the
    rounds before a bonus, then those after it.
    """

    entrants: Sequence[Entrant]
    values: list[Value | None]
    games: list[list[GameFigures | None]]
    changes: list[Decimal]
    bonuses: list[Bonus | None]
    phases: list[Rounds]


def reckon_event(entrants: Sequence[Entrant], version: Version, settings: Settings) -> EventFigures:
    """ICU 8: performances, expectations, bonuses; with a bonus, each of them again as the version says.

    The entrants stand in the order of their ids. Raises NotStableError.
    """
    event = _nothing_reckoned(entrants)
    reach_performances(event, [None] * len(entrants), version.rounds_before, version)
    for number in range(len(entrants)):
        expect(event, number)
    if grant_bonuses(event, settings):
        renew_values(event, range(len(entrants)))
        renew_expectations(event, version)
        reach_performances(event, event.phases[0].performances, version.rounds_after, version)
        if version.has_second_test:
            grant_bonuses(event, settings)
    return event


def _nothing_reckoned(entrants: Sequence[Entrant]) -> EventFigures:
    """An event before its first step."""
    return EventFigures(
        entrants,
        values=[entrant.value for entrant in entrants],
        games=[[] for _ in entrants],
        changes=[Decimal() for _ in entrants],
        bonuses=[None for _ in entrants],
        phases=[],
    )


def reach_performances(
    event: EventFigures, start: list[Decimal | None], limit: int, version: Version
) -> None:
    """ICU 6: a phase of rounds; one that may have a single round need not be stable."""
    parts = [known_part(entrant.played, event.values, *_carried(entrant)) for entrant in event.entrants]
    rounds = performance_rounds(parts, start, limit, version.threshold / TENTHS)
    if not rounds.is_stable and limit > 1:
        raise NotStableError(limit)
    event.phases.append(rounds)


def _carried(entrant: Entrant) -> tuple[int, int]:
    """What a provisional player carries into the mean: the old rating, over so many games."""
    if entrant.value is not None or entrant.rating is None:
        return 0, 0
    return entrant.rating, entrant.games


def expect(event: EventFigures, number: int) -> None:
    """ICU 4: the expectations of a player with a K, and the change that they make."""
    entrant = event.entrants[number]
    if entrant.k is not None and entrant.rating is not None:
        games = _figures_of_games(event, entrant.played, entrant.k.value, entrant.rating)
        event.games[number] = games
        event.changes[number] = sum([game.change for game in games if game], Decimal())


def _figures_of_games(
    event: EventFigures, played: Sequence[PlayedGame], k: int, own: int
) -> list[GameFigures | None]:
    """The games' figures; None against an undefined opponent."""
    values, performances = event.values, event.phases[-1].performances
    games: list[GameFigures | None] = []
    for opponent, score, _ in played:
        value = value_of_opponent(opponent, values, performances)
        games.append(None if value is None else game_figures(k, score, value - own))
    return games


def grant_bonuses(event: EventFigures, settings: Settings) -> bool:
    """ICU 7, 8: whether anybody gets a bonus now; who gets none keeps one granted earlier."""
    performances = event.phases[-1].performances
    is_granted = False
    for number, entrant in enumerate(event.entrants):
        if entrant.k is None or entrant.rating is None:
            continue
        facts = entrant.k.value, len(entrant.played), event.changes[number], performances[number]
        bonus = bonus_of(entrant.rating, *facts, settings)
        if bonus is not None:
            event.bonuses[number] = bonus
            is_granted = True
    return is_granted


def renew_values(event: EventFigures, numbers: Iterable[int]) -> None:
    """ICU 5: a rated player with a bonus counts with change and bonus, neither rounded nor held."""
    for number in numbers:
        bonus, rating = event.bonuses[number], event.entrants[number].rating
        if bonus is not None and rating is not None:
            event.values[number] = rating + event.changes[number] + bonus.points


def renew_expectations(event: EventFigures, version: Version) -> None:
    """ICU 8: all expectations again, player by player; in some versions the player's value with them."""
    met_a_bonus = _who_met_a_bonus(event)
    for number in range(len(event.entrants)):
        if number in met_a_bonus:
            expect(event, number)
        if version.renews_values:
            renew_values(event, [number])


def _who_met_a_bonus(event: EventFigures) -> set[int]:
    """The players who met somebody with a bonus; for all others every expectation comes out as before."""
    granted = [number for number, bonus in enumerate(event.bonuses) if bonus]
    return {game.opponent for number in granted for game in event.entrants[number].played}
