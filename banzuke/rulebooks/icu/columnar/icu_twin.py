"""The fast twin of the Irish ratings: an event over columns; where rounding is in doubt, by the book."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import (
    AGAINST_UNRATED,
    BLACK_SCORES,
    FIRST,
    FORFEIT,
    MISSING,
    NO_FIGURE,
    RATED,
    RULING,
    VERDICTS,
    WHITE_SCORES,
    Added,
    Batch,
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
from banzuke.columnar.twin import ChessTwin, ListRows, Rules, figures_by_name
from banzuke.core import batch as core_batch
from banzuke.core.decimals import all_decimals
from banzuke.core.facts import EXCLUDE
from banzuke.core.rating import RATED as RATED_WORD
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.rulebooks.icu import icu
from banzuke.rulebooks.icu.columnar.entrant_arrays import (
    FIXED,
    FIXED_RATING,
    RATED_KIND,
    UNRATED_KIND,
    Figures,
    enter,
    sides_of,
)
from banzuke.rulebooks.icu.columnar.event_arrays import (
    TEN_TO_ONE,
    BonusRuling,
    Floats,
    doubt_of_gap,
    reckon_event,
)
from banzuke.rulebooks.icu.columnar.rated_by_book import PLACES, rate_by_book

#: Millionths and hundredths of one.
MILLION, HUNDRED = 10**PLACES, 100
#: The clauses of games without a K stand behind those of the verdicts.
OF_FIXED, OF_PROVISIONAL = len(VERDICTS), len(VERDICTS) + 1


class BookFigures(NamedTuple):
    """The numbers of a book: those of clauses, and its versions by number."""

    figures: Figures
    versions: Mapping[int, icu.Version]


@lru_cache(maxsize=8)
def _figures(book: RuleBook) -> BookFigures:
    versions = {row[0]: icu.Version(*row) for row in book.parameters.row("versions")}
    return BookFigures(figures_by_name(Figures)(book), versions)


def _own_facts(ids: Sequence[str], register: core_batch.Register) -> Int32s:
    """ICU 1, 3, 8: day of joining, fixed rating, and the place in the order of ids, of every player."""
    joined = [icu.joined_on(register, player) for player in ids]
    fixed = [icu.fixed_rating(register, player) for player in ids]
    place = np.empty(len(ids), np.int32)
    place[sorted(range(len(ids)), key=lambda number: icu.id_order(ids[number]))] = np.arange(len(ids))
    days = [0 if day is None else day.toordinal() for day in joined]
    return np.array([days, [MISSING if rating is None else rating for rating in fixed], place], np.int32)


def rate(rules: Rules, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """The batch's one event rated by the union's rules; the state given is left as it was.

    Raises RefusedError as the book does.
    """
    (event,) = batch.events
    figures, versions = rules.figures
    version = versions[event.more.get("version", rules.settings.version)]
    ruling = BonusRuling(rules.settings.bonus_cap, rules.settings.bonus_halves == icu.EVEN)
    entrants, sides = sides_of(batch)
    is_sure, doubt = enter(figures, entrants, state, batch.register, event.starts.toordinal()), 0.0
    if is_sure:
        is_sure, doubt = reckon_event(figures, version, ruling, entrants, sides)
    after = state._replace(value=state.value.copy(), games=state.games.copy(), peak=state.peak.copy())
    is_sure &= _new_ratings(entrants, doubt, after.value[0], after.games[0], after.peak[0])
    rated = Rated(batch, state, after, rules.book.speeds, _clauses(rules.book), None)
    if is_sure and not with_lines:
        return rated
    complete = _with_lines(rules, rated, entrants, sides, doubt) if is_sure else None
    return complete or rate_by_book(rules, state, batch, with_lines=with_lines)


def _clauses(book: ChessBook) -> tuple[str, ...]:
    of_verdicts = (book.verdicts.get(verdict, "") for verdict in VERDICTS)
    return *of_verdicts, book.cites["list"], book.cites["performance"]


@njit(cache=True)
def _new_ratings(entrants: Records, doubt: float, value: Int32s, games: Int32s, peak: Int32s) -> bool:
    """ICU 9: of the rated by their changes, of the provisional and unrated their performances; is it sure."""
    is_sure = True
    for number in range(len(entrants)):
        entrant = entrants[number]
        if entrant.kind == RATED_KIND:
            is_clear = not may_be_half(entrant.change, entrant.doubt)
            new = entrant.rating + nearest(entrant.change) + entrant.bonus
        elif entrant.kind == FIXED or entrant.played == 0:
            continue
        else:
            new, is_clear = _performance(entrants, number, 1, doubt)
        is_sure &= is_clear
        player = entrant.player
        value[player], games[player] = new, entrant.games + entrant.played
        peak[player] = max(peak[player], new)
    return is_sure


@njit(cache=True)
def _performance(entrants: Records, number: int, parts: int, doubt: float) -> tuple[int, bool]:
    """ICU 6, 9: a performance in so many parts of a point, rounded, and whether that is sure."""
    entrant = entrants[number]
    if entrant.is_whole:
        return rounded(parts * entrant.whole, entrant.weight), True
    figure = parts * entrant.performance
    return nearest(figure), not may_be_half(figure, parts * doubt)


# The lines, and what is told beside them


def _with_lines(rules: Rules, rated: Rated, entrants: Records, sides: Records, doubt: float) -> Rated | None:
    """With the lines, their finer figures, and the cells of the book's own columns; None: one is not sure."""
    batch, games = rated.batch, rated.batch.last - rated.batch.first
    lines, exact = lines_for(games), exact_for(games, PLACES)
    own = batch.register.own[FIXED_RATING]
    shown = np.where(own == MISSING, rated.before.value[0], own)
    is_out = batch.events[0].ruling == EXCLUDE
    _write_left_out(batch.games, int(batch.first[0]), is_out, shown, lines)
    is_sure = _write_entered(rules.figures.figures, entrants, sides, doubt, lines, exact)
    performances = np.full(len(entrants), NO_FIGURE)
    if not is_sure or not _performances(entrants, doubt, performances):
        return None
    return rated._replace(lines=lines, exact=exact, added=_added(entrants, performances))


