"""What the explanation tells of a player's event, as plain values (`Calculation.more`)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from banzuke.core.decimals import with_decimals
from banzuke.core.rating import Line
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.arithmetic import with_two_decimals
from banzuke.rulebooks.us_chess.event_steps import EventSteps
from banzuke.rulebooks.us_chess.us_chess import PLACES, Entrant, StepResult


def explanation_facts(
    player: str, entrant: Entrant, lines: Sequence[Line], steps: EventSteps, constant: int
) -> dict[str, Any]:
    """The figures of the player's steps as the sentences print them."""
    second, third = steps.second[player], steps.third[player]
    effective = us_chess.effective_games(entrant.rating, entrant.games)
    facts: dict[str, Any] = {
        "source": entrant.source,
        "earlier": entrant.games,
        "effective": with_two_decimals(effective),
        "played": len(lines),
        "formula": _formula(entrant),
        "step_2": with_two_decimals(second.figure),
        "step_3": with_two_decimals(third.figure),
        "points": with_two_decimals(third.points),
        "expected": with_two_decimals(third.expected),
        "games": _game_facts(lines, steps, player),
    }
    if entrant.source not in ("", us_chess.BY_AGE):
        facts["first"] = with_two_decimals(entrant.rating)
    if not entrant.games:
        facts["step_1"] = with_two_decimals(steps.first[player])
    if third.k is not None:
        regular_k = us_chess.coefficient(entrant.rating, effective, len(lines), is_dual=False)
        facts |= _standard_facts(third, third.k, regular_k, constant)
    return facts


def _formula(entrant: Entrant) -> str:
    """Which formula, and why: `standard`; `few` games; all `won` or `lost` before."""
    if entrant.games and entrant.one_sided:
        return entrant.one_sided
    return "few" if us_chess.is_special(entrant) else "standard"


def _standard_facts(third: StepResult, k: Fraction, regular_k: Fraction, constant: int) -> dict[str, Any]:
    """What the standard formula and the bonus took; `regular_k` is K of games that are not dual-rated."""
    facts: dict[str, Any] = {
        "k": with_two_decimals(k),
        "surplus": with_two_decimals(third.surplus),
        "constant": constant,
        "bonus": with_two_decimals(third.bonus),
        "is_dual": k != regular_k,
    }
    if third.threshold is not None:
        facts["threshold"] = with_two_decimals(third.threshold)
    return facts


def _game_facts(lines: Sequence[Line], steps: EventSteps, player: str) -> list[list[Any]]:
    """For each game round, opponent, what the opponent counted in steps 2 and 3, and step 3's expectation."""
    expectations = steps.third[player].expectations
    return [
        [
            line.round,
            line.opponent,
            with_two_decimals(steps.first[line.opponent]),
            with_two_decimals(steps.second[line.opponent].figure),
            with_decimals(expectations[place], PLACES),
        ]
        for place, line in enumerate(lines)
    ]
