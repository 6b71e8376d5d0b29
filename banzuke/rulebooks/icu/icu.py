"""The Irish Chess Union's ratings: kinds of player, K, expectation, performance, bonus, new rating.

A batch is one event; everything is reckoned from the values before it. The order in which the parts
of an event are reckoned is in `event_steps`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from itertools import repeat
from typing import NamedTuple

from banzuke.core.batch import Register
from banzuke.core.calendar import EachEvent
from banzuke.core.facts import EXCLUDE, SCORES, Event, Game
from banzuke.core.parameters import read_parameters
from banzuke.core.rating import AGAINST_UNRATED, FIRST, FORFEIT, RATED, RULING, Coefficient, Rating
from banzuke.core.rounding import rounded
from banzuke.rulebooks.icu.arithmetic import POINTS, Value, hundredths, logistic, six_decimals, whole

#: The union keeps one list: its ratings stand under no speed.
ONE_LIST = ""
#: So many games and days are remembered with their figures: most differences are whole and come again.
CACHE_SIZE = 1 << 15
#: A number in an id; what lies between has even places.
NUMBER = re.compile("([0-9]+)")

PARAMETERS = read_parameters(files(__package__), "icu")
_number = PARAMETERS.whole

RATED_GAMES = _number("rated_games")
HIGH_RATING, K_HIGH = _number("high_rating"), _number("k_high")
JUNIOR_AGE, K_JUNIOR = _number("junior_age"), _number("k_junior")
NEW_MEMBER_YEARS, K_NEW_MEMBER = _number("new_member_years"), _number("k_new_member")
K_NORMAL, DAYS_OF_YEAR = _number("k_normal"), _number("days_of_year")
SCALE, PER_GAME = _number("scale"), _number("per_game")
BONUS_K, BONUS_GAMES = _number("bonus_k"), _number("bonus_games")
BONUS_RATING, BONUS_CHANGE = _number("bonus_rating"), _number("bonus_change")
BONUS_BASE, BONUS_STEP = _number("bonus_base"), _number("bonus_step")
BONUS_FREE_GAMES = _number("bonus_free_games")
BONUS_HIGH_K, BONUS_PER_CENT = _number("bonus_high_k"), _number("bonus_per_cent")


class Version(NamedTuple):
    """ICU 8: how an event is reckoned; the threshold is in tenths of a point."""

    number: int
    rounds_before: int
    rounds_after: int
    threshold: int
    has_second_test: int
    renews_values: int


VERSIONS = {row[0]: Version(*row) for row in PARAMETERS.row("versions")}
if any(row[0] != place for place, row in enumerate(PARAMETERS.row("versions"))):
    raise ValueError("the numbers of the versions are their names, from 0 on")  # in events and settings

AWAY, EVEN = "away", "even"

#: Every event is a batch of its own.
CALENDAR = EachEvent()


@dataclass(frozen=True, slots=True)
class Settings:
    """What a pool may rule otherwise; explained by `banzuke rules icu`. [reading: version-of-an-event]"""

    version: int = field(default=2, metadata={"choices": tuple(VERSIONS)})
    bonus_halves: str = field(default=AWAY, metadata={"choices": (AWAY, EVEN)})
    bonus_cap: int = _number("bonus_cap")


VERDICTS = {
    RATED: "ICU 4",
    FIRST: "ICU 6",
    RULING: "ICU 2",
    FORFEIT: "ICU 2",
    AGAINST_UNRATED: "ICU 5",
}
CITES = {
    "kind": "ICU 1",
    "performance": "ICU 6",
    "bonus": "ICU 7",
    "rounds": "ICU 8",
    "list": "ICU 9",
    "sum": "ICU 9",
}

FIXED, PROVISIONAL, UNRATED_KIND = "fixed", "provisional", "unrated"


# ICU 1: kinds of player


def fixed_rating(register: Register, player: str) -> int | None:
    """ICU 1: the rating of a foreign player that the union never changes."""
    found: int | None = register.players[player].more.get("fixed_rating")
    return found


def kind_of(rating: Rating, fixed: int | None) -> str:
    """ICU 1: fixed, rated from 20 games on, provisional from 1 to 19, or unrated."""
    if fixed is not None:
        return FIXED
    if rating.value is None or not rating.games:
        return UNRATED_KIND
    return RATED if rating.games >= RATED_GAMES else PROVISIONAL


# ICU 2: games that count


def was_played(event: Event, game: Game) -> bool:
    """ICU 2: only games that were played are entered, and none that a ruling excludes."""
    return None not in SCORES[game.result] and EXCLUDE not in (event.ruling, game.ruling)


# ICU 3: K


def joined_on(register: Register, player: str) -> date | None:
    """ICU 3: the day of joining, else the first day of the earliest annual membership."""
    joined: date | None = register.players[player].more.get("joined")
    return joined or min((first for first, _ in register.annual.get(player, ())), default=None)


def years_between(earlier: date, later: date) -> int:
    """ICU 3: years from day to day, in 366ths of a year: years apart, and days of the year apart."""
    days = _day_of_year(later) - _day_of_year(earlier)
    return DAYS_OF_YEAR * (later.year - earlier.year) + days


@lru_cache(maxsize=CACHE_SIZE)
def _day_of_year(day: date) -> int:
    return day.timetuple().tm_yday


def coefficient(rating: int, born: date | None, joined: date | None, day: date) -> Coefficient | None:
    """ICU 3: K on an event's first day; None for want of a day that it asks for. [reading: days-for-k]"""
    if rating >= HIGH_RATING:
        return Coefficient(K_HIGH, "icu-high", "ICU 3")
    if born is None or joined is None:
        return None
    if years_between(born, day) < DAYS_OF_YEAR * JUNIOR_AGE:
        return Coefficient(K_JUNIOR, "junior", "ICU 3")
    if years_between(joined, day) < DAYS_OF_YEAR * NEW_MEMBER_YEARS:
        return Coefficient(K_NEW_MEMBER, "icu-new-member", "ICU 3")
    return Coefficient(K_NORMAL, "normal", "ICU 3")


