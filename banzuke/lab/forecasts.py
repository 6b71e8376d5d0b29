"""What ratings forecast of the games of the next list: a row for each game that was played.

One list ahead: every expectation stands on the ratings before the list that the game enters. A book may rate
games on figures that the event's results have already moved: then it is what the book expects at the ratings
of the list. An unrated side is taken for a newcomer as they have been: of the mean of the first ratings known
by then. As nobody knows how far this one is from the mean, the gap counts less, by Glickman's factor for the
variance of these ratings (The Glicko system, 1999).

How good forecasts are is the loss of each game. A model that is chosen for what it did may have been lucky.
So history is cut into parts, and for each part that model is chosen which lost least in all parts before it:
what the choice then loses was not known to it.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar import batch_columns as codes
from banzuke.columnar.batch_columns import MISSING, Flags, Int32s, Int64s, Lines
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.columnar_history import RatedColumns
from banzuke.lab.intervals import Clusters, Intervals, mean_intervals, share_intervals
from banzuke.lab.true_expectation import Floats, Ints, doubt_factor, expectation_of
from banzuke.ledger.pool_rules import chess_book

#: Expectations in lines are hundredths.
CERTAIN = 100
#: Until so many have got a first rating, a newcomer is taken for one of those who are listed.
FEWEST_FIRSTS = 10
#: The columns that have a row for White and one for Black.
OF_SIDES = ("k", "born", "rating")
#: Lines have expectations rounded to hundredths: one this near to the book's own curve is the curve.
ROUNDING = 0.006
#: An expectation counts as at least this far from 0 and 1: the tables are printed in hundredths, rounded.
NEAREST = 0.005
#: History is cut into so many parts.
PARTS = 5


class Forecasts(NamedTuple):
    """Games that were played, by row; `of` is the game's number among the ledger's (see `key`).

    `score` is White's (1, 1/2, 0) and `expected` what White was expected to score, `gap` White's rating less
    the opponent's as it is, NaN where one of them is unrated. `place` is the list's, `day` that on which it
    is published, `year` that in which the event began, `counted` says that the game entered the list. `k` and
    `born` (a day, 0: not known) have a row for White and one for Black. `ahead` are the Elo points that the
    terms put White ahead by; 0 in chess. `rating` is what White and Black are rated (NaN: not), `newcomer`
    what an unrated side is taken for, `lead` the gap that the expectation stands on (in Go that of ranks).
    """

    of: Int64s
    place: Int32s
    day: Int32s
    event: Int32s
    speed: Int32s
    year: Int32s
    white: Int32s
    black: Int32s
    counted: Flags
    score: Floats
    expected: Floats
    gap: Floats
    k: Int32s
    born: Int32s
    ahead: Floats
    rating: Floats
    newcomer: Floats
    lead: Floats

    def take(self, rows: Int64s | Flags) -> "Forecasts":
        """Those rows alone."""
        columns: list[Any] = [column[..., rows] for column in self]
        return Forecasts(*columns)


def forecast_lists(lists: Iterable[RatedColumns], speeds: tuple[str, ...], players: int) -> Forecasts:
    """All games of a history, given with its lines; a game that came with two lists is taken with the first.

    `speeds` are the pool's, `players` how many the ledger has.
    """
    firsts, parts = np.zeros((3, len(speeds))), []
    for place, each in enumerate(lists):
        before, after = each.rated.before.value, each.rated.after.value
        parts.append(_of_list(place, each, speeds, players, _newcomers(firsts, before)))
        firsts += _sums(after, (before == MISSING) & (after != MISSING))
    if not parts:
        return no_games()
    whole = Forecasts(*(np.concatenate(columns, axis=-1) for columns in zip(*parts, strict=True)))
    _, first = np.unique(whole.of, return_index=True)
    return whole.take(np.sort(first)) if len(first) < len(whole.of) else whole


def no_games() -> Forecasts:
    """No games."""
    shapes: list[Any] = [(2, 0) if name in OF_SIDES else 0 for name in Forecasts._fields]
    return Forecasts(*(np.zeros(shape, np.int64) for shape in shapes))


def _sums(value: Int32s, chosen: Flags) -> Floats:
    """How many ratings are chosen at each speed, their sum and that of their squares."""
    ratings = np.where(chosen, value, 0).astype(np.float64)
    return np.stack([chosen.sum(1), ratings.sum(1), np.square(ratings).sum(1)])


def _newcomers(firsts: Floats, listed: Int32s) -> Floats:
    """The mean of newcomers' ratings at each speed, and their variance; of all who are listed if few came."""
    count, total, squares = np.where(firsts[0] < FEWEST_FIRSTS, _sums(listed, listed != MISSING), firsts)
    mean = total / np.maximum(count, 1)
    return np.stack([np.where(count == 0, np.nan, mean), squares / np.maximum(count, 1) - mean**2])


