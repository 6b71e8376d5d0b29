"""The fast twin of `rulebooks.hakodate`: an event over columns, in the order of that module."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

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
    Rated,
    lines_for,
)
from banzuke.rulebooks.fide.columnar.table_arrays import limited, rounded
from banzuke.core.facts import EXCLUDE
from banzuke.rulebooks.hakodate import hakodate as book

if TYPE_CHECKING:
    from banzuke.columnar.batch_columns import Batch, Games, Lines, State
    from banzuke.rulebooks.hakodate.hakodate import Settings


class Figures(NamedTuple):
    """The numbers of the book, each by the name of its constant there."""

    per_game: int = book.PER_GAME
    established_games: int = book.ESTABLISHED_GAMES
    equal_win: int = book.EQUAL_WIN
    per_cent: int = book.PER_CENT
    limit: int = book.LIMIT


FIGURES = Figures()

#: The clause of each verdict by its code, and behind them that of a provisional rating's games.
CLAUSES = (*(book.VERDICTS.get(verdict, "") for verdict in VERDICTS), book.PROVISIONAL_CLAUSE)
PROVISIONAL = len(VERDICTS)


def rate(
    state: State, batch: Batch, settings: Settings, figures: Figures = FIGURES, *, with_lines: bool = True
) -> Rated:
    """The batch's one event rated by the club's rules; the state given is left as it was."""
    (event,) = batch.events
    after = state._replace(value=state.value.copy(), games=state.games.copy(), peak=state.peak.copy())
    first, last = int(batch.first[0]), int(batch.last[0])
    lines = lines_for(batch.last - batch.first) if with_lines else None
    ruled_out = event.ruling == EXCLUDE
    _rate_event(figures, settings.unrated_opponent, ruled_out, batch.games, first, last, state, after, lines)
    speeds = (book.ONE_LIST,)
    return Rated(batch, state, after, speeds, CLAUSES, lines)


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
                at = 2 * (row - first) + side
                lines.round[at] = games.round[row]
                lines.player[at], lines.opponent[at], lines.score[at] = player, opponent, score
                lines.own[at], lines.opponent_rating[at] = own, other
                lines.difference[at], lines.change[at] = difference, change
                lines.expected[at] = lines.k[at] = MISSING
                lines.verdict[at] = verdict
                lines.clause[at] = PROVISIONAL if verdict == RATED and not established else verdict
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