def coefficient_on(rating: Rating, register: Register, player: str, day: date) -> Coefficient | None:
    """ICU 1, 3: K of a game on that day; None for who has none, or for want of a day that it asks for."""
    if rating.value is None or kind_of(rating, fixed_rating(register, player)) != RATED:
        return None
    born = register.players[player].birth_date
    return coefficient(rating.value, born, joined_on(register, player), day)


# ICU 4: expectation and change


def expectation(own: Value, opponent: Value) -> Decimal:
    """ICU 4: the expected score, not rounded; the difference has no limit."""
    return _expectation(opponent - own)


@lru_cache(maxsize=CACHE_SIZE)
def _expectation(difference: Value) -> Decimal:
    return logistic(difference, SCALE)


def change_of_game(k: int, score: int, expected: Decimal) -> Decimal:
    """ICU 4: K times what was scored (half points) beyond the expectation."""
    return k * (POINTS[score] - expected)


class GameFigures(NamedTuple):
    """A game's expectation and change: exact, in hundredths, and with six decimals.

    `difference` is the opponent's value less the own.
    """

    difference: Value
    expected: Decimal
    change: Decimal
    hundredths: tuple[int, int]
    written: tuple[str, str]


@lru_cache(maxsize=CACHE_SIZE)
def game_figures(k: int, score: int, difference: Value) -> GameFigures:
    """ICU 4: a game by K, half points, and the opponent's value less the own."""
    expected = expectation(0, difference)
    change = change_of_game(k, score, expected)
    written = six_decimals(expected), six_decimals(change)
    return GameFigures(difference, expected, change, (hundredths(expected), hundredths(change)), written)


# ICU 5: what an opponent counts as


class PlayedGame(NamedTuple):
    """A game of a player in an event: the opponent's number there, the half points, the round."""

    opponent: int
    score: int
    round: int


Performances = Sequence[Decimal | None]


def value_of_opponent(
    number: int, values: Sequence[Value | None], performances: Performances
) -> Value | None:
    """ICU 5: a rated or fixed player's value, else the performance of the round; None: undefined."""
    value = values[number]
    return performances[number] if value is None else value


# ICU 6: performances


class KnownPart(NamedTuple):
    """The part of a performance's sum that is known before its rounds.

    `total` and `games` are of the games against rated and fixed players, `carried` and `weight` of a
    provisional player's old rating; `waiting` are the other games: the opponent, and what the result adds.
    """

    total: Value
    games: int
    carried: int
    weight: int
    waiting: tuple[tuple[int, int], ...]


def result_points(score: int) -> int:
    """ICU 6: what a result adds to the opponent's value: 400, 0 or -400."""
    return PER_GAME * (score - 1)


def known_part(
    games: Sequence[PlayedGame], values: Sequence[Value | None], carried: int, weight: int
) -> KnownPart:
    """ICU 6: the part of a sum that no round changes; a rating carried over `weight` games enters with it."""
    total: Value = 0
    waiting = []
    for opponent, score, _ in games:
        value = values[opponent]
        if value is None:
            waiting.append((opponent, result_points(score)))
        else:
            total += value + result_points(score)
    return KnownPart(total, len(games) - len(waiting), carried * weight, weight, tuple(waiting))


class Mean(NamedTuple):
    """A performance: the sum over the games and their number; what is carried is in the quotient alone."""

    total: Value
    games: int
    performance: Decimal


