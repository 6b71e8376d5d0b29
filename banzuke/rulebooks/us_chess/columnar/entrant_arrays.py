"""USC 1, 2, 7, 10 over arrays: the players of an event with their ratings, and the games that count."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import MISSING, NO_FIGURE, Batch, Int32s, Int64s, State
from banzuke.columnar.event_seats import Records, seat_entrants, write_sides
from banzuke.rulebooks.us_chess.columnar.balance import NOT_WHOLE
from banzuke.rulebooks.us_chess.columnar.long_decimals import MOST_POINTS, POINT

#: Facts carried from list to list, as `Rating.more` names them; the place of each is its row in `State.more`.
FACTS = ("rating", "won", "drawn", "events3", "one_sided", "floor")
RATING, GAMES_WON, GAMES_DRAWN, EVENTS, ONE_SIDED, OFFICE_FLOOR = range(len(FACTS))
#: Whether all games before were won or lost.
MIXED, ALL_WON, ALL_LOST = range(3)
#: Rows of the register's own facts: the birth date as a number (20050131; 0: not known), and `adult`.
BORN, ADULT = range(2)
#: What a birth date and a day as such numbers are apart for a year of age.
YEAR = 10_000
#: A limit in floating point is off by less, as a part of it.
OF_LIMIT = 1e-12

#: A player of an event: the rating before it, in parts of the high part, over `games`. `whole` are the
#: effective games if they are a whole number, `effective` the same in floating point. Opponents meet `high`,
#: `low`, `doubt`, the figure after the step before; the step makes the next one.
ENTRANT = np.dtype(
    [
        *((name, np.int64) for name in ("player", "first", "last", "rating", "games", "one_sided", "whole")),
        *((name, np.bool_) for name in ("is_special", "may_have_bonus")),
        *((name, np.float64) for name in ("effective", "doubt", "next_doubt")),
        *((name, np.int64) for name in ("high", "low", "next_high", "next_low")),
    ]
)
#: A game as one of its players has it; step 3's expectation and change, and how far off both may be.
SIDE = np.dtype(
    [
        *((name, np.int64) for name in ("opponent", "score", "line")),
        *((name, np.float64) for name in ("expected", "expected_doubt", "change", "change_doubt")),
    ]
)


class Figures(NamedTuple):
    """The numbers of the book, each by the name of its parameter there; those with decimals as such.

    What FIDE's ratings are converted by is in parts of the high part.
    """

    fide_limit: int
    fide_low_factor: int
    fide_low_added: int
    fide_low_games: int
    fide_high_factor: int
    fide_high_added: int
    fide_high_games: int
    age_from: int
    age_to: int
    age_points: int
    first_youngest: int
    first_adult: int
    first_unknown: int
    most_effective: int
    effective_to: int
    effective_centre: int
    effective_constant: float
    effective_square: float
    step_1_games: int
    lowest: int
    special_games: int
    half_width: int
    one_sided_shift: int
    special_most: int
    logistic: int
    k_sum: int
    dual_minutes: int
    dual_above: int
    dual_constant: float
    dual_slope: float
    dual_top: int
    dual_top_sum: int
    bonus_games: int
    bonus_meetings: int
    bonus_least_games: int
    provisional_games: int
    floor_base: int
    floor_won: int
    floor_drawn: int
    floor_event: int
    floor_event_games: int
    floor_most: int
    peak_less: int
    floor_step: int
    personal_lowest: int
    personal_highest: int
    regular_minutes: int


@cache
def _in_order(players: int) -> Int32s:
    """The order of players by their numbers."""
    return np.arange(players, dtype=np.int32)


def sides_of(batch: Batch) -> tuple[Records, Records]:
    """USC 10: the players of the batch's event, by number, and their games, those of one in a row."""
    first, last = int(batch.first[0]), int(batch.last[0])
    sides, order = np.zeros(2 * (last - first), SIDE), _in_order(len(batch.player_ids))
    entrants = np.zeros(min(len(sides), len(order)), ENTRANT)
    players = seat_entrants(batch.games, first, last, order, entrants)
    entered = write_sides(batch.games, first, last, order, entrants[:players], sides)
    return entrants[:players], sides[:entered]


