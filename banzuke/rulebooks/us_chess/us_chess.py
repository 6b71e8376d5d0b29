"""US Chess: regular ratings over the board, in the order of the clauses.

A batch is one event. Figures within it are exact fractions, rounded to 24 decimals after each step; a rating
is carried with four decimals (`Rating.more["rating"]`) and shown whole.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from typing import Any, NamedTuple

from banzuke.core.calendar import EachEvent
from banzuke.core.decimals import with_decimals
from banzuke.core.facts import Event, More, Player
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import FIRST, FORFEIT, RATED, RULING, SPEED, Rating
from banzuke.core.rounding import rounded
from banzuke.rulebooks.us_chess.arithmetic import (
    WORKING_PLACES,
    find_balance,
    logistic,
    square_root,
    to_places,
)

#: One list: the ratings stand under no speed.
ONE_LIST = ""
#: Every event is a batch of its own.
CALENDAR = EachEvent()

PARAMETERS = read_parameters(files(__package__), "us_chess")
_number = PARAMETERS.whole


def _decimal(name: str) -> Fraction:
    """A number that the document writes with decimals."""
    return Fraction(PARAMETERS[name].value)


FIDE_LIMIT = _number("fide_limit")
FIDE_LOW = _decimal("fide_low_factor"), _number("fide_low_added"), _number("fide_low_games")
FIDE_HIGH = _decimal("fide_high_factor"), _number("fide_high_added"), _number("fide_high_games")
AGE_FROM, AGE_TO, AGE_POINTS = _number("age_from"), _number("age_to"), _number("age_points")
YOUNGEST, ADULT, UNKNOWN = _number("first_youngest"), _number("first_adult"), _number("first_unknown")
MOST_EFFECTIVE, EFFECTIVE_TO = _number("most_effective"), _number("effective_to")
EFFECTIVE_CENTRE, EFFECTIVE_CONSTANT = _number("effective_centre"), _decimal("effective_constant")
EFFECTIVE_SQUARE = _decimal("effective_square")
STEP_1_GAMES, LOWEST = Fraction(_number("step_1_games")), Fraction(_number("lowest"))
SPECIAL_GAMES, HALF_WIDTH = _number("special_games"), _number("half_width")
ONE_SIDED_SHIFT, SPECIAL_MOST = _number("one_sided_shift"), Fraction(_number("special_most"))
LOGISTIC, K_SUM = _number("logistic"), _number("k_sum")
REGULAR_MINUTES, DUAL_MINUTES = _number("regular_minutes"), _number("dual_minutes")
DUAL_ABOVE, DUAL_TOP, DUAL_TOP_SUM = _number("dual_above"), _number("dual_top"), _number("dual_top_sum")
DUAL_CONSTANT, DUAL_SLOPE = _decimal("dual_constant"), _decimal("dual_slope")
BONUS_GAMES, BONUS_MEETINGS = _number("bonus_games"), _number("bonus_meetings")
BONUS_LEAST_GAMES = _number("bonus_least_games")
#: B of the bonus, by the first last day of the events that it is for.
BONUS_CONSTANTS: tuple[tuple[date, int], ...] = PARAMETERS.row("bonus")
PROVISIONAL_GAMES = _number("provisional_games")
ESTABLISHED_GAMES = PROVISIONAL_GAMES + 1
FLOOR_BASE, FLOOR_MOST = _number("floor_base"), _number("floor_most")
FLOOR_WON, FLOOR_DRAWN = _number("floor_won"), _number("floor_drawn")
FLOOR_EVENT, FLOOR_EVENT_GAMES = _number("floor_event"), _number("floor_event_games")
PEAK_LESS, FLOOR_STEP = _number("peak_less"), _number("floor_step")
PERSONAL_LOWEST, PERSONAL_HIGHEST = _number("personal_lowest"), _number("personal_highest")
#: With so many decimals a rating is carried on.
PLACES = len(PARAMETERS["carried"].value.partition(".")[2])

#: Where a first rating came from.
FROM_FIDE, BY_AGE, AS_ADULT, AS_UNKNOWN = "fide", "age", "adult", "unknown"
WON, LOST = "won", "lost"

VERDICTS = {RATED: "USC 6", FIRST: "USC 1", RULING: "USC 10", SPEED: "USC 10", FORFEIT: "USC 10"}
CITES = {
    "first": "USC 1",
    "effective": "USC 2",
    "step-1": "USC 3",
    "steps": "USC 4",
    "special": "USC 5",
    "standard": "USC 6",
    "bonus": "USC 7",
    "games": "USC 8",
    "floor": "USC 9",
    "left-out": "USC 10",
    "missing": "USC 11",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """There is nothing that an office may rule otherwise."""


#: A player's games as (opponent's figure, half points).
Games = Sequence[tuple[Fraction, int]]


class FirstRating(NamedTuple):
    """A first rating, the games it counts for, and where it came from."""

    rating: Fraction
    games: int
    source: str


class Entrant(NamedTuple):
    """Who plays a rated game: the rating before the event or the first one, N, whether all was won or lost.

    `source` is where a first rating came from, blank for a rating from before the event.
    """

    rating: Fraction
    games: int
    one_sided: str
    source: str


class StepResult(NamedTuple):
    """One player's figure after a step, and what the formula took: the points, each game's expectation, K.

    `k` is None in the special formula. `surplus` is K (S - E), `threshold` what it must exceed for a bonus
    (None: there can be none).
    """

    figure: Fraction
    points: Fraction
    expectations: tuple[Fraction, ...]
    k: Fraction | None = None
    surplus: Fraction = Fraction()
    threshold: Fraction | None = None
    bonus: Fraction = Fraction()

    @property
    def expected(self) -> Fraction:
        """What the games are expected to bring."""
        return sum(self.expectations, Fraction())


# USC 1: first ratings


def age_on(born: date, day: date) -> int:
    """USC 1: the age in whole years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def rating_by_age(age: int) -> int:
    """USC 1: the first rating at an age."""
    if age < AGE_FROM:
        return YOUNGEST
    return AGE_POINTS * age if age <= AGE_TO else ADULT


