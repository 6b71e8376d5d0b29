"""From columns back to records: the state before a list, from which the readable engine goes on."""

from collections.abc import Callable, Iterable
from datetime import date

import numpy as np

from banzuke.columnar.batch_columns import MISSING, State
from banzuke.columnar.rating_records import STATE_FIELDS, figure_or_none, ratings_at
from banzuke.columnar.twin import twin_of
from banzuke.core.rating import FirstGame, Rating, Ratings, Standings, Waiting
from banzuke.engine.columnar.chess_reader import ChessColumns, columns_of
from banzuke.engine.columnar.columnar_history import RatedColumns, RunningHistory, continue_history
from banzuke.engine.history import HistoryPosition
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import chess_book

ListCondition = Callable[[ChessColumns, RatedColumns], bool]


def position_after(
    ledger: ChessLedger, names: Iterable[str], condition: ListCondition | None = None
) -> HistoryPosition:
    """Where a ledger's history stands after those lists (a leading run of `list_names`), by the fast twins.

    It stands before the first list that does not meet the `condition`, if there is one. Lists are rated with
    their lines where a condition asks about them.
    """
    columns = columns_of(ledger)
    running, last = RunningHistory(columns, with_lines=condition is not None), None
    for made in continue_history(running, names):
        if condition is not None and not condition(columns, made):
            return _position(running, made.rated.before, last)
        last = made
    return _position(running, running.state, last)


def _position(running: RunningHistory, state: State, last: RatedColumns | None) -> HistoryPosition:
    columns = running.columns
    if last is None:
        return HistoryPosition(standings_of(columns, state), None, {}, set())
    needed = running.plans.rated_on_after(last.rated.batch.closes) & running.lists.keys()
    lists = {name: ratings_of(columns, running.lists[name]) for name in needed}
    return HistoryPosition(standings_of(columns, state), last.edition, lists, set(running.selection.entered))


def standings_of(columns: ChessColumns, state: State) -> Standings:
    """Standings as records."""
    return Standings(ratings_of(columns, state), _waiting_of(columns, state))


def ratings_of(columns: ChessColumns, state: State) -> Ratings:
    """Every rating that differs from that of a new player, by speed."""
    return {speed: _at_speed(columns, state, row) for row, speed in enumerate(columns.pool.speeds)}


def _at_speed(columns: ChessColumns, state: State, row: int) -> dict[str, Rating]:
    value, games, peak, earned = (getattr(state, name)[row] for name in STATE_FIELDS)
    known = np.flatnonzero((value != MISSING) | (games != 0) | (peak != MISSING) | earned).astype(np.int32)
    carried = twin_of(chess_book(columns.pool.editions[-1])).carried
    ratings = ratings_at(state, carried, (np.full(len(known), row, np.int32), known))
    ids = [columns.player_ids[player] for player in known.tolist()]
    return dict(zip(ids, ratings, strict=True))


def _waiting_of(columns: ChessColumns, state: State) -> Waiting:
    """The games on file, in their order.

    A game without the opponent's rating is one against an unrated player, or, where the book has none such,
    the mark of a first event that was left out, of which no game is on file.
    """
    speeds, has_unrated = columns.pool.speeds, twin_of(chess_book(columns.pool.editions[-1])).unrated_on_file
    files: dict[tuple[int, int], list[FirstGame]] = {}
    for speed, player, *game in zip(*(column.tolist() for column in state.waiting), strict=True):
        filed = files.setdefault((speed, player), [])
        if has_unrated or game[4] != MISSING:
            filed.append(_first_game(columns, *game))
    waiting: Waiting = {speed: {} for speed in speeds}
    for (speed, player), games in files.items():
        waiting[speeds[speed]][columns.player_ids[player]] = tuple(games)
    return waiting


def _first_game(
    columns: ChessColumns, event: int, round_: int, played: int, opponent: int, rating: int, score: int
) -> FirstGame:
    day, of_event = date.fromordinal(played), columns.event_ids[event]
    return FirstGame(of_event, round_, day, columns.player_ids[opponent], figure_or_none(rating), score)
