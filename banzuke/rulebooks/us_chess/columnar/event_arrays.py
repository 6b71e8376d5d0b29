"""USC 3 to 7 over arrays: the three steps of an event, and how far off their figures may be.

The book reckons with 24 decimals. So does the special formula here, in whole numbers: what it gives is often
just a half of the last decimal that a rating has. The standard formula is reckoned in floating point. So each
figure has a doubt: 0 if it is exact, else more than it can be off by. Where a rounding could go either way
within the doubt, the event is not sure, and the book itself rates it.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import Int64s
from banzuke.columnar.event_seats import Records
from banzuke.columnar.kernels import nearest
from banzuke.rulebooks.us_chess.columnar.balance import OpponentParts, OwnPart, find_balance
from banzuke.rulebooks.us_chess.columnar.entrant_arrays import ALL_LOST, ALL_WON, Figures
from banzuke.rulebooks.us_chess.columnar.long_decimals import (
    MOST_POINTS,
    POINT,
    in_floating_point,
    long_decimal,
)

TEN_TO_ONE = math.log(10)
#: More than an expectation in floating point is off by; and K, as a part of it.
OF_EXPECTATION, OF_K = 1e-14, 1e-14
#: More than a figure is off by that is rounded to parts of the high part: half of one, and room.
OF_PART = 2 / POINT


class EventRules(NamedTuple):
    """What is the same for all games of an event: whether they are dual-rated, and B of the bonus."""

    is_dual: bool
    constant: int


@njit(cache=True)
def take_steps(figures: Figures, rules: EventRules, entrants: Records, sides: Records) -> bool:
    """USC 3, 4: the three steps; whether all figures are sure within their doubts.

    After them each entrant's `high`, `low`, `doubt` are the figure of step 3.
    """
    high, low = np.empty(len(sides), np.int64), np.empty(len(sides), np.int64)
    is_sure = True
    for number in range(len(entrants)):
        entrant = entrants[number]
        entrant.next_high, entrant.next_low, entrant.next_doubt = entrant.rating, 0, 0.0
        if not entrant.games:
            is_sure &= _special_step(figures, entrants, sides, number, 1, high, low)
    _meet_next(entrants)
    for _ in range(2):
        for number in range(len(entrants)):
            if entrants[number].is_special:
                is_sure &= _special_step(figures, entrants, sides, number, 2, high, low)
            else:
                is_sure &= _standard_step(figures, rules, entrants, sides, number)
        _meet_next(entrants)
    return is_sure


@njit(cache=True)
def _meet_next(entrants: Records) -> None:
    """From now on opponents meet the figures of the step that was taken."""
    for number in range(len(entrants)):
        entrant = entrants[number]
        entrant.high, entrant.low, entrant.doubt = entrant.next_high, entrant.next_low, entrant.next_doubt


@njit(cache=True)
def _set_next(figures: Figures, entrants: Records, number: int, high: int, low: int, doubt: float) -> None:
    """USC 4: a figure after a step, not below the lowest, which is exact."""
    least = figures.lowest * POINT
    if high + doubt * POINT < least:
        high, low, doubt = least, 0, 0.0
    elif high < least:
        high, low = least, 0
    entrant = entrants[number]
    entrant.next_high, entrant.next_low, entrant.next_doubt = high, low, doubt


# USC 5: the special formula


@njit(cache=True)
def _own_part(figures: Figures, entrants: Records, number: int, step: int) -> OwnPart:
    """USC 5: as what the own rating counts, and for how much."""
    entrant = entrants[number]
    half = figures.half_width * POINT
    near = centre = entrant.rating
    less = half
    if step == 1:
        return OwnPart(near, centre, less, figures.step_1_games, float(figures.step_1_games))
    if entrant.one_sided == ALL_WON:
        centre, less = near - figures.one_sided_shift * POINT, 2 * half
    elif entrant.one_sided == ALL_LOST:
        centre, less = near + figures.one_sided_shift * POINT, 0
    return OwnPart(near, centre, less, entrant.whole, entrant.effective)


@njit(cache=True)
def _special_step(
    figures: Figures, entrants: Records, sides: Records, number: int, step: int, high: Int64s, low: Int64s
) -> bool:
    """USC 3, 5: the rating at which the points are what is expected; whether that is sure.

    `high`, `low` are room for the opponents' figures.
    """
    entrant, half = entrants[number], figures.half_width * POINT
    score, count, largest = 0, 0, 0.0
    for at in range(entrant.first, entrant.last):
        opponent = entrants[sides[at].opponent]
        high[count], low[count] = opponent.high, opponent.low
        score, count, largest = score + sides[at].score, count + 1, max(largest, opponent.doubt)
    own = _own_part(figures, entrants, number, step)
    found = find_balance(own, OpponentParts(high, low, count, half, score * half))
    if not found.is_sure:
        return False
    doubt = found.doubt
    if largest and _meets_doubt(entrants, sides, number, found.high, half, largest + doubt):
        # If every opponent's figure is off by at most that much, so is the solution.
        doubt += largest
    most = figures.special_most * POINT
    if found.high - doubt * POINT > most:
        _set_next(figures, entrants, number, most, 0, 0.0)
    elif found.high >= most:
        _set_next(figures, entrants, number, most, 0, doubt)
    else:
        _set_next(figures, entrants, number, found.high, found.low, doubt)
    return abs(found.high) < MOST_POINTS * POINT


@njit(cache=True)
def _meets_doubt(
    entrants: Records, sides: Records, number: int, high: int, half: int, largest: float
) -> bool:
    """Whether an opponent whose figure is not exact is so near that it matters."""
    reach = half + 2 * int(largest * POINT) + 2
    for at in range(entrants[number].first, entrants[number].last):
        opponent = entrants[sides[at].opponent]
        if opponent.doubt and abs(high - opponent.high) <= reach:
            return True
    return False


# USC 6, 7: the standard formula and the bonus


@njit(cache=True)
def _coefficient(figures: Figures, entrants: Records, number: int, is_dual: bool) -> float:
    """USC 6: K."""
    entrant = entrants[number]
    share = 1 / (entrant.effective + entrant.last - entrant.first)
    if not is_dual or entrant.rating <= figures.dual_above * POINT:
        return float(figures.k_sum * share)
    if entrant.rating >= figures.dual_top * POINT:
        return float(figures.dual_top_sum * share)
    rating = entrant.rating / POINT
    return float(figures.k_sum * share * (figures.dual_constant - figures.dual_slope * rating))


@njit(cache=True)
def _standard_step(
    figures: Figures, rules: EventRules, entrants: Records, sides: Records, number: int
) -> bool:
    """USC 6, 7: the rating, K times what the points exceed the expectation, and the bonus; is it sure."""
    entrant = entrants[number]
    count = entrant.last - entrant.first
    k = _coefficient(figures, entrants, number, rules.is_dual)
    terms = 1 + abs(figures.dual_constant) + abs(figures.dual_slope * entrant.rating / POINT)
    of_k = OF_K * (abs(k) + figures.k_sum / (entrant.effective + count) * terms)  # they may nearly cancel
    surplus, doubt = 0.0, 0.0
    for at in range(entrant.first, entrant.last):
        side, opponent = sides[at], entrants[sides[at].opponent]
        gap = in_floating_point(long_decimal(opponent.high - entrant.rating, opponent.low)) / POINT
        side.expected = 1 / (1 + math.exp(gap * TEN_TO_ONE / figures.logistic))
        side.expected_doubt = OF_EXPECTATION + opponent.doubt * TEN_TO_ONE / (4 * figures.logistic)
        side.change = k * (side.score / 2 - side.expected)
        side.change_doubt = abs(k) * side.expected_doubt + of_k
        surplus, doubt = surplus + side.change, doubt + side.change_doubt
    if entrant.may_have_bonus:
        threshold = rules.constant * math.sqrt(max(count, figures.bonus_least_games))
        surplus, doubt = surplus + max(0.0, surplus - threshold), 2 * doubt + OF_K * abs(threshold)
    if abs(surplus) > MOST_POINTS:
        return False
    high = entrant.rating + nearest(surplus * POINT)
    _set_next(figures, entrants, number, high, 0, doubt + OF_K * abs(surplus) + OF_PART)
    return True
