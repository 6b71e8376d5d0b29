"""ICU 4 to 8 over arrays: the steps of an event in floating point, and how far off that may be.

The book reckons in 34 digits, floating point in nearly 16. So each figure has a doubt, more than it can be
off by. Where a rounding or a comparison could go either way within the doubt, a step is not sure, and the
book itself rates the event. NaN stands for what is undefined.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.event_seats import Records
from banzuke.columnar.kernels import OF_FIGURE, may_be_half, nearest, rounded
from banzuke.rulebooks.icu.columnar.entrant_arrays import RATED_KIND, Figures
from banzuke.rulebooks.icu.icu import Version

Floats = NDArray[np.float64]

TEN_TO_ONE = math.log(10)
#: More than an expectation is off by.
OF_EXPECTATION = 1e-14
PER_CENT = 100


class BonusRuling(NamedTuple):
    """What a pool may rule otherwise, about the bonus."""

    cap: int
    halves_to_even: bool


@njit(cache=True)
def reckon_event(
    figures: Figures, version: Version, ruling: BonusRuling, entrants: Records, sides: Records
) -> tuple[bool, float]:
    """ICU 8: performances, expectations, bonuses; with a bonus, each of them again as the version says.

    Whether all is sure, and the doubt of values and performances.
    """
    limit, tenths = version.rounds_before, version.threshold
    is_sure, doubt = performance_rounds(figures, entrants, sides, limit, tenths, 0.0)
    for number in range(len(entrants)):
        entrant = entrants[number]
        entrant.first_performance, entrant.was_whole = entrant.performance, entrant.is_whole
    for number in range(len(entrants)):
        if entrants[number].kind == RATED_KIND:
            expect(figures, entrants, sides, number, doubt)
    is_granted, is_clear = grant_bonuses(figures, ruling, entrants, doubt)
    is_sure &= is_clear
    if is_granted and is_sure:
        doubt = renew(figures, version, entrants, sides, doubt)
        limit = version.rounds_after
        is_sure, doubt = performance_rounds(figures, entrants, sides, limit, tenths, doubt)
        if version.has_second_test:
            _, is_clear = grant_bonuses(figures, ruling, entrants, doubt)
            is_sure &= is_clear
    return is_sure, doubt


# ICU 6: performances


@njit(cache=True)
def performance_rounds(
    figures: Figures, entrants: Records, sides: Records, limit: int, tenths: int, off_by: float
) -> tuple[bool, float]:
    """ICU 6: all players at once, round after round, until nobody moves by so many tenths of a point.

    Whether that is sure, and the doubt of the performances, from values that are off by `off_by` at most.
    """
    most, largest = _know_parts(figures, entrants, sides)
    after = np.empty(len(entrants))
    rounds, is_stable, is_sure, doubt = 0, False, limit > 0, off_by
    while rounds < limit and not is_stable:
        for number in range(len(entrants)):
            after[number] = entrants[number].performance
            if rounds == 0 or entrants[number].waits:
                after[number] = _mean(figures, entrants, sides, number)
            if not math.isnan(after[number]):
                largest = max(largest, abs(after[number]) + abs(figures.per_game))
        rounds += 1
        doubt = off_by + OF_FIGURE * largest * (most + 4) * (rounds + 2)
        is_stable, is_clear = _settle(entrants, after, tenths / 10, 2 * doubt)
        is_sure &= is_clear
    return is_sure and (is_stable or limit <= 1), doubt


@njit(cache=True)
def _know_parts(figures: Figures, entrants: Records, sides: Records) -> tuple[int, float]:
    """The part of each sum that no round changes; the most games of a player, and the largest value."""
    most, largest = 0, 0.0
    for number in range(len(entrants)):
        entrant = entrants[number]
        entrant.known, entrant.weight, entrant.whole, entrant.more = 0, 0, 0, 0.0
        entrant.is_whole, entrant.waits = True, False
        if math.isnan(entrant.value) and entrant.rating != MISSING:  # carried into the mean
            entrant.weight, entrant.whole = entrant.games, entrant.rating * entrant.games
        for at in range(entrant.first, entrant.last):
            opponent = entrants[sides[at].opponent]
            if math.isnan(opponent.value):
                entrant.waits = True
                entrant.is_whole = False
                continue
            entrant.known += 1
            entrant.whole += figures.per_game * (sides[at].score - 1)
            if opponent.is_lifted:
                entrant.more += opponent.value
                entrant.is_whole = False
            else:
                entrant.whole += opponent.rating
            largest = max(largest, abs(opponent.value))
        entrant.weight += entrant.known
        most = max(most, entrant.last - entrant.first)
    return most, largest + abs(figures.per_game)


@njit(cache=True)
def _mean(figures: Figures, entrants: Records, sides: Records, number: int) -> float:
    """ICU 6: the mean from the values of the round before; NaN: no game against a defined opponent."""
    entrant = entrants[number]
    total, more = entrant.whole + entrant.more, 0
    for at in range(entrant.first, entrant.last):
        opponent = entrants[sides[at].opponent]
        if math.isnan(opponent.value) and not math.isnan(opponent.performance):
            total += opponent.performance + figures.per_game * (sides[at].score - 1)
            more += 1
    entrant.played = entrant.known + more
    return total / (entrant.weight + more) if entrant.played else np.nan


@njit(cache=True)
def _settle(entrants: Records, after: Floats, threshold: float, doubt: float) -> tuple[bool, bool]:
    """ICU 6: the performances of a new round; whether nobody moved, and whether that is sure."""
    is_stable, is_clear = True, True
    for number in range(len(entrants)):
        old, new = entrants[number].performance, after[number]
        if math.isnan(old) or math.isnan(new):
            is_stable &= math.isnan(old) and math.isnan(new)
        else:
            is_stable &= abs(new - old) < threshold
            is_clear &= abs(abs(new - old) - threshold) > doubt
        entrants[number].before, entrants[number].performance = old, new
    return is_stable, is_clear


# ICU 4: expectation and change


@njit(cache=True)
def doubt_of_gap(figures: Figures, doubt: float) -> float:
    """By how much an expectation may be off where the gap is by so many points."""
    return OF_EXPECTATION + doubt * TEN_TO_ONE / (4 * figures.scale)


@njit(cache=True)
def expect(figures: Figures, entrants: Records, sides: Records, number: int, doubt: float) -> None:
    """ICU 4: the games of a player with a K, and the change that they make.

    Opponents who do not count as their rating are off by `doubt`.
    """
    entrant = entrants[number]
    entrant.change, entrant.doubt = 0.0, 0.0
    for at in range(entrant.first, entrant.last):
        side = sides[at]
        opponent = entrants[side.opponent]
        is_undefined = math.isnan(opponent.value)
        value = opponent.first_performance if is_undefined else opponent.value
        side.gap = value - entrant.rating
        side.expected = 1 / (1 + math.exp(side.gap * TEN_TO_ONE / figures.scale))
        side.change = entrant.k * (side.score / 2 - side.expected)
        if not math.isnan(value):
            entrant.change += side.change
            own_doubt = doubt if is_undefined or opponent.is_lifted else 0.0
            entrant.doubt += abs(entrant.k) * doubt_of_gap(figures, own_doubt)


# ICU 7: the bonus


@njit(cache=True)
def grant_bonuses(
    figures: Figures, ruling: BonusRuling, entrants: Records, doubt: float
) -> tuple[bool, bool]:
    """ICU 7, 8: whether anybody gets a bonus now, and whether that is sure; one granted earlier is kept."""
    is_granted, is_sure = False, True
    for number in range(len(entrants)):
        if entrants[number].kind == RATED_KIND:
            points, is_clear = _bonus(figures, ruling, entrants, number, doubt)
            is_sure &= is_clear
            if points > 0:
                entrants[number].bonus = points
                is_granted = True
    return is_granted, is_sure


@njit(cache=True)
def _bonus(
    figures: Figures, ruling: BonusRuling, entrants: Records, number: int, performance_doubt: float
) -> tuple[int, bool]:
    """ICU 7: a player's bonus, none below 1, and whether that is sure."""
    entrant = entrants[number]
    rating, change, games = entrant.rating, entrant.change, entrant.last - entrant.first
    if entrant.k <= figures.bonus_k or games < figures.bonus_games or rating >= figures.bonus_rating:
        return 0, True
    if math.isnan(entrant.performance):
        return 0, True
    doubt = entrant.doubt + OF_FIGURE * abs(rating)
    over, below = change - figures.bonus_change, figures.bonus_rating - rating - change
    is_sure = abs(over) > doubt and abs(below) > doubt
    if over <= 0 or below <= 0:
        return 0, is_sure
    least = figures.bonus_base + figures.bonus_step * (games - figures.bonus_free_games)
    is_sure &= not may_be_half(change - least, doubt)
    points = _raised(figures, ruling, nearest(change - least), entrant.k)
    for highest, off_by in ((ruling.cap * 1.0, doubt), (entrant.performance, doubt + performance_doubt)):
        room = highest - rating - change
        is_sure &= abs(points - room) > off_by
        if points >= room:
            points = nearest(room)
            is_sure &= not may_be_half(room, off_by)
    return points, is_sure


