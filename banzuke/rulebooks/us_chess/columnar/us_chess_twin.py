"""The fast twin of US Chess ratings: an event over columns; where rounding is in doubt, by the book."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import (
    BLACK_SCORES,
    FIRST,
    FORFEIT,
    MISSING,
    NO_FIGURE,
    RATED,
    RULING,
    SPEED,
    VERDICTS,
    WHITE_SCORES,
    Batch,
    DecimalColumn,
    Exact,
    Games,
    Int32s,
    Int64s,
    Lines,
    Rated,
    State,
    exact_for,
    lines_for,
)
from banzuke.columnar.event_seats import Records
from banzuke.columnar.kernels import may_be_half, nearest, rounded, write_line
from banzuke.columnar.rated_by_book import rate_by_book, register_day
from banzuke.columnar.twin import CarriedFact, ChessTwin, ListRows, Rules
from banzuke.core import batch as core_batch
from banzuke.core.facts import EXCLUDE, Event, More, Player
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.rulebooks.us_chess import us_chess
from banzuke.rulebooks.us_chess.columnar.entrant_arrays import (
    ADULT,
    ALL_LOST,
    ALL_WON,
    EVENTS,
    FACTS,
    GAMES_DRAWN,
    GAMES_WON,
    MIXED,
    OFFICE_FLOOR,
    ONE_SIDED,
    RATING,
    YEAR,
    Figures,
    enter,
    exact_rating,
    sides_of,
)
from banzuke.rulebooks.us_chess.columnar.event_arrays import TEN_TO_ONE, EventRules, take_steps
from banzuke.rulebooks.us_chess.columnar.long_decimals import POINT

HUNDRED = 100
#: A rating is carried on with so many decimals, and counted in the last of them.
PLACES = us_chess.PLACES
ONE_POINT = 10**PLACES
#: The parts of the last decimal.
UNIT = POINT // ONE_POINT
#: The clause of games in the special formula stands behind those of the verdicts.
SPECIAL_CLAUSE = len(VERDICTS)
Floats = NDArray[np.float64]

#: The words for whether all games were won or lost, by their number.
ONE_SIDED_WORDS = ("", us_chess.WON, us_chess.LOST)
#: How a fact becomes a whole number, and a fact again; the others are whole numbers.
CODES: dict[str, tuple[Callable[[Any], int], Callable[[int], Any]]] = {
    "rating": (lambda exact: int(exact * ONE_POINT), lambda number: Decimal(number) / ONE_POINT),
    "one_sided": (ONE_SIDED_WORDS.index, ONE_SIDED_WORDS.__getitem__),
}
#: Factors and points by which FIDE's ratings are converted, in parts of the high part.
FIDE_FACTORS = ("fide_low_factor", "fide_low_added", "fide_high_factor", "fide_high_added")


class BookFigures(NamedTuple):
    """The numbers of a book: those of clauses, and B of the bonus by its first day."""

    of_clauses: Figures
    bonus_constants: Sequence[tuple[date, int]]


@lru_cache(maxsize=8)
def _figures(book: RuleBook) -> BookFigures:
    values = {name: Fraction(book.parameters[name].value) for name in Figures._fields}
    kinds = Figures.__annotations__
    parts = {name: values[name] * (POINT if name in FIDE_FACTORS else 1) for name in values}
    figures = Figures(**{name: kinds[name](value) for name, value in parts.items()})
    return BookFigures(figures, book.parameters.row("bonus"))


def _own_facts(ids: Sequence[str], register: core_batch.Register) -> Int32s:
    """USC 1: birth dates as numbers, and who is an adult, of every player."""
    players = [register.players[player] for player in ids]
    days = [player.birth_date for player in players]
    born = [0 if day is None else YEAR * day.year + 100 * day.month + day.day for day in days]
    return np.array([born, [bool(player.more.get("adult")) for player in players]], np.int32)


def rate(rules: Rules, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """The batch's one event rated; the state given is left as it was.

    Raises RefusedError as the book does.
    """
    (event,) = batch.events
    figures: Figures = rules.figures.of_clauses
    by_book = partial(rate_by_book, rules, state, batch, _player, PLACES, with_lines=with_lines)
    constant = us_chess.bonus_constant(event.ends, rules.figures.bonus_constants)
    if constant is None:  # an event before the first B, which the book refuses
        return by_book().rated
    left_out = _left_out(figures, event)
    if left_out != RATED:
        return _rate_nothing(rules, state, batch, left_out, with_lines=with_lines)
    of_event = EventRules(event.minutes is not None and event.minutes <= figures.dual_minutes, constant)
    rated = _rate_games(rules, state, batch, of_event, with_lines=with_lines)
    return rated or by_book().rated  # where a rounding could go either way


def _rate_nothing(rules: Rules, state: State, batch: Batch, left_out: int, *, with_lines: bool) -> Rated:
    """An event no game of which is rated; `left_out` is why."""
    rated = Rated(batch, state, state, rules.book.speeds, _clauses(rules.book), None)
    if not with_lines:
        return rated
    lines, exact = _empty_lines(batch, state, left_out)
    return rated._replace(lines=lines, exact=exact)


def _rate_games(
    rules: Rules, state: State, batch: Batch, of_event: EventRules, *, with_lines: bool
) -> Rated | None:
    """The event's games rated; None: a figure is not sure."""
    figures = rules.figures.of_clauses
    entrants, sides = sides_of(batch)
    after = state._replace(
        value=state.value.copy(), games=state.games.copy(), peak=state.peak.copy(), more=state.more.copy()
    )
    is_sure = enter(figures, UNIT, entrants, sides, state, batch)
    if not is_sure or not take_steps(figures, of_event, entrants, sides):
        return None
    list_state = ListState(after.value[0], after.games[0], after.peak[0], after.more[:, 0])
    if not _new_ratings(figures, entrants, sides, list_state):
        return None
    rated = Rated(batch, state, after, rules.book.speeds, _clauses(rules.book), None)
    if not with_lines:
        return rated
    lines, exact = _empty_lines(batch, state, RATED)
    is_sure = _write_counted(entrants, sides, lines, exact)
    return rated._replace(lines=lines, exact=exact) if is_sure else None


