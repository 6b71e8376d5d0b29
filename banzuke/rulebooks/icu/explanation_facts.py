"""What explanations and lists.csv tell of a player's event, as plain values (`Calculation.more`).

Most opponents count as their rating; `values` has those that do not, so that there is little to keep.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from banzuke.core.rating import RATED
from banzuke.rulebooks.icu.arithmetic import Value, six_decimals
from banzuke.rulebooks.icu.event_steps import EventFigures
from banzuke.rulebooks.icu.icu import Bonus, Mean, value_of_opponent


def explanation_facts(event: EventFigures, number: int, mean: Mean | None) -> dict[str, Any]:
    """Kind, rounds of each phase, values that are no ratings, the performance, the change and the bonus."""
    entrant = event.entrants[number]
    facts: dict[str, Any] = {"kind": entrant.kind, "rounds": [phase.number for phase in event.phases]}
    if mean is not None:
        facts |= _performance_facts(mean)
    values = dict(_values(event, number))
    if values:
        facts["values"] = values
    if entrant.kind == RATED:
        bonus = event.bonuses[number]
        facts["change"] = six_decimals(event.changes[number])
        facts["bonus"] = bonus.points if bonus else 0
        if bonus:
            facts["bonus_figures"] = _bonus_facts(bonus)
    else:
        facts["rating"] = entrant.rating
    return facts


def _performance_facts(mean: Mean) -> dict[str, Any]:
    return {
        "sum": six_decimals(mean.total),
        "games": mean.games,
        "performance": six_decimals(mean.performance),
    }


def _bonus_facts(bonus: Bonus) -> dict[str, Any]:
    return {
        "change": six_decimals(bonus.change),
        "least": bonus.least,
        "excess": bonus.excess,
        "raised": bonus.raised,
        "limit": bonus.limit,
        "highest": six_decimals(bonus.highest),
    }


def _values(event: EventFigures, number: int) -> Iterator[tuple[str, list[str]]]:
    """ICU 5: by round, an opponent's value with all its digits where it is a performance, or has a bonus."""
    entrant = event.entrants[number]
    values = _values_with_k if entrant.kind == RATED else _values_of_mean
    for played, value in zip(entrant.played, values(event, number), strict=True):
        if isinstance(value, Decimal):
            is_rated = event.entrants[played.opponent].value is not None
            yield str(played.round), [str(value), "bonus" if is_rated else "performance"]


def _values_with_k(event: EventFigures, number: int) -> list[Value | None]:
    """What the opponents counted as in the change of a player with a K."""
    own = event.entrants[number].rating or 0
    return [None if game is None else own + game.difference for game in event.games[number]]


def _values_of_mean(event: EventFigures, number: int) -> list[Value | None]:
    """What the opponents counted as in the last round of performances."""
    before = event.phases[-1].before
    played = event.entrants[number].played
    return [value_of_opponent(game.opponent, event.values, before) for game in played]
