"""ICU 1 to 3 over arrays: the players of an event in the order of their ids, and the games they entered."""

from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import MISSING, Batch, Int32s, Register, State
from banzuke.columnar.calendar_years import new_year, year_of
from banzuke.columnar.event_seats import Records, seat_entrants, write_sides
from banzuke.core.facts import EXCLUDE

#: Rows of the register's own facts: the day of joining (0: not known), the fixed rating, the place by id.
JOINED, FIXED_RATING, PLACE = range(3)
#: Kinds of player.
FIXED, RATED_KIND, PROVISIONAL, UNRATED_KIND = range(4)

#: A player of an event. `rating` over so many `games` is MISSING for the unrated, `k` 0 for who has none;
#: `first` to `last` are the own sides. What follows are the figures of the steps, NaN where undefined.
ENTRANT = np.dtype(
    [
        *((name, np.int64) for name in ("player", "kind", "rating", "games", "k", "first", "last")),
        # ICU 5: what a rated or fixed player counts as, and whether with a bonus
        *(("value", np.float64), ("is_lifted", np.bool_)),
        # ICU 6: the sum over `weight` games that is known before the rounds: in whole numbers, and the rest
        *(("whole", np.int64), ("more", np.float64), ("known", np.int64), ("weight", np.int64)),
        # whether it is whole, or waits for performances; those of the last two rounds, and of how many games
        *(("is_whole", np.bool_), ("waits", np.bool_), ("before", np.float64), ("performance", np.float64)),
        *(("played", np.int64), ("first_performance", np.float64), ("was_whole", np.bool_)),
        # ICU 4, 7: the change, by how much it may be off, and the bonus
        *(("change", np.float64), ("doubt", np.float64), ("bonus", np.int64)),
    ]
)
#: A game as one of its players has it: the opponent (an entrant), half points, the line; the opponent's value
#: less the own, and what it makes for who has a K.
SIDE = np.dtype(
    [
        *((name, np.int64) for name in ("opponent", "score", "line")),
        *((name, np.float64) for name in ("gap", "expected", "change")),
    ]
)


class Figures(NamedTuple):
    """The numbers of the book, each by the name of its parameter there."""

    rated_games: int
    high_rating: int
    k_high: int
    junior_age: int
    k_junior: int
    new_member_years: int
    k_new_member: int
    k_normal: int
    days_of_year: int
    scale: int
    per_game: int
    bonus_k: int
    bonus_games: int
    bonus_rating: int
    bonus_change: int
    bonus_base: int
    bonus_step: int
    bonus_free_games: int
    bonus_high_k: int
    bonus_per_cent: int


def sides_of(batch: Batch) -> tuple[Records, Records]:
    """ICU 2: the players of the batch's event in the order of their ids, and the games that were entered.

    The sides are ordered by player, and those of one as the event's games.
    """
    first, last = int(batch.first[0]), int(batch.last[0])
    sides, place = np.zeros(2 * (last - first), SIDE), batch.register.own[PLACE]
    entrants = np.zeros(min(len(sides), len(place)), ENTRANT)
    if batch.events[0].ruling == EXCLUDE:
        return entrants[:0], sides[:0]
    players = seat_entrants(batch.games, first, last, place, entrants)
    entered = write_sides(batch.games, first, last, place, entrants[:players], sides)
    return entrants[:players], sides[:entered]


def enter(figures: Figures, entrants: Records, state: State, register: Register, day: int) -> bool:
    """ICU 1, 3: what was known of the entrants before the event, which began on that day.

    False where the book refuses it: a K cannot be told, or a fixed player has a rating besides.
    """
    known = state.value[0], state.games[0]
    return bool(_enter(figures, entrants, *known, register.born, register.own, day))


@njit(cache=True)
def _enter(
    figures: Figures, entrants: Records, value: Int32s, games: Int32s, born: Int32s, own: Int32s, day: int
) -> bool:
    can_be_rated = True
    for number in range(len(entrants)):
        entrant = entrants[number]
        player = entrant.player
        entrant.value = entrant.performance = np.nan
        entrant.rating, entrant.games = value[player], games[player]
        if own[FIXED_RATING, player] != MISSING:
            can_be_rated &= entrant.rating == MISSING
            entrant.kind, entrant.rating, entrant.games = FIXED, own[FIXED_RATING, player], 0
        elif entrant.rating == MISSING or entrant.games == 0:
            entrant.kind = UNRATED_KIND
        elif entrant.games < figures.rated_games:
            entrant.kind = PROVISIONAL
        else:
            entrant.kind = RATED_KIND
            entrant.k = _coefficient(figures, entrant.rating, born[player], own[JOINED, player], day)
            can_be_rated &= entrant.k != MISSING
        if entrant.kind <= RATED_KIND:
            entrant.value = entrant.rating
    return can_be_rated


@njit(cache=True)
def _coefficient(figures: Figures, rating: int, born: int, joined: int, day: int) -> int:
    """ICU 3: K by the days of birth, of joining, and the event's first; MISSING for want of one."""
    if rating >= figures.high_rating:
        return figures.k_high
    if born == 0 or joined == 0:
        return MISSING
    if _years_between(figures, born, day) < figures.days_of_year * figures.junior_age:
        return figures.k_junior
    if _years_between(figures, joined, day) < figures.days_of_year * figures.new_member_years:
        return figures.k_new_member
    return figures.k_normal


@njit(cache=True)
def _years_between(figures: Figures, earlier: int, later: int) -> int:
    """ICU 3: years apart, and days of the year apart, in parts of a year."""
    one, other = year_of(earlier), year_of(later)
    days = (later - new_year(other)) - (earlier - new_year(one))
    return figures.days_of_year * (other - one) + days