def rating_from_fide(fide: int) -> FirstRating:
    """USC 1: the first rating from FIDE's standard rating, and the games it counts for."""
    factor, added, games = FIDE_LOW if fide <= FIDE_LIMIT else FIDE_HIGH
    return FirstRating(factor * fide + added, games, FROM_FIDE)


def first_rating(player: Player | None, day: date) -> FirstRating:
    """USC 1: the first rating of somebody who has none, on the event's last day. [reading: adult]"""
    if player is not None and player.fide_standard is not None:
        return rating_from_fide(player.fide_standard)
    if player is not None and player.birth_date is not None:
        return FirstRating(Fraction(rating_by_age(age_on(player.birth_date, day))), 0, BY_AGE)
    if player is not None and player.more.get("adult"):
        return FirstRating(Fraction(ADULT), 0, AS_ADULT)
    return FirstRating(Fraction(UNKNOWN), 0, AS_UNKNOWN)


# USC 2: effective games


def effective_games(rating: Fraction, games: int) -> Fraction:
    """USC 2: N', the games that the rating before the event counts for. [reading: working-decimals]"""
    if rating > EFFECTIVE_TO:
        return Fraction(min(games, MOST_EFFECTIVE))
    root = square_root(EFFECTIVE_CONSTANT + EFFECTIVE_SQUARE * (EFFECTIVE_CENTRE - rating) ** 2)
    return min(Fraction(games), MOST_EFFECTIVE / root)


# USC 3, 4: the steps


def step_1(first: Fraction, games: Games) -> Fraction:
    """USC 3: the figure of a player without games after step 1."""
    return special_step(first, STEP_1_GAMES, games).figure


def take_step(entrant: Entrant, games: Games, *, is_dual: bool, constant: int | None) -> StepResult:
    """USC 4: one player in step 2 or 3, from the rating before the event against the opponents' figures.

    `constant` is B; None: there can be no bonus.
    """
    effective = effective_games(entrant.rating, entrant.games)
    if is_special(entrant):
        return special_step(entrant.rating, effective, games, entrant.one_sided if entrant.games else "")
    return standard_step(entrant.rating, effective, games, is_dual=is_dual, constant=constant)