def _of_list(
    place: int, found: RatedColumns, speeds: tuple[str, ...], players: int, newcomers: Floats
) -> Forecasts:
    book, rated, lines = chess_book(found.edition), found.rated, found.rated.lines
    if lines is None:
        raise ValueError("a history without lines forecasts nothing")
    white, black = _side(lines, 0), _side(lines, 1)
    of_event = np.array([speeds.index(speed) if speed in speeds else -1 for speed in rated.speeds], np.int32)
    years = np.array([event.starts.year for event in rated.batch.events], np.int32)
    speed, number = of_event[white.event], rated.batch.event_ids[white.event]
    sides = np.stack([white.own, white.opponent_rating])
    rating = np.where(sides == MISSING, np.nan, sides)
    is_entered = np.isin([white.verdict, black.verdict], (codes.RATED, codes.FIRST, codes.AGAINST_UNRATED))
    newcomer, doubt = newcomers[:, speed]
    lead = np.subtract(*np.where(np.isnan(rating), newcomer, rating))
    lead *= doubt_factor(doubt * np.isnan(rating).sum(0))
    unruled = expectation_of(book)(np.rint(np.nan_to_num(lead)))
    whole = Forecasts(
        of=key(number, white.round, white.player, players),
        place=np.full(len(speed), place, np.int32),
        day=np.full(len(speed), rated.batch.published.toordinal(), np.int32),
        event=number,
        speed=speed,
        year=years[white.event],
        white=white.player,
        black=black.player,
        counted=is_entered.max(axis=0),
        score=white.score / 2,
        expected=_expected(unruled, white, black),
        gap=np.subtract(*rating),
        k=np.stack([white.k, black.k]),
        born=rated.batch.register.born[np.stack([white.player, black.player])],
        ahead=np.zeros(len(speed)),
        rating=rating,
        newcomer=newcomer,
        lead=lead,
    )
    return whole.take((white.score != MISSING) & (speed >= 0))


def _side(lines: Lines, side: int) -> Lines:
    """Every other line: White's (0) or Black's (1)."""
    columns: list[Any] = [column[side::2] for column in lines[1:]]
    return Lines(lines.of_event // 2, *columns)


def key(event: Int32s, round_: Int32s, white: Int32s, players: int) -> Int64s:
    """A number for each game of a ledger: a player has one game of an event's round."""
    rounds = 1 << 20
    return (event.astype(np.int64) * rounds + round_ % rounds) * players + white


def _expected(unruled: Floats, white: Lines, black: Lines) -> Floats:
    """What the book expects White to score; of a game that it does not rate, what it would (`unruled`).

    Where the sides are told different things (a difference counted in full for one of them only), the mean.
    """
    one = _as_told(unruled, _told(white, white.expected / CERTAIN))
    other = _as_told(unruled, _told(black, 1 - black.expected / CERTAIN))
    said = np.where(np.isnan(one), other, np.where(np.isnan(other), one, (one + other) / 2))
    is_known = (white.own != MISSING) & (white.opponent_rating != MISSING) & ~np.isnan(said)
    return np.where(is_known, said, unruled)


def _told(lines: Lines, expected: Floats) -> Floats:
    """What lines expect on the ratings of the list; NaN where they stand on others (no difference told)."""
    return np.where((lines.expected == MISSING) | (lines.difference == MISSING), np.nan, expected)


def _as_told(unruled: Floats, told: Floats) -> Floats:
    """What lines tell; the curve, where what they tell is the curve rounded."""
    return np.where(np.abs(told - unruled) <= ROUNDING, unruled, told)


def expect_ahead(book: ChessBook, lead: Floats, told: Floats) -> Floats:
    """What a book expects of sides by their leads in the list, and what their lines tell (NaN: nothing)."""
    unruled = expectation_of(book)(lead)
    return np.where(np.isnan(told), unruled, _as_told(unruled, told))


def ages(games: Forecasts) -> Floats:
    """Both sides' ages on 1 January of the year in which the event began; NaN where not known."""
    day = np.datetime64("0001-01-01") + np.maximum(games.born - 1, 0)
    year = day.astype("datetime64[Y]")
    ages = games.year - (year.astype(np.int64) + 1970) - (day != year)
    return np.where(games.born == 0, np.nan, ages)


class Losses(NamedTuple):
    """A game's loss in three measures, each an array of a row a game (see `losses`)."""

    log: Floats
    brier: Floats
    right: Floats


def losses(expected: Floats, score: Floats) -> Losses:
    """What forecasts lose, from the expected scores and the scores (1, 1/2, 0) of one side of each game.

    A draw is half a win and half a loss in every measure. `log` is the cross-entropy of the score, in nats:
    -(s ln p + (1 - s) ln(1 - p)) with p at least 0.005 from 0 and 1; ln 2 = 0.693 for whoever says one half
    each time. A drawn game costs at least ln 2 of it, however well foretold. `brier` is (s - p) squared.
    `right` is 1 where the side that was expected to score more won, 0 where it lost, 1/2 for a draw and
    where both were expected to score the same. Each is the same seen from the other side.
    """
    clipped = np.clip(expected, NEAREST, 1 - NEAREST)
    log = -(score * np.log(clipped) + (1 - score) * np.log1p(-clipped))
    right = 0.5 + np.sign(expected - 0.5) * (score - 0.5)
    return Losses(log, np.square(score - expected), right)


def parts_of(place: NDArray[Any]) -> Ints:
    """Which part of the history each game is in: lists in their order, in parts of about as many games."""
    _, of_list, games = np.unique(place, return_inverse=True, return_counts=True)
    middle = np.cumsum(games) - games / 2
    return np.asarray((middle * PARTS / max(1, len(place))).astype(np.int64)[of_list])


def sum_parts(log: Floats, parts: Ints) -> Floats:
    """The losses of each part."""
    return np.bincount(parts, log, PARTS).astype(np.float64)


def choose_by_losses(totals: Floats) -> Ints:
    """For each part, which model lost least in the parts before it; the first model before all.

    `totals` has a row for each model and a column for each part.
    """
    before = np.cumsum(np.pad(totals, ((0, 0), (1, 0)))[:, :-1], axis=1)
    return np.asarray(before.argmin(axis=0))


def loss_intervals(lost: Losses, clusters: Clusters, groups: Ints | None = None, count: int = 1) -> Intervals:
    """The means of all three measures by group, each with its interval; that of `right` is one of shares."""
    means = mean_intervals(np.stack(lost[:2]), clusters, groups, count)
    share = share_intervals(lost.right, clusters, groups, count)
    return Intervals(*(np.concatenate(rows) for rows in zip(means, share, strict=True)))