def enter(figures: Figures, unit: int, entrants: Records, sides: Records, state: State, batch: Batch) -> bool:
    """USC 1, 2, 7: what was known of the entrants before the event; whether the twin can reckon with it.

    `unit` are the parts of a rating's last decimal.
    """
    day = batch.events[0].ends
    known = state.value[0], state.games[0], state.more[:, 0]
    facts = batch.register.fide[0], batch.register.own, YEAR * day.year + 100 * day.month + day.day
    return bool(_enter(figures, unit, entrants, sides, known, facts))


@njit(cache=True)
def exact_rating(value: int, exact: int, one: int) -> int:
    """USC 4: the rating counted in its last decimal, of which a point has `one`; as shown if it has none."""
    return value * one if exact in (NO_FIGURE, 0) else exact


@njit(cache=True)
def _enter(
    figures: Figures,
    unit: int,
    entrants: Records,
    sides: Records,
    known: tuple[Int32s, Int32s, Int64s],
    facts: tuple[Int32s, Int32s, int],
) -> bool:
    value, games, more = known
    is_sure = True
    for number in range(len(entrants)):
        entrant = entrants[number]
        player = entrant.player
        if value[player] == MISSING:
            entrant.rating, entrant.games = _first_rating(figures, facts, player)
        else:
            is_sure &= abs(value[player]) < MOST_POINTS
            entrant.rating = exact_rating(value[player], more[RATING, player], POINT // unit) * unit
            entrant.games = games[player]
            if entrant.games and more[ONE_SIDED, player] != NO_FIGURE:
                entrant.one_sided = more[ONE_SIDED, player]
        entrant.is_special = entrant.games <= figures.special_games or entrant.one_sided != MIXED
        is_sure &= _set_effective_games(figures, entrants, number)
        entrant.may_have_bonus = _may_have_bonus(figures, entrants, sides, number)
        entrant.high = entrant.rating
    return is_sure


@njit(cache=True)
def _first_rating(figures: Figures, facts: tuple[Int32s, Int32s, int], player: int) -> tuple[int, int]:
    """USC 1: the first rating, in parts of the high part, and the games that it counts for."""
    fide, own, day = facts
    if fide[player] != MISSING:
        if fide[player] <= figures.fide_limit:
            rating = figures.fide_low_factor * fide[player] + figures.fide_low_added
            return rating, figures.fide_low_games
        return figures.fide_high_factor * fide[player] + figures.fide_high_added, figures.fide_high_games
    first = figures.first_adult if own[ADULT, player] else figures.first_unknown
    if own[BORN, player]:
        age = (day - own[BORN, player]) // YEAR
        if age < figures.age_from:
            first = figures.first_youngest
        else:
            first = figures.age_points * age if age <= figures.age_to else figures.first_adult
    return first * POINT, 0


@njit(cache=True)
def _set_effective_games(figures: Figures, entrants: Records, number: int) -> bool:
    """USC 2: N', and whether it can be reckoned."""
    entrant = entrants[number]
    entrant.whole, most = min(entrant.games, figures.most_effective), float(figures.most_effective)
    if entrant.rating <= figures.effective_to * POINT:
        distance = figures.effective_centre - entrant.rating / POINT
        under_root = figures.effective_constant + figures.effective_square * distance**2
        if under_root <= 0:
            return False
        most = figures.most_effective / np.sqrt(under_root)
        entrant.whole = entrant.games if entrant.games < most * (1 - OF_LIMIT) else NOT_WHOLE
    entrant.effective = min(most, float(entrant.games))
    return True


@njit(cache=True)
def _may_have_bonus(figures: Figures, entrants: Records, sides: Records, number: int) -> bool:
    """USC 7: whether there are enough games, and nobody is met too often."""
    first, last = entrants[number].first, entrants[number].last
    if last - first < figures.bonus_games:
        return False
    for at in range(first, last):
        meetings = 0
        for other in range(first, last):
            meetings += int(sides[other].opponent == sides[at].opponent)
        if meetings > figures.bonus_meetings:
            return False
    return True
