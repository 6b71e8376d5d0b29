"""USC 3, 4: the three steps of an event, for all its players at once."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from banzuke.core.rating import Line
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.us_chess import Entrant, Games, StepResult

Figures = Mapping[str, Fraction]


class EventSteps(NamedTuple):
    """The figures before the event or of step 1, by player, and what steps 2 and 3 gave each."""

    first: Figures
    second: Mapping[str, StepResult]
    third: Mapping[str, StepResult]


def take_steps(
    entrants: Mapping[str, Entrant], counted: Mapping[str, list[Line]], *, is_dual: bool, constant: int
) -> EventSteps:
    """USC 3, 4: the three steps, from the games of each player that count."""
    before = {player: entrant.rating for player, entrant in entrants.items()}
    first = before | {
        player: us_chess.step_1(entrant.rating, _games(counted[player], before))
        for player, entrant in entrants.items()
        if not entrant.games
    }
    constants = {
        player: constant if us_chess.may_have_bonus([line.opponent for line in lines]) else None
        for player, lines in counted.items()
    }

    def step_against(figures: Figures) -> dict[str, StepResult]:
        return {
            player: us_chess.take_step(
                entrant, _games(counted[player], figures), is_dual=is_dual, constant=constants[player]
            )
            for player, entrant in entrants.items()
        }

    second = step_against(first)
    third = step_against({player: step.figure for player, step in second.items()})
    return EventSteps(first, second, third)


def _games(lines: Sequence[Line], figures: Figures) -> Games:
    return [(figures[line.opponent], line.score or 0) for line in lines]
