"""The fast twin of `rulebooks.hakodate.hakodate`: an event over columns, in the order of that module."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import (
    AGAINST_UNRATED,
    BLACK_SCORES,
    FIRST,
    FORFEIT,
    MISSING,
    RATED,
    RULING,
    VERDICTS,
    WHITE_SCORES,
    Batch,
    Games,
    Int32s,
    Lines,
    Rated,
    State,
    lines_for,
)
from banzuke.columnar.kernels import limited, rounded, write_line
from banzuke.columnar.twin import ChessTwin, ListRows, Rules, figures_by_name
from banzuke.core.facts import EXCLUDE
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.hakodate import hakodate as book

Floats = NDArray[np.float64]


class Figures(NamedTuple):
    """The numbers of the book, each by the name of its constant there."""

    per_game: int
    established_games: int
    equal_win: int
    per_cent: int
    limit: int


#: The clause of a provisional rating's games stands behind those of the verdicts.
PROVISIONAL = len(VERDICTS)


def rate(rules: Rules, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """The batch's one event rated by the club's rules; the state given is left as it was."""
    (event,) = batch.events
    after = state._replace(value=state.value.copy(), games=state.games.copy(), peak=state.peak.copy())
    first, last = int(batch.first[0]), int(batch.last[0])
    lines = lines_for(batch.last - batch.first) if with_lines else None
    ruled_out, unrated_opponent = event.ruling == EXCLUDE, rules.settings.unrated_opponent
    _rate_event(rules.figures, unrated_opponent, ruled_out, batch.games, first, last, state, after, lines)
    clauses = *(rules.book.verdicts.get(verdict, "") for verdict in VERDICTS), book.PROVISIONAL_CLAUSE
    return Rated(batch, state, after, rules.book.speeds, clauses, lines)


@njit(cache=True)
def _provisional(figures: Figures, opponent: int, score: int) -> int:
    """HCC R4: what a game adds to the sum of which a provisional rating is the mean."""
    return opponent + figures.per_game * (score - 1)


@njit(cache=True)
def _established(figures: Figures, difference: int, score: int) -> int:
    """HCC R9, R10: hundredths of a point for a game."""
    return figures.equal_win * 100 * (score - 1) - figures.per_cent * difference


@njit(cache=True)
def _verdict(excluded: bool, score: int, own: int, other: int) -> int:
    """Whether the game counts for this side, by the code of its verdict."""
    if excluded:
        return RULING
    if score == MISSING:
        return FORFEIT
    if own == MISSING:
        return FIRST
    return AGAINST_UNRATED if other == MISSING else RATED


@njit(cache=True)
def _rate_event(
    figures: Figures,
    unrated_opponent: int,
    ruled_out: bool,
    games: Games,
    first: int,
    last: int,
    before: State,
    after: State,
    lines: Lines | None,
) -> None:
    """Both lines of every game, then the new ratings of those whose games count."""
    value, rests_on = before.value[0], before.games[0]
    sums, counts = np.zeros(len(value), np.int64), np.zeros(len(value), np.int64)
    for row in range(first, last):
        excluded = ruled_out or games.excluded[row]
        for side in range(2):
            player, opponent = games.white[row], games.black[row]
            score = int(WHITE_SCORES[games.result[row]])
            if side:
                player, opponent = opponent, player
                score = int(BLACK_SCORES[games.result[row]])
            own, other = int(value[player]), int(value[opponent])
            verdict = _verdict(excluded, score, own, other)
            established = own != MISSING and rests_on[player] >= figures.established_games
            difference, change = MISSING, MISSING
            if verdict == RATED and established:
                difference = limited(own - other, figures.limit)
                change = _established(figures, difference, score)
                sums[player] += change
                counts[player] += 1
            elif verdict in (RATED, FIRST):
                counted = unrated_opponent if other == MISSING else other
                sums[player] += _provisional(figures, counted, score)
                counts[player] += 1
            if lines is not None:
                clause = PROVISIONAL if verdict == RATED and not established else verdict
                who, line = (player, opponent, own, other), (difference, MISSING, MISSING, change)
                at = 2 * (row - first) + side
                write_line(lines, at, games.round[row], who, score, line, verdict, clause)
    for player in range(len(value)):
        if counts[player]:
            _close(figures, before, after, player, int(sums[player]), int(counts[player]))


@njit(cache=True)
def _close(figures: Figures, before: State, after: State, player: int, total: int, counted: int) -> None:
    """HCC R6, R9: the player's rating after the event, by the formula that it began with."""
    old, rests_on = int(before.value[0, player]), int(before.games[0, player])
    peak = before.peak[0, player]
    if old != MISSING and rests_on >= figures.established_games:
        new = old + rounded(total, 100)
    else:
        held = rests_on * (0 if old == MISSING else old)
        new = rounded(held + total, rests_on + counted)
    after.value[0, player] = new
    after.games[0, player] = rests_on + counted
    after.peak[0, player] = new if peak == MISSING else max(new, peak)


def _expected(figures: Figures, gap: Floats) -> Floats:
    """HCC R9, R10: the score that changes nothing: one half and an eighth of a hundredth a point.

    Where a win is worth nothing there is none.
    """
    if not figures.equal_win:
        return np.full_like(gap, np.nan)
    counted = np.clip(gap, -figures.limit, figures.limit)
    shares: Floats = np.clip(0.5 + figures.per_cent * counted / (200 * figures.equal_win), 0, 1)
    return shares


def _status(of: ChessBook, rows: ListRows) -> Int32s:
    """As `hakodate.is_established`."""
    return (rows.games >= of.parameters.whole("established_games")).astype(np.int32)


TWIN = ChessTwin(
    rate=rate,
    figures=figures_by_name(Figures),
    expected=_expected,
    statuses=("provisional", "established"),
    status=_status,
)