def figure_after_step(figure: Fraction) -> Fraction:
    """USC 4: a figure after a step, not below 100. [reading: working-decimals]"""
    return max(LOWEST, to_places(figure, WORKING_PLACES))


def shown_rating(rating: Fraction) -> int:
    """USC 4: a rating as shown, whole, halves up. [reading: decimals]"""
    return rounded(rating.numerator, rating.denominator)


def exact_rating(rating: Rating) -> Decimal:
    """USC 4: a rating with its decimals; one without them is exact as it stands."""
    return Decimal(rating.more.get("rating") or rating.value or 0)


def with_exact_rating(rating: Rating, exact: Fraction) -> Rating:
    """USC 4: the state with another rating, carried with its decimals and shown whole."""
    more = More({**rating.more, "rating": Decimal(with_decimals(exact, PLACES))})
    return rating._replace(value=shown_rating(exact), more=more)


# USC 5: the special formula


def is_special(entrant: Entrant) -> bool:
    """USC 5: whether the special formula holds. [reading: one-sided]"""
    return entrant.games <= SPECIAL_GAMES or entrant.one_sided in (WON, LOST)


def one_sided_after(before: Rating, scores: Sequence[int]) -> str:
    """USC 5: `won` or `lost` where all games with these were. [reading: one-sided]"""
    now = WON if set(scores) == {2} else LOST if set(scores) == {0} else ""
    is_first = before.value is None or not before.games
    return now if is_first or before.more.get("one_sided") == now else ""


def winning_expectancy(rating: Fraction, opponent: Fraction) -> Fraction:
    """USC 5: PW, a straight line from nothing 400 points below the opponent to one 400 above."""
    on_the_line = Fraction(rating - opponent + HALF_WIDTH, 2 * HALF_WIDTH)
    return min(Fraction(1), max(Fraction(0), on_the_line))


def own_part(rating: Fraction, effective: Fraction, one_sided: str) -> tuple[Fraction, Fraction]:
    """USC 5: R0', as what the own rating counts, and what it adds to the points."""
    if one_sided == WON:
        return rating - ONE_SIDED_SHIFT, effective
    if one_sided == LOST:
        return rating + ONE_SIDED_SHIFT, Fraction(0)
    return rating, effective / 2


def special_step(rating: Fraction, effective: Fraction, games: Games, one_sided: str = "") -> StepResult:
    """USC 5: the rating at which the points are what is expected; at most 2700."""
    own, added = own_part(rating, effective, one_sided)
    points = Fraction(sum(score for _, score in games), 2) + added
    parts = [(own, effective), *((opponent, Fraction(1)) for opponent, _ in games)]
    solution = min(SPECIAL_MOST, find_balance(rating, parts, points, HALF_WIDTH))
    expectations = tuple(winning_expectancy(solution, opponent) for opponent, _ in games)
    return StepResult(figure_after_step(solution), points, expectations)


# USC 6: the standard formula


def expectancy(rating: Fraction, opponent: Fraction) -> Fraction:
    """USC 6: what a game is expected to bring, without a limit. [reading: working-decimals]"""
    return logistic(opponent - rating, LOGISTIC)


def change_of_game(k: Fraction, score: int, expected: Fraction) -> Fraction:
    """USC 6: what a game (half points) adds to the rating."""
    return k * (Fraction(score, 2) - expected)


def is_dual(event: Event) -> bool:
    """USC 6: whether the games are dual-rated. [reading: no-time]"""
    return event.minutes is not None and event.minutes <= DUAL_MINUTES


def coefficient(rating: Fraction, effective: Fraction, games: int, *, is_dual: bool) -> Fraction:
    """USC 6: K of an event of so many games."""
    if not is_dual or rating <= DUAL_ABOVE:
        return K_SUM / (effective + games)
    if rating >= DUAL_TOP:
        return DUAL_TOP_SUM / (effective + games)
    return K_SUM * (DUAL_CONSTANT - DUAL_SLOPE * rating) / (effective + games)