@njit(cache=True)
def _raised(figures: Figures, ruling: BonusRuling, points: int, k: int) -> int:
    """ICU 7: times 1.25 from K 40 on, rounded again."""
    if k < figures.bonus_high_k:
        return points
    numerator = points * figures.bonus_per_cent
    if not ruling.halves_to_even:
        return rounded(numerator, PER_CENT)
    size, rest = numerator // PER_CENT, numerator % PER_CENT
    return size + int(2 * rest + size % 2 > PER_CENT)


# ICU 8: with a bonus


@njit(cache=True)
def renew(figures: Figures, version: Version, entrants: Records, sides: Records, doubt: float) -> float:
    """ICU 5, 8: values with bonuses, and expectations again, player by player; the doubt of values then."""
    meets_bonus = np.zeros(len(entrants), np.bool_)
    for number in range(len(entrants)):
        if entrants[number].bonus:
            doubt = max(doubt, _lift(entrants, number))
            for at in range(entrants[number].first, entrants[number].last):
                meets_bonus[sides[at].opponent] = True
    for number in range(len(entrants)):
        if entrants[number].kind == RATED_KIND and meets_bonus[number]:
            expect(figures, entrants, sides, number, doubt)
        if version.renews_values and entrants[number].bonus:
            doubt = max(doubt, _lift(entrants, number))
    return doubt


@njit(cache=True)
def _lift(entrants: Records, number: int) -> float:
    """ICU 5: a player with a bonus counts with change and bonus; by how much that may be off."""
    entrant = entrants[number]
    entrant.is_lifted, entrant.value = True, entrant.rating + entrant.change + entrant.bonus
    doubt: float = entrant.doubt + OF_FIGURE * (abs(entrant.rating) + abs(entrant.value))
    return doubt