def mean_of(part: KnownPart, performances: Performances) -> Mean | None:
    """ICU 6: the mean from the values of the round before; None: no game against a defined opponent."""
    total, games = part.total, part.games
    for opponent, points in part.waiting:
        value = performances[opponent]
        if value is not None:
            total += value + points
            games += 1
    if not games:
        return None
    return Mean(total, games, Decimal(total + part.carried) / (games + part.weight))


def has_settled(before: Decimal | None, now: Decimal | None, threshold: Decimal) -> bool:
    """ICU 6: undefined before and after, or moved by less than the threshold."""
    if before is None or now is None:
        return before is now
    return abs(now - before) < threshold


class Rounds(NamedTuple):
    """A phase: the means and performances of its last round, those before it, and how many rounds it took."""

    means: Sequence[Mean | None]
    performances: list[Decimal | None]
    before: list[Decimal | None]
    number: int
    is_stable: bool


def performance_rounds(
    parts: Sequence[KnownPart], start: list[Decimal | None], limit: int, threshold: Decimal
) -> Rounds:
    """ICU 6: all players at once, round after round, until nobody moves; the round that confirms counts."""
    means = [None if part.waiting else mean_of(part, ()) for part in parts]
    waiting = [number for number, part in enumerate(parts) if part.waiting]
    before, now, count, is_stable = start, start, 0, False
    while count < limit and not is_stable:
        for number in waiting:
            means[number] = mean_of(parts[number], now)
        before, now = now, [mean and mean.performance for mean in means]
        count += 1
        is_stable = all(map(has_settled, before, now, repeat(threshold)))
    return Rounds(means, now, before, count, is_stable)


# ICU 7: the bonus


class Bonus(NamedTuple):
    """A bonus with its figures.

    The change less `least` was rounded to `excess`, which is `raised` for a high K; `limit` is what it met:
    `cap`, `performance` or nothing, and `highest` what stands there.
    """

    points: int
    change: Decimal
    least: int
    excess: int
    raised: int
    limit: str
    highest: Decimal


def bonus_threshold(games: int) -> int:
    """ICU 7: what a change must exceed: 32, and 3 for each game after the fourth."""
    return BONUS_BASE + BONUS_STEP * (games - BONUS_FREE_GAMES)


def may_have_bonus(rating: int, k: int, games: int, change: Decimal) -> bool:
    """ICU 7: K above 24, five games, a change above 35, below 2100 before and after it."""
    is_below = rating < BONUS_RATING and rating + change < BONUS_RATING
    return k > BONUS_K and games >= BONUS_GAMES and is_below and change > BONUS_CHANGE


def raised_bonus(points: int, k: int, halves: str) -> int:
    """ICU 7: times 1.25 from K 40 on, rounded again. [reading: bonus-halves]"""
    if k < BONUS_HIGH_K:
        return points
    numerator = points * BONUS_PER_CENT
    if halves == EVEN:
        return _rounded_to_even(numerator, 100)
    return rounded(numerator, 100)


def _rounded_to_even(numerator: int, denominator: int) -> int:
    """The nearest whole number of a positive quotient, halves to the even one."""
    size, rest = divmod(numerator, denominator)
    return size + (2 * rest + size % 2 > denominator)


def bonus_of(
    rating: int, k: int, games: int, change: Decimal, performance: Decimal | None, settings: Settings
) -> Bonus | None:
    """ICU 7: the bonus of a rated player, with at most the cap and the performance. [reading: bonus-cap]"""
    if performance is None or not may_have_bonus(rating, k, games, change):
        return None
    least = bonus_threshold(games)
    excess = whole(change - least)
    raised = raised_bonus(excess, k, settings.bonus_halves)
    points, limit, met = raised, "", Decimal(0)
    for name, highest in (("cap", Decimal(settings.bonus_cap)), ("performance", performance)):
        if rating + change + points >= highest:
            points, limit, met = whole(highest - rating - change), name, highest
    return Bonus(points, change, least, excess, raised, limit, met) if points > 0 else None


# ICU 8: the order of players; the steps themselves are in `event_steps`


@lru_cache(maxsize=CACHE_SIZE)
def id_order(player: str) -> tuple[list[str | tuple[int, str]], str]:
    """ICU 8: the order of the player ids; numbers in them by size. [reading: order-of-ids]"""
    parts = NUMBER.split(player)
    return [_by_size(part) if place % 2 else part for place, part in enumerate(parts)], player


def _by_size(number: str) -> tuple[int, str]:
    """A number as long as it may be: the one with more digits is the larger one."""
    digits = number.lstrip("0")
    return len(digits), digits


# ICU 9: the new rating


def new_rating(old: int, change: Decimal, bonus: int) -> tuple[int, int]:
    """ICU 9: the change of a rated player rounded once, and the new rating with the bonus."""
    shift = whole(change)
    return shift, old + shift + bonus