def standard_step(
    rating: Fraction, effective: Fraction, games: Games, *, is_dual: bool, constant: int | None
) -> StepResult:
    """USC 6: the rating, K times what the points exceed the expectation, and the bonus."""
    points = Fraction(sum(score for _, score in games), 2)
    expectations = tuple(expectancy(rating, opponent) for opponent, _ in games)
    k = coefficient(rating, effective, len(games), is_dual=is_dual)
    surplus = k * (points - sum(expectations))
    threshold = None if constant is None else bonus_threshold(constant, len(games))
    bonus = Fraction(0) if threshold is None else max(Fraction(0), surplus - threshold)
    figure = figure_after_step(rating + surplus + bonus)
    return StepResult(figure, points, expectations, k, surplus, threshold, bonus)


# USC 7: the bonus


def bonus_constant(day: date, constants: Sequence[tuple[date, int]] = BONUS_CONSTANTS) -> int | None:
    """USC 7: B for an event whose last day it is; None: the event is earlier than what is known."""
    known = [constant for since, constant in constants if since <= day]
    return known[-1] if known else None


def may_have_bonus(opponents: Sequence[str]) -> bool:
    """USC 7: whether the games that count allow a bonus: enough of them, and nobody met too often."""
    return len(opponents) >= BONUS_GAMES and max(Counter(opponents).values()) <= BONUS_MEETINGS


def bonus_threshold(constant: int, games: int) -> Fraction:
    """USC 7: what K (S - E) must exceed. [reading: working-decimals]"""
    return constant * square_root(Fraction(max(games, BONUS_LEAST_GAMES)))


# USC 8: games


def career_after(before: Rating, earlier: int, scores: Sequence[int]) -> Rating:
    """USC 8, 9: games, wins, draws, and events of at least three games, with those of an event.

    `earlier` is how many games the rating rested on before it.
    """
    events = int(len(scores) >= FLOOR_EVENT_GAMES)
    counts = {"won": scores.count(2), "drawn": scores.count(1), "events3": events}
    more: dict[str, Any] = {name: (before.more.get(name) or 0) + count for name, count in counts.items()}
    if "floor" in before.more:
        more["floor"] = before.more["floor"]
    if one_sided := one_sided_after(before, scores):
        more["one_sided"] = one_sided
    return before._replace(games=earlier + len(scores), more=More(more))


def is_provisional(games: int) -> bool:
    """USC 8: whether a rating on so many games is provisional."""
    return games <= PROVISIONAL_GAMES


# USC 9: floors


def absolute_floor(won: int, drawn: int, events: int) -> int:
    """USC 9: the floor that everybody has, by career wins, draws and events of at least three games."""
    return min(FLOOR_MOST, FLOOR_BASE + FLOOR_WON * won + FLOOR_DRAWN * drawn + FLOOR_EVENT * events)


def personal_floor(rating: Rating) -> int:
    """USC 9: the floor of an established player by the peak; 0: none. [reading: personal-floor]"""
    if rating.peak is None or is_provisional(rating.games):
        return 0
    floor = (rating.peak - PEAK_LESS) // FLOOR_STEP * FLOOR_STEP
    return min(floor, PERSONAL_HIGHEST) if floor >= PERSONAL_LOWEST else 0


def floors(before: Rating, career: Rating) -> dict[str, int]:
    """USC 9: each floor by its kind: by the career with the event, by the peak before it, by the office.

    [reading: career-counts]
    """
    counts = (career.more.get(name) or 0 for name in ("won", "drawn", "events3"))
    office = before.more.get("floor") or 0
    return {"absolute": absolute_floor(*counts), "personal": personal_floor(before), "office": office}


# USC 10: what is not rated


def verdict(event: Event, score: int | None, *, is_excluded: bool, has_rating: bool) -> str:
    """USC 10: whether a game counts for a side, or why not. [reading: rulings]"""
    if is_excluded:
        return RULING
    if event.minutes is not None and event.minutes < REGULAR_MINUTES:
        return SPEED
    if score is None:
        return FORFEIT
    return RATED if has_rating else FIRST
