"""A chess pool's ledger folder as columns: plain games by blocks, all else by the ledger's own reader."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import RESULTS, Flags, Games, Int32s, Int64s
from banzuke.core.facts import EXCLUDE, Adjustment, Club, Event, Game, Membership, Opening, Player
from banzuke.core.fault import Fault
from banzuke.core.gc_pause import uncollected
from banzuke.engine.columnar.arrow_blocks import NotPlainError, blocks, most_rows, small_tables
from banzuke.engine.columnar.game_order import doubtful, order_of
from banzuke.engine.columnar.id_numbers import NOBODY, Numbering
from banzuke.ledger.cells import CellError
from banzuke.ledger.checks import Ids, check_chess
from banzuke.ledger.folder import ChessLedger, read_chess_ledger
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.records import Memo, Rows
from banzuke.ledger.schema import CHESS

GAMES = next(table for table in CHESS if table.name == "games")


class ChessColumns(NamedTuple):
    """A chess pool's whole memory: its games as columns, all else as records.

    Players and events go by number, their places in `player_ids` and `event_ids`, all ids of players.csv and
    events.csv in the order of code points. `games` has the games that ever stand, by event, round and White;
    those of event e are the rows `event_first[e]` to `event_first[e + 1]`. `added` and `struck` are the days
    of the inquiries that did so, 0 for none, by game; both are empty where no game was ever corrected, or
    the pool does not know its corrections by day.
    """

    pool: Pool
    players: list[Player]
    clubs: list[Club]
    memberships: list[Membership]
    events: list[Event]
    standings: list[Opening]
    adjustments: list[Adjustment]
    player_ids: tuple[str, ...]
    event_ids: tuple[str, ...]
    player_numbers: dict[str, int]
    event_numbers: dict[str, int]
    games: Games
    event_first: Int64s
    added: Int32s
    struck: Int32s

    def event_of(self, rows: Int64s) -> Int32s:
        """The events of games."""
        return (np.searchsorted(self.event_first, rows, side="right") - 1).astype(np.int32)


#: The columns of games while they are read, by name: those of `Games`, `event`, `added` and `struck`.
Columns = dict[str, Any]

#: What of a row becomes which column, and its type.
SOURCES = {
    "event_id": ("event", np.int32),
    "round": ("round", np.int32),
    "white": ("white", np.int32),
    "black": ("black", np.int32),
    "result": ("result", np.int8),
    "played": ("played", np.int32),
    "ruling": ("excluded", np.bool_),
    "added": ("added", np.int32),
    "struck": ("struck", np.int32),
}


def _ordinal(day: date | None) -> int:
    return 0 if day is None else day.toordinal()


#: The codes of a game's values, where a value is not its own code.
CODES: dict[str, Callable[[Any], int]] = {
    "result": RESULTS.index,
    "ruling": EXCLUDE.__eq__,
    "played": _ordinal,
    "added": _ordinal,
    "struck": _ordinal,
}


def read_columns(folder: Path) -> ChessColumns:
    """The ledger of a chess pool's folder. Raises RefusedError as `read_chess_ledger` does."""
    with uncollected():
        try:
            return _read_plain(folder)
        except (NotPlainError, CellError, UnicodeDecodeError):
            return columns_of(read_chess_ledger(folder))


# From records


def columns_of(ledger: ChessLedger) -> ChessColumns:
    """A ledger's records as columns."""
    empty = without_games(ledger.pool, {t.name: getattr(ledger, t.name) for t in CHESS if t is not GAMES})
    records = [game for games in ledger.games.values() for game in games]
    columns = columns_of_games(records, empty.event_numbers, empty.player_numbers)
    _keep_standing(columns, ledger.pool)
    _put_in_order(columns)
    return _filled(empty, columns)


def columns_of_games(
    records: Sequence[Game], events: Mapping[str, int], players: Mapping[str, int]
) -> Columns:
    """Games as columns, by the numbers of their events and players (-1: an id without one)."""
    places, columns = {"event_id": events, "white": players, "black": players}, Columns()
    for source, (name, kind) in SOURCES.items():
        values = map(attrgetter(source), records)
        if source in places:
            columns[name] = np.array([places[source].get(value, -1) for value in values], kind)
        else:
            columns[name] = np.array(list(map(CODES.get(source, int), values)), kind)
    return columns


def without_games(pool: Pool, tables: Mapping[str, list[Any]]) -> ChessColumns:
    """The columns of a ledger as if it had no games."""
    players = tuple(sorted({player.player_id for player in tables["players"]}))
    events = tuple(sorted({event.event_id for event in tables["events"]}))
    none = np.empty(0, np.int32)
    return ChessColumns(
        pool,
        **tables,
        player_ids=players,
        event_ids=events,
        player_numbers={player: number for number, player in enumerate(players)},
        event_numbers={event: number for number, event in enumerate(events)},
        games=Games(*(np.empty(0, kind) for _, kind in _GAME_SOURCES)),
        event_first=np.zeros(len(events) + 1, np.int64),
        added=none,
        struck=none,
    )


_GAME_SOURCES = [next(source for source in SOURCES.values() if source[0] == name) for name in Games._fields]


def _filled(empty: ChessColumns, columns: Columns) -> ChessColumns:
    """With the games, which are in order."""
    first = np.searchsorted(columns["event"], np.arange(len(empty.event_ids) + 1))
    return empty._replace(
        games=Games(*(columns[name] for name in Games._fields)),
        event_first=first.astype(np.int64),
        added=columns["added"],
        struck=columns["struck"],
    )


