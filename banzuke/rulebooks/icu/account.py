"""What is kept of a player's event for its explanation and for lists.csv, in plain values."""

from typing import Any

from banzuke.core.rating import RATED, Calculation, Rating
from banzuke.rulebooks.icu.course import Course
from banzuke.rulebooks.icu.exact import Value, six_decimals
from banzuke.rulebooks.icu.icu import Bonus, Mean, value_of_opponent


def account_of(course: Course, number: int, mean: Mean | None) -> dict[str, Any]:
    """Kind, rounds of each phase, the games' values by round, the performance, the change and the bonus."""
    entrant = course.entrants[number]
    facts: dict[str, Any] = {"kind": entrant.kind, "rounds": [phase.number for phase in course.phases]}
    if mean is not None:
        facts |= _performance_facts(mean)
    if entrant.kind == RATED:
        bonus = course.bonuses[number]
        facts |= {
            "change": six_decimals(course.changes[number]),
            "bonus": bonus.points if bonus else 0,
            "values": _values_with_k(course, number),
        }
        if bonus:
            facts["bonus_figures"] = _bonus_facts(bonus)
        return facts
    return facts | {"rating": entrant.rating, "values": _values(course, number)}


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


def _values_with_k(course: Course, number: int) -> dict[str, list[str]]:
    """By round: the opponent's value, what it is, the expectation, the change."""
    found = {}
    for played, figures in zip(course.entrants[number].played, course.figures[number], strict=True):
        if figures is not None:
            found[str(played.round)] = [*_told(course, played.opponent, figures.value), *figures.game.written]
    return found


def _values(course: Course, number: int) -> dict[str, list[str]]:
    """By round: the opponent's value in the last round of performances, and what it is."""
    found = {}
    for played in course.entrants[number].played:
        value = value_of_opponent(played.opponent, course.values, course.phases[-1].before)
        if value is not None:
            found[str(played.round)] = _told(course, played.opponent, value)
    return found


def _told(course: Course, opponent: int, value: Value) -> list[str]:
    """ICU 5: an opponent's value, and whether it is a rating, one with a bonus, or a performance."""
    rating = course.entrants[opponent].value
    what = "performance" if rating is None else "rating" if value == rating else "bonus"
    return [six_decimals(value), what]


def bonus_cell(_rating: Rating, calculation: Calculation | None) -> int | None:
    """ICU 7: the bonus of the event; None for who is not rated, or did not play."""
    found: int | None = None if calculation is None else calculation.more.get("bonus")
    return found


def performance_cell(_rating: Rating, calculation: Calculation | None) -> str | None:
    """ICU 6: the performance of the event; None where there is none."""
    found: str | None = None if calculation is None else calculation.more.get("performance")
    return found