def _left_out(figures: Figures, event: Event) -> int:
    """USC 10: why no game of the event is rated; RATED: they may be."""
    if event.ruling == EXCLUDE:
        return RULING
    return SPEED if event.minutes is not None and event.minutes < figures.regular_minutes else RATED


def _player(batch: Batch, number: int) -> Player:
    """The player, as far as the book asks."""
    fide, register = int(batch.register.fide[0, number]), batch.register
    return Player(
        batch.player_ids[number],
        "",
        birth_date=register_day(register.born[number]),
        fide_standard=None if fide == MISSING else fide,
        more=More({"adult": bool(register.own[ADULT, number])}),
    )


def _clauses(book: ChessBook) -> tuple[str, ...]:
    return *(book.verdicts.get(verdict, "") for verdict in VERDICTS), book.cites["special"]


# USC 4, 8, 9: the new ratings


class ListState(NamedTuple):
    """The one list's row of each column of a state."""

    value: Int32s
    games: Int32s
    peak: Int32s
    more: Int64s


@njit(cache=True)
def _new_ratings(figures: Figures, entrants: Records, sides: Records, list_state: ListState) -> bool:
    """USC 4, 8, 9: ratings not below the floors, and careers; whether they are sure."""
    is_sure, (value, games, peak, more) = True, list_state
    for number in range(len(entrants)):
        entrant = entrants[number]
        player, played = entrant.player, entrant.last - entrant.first
        rating, rest = entrant.high // UNIT, entrant.high % UNIT
        rating += int(2 * rest >= UNIT)
        if entrant.doubt:
            is_sure &= abs(rest - UNIT / 2) > entrant.doubt * POINT + 1
        is_first = value[player] == MISSING or games[player] == 0
        floor = max(_personal_floor(figures, games[player], peak[player]), more[OFFICE_FLOOR, player])
        _add_career(figures, entrants, sides, number, is_first, more[:, player])
        floor = max(floor, _absolute_floor(figures, more[:, player]))
        more[RATING, player] = max(rating, floor * ONE_POINT)
        value[player], games[player] = rounded(more[RATING, player], ONE_POINT), entrant.games + played
        if games[player] > figures.provisional_games:
            peak[player] = max(peak[player], value[player])
    return is_sure


@njit(cache=True)
def _add_career(
    figures: Figures, entrants: Records, sides: Records, number: int, is_first: bool, more: Int64s
) -> None:
    """USC 5, 8, 9: games won and drawn, events of enough games; whether all were won or lost."""
    first, last = entrants[number].first, entrants[number].last
    won, drawn = 0, 0
    for at in range(first, last):
        won, drawn = won + sides[at].score // 2, drawn + sides[at].score % 2
    event = int(last - first >= figures.floor_event_games)
    for row, count in ((GAMES_WON, won), (GAMES_DRAWN, drawn), (EVENTS, event)):
        more[row] = count if more[row] == NO_FIGURE else more[row] + count
    now = ALL_WON if won == last - first else ALL_LOST if won + drawn == 0 else MIXED
    is_kept = now != MIXED and (is_first or more[ONE_SIDED] == now)
    more[ONE_SIDED] = now if is_kept else NO_FIGURE