def _keep_standing(columns: Columns, pool: Pool) -> None:
    """Without the games that never stand; and without days of inquiries where these decide nothing more."""
    added, struck = columns["added"], columns["struck"]
    by_day = pool.schedule.is_corrected_by_day
    if added.any() or struck.any():
        until = np.where(struck == 0, date.max.toordinal(), struck)
        stands = np.maximum(added, date.min.toordinal()) < until if by_day else struck == 0
        if not stands.all():
            _take(columns, np.flatnonzero(stands))
    if not by_day or not (columns["added"].any() or columns["struck"].any()):
        columns["added"] = columns["struck"] = np.empty(0, np.int32)


def _put_in_order(columns: Columns) -> None:
    """By event, round and White; games alike in the order of the file."""
    order = order_of(columns["event"], columns["round"], columns["white"])
    if (order[1:] < order[:-1]).any():
        _take(columns, order)


def _take(columns: Columns, rows: NDArray[np.integer[Any]]) -> None:
    """Those rows of every column, one column at a time: there may be many."""
    for name, column in columns.items():
        if column.any():
            columns[name] = column[rows]
        elif len(column):
            columns[name] = np.zeros(len(rows), column.dtype)


# From plain files


def _read_plain(folder: Path) -> ChessColumns:
    """Raises NotPlainError, CellError, UnicodeDecodeError for what is read by rows, or refused."""
    pool, tables = small_tables(folder, is_go=False)
    empty = without_games(pool, {name: rows.records for name, rows in tables.items() if name != "games"})
    columns = _read_games(folder, empty)
    _put_in_order(columns)
    filled = _filled(empty, columns)
    _check(filled, tables)
    _keep_standing(columns, pool)
    return _filled(empty, columns)


def _read_games(folder: Path, known: ChessColumns) -> Columns:
    """The games as they stand in the file. Raises NotPlainError also where one names an unknown id."""
    players, events = Numbering(known.player_ids), Numbering(known.event_ids)
    places = {"event_id": events, "white": players, "black": players}
    readers = {name: Memo(kind, required=name in GAMES.required) for name, kind in GAMES.columns.items()}
    limit, rows = most_rows(folder, GAMES), 0
    columns = _room_for(limit)
    for block in blocks(folder, GAMES, ()):
        start, rows = rows, rows + len(block["round"])
        if rows > limit:
            raise NotPlainError
        for source, column in block.items():
            name, kind = SOURCES[source]
            codes: NDArray[Any] = _codes(source, column.dictionary, readers, places).astype(kind)
            if codes.any():  # a column that is blank from top to bottom takes no memory
                np.take(codes, column.indices.to_numpy(), out=columns[name][start:rows], mode="clip")
    return {name: column[:rows] for name, column in columns.items()}


def _room_for(rows: int) -> Columns:
    """Columns of so many rows. Raises NotPlainError for more than a machine has: the file is damaged."""
    try:
        return {name: np.zeros(rows, kind) for name, kind in SOURCES.values()}
    except (MemoryError, ValueError):
        raise NotPlainError from None


def _codes(source: str, words: Any, readers: Mapping[str, Memo], places: Mapping[str, Numbering]) -> Int32s:
    """The code of each word of a column.

    Raises CellError for a word that the column cannot hold, NotPlainError for an id that is not known.
    """
    if source in places:
        found = places[source].of(words)
        if (found == NOBODY).any():
            raise NotPlainError
        return found
    read, code = readers[source], CODES.get(source, int)
    return np.array([code(read[word]) for word in words.to_pylist()], np.int32)


# Checking


def _check(columns: ChessColumns, tables: dict[str, Rows]) -> None:
    """Raises NotPlainError where there is a fault: only games of doubtful events are looked at one by one."""
    faults = list[Fault]()
    tables = tables | {"games": Rows("games.csv")}
    for event in np.flatnonzero(_doubtful(columns, tables)).tolist():
        tables["games"].records += games_of_event(columns, event)
    tables["games"].lines.extend(range(len(tables["games"].records)))
    check_chess(columns.pool, tables, faults)
    if faults:
        raise NotPlainError


def _doubtful(columns: ChessColumns, tables: dict[str, Rows]) -> Flags:
    by_day = columns.pool.schedule.is_corrected_by_day
    players = Ids(tables["players"], "player_id", by_day=by_day)
    events = Ids(tables["events"], "event_id", by_day=by_day)
    alone = [events.only(event) for event in columns.event_ids]
    return doubtful(
        columns.games,
        columns.event_first,
        np.array([event is not None for event in alone], np.bool_),
        np.array([0 if event is None else event.starts.toordinal() for event in alone], np.int32),
        np.array([0 if event is None else event.ends.toordinal() for event in alone], np.int32),
        np.array([players.has_always({player}) for player in columns.player_ids], np.bool_),
    )


def games_of_event(columns: ChessColumns, event: int) -> Iterator[Game]:
    """The games of an event, by its number, as records."""
    games, ids, is_corrected = columns.games, columns.player_ids, len(columns.added) > 0
    for row in range(*columns.event_first[event : event + 2].tolist()):
        yield Game(
            columns.event_ids[event],
            int(games.round[row]),
            ids[games.white[row]],
            ids[games.black[row]],
            RESULTS[games.result[row]],
            _day(games.played[row]),
            EXCLUDE if games.excluded[row] else "",
            _day(columns.added[row]) if is_corrected else None,
            _day(columns.struck[row]) if is_corrected else None,
        )


def _day(ordinal: Any) -> date | None:
    return date.fromordinal(int(ordinal)) if ordinal else None
