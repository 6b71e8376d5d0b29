"""The games of a ledger as columns for the search for anomalies: players, time, score, expectation.

A column a game. What is told of two sides has two rows: White's first in chess, Black's in Go. Chess is
counted in rating points, Go in ranks after the terms of the game.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, RATED, Flags, Lines, Rated
from banzuke.columnar.twin import twin_of
from banzuke.core.rulebook import GoBook
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory
from banzuke.engine.columnar.go_reader import A_DAY, EPOCH, GoColumns
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.lab.chess_histories import HUNDREDTHS
from banzuke.lab.true_expectation import Floats, Ints, logistic
from banzuke.ledger.pool_rules import go_book

#: The ordinal of the day from which days are counted.
FIRST_DAY = EPOCH.toordinal()
#: Days of a week; 1970 began so many days after a Monday.
WEEK, MONDAY = 7, 3
#: More than days or occasions that are counted, so that a player and one of these make one number.
MANY = 10_000_000


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
    """Games that were played, in order of time.

    `occasion` is a place in `LedgerGames.occasions`; `at` a moment in microseconds since 1970 (UTC), in chess
    that of the day, which is `sure` where it was told; `score` the first side's half points; `lead` how far
    it was ahead (NaN where it is not known or the game does not count for a rating); `gained` the points of
    both sides; `moves` 0 where not told, `round` 0 in Go. The ratings that a game is rated on know the games
    of smaller `batch` alone.
    """

    players: Ints
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

    def sides(self) -> "GameColumns":
        """Every game twice, as each of its players has it, who is the first then; in order of time."""
        lead, score = -self.lead, 2 - self.score
        other = self._replace(players=self.players[::-1], score=score, lead=lead, gained=self.gained[::-1])
        both: list[Any] = [
            np.stack(pair, axis=-1).reshape(*pair[0].shape[:-1], -1) for pair in zip(self, other, strict=True)
        ]
        return GameColumns(*both)

    def by_player(self, chosen: Flags, key: Ints) -> Iterator[tuple[int, Ints]]:
        """Players, each with the rows of their chosen games of a like key, in order of both; a key a game."""
        rows = np.repeat(np.flatnonzero(chosen), 2)
        player = self.players[:, chosen].T.ravel()
        for group in group_rows(player * MANY + key[rows]):
            yield int(player[group[0]]), rows[group]


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


def _by_side(column: Any) -> Ints:
    """A column of lines: the rows of the first sides, then of the second."""
    return np.asarray(np.asarray(column, np.int64).reshape(-1, 2).T)


_NONE, _PAIRS = np.zeros(0, np.int64), np.zeros((2, 0), np.int64)
_NO_GAMES = GameColumns(_PAIRS, _NONE, _NONE, _NONE > 0, _NONE, _NONE / 1, _PAIRS / 1, *[_NONE] * 3)


def _of_chess(columns: ChessColumns) -> LedgerGames:
    names = {player.player_id: player.name for player in columns.players}
    occasions, parts = list[Occasion](), [_NO_GAMES]
    for number, (_, rated, _) in enumerate(any_history(columns, list_names(columns, None))):
        if rated.lines is not None and len(rated.lines.player):
            parts.append(_of_list(rated, rated.lines, len(occasions), number))
        for event, speed in zip(rated.batch.events, rated.speeds, strict=True):
            name, days = event.name or event.event_id, (event.ends - event.starts).days + 1
            occasions.append(Occasion(name, event.place, speed, days, event.event_id))
    games = GameColumns(*(np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)))
    games = games.where(games.score != MISSING)
    in_time = games.where(np.argsort(games.at, kind="stable"))
    own = [names.get(player, "") for player in columns.player_ids]
    return LedgerGames(CHESS, columns.player_ids, own, occasions, in_time)


def _of_list(rated: Rated, lines: Lines, first: int, number: int) -> GameColumns:
    """The games of a list, by its number; its events are the occasions from `first` on."""
    batch, event = rated.batch, _by_side(lines.event)[0]
    rows = np.concatenate([np.arange(*bounds) for bounds in zip(batch.first, batch.last, strict=True)])
    days = np.array([(each.starts.toordinal(), each.ends.toordinal()) for each in batch.events])
    starts, ends = days[event].T
    told, own, opponent = batch.games.played[rows], lines.own[::2], lines.opponent_rating[::2]
    is_rated = (_by_side(lines.verdict) == RATED).any(axis=0)
    has_lead = is_rated & (own != MISSING) & (opponent != MISSING)
    return GameColumns(
        players=_by_side(lines.player),
        occasion=event + first,
        at=(np.where(told == 0, starts, told) - FIRST_DAY) * A_DAY,
        sure=(told != 0) | (starts == ends),
        score=_by_side(lines.score)[0],
        lead=np.where(has_lead, own - opponent.astype(np.float64), np.nan),
        gained=_by_side(np.where(lines.change == MISSING, 0, lines.change)) / HUNDREDTHS,
        moves=np.zeros(len(event), np.int64),
        round=_by_side(lines.round)[0],
        batch=np.full(len(event), number),
    )


def _of_go(columns: GoColumns) -> LedgerGames:
    games, book = columns.games, go_book(columns.pool.editions[0])
    forecasts, count = twin_of(book).forecasts, len(games.ended)
    _, rated = RunningGoHistory(columns).rate(count, len(columns.declarations.at))
    lines: Any = rated.lines
    judgement, won, points, difference, upper = (
        _by_side(lines[name]) for name in ("judgement", "won", "points", "difference", "upper")
    )
    is_known = np.isin(judgement, forecasts.rated).any(axis=0) & (difference[0] != MISSING)
    lead = np.where(upper[0] == 0, -difference[0], difference[0]) / forecasts.units
    weeks, occasion = np.unique((games.ended // A_DAY + MONDAY) // WEEK, return_inverse=True)
    found = GameColumns(
        players=np.stack([games.black, games.white]).astype(np.int64),
        occasion=occasion,
        at=games.ended,
        sure=np.ones(count, np.bool_),
        score=np.where(won[0] == MISSING, 1, 2 * won[0]),
        lead=np.where(is_known, lead, np.nan),
        gained=np.where(points == MISSING, 0, points).astype(np.float64),
        moves=games.moves.astype(np.int64),
        round=np.zeros(count, np.int64),
        batch=np.arange(count),
    )
    mondays = [date.fromordinal(week * WEEK - MONDAY + FIRST_DAY) for week in weeks.tolist()]
    occasions = [Occasion(monday.strftime("%G-W%V"), "", "", WEEK) for monday in mondays]
    return LedgerGames(go_scale(book), columns.player_ids, columns.player_ids, occasions, found)