@njit(cache=True)
def _absolute_floor(figures: Figures, more: Int64s) -> int:
    """USC 9: by career wins, draws and events; blank ones are none."""
    won, drawn, events = max(more[GAMES_WON], 0), max(more[GAMES_DRAWN], 0), max(more[EVENTS], 0)
    counted = figures.floor_won * won + figures.floor_drawn * drawn + figures.floor_event * events
    return int(min(figures.floor_most, figures.floor_base + counted))


@njit(cache=True)
def _personal_floor(figures: Figures, games: int, peak: int) -> int:
    """USC 9: by the peak of an established player; 0: none."""
    if peak == MISSING or games <= figures.provisional_games:
        return 0
    floor = (peak - figures.peak_less) // figures.floor_step * figures.floor_step
    return min(floor, figures.personal_highest) if floor >= figures.personal_lowest else 0


# The lines


def _empty_lines(batch: Batch, before: State, left_out: int) -> tuple[Lines, Exact]:
    """The lines of every game as if none had counted; `left_out` is why, of a whole event."""
    count = batch.last - batch.first
    lines = lines_for(count)
    _write_left_out(batch.games, int(batch.first[0]), left_out, before.value[0], lines)
    return lines, exact_for(count, PLACES)


@njit(cache=True)
def _write_left_out(games: Games, first: int, left_out: int, shown: Int32s, lines: Lines) -> None:
    """Both lines of every game, as if none had counted."""
    none = MISSING, MISSING, MISSING, MISSING
    for at in range(len(lines.round)):
        row = first + at // 2
        player, opponent, score = games.white[row], games.black[row], WHITE_SCORES[games.result[row]]
        if at % 2:
            player, opponent, score = opponent, player, BLACK_SCORES[games.result[row]]
        verdict = left_out
        if left_out == RATED or (left_out == SPEED and games.excluded[row]):
            verdict = RULING if games.excluded[row] else FORFEIT
        who = player, opponent, shown[player], shown[opponent]
        write_line(lines, at, games.round[row], who, score, none, verdict, verdict)


@njit(cache=True)
def _write_counted(entrants: Records, sides: Records, lines: Lines, exact: Exact) -> bool:
    """What the lines of the games that count end with; whether all figures are sure."""
    is_sure = True
    for number in range(len(entrants)):
        is_special = entrants[number].is_special
        for at in range(entrants[number].first, entrants[number].last):
            side = sides[at]
            line = side.line
            verdict = FIRST if lines.own[line] == MISSING else RATED
            lines.verdict[line] = verdict
            lines.clause[line] = SPECIAL_CLAUSE if is_special and verdict == RATED else verdict
            if is_special:
                continue
            for parts in (HUNDRED, ONE_POINT):
                is_sure &= not may_be_half(parts * side.expected, parts * side.expected_doubt)
                is_sure &= not may_be_half(parts * side.change, parts * side.change_doubt)
            lines.expected[line] = nearest(HUNDRED * side.expected)
            lines.change[line] = nearest(HUNDRED * side.change)
            exact.expected[line] = nearest(ONE_POINT * side.expected)
            exact.change[line] = nearest(ONE_POINT * side.change)
    return is_sure


# What is asked of the book beside


def _expected(figures: BookFigures, gap: Floats) -> Floats:
    """USC 6: what is expected of one who is so many points ahead."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-gap * TEN_TO_ONE / figures.of_clauses.logistic)))


def _status(book: ChessBook, rows: ListRows) -> Int32s:
    """USC 8: provisional, or established."""
    return (rows.games > book.parameters.whole("provisional_games")).astype(np.int32)


def _cells(book: ChessBook, rows: ListRows, state: State) -> Mapping[str, DecimalColumn]:
    """USC 4, 9: ratings with their decimals, and the highest floor of everybody on the list."""
    at = rows.speed, rows.player
    exact, floor = (np.empty(len(rows.player), np.int64) for _ in range(2))
    list_state = ListState(state.value[at], state.games[at], state.peak[at], state.more[:, *at])
    _write_cells(_figures(book).of_clauses, list_state, exact, floor)
    return {"exact": DecimalColumn(exact, PLACES), "floor": DecimalColumn(floor, 0)}


@njit(cache=True)
def _write_cells(figures: Figures, list_state: ListState, exact: Int64s, floor: Int64s) -> None:
    value, games, peak, more = list_state
    for row in range(len(games)):
        personal = _personal_floor(figures, games[row], peak[row])
        floor[row] = max(_absolute_floor(figures, more[:, row]), personal, more[OFFICE_FLOOR, row])
        exact[row] = exact_rating(value[row], more[RATING, row], ONE_POINT)


TWIN = ChessTwin(
    rate=rate,
    figures=_figures,
    expected=_expected,
    statuses=("provisional", "established"),
    status=_status,
    visitors="register",
    own_facts=_own_facts,
    carried=tuple(CarriedFact(name, *CODES.get(name, (int, int))) for name in FACTS),
    cells=_cells,
)
