"""What explanations and lists.csv tell of a player's event, as plain values (`Calculation.more`)."""

from typing import Any

from banzuke.core.rating import RATED
from banzuke.rulebooks.icu.arithmetic import Value, six_decimals
from banzuke.rulebooks.icu.event_steps import EventFigures
from banzuke.rulebooks.icu.icu import Bonus, Mean, value_of_opponent


def explanation_facts(event: EventFigures, number: int, mean: Mean | None) -> dict[str, Any]:
    """Kind, rounds of each phase, the games' values by round, the performance, the change and the bonus."""
    entrant = event.entrants[number]
    facts: dict[str, Any] = {"kind": entrant.kind, "rounds": [phase.number for phase in event.phases]}
    if mean is not None:
        facts |= _performance_facts(mean)
    if entrant.kind == RATED:
        bonus = event.bonuses[number]
        facts |= {
            "change": six_decimals(event.changes[number]),
            "bonus": bonus.points if bonus else 0,
            "values": _values_with_k(event, number),
        }
        if bonus:
            facts["bonus_figures"] = _bonus_facts(bonus)
        return facts
    return facts | {"rating": entrant.rating, "values": _values(event, number)}


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


def _values_with_k(event: EventFigures, number: int) -> dict[str, list[str]]:
    """By round: the opponent's value, what it is, the expectation, the change."""
    values = {}
    for place, game in enumerate(event.rated_games[number]):
        if game is not None:
            played = event.entrants[number].played[place]
            value = _value_and_kind(event, played.opponent, game.opponent_value)
            values[str(played.round)] = [*value, *game.figures.written]
    return values


def _values(event: EventFigures, number: int) -> dict[str, list[str]]:
    """By round: the opponent's value in the last round of performances, and what it is."""
    values = {}
    for played in event.entrants[number].played:
        value = value_of_opponent(played.opponent, event.values, event.phases[-1].before)
        if value is not None:
            values[str(played.round)] = _value_and_kind(event, played.opponent, value)
    return values


def _value_and_kind(event: EventFigures, opponent: int, value: Value) -> list[str]:
    """ICU 5: an opponent's value, and whether it is a rating, one with a bonus, or a performance."""
    rating = event.entrants[opponent].value
    what = "performance" if rating is None else "rating" if value == rating else "bonus"
    return [six_decimals(value), what]
