"""The games of a ledger as columns for the search for anomalies: players, time, score, expectation.

A row a game. `one` is White in chess and Black in Go, `other` the opponent; what is told of two sides has two
rows, `one`'s first. Chess is counted in rating points, Go in ranks after the terms of the game.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Flags, Rated
from banzuke.columnar.twin import twin_of
from banzuke.core.rulebook import GoBook
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory
from banzuke.engine.columnar.go_reader import A_DAY, EPOCH, GoColumns
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.lab.true_expectation import Floats, Ints, logistic
from banzuke.ledger.pool_rules import go_book

#: The ordinal of the day from which days are counted.
FIRST_DAY = EPOCH.toordinal()
HUNDREDTHS = 100
#: Days of a week; 1970 began so many days after a Monday.
WEEK, MONDAY = 7, 3


class Scale(NamedTuple):
    """How a game's leads are measured, and from what size on something is looked at.

    `expected` gives the expected score from a lead. An opponent behind by `much_weaker` or more counts as
    much weaker. `farming` is the least gain of a farming pair, `closed` the least gain per member of a closed
    group.
    """

    expected: Callable[[Floats], Floats]
    much_weaker: float
    farming: float
    closed: float
    is_go: bool = False


CHESS = Scale(logistic, 100, 60, 50)


def go_scale(book: GoBook) -> Scale:
    """The scale of a server's games, by what its book expects."""
    twin = twin_of(book)
    figures, forecasts = twin.figures(book), twin.forecasts
    return Scale(lambda lead: forecasts.expected(figures, lead * forecasts.units), 1, 1000, 800, is_go=True)


class Occasion(NamedTuple):
    """An event of chess, or a week of a Go server: its name, its place and speed, its days, its id."""

    name: str
    place: str
    speed: str
    days: int
    event_id: str = ""


class GameColumns(NamedTuple):
    """Games that were played, a row each, in order of time.

    `occasion` is a place in `LedgerGames.occasions`; `at` a moment in microseconds since 1970 (UTC), in chess
    that of the day, which is `sure` where it was told; `score` one's half points; `lead` how far one was
    ahead (NaN where it is not known or the game does not count for a rating); `gained` the points of the two
    sides; `moves` 0 where not told, `round` 0 in Go. The ratings that a game is rated on know the games of
    smaller `batch` alone.
    """

    one: Ints
    other: Ints
    occasion: Ints
    at: Ints
    sure: Flags
    score: Ints
    lead: Floats
    gained: Floats
    moves: Ints
    round: Ints
    batch: Ints

    @property
    def day(self) -> Ints:
        """The days, counted from 1970."""
        return self.at // A_DAY

    def where(self, rows: Flags | Ints) -> "GameColumns":
        """Those games alone."""
        kept: list[Any] = [column[..., rows] for column in self]
        return GameColumns(*kept)


class LedgerGames(NamedTuple):
    """A ledger's games: the scale of its leads, its players by number, the occasions, the games."""

    scale: Scale
    ids: Sequence[str]
    names: Sequence[str]
    occasions: Sequence[Occasion]
    games: GameColumns


def games_of_ledger(columns: ChessColumns | GoColumns) -> LedgerGames:
    """The games of a ledger, rated by its own rule books."""
    return _of_go(columns) if isinstance(columns, GoColumns) else _of_chess(columns)


def group_rows(key: Ints) -> list[Ints]:
    """The rows of each key, those of a key in their order."""
    if not len(key):
        return []
    order = np.argsort(key, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(key[order])) + 1)


def day_text(day: int) -> str:
    """A day counted from 1970, as ISO writes it."""
    return date.fromordinal(day + FIRST_DAY).isoformat()


# Chess


def _of_chess(columns: ChessColumns) -> LedgerGames:
    names = {player.player_id: player.name for player in columns.players}
    occasions: list[Occasion] = []
    parts = [_no_games()]
    for number, made in enumerate(any_history(columns, list_names(columns, None))):
        parts.append(_of_list(made.rated, len(occasions), number))
        occasions += [
            Occasion(
                event.name or event.event_id,
                event.place,
                speed,
                (event.ends - event.starts).days + 1,
                event.event_id,
            )
            for event, speed in zip(made.rated.batch.events, made.rated.speeds, strict=True)
        ]
    columns_of_parts = zip(*parts, strict=True)
    found = GameColumns(*(np.concatenate(column, axis=-1) for column in columns_of_parts))
    own = [names.get(player, "") for player in columns.player_ids]
    in_time = found.where(np.argsort(found.at, kind="stable"))
    return LedgerGames(CHESS, columns.player_ids, own, occasions, in_time)