def _added(entrants: Records, performances: Int64s) -> Added:
    """The cells of the columns that the book adds to lists, of those who have any."""
    rated, played = entrants[entrants["kind"] == RATED_KIND], performances != NO_FIGURE
    bonuses = zip(rated["player"].tolist(), rated["bonus"].tolist(), strict=True)
    words = (all_decimals(figure, PLACES) for figure in performances[played].tolist())
    of_performance = zip(entrants["player"][played].tolist(), words, strict=True)
    return {"bonus": dict(bonuses), "performance": dict(of_performance)}


@njit(cache=True)
def _performances(entrants: Records, doubt: float, performances: Int64s) -> bool:
    """ICU 6: every performance in millionths; whether all are sure."""
    is_sure = True
    for number in range(len(entrants)):
        if entrants[number].played:
            performances[number], is_clear = _performance(entrants, number, MILLION, doubt)
            is_sure &= is_clear
    return is_sure


@njit(cache=True)
def _write_left_out(games: Games, first: int, is_out: bool, shown: Int32s, lines: Lines) -> None:
    """Both lines of every game, as if none had been entered."""
    none = MISSING, MISSING, MISSING, MISSING
    for at in range(len(lines.round)):
        row = first + at // 2
        player, opponent, score = games.white[row], games.black[row], WHITE_SCORES[games.result[row]]
        if at % 2:
            player, opponent, score = opponent, player, BLACK_SCORES[games.result[row]]
        who = player, opponent, shown[player], shown[opponent]
        verdict = RULING if is_out or games.excluded[row] else FORFEIT
        write_line(lines, at, games.round[row], who, score, none, verdict, verdict)


@njit(cache=True)
def _write_entered(
    figures: Figures, entrants: Records, sides: Records, doubt: float, lines: Lines, exact: Exact
) -> bool:
    """What the lines of the entered games end with; whether all figures are sure."""
    is_sure = True
    for number in range(len(entrants)):
        kind = entrants[number].kind
        for at in range(entrants[number].first, entrants[number].last):
            line, opponent = sides[at].line, entrants[sides[at].opponent]
            is_undefined = math.isnan(opponent.value)
            seen = opponent.first_performance if kind == RATED_KIND else opponent.before
            if is_undefined and math.isnan(seen):
                lines.verdict[line], lines.clause[line] = AGAINST_UNRATED, AGAINST_UNRATED
            elif kind == RATED_KIND:
                lines.verdict[line], lines.clause[line] = RATED, RATED
                lines.k[line] = entrants[number].k
                is_sure &= _write_figures(figures, entrants[number].k, sides, at, doubt, lines, exact)
                is_sure &= _write_difference(entrants, sides, at, doubt, lines)
            elif kind == UNRATED_KIND:
                lines.verdict[line], lines.clause[line] = FIRST, FIRST
            else:
                clause = OF_FIXED if kind == FIXED else OF_PROVISIONAL
                lines.verdict[line], lines.clause[line] = RATED, clause
    return is_sure


@njit(cache=True)
def _write_figures(
    figures: Figures, k: int, sides: Records, at: int, doubt: float, lines: Lines, exact: Exact
) -> bool:
    """ICU 4: expectation and change, hundredths in the line, millionths beside it; are they sure."""
    side, off_by = sides[at], doubt_of_gap(figures, doubt)
    line, is_sure = side.line, True
    lines.expected[line], lines.change[line] = (
        nearest(HUNDRED * side.expected),
        nearest(HUNDRED * side.change),
    )
    exact.expected[line], exact.change[line] = (
        nearest(MILLION * side.expected),
        nearest(MILLION * side.change),
    )
    for parts in (HUNDRED, MILLION):
        is_sure &= not may_be_half(parts * side.expected, parts * off_by)
        is_sure &= not may_be_half(parts * side.change, parts * abs(k) * off_by)
    return is_sure


@njit(cache=True)
def _write_difference(entrants: Records, sides: Records, at: int, doubt: float, lines: Lines) -> bool:
    """ICU 4: own less opponent, blank where the rating shown is not what counts; whether that is sure."""
    side = sides[at]
    opponent, line = entrants[side.opponent], side.line
    own, other = lines.own[line], lines.opponent_rating[line]
    is_exact = opponent.was_whole if math.isnan(opponent.value) else not opponent.is_lifted
    if other == MISSING:
        lines.difference[line] = nearest(-side.gap)
        return is_exact or not may_be_half(side.gap, doubt)
    off = abs(side.gap - (other - own))
    if is_exact and off == 0:
        lines.difference[line] = own - other
    return is_exact or off > doubt


# What is asked of the book beside


def _expected(figures: BookFigures, gap: Floats) -> Floats:
    """ICU 4: the expected score of one who is so many points ahead."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-gap * TEN_TO_ONE / figures.figures.scale)))


def _status(of: ChessBook, rows: ListRows) -> Int32s:
    """ICU 1: provisional, or rated."""
    return (rows.games >= of.parameters.whole("rated_games")).astype(np.int32)


TWIN = ChessTwin(
    rate=rate,
    figures=_figures,
    expected=_expected,
    statuses=(icu.PROVISIONAL, RATED_WORD),
    status=_status,
    own_facts=_own_facts,
)
