"""Lists that the readable engine rates, as columns: for pools that the fast twins cannot rate.

What `record_standings` does, the other way round.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from banzuke.columnar.batch_columns import (
    MISSING,
    VERDICTS,
    Batch,
    Games,
    Int32s,
    Int64s,
    Lines,
    Rated,
    Register,
    State,
)
from banzuke.columnar.rating_records import STATE_FIELDS
from banzuke.core import batch as core_batch
from banzuke.core.rating import EventLines, Line, Ratings
from banzuke.engine.columnar.chess_reader import (
    ChessColumns,
    columns_of_games,
    games_of_event,
    read_columns,
)
from banzuke.engine.columnar.columnar_history import RatedColumns, history, opening, register_of
from banzuke.engine.columnar.columnar_run import read
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.history import history as readable_history
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import read_pool
from banzuke.ledger.records import standing_records

#: The columns of lines that are numbers in records, too.
PLAIN = ("round", "score", "own", "opponent_rating", "difference", "expected", "change")


def read_any(folder: Path) -> ChessColumns | GoColumns:
    """As `columnar_run.read`, but pools of chess that the fast twins cannot rate are read, too."""
    pool = read_pool(folder, [])
    return read(folder) if pool is None or pool.is_go else read_columns(folder)


def any_history(columns: ChessColumns, names: Iterable[str]) -> Iterator[RatedColumns]:
    """The lists of those names with their lines: by the fast twins, where these can rate the pool."""
    if columns.pool.book_without_twin is None:
        return history(columns, names)
    return readable_lists(columns, names)


def readable_lists(columns: ChessColumns, names: Iterable[str]) -> Iterator[RatedColumns]:
    """The lists of those names, one after another, by the readable engine.

    The register of each batch, and its games, are those that stand now.
    """
    people = standing_records(columns.players, None), standing_records(columns.memberships, None)
    register, before = register_of(columns, *people), opening(columns)
    ratings: Ratings = {}
    for rated in readable_history(ledger_of(columns), names):
        after = _state_after(columns, before, ratings, rated.outcome.standings.ratings)
        batch = _batch(columns, rated.batch, register)
        yield RatedColumns(rated.edition, _rated(columns, batch, rated.outcome.events, before, after))
        before, ratings = after, rated.outcome.standings.ratings


def ledger_of(columns: ChessColumns) -> ChessLedger:
    """The ledger as records."""
    games = {event: list(games_of_event(columns, number)) for event, number in columns.event_numbers.items()}
    names = [field.name for field in fields(ChessLedger) if field.name != "games"]
    others = {name: getattr(columns, name) for name in names}
    return ChessLedger(games=games, **others)


def _state_after(columns: ChessColumns, before: State, known: Ratings, ratings: Ratings) -> State:
    """The state with what a list changed; games on file stay in the records."""
    state: list[Any] = [getattr(before, name).copy() for name in STATE_FIELDS]
    for row, speed in enumerate(columns.pool.speeds):
        old, new = known.get(speed, {}), ratings.get(speed, {})
        changed = {player: rating for player, rating in new.items() if old.get(player) is not rating}
        at = [columns.player_numbers[player] for player in changed]
        for field, values in zip(
            state, zip(*map(attrgetter(*STATE_FIELDS), changed.values()), strict=True), strict=False
        ):
            field[row, at] = [MISSING if value is None else value for value in values]
    return before._replace(**dict(zip(STATE_FIELDS, state, strict=True)))


def _batch(columns: ChessColumns, batch: core_batch.Batch, register: Register) -> Batch:
    """A batch in columns."""
    events = tuple(entry.event for entry in batch.entries)
    numbers = np.array([columns.event_numbers[event.event_id] for event in events], np.int32)
    ends = np.cumsum([0, *(len(entry.games) for entry in batch.entries)])
    records = [game for entry in batch.entries for game in entry.games]
    games = columns_of_games(records, columns.event_numbers, columns.player_numbers)
    return Batch(
        batch.name, batch.published, batch.closes, events, numbers, ends[:-1], ends[1:],
        Games(*(games[name] for name in Games._fields)), register, batch.opens_edition, (),
        columns.player_ids,
    )  # fmt: skip


def _rated(
    columns: ChessColumns, batch: Batch, events: Sequence[EventLines], before: State, after: State
) -> Rated:
    """What rating a batch gave, with its lines."""
    lines = [line for event in events for line in event.lines]
    clauses = tuple(dict.fromkeys(line.clause for line in lines))
    of_event = np.array([len(event.lines) for event in events], np.int64)
    speeds = tuple(event.speed for event in events)
    return Rated(batch, before, after, speeds, clauses, _lines(columns, of_event, lines, clauses))


def _lines(columns: ChessColumns, of_event: Int64s, lines: Sequence[Line], clauses: Sequence[str]) -> Lines:
    number = columns.player_numbers
    found: dict[str, Any] = {name: _whole(getattr(line, name) for line in lines) for name in PLAIN}
    found |= {name: _whole(number[getattr(line, name)] for line in lines) for name in ("player", "opponent")}
    return Lines(
        of_event=of_event,
        k=_whole(line.k and line.k.value for line in lines),
        verdict=np.array([VERDICTS.index(line.verdict) for line in lines], np.int8),
        clause=np.array([clauses.index(line.clause) for line in lines], np.int8),
        **found,
    )


def _whole(values: Iterable[int | None]) -> Int32s:
    return np.array([MISSING if value is None else value for value in values], np.int32)