def _no_games() -> GameColumns:
    none = np.zeros(0, np.int64)
    return GameColumns(
        none, none, none, none, none > 0, none, np.zeros(0), np.zeros((2, 0)), none, none, none
    )


def _of_list(rated: Rated, first: int, number: int) -> GameColumns:
    """The games of a list, by its number, that were played; its events are the occasions from `first` on."""
    lines, batch = rated.lines, rated.batch
    if lines is None or not len(lines.player):
        return _no_games()
    rows = np.concatenate([np.arange(*bounds) for bounds in zip(batch.first, batch.last, strict=True)])
    event = lines.event[::2].astype(np.int64)
    starts = np.array([each.starts.toordinal() for each in batch.events])[event]
    is_one_day = np.array([each.starts == each.ends for each in batch.events])[event]
    told = batch.games.played[rows]
    own, opponent = lines.own[::2].astype(np.float64), lines.opponent_rating[::2].astype(np.float64)
    is_known = (lines.own[::2] != MISSING) & (lines.opponent_rating[::2] != MISSING)
    change = np.where(lines.change == MISSING, 0, lines.change).reshape(-1, 2).T / HUNDREDTHS
    found = GameColumns(
        one=lines.player[::2].astype(np.int64),
        other=lines.opponent[::2].astype(np.int64),
        occasion=event + first,
        at=(np.where(told == 0, starts, told) - FIRST_DAY) * A_DAY,
        sure=(told != 0) | is_one_day,
        score=lines.score[::2].astype(np.int64),
        lead=np.where(is_known, own - opponent, np.nan),
        gained=change,
        moves=np.zeros(len(event), np.int64),
        round=lines.round[::2].astype(np.int64),
        batch=np.full(len(event), number),
    )
    return found.where(found.score != MISSING)


# Go


def _of_go(columns: GoColumns) -> LedgerGames:
    games = columns.games
    book = go_book(columns.pool.editions[0])
    forecasts = twin_of(book).forecasts
    _, rated = RunningGoHistory(columns).rate(len(games.ended), len(columns.declarations.at))
    lines = rated.lines
    judgement, won, points = (_by_side(lines, name) for name in ("judgement", "won", "points"))
    is_rated = np.isin(judgement, forecasts.rated).any(axis=0)
    weeks, occasion = np.unique((games.ended // A_DAY + MONDAY) // WEEK, return_inverse=True)
    found = GameColumns(
        one=games.black.astype(np.int64),
        other=games.white.astype(np.int64),
        occasion=occasion,
        at=games.ended,
        sure=np.ones(len(games.ended), np.bool_),
        score=np.where(won[0] == MISSING, 1, 2 * won[0]),
        lead=np.where(is_rated, _leads(lines, forecasts.units), np.nan),
        gained=np.where(points == MISSING, 0, points).astype(np.float64),
        moves=games.moves.astype(np.int64),
        round=np.zeros(len(games.ended), np.int64),
        batch=np.arange(len(games.ended)),
    )
    occasions = [Occasion(_week_text(week), "", "", WEEK) for week in weeks.tolist()]
    return LedgerGames(go_scale(book), columns.player_ids, columns.player_ids, occasions, found)


def _week_text(week: int) -> str:
    """A week, from Monday in UTC, as ISO writes it: `2026-W07`."""
    return date.fromordinal(week * WEEK - MONDAY + FIRST_DAY).strftime("%G-W%V")


def _by_side(lines: Any, name: str) -> Ints:
    """A column of lines, Black's row and White's."""
    rows: Ints = np.asarray(lines[name], np.int64).reshape(-1, 2).T
    return rows


def _leads(lines: Any, units: int) -> Floats:
    """How far Black was ahead after the terms, in ranks; NaN where nobody knows."""
    size, upper = _by_side(lines, "difference")[0], _by_side(lines, "upper")[0]
    leads: Floats = np.where(size == MISSING, np.nan, np.where(upper == 0, -size, size)) / units
    return leads
