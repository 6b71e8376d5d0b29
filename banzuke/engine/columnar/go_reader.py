"""A Go pool's ledger folder as columns: plain games by blocks, everything else by the ledger's own reader."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc

from banzuke.columnar.batch_columns import Int64s
from banzuke.columnar.go_columns import GAME_TYPES, RESULTS, SIDES, GoDeclarations, GoGames
from banzuke.core.fault import Fault
from banzuke.core.gc_pause import uncollected
from banzuke.core.go_facts import HALF_OF, ROOMS, GoState
from banzuke.engine import go_history
from banzuke.engine.columnar.arrow_blocks import NotPlainError, blocks, small_tables
from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR, MOMENT, CellError
from banzuke.ledger.checks import WINNER, check_go
from banzuke.ledger.folder import GoLedger, read_go_ledger
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.records import Memo
from banzuke.ledger.schema import GO
from banzuke.ledger.written_text import MOST_OF_ID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
A_SECOND = 1_000_000
A_DAY = 86_400 * A_SECOND

IN_UTC = pa.timestamp("us", "UTC")


def microseconds(at: datetime) -> int:
    """A moment's microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


GAMES = next(table for table in GO if table.name == "games")

#: The codes of a game's values, where a value is not its own code.
CODES: dict[str, Callable[[Any], int]] = {
    "ended": microseconds,
    "result": RESULTS.index,
    "room": ROOMS.index,
    "robot": SIDES.index,
    "fault": SIDES.index,
    "pair": bool,
}

PLAYERS = ("black", "white")

#: The first and the last letter that is neither blank nor a control, and is a byte.
PLAIN_LETTERS = 0x21, 0x7E


class GoColumns(NamedTuple):
    """A Go pool's whole memory; games in order of their end, then id, which `game_ids` has (Arrow strings).

    `opening` are the states before the first game, by player's number.
    """

    pool: Pool
    player_ids: tuple[str, ...]
    opening: tuple[GoState, ...]
    game_ids: Any
    games: GoGames
    declarations: GoDeclarations


def read_go(folder: Path) -> GoColumns:
    """The ledger of a Go pool's folder in columns. Raises RefusedError as `read_go_ledger` does."""
    with uncollected():
        try:
            return _read_plain(folder)
        except (NotPlainError, CellError, UnicodeDecodeError):
            return columns_of(read_go_ledger(folder))


# From records


def columns_of(ledger: GoLedger) -> GoColumns:
    """A ledger's records as columns."""
    numbers = _numbers(ledger)
    records = go_history.games_until(ledger, None)
    codes = CODES | {"black": numbers.__getitem__, "white": numbers.__getitem__}
    columns: dict[str, Any] = {}
    for name, kind in zip(GoGames._fields, GAME_TYPES, strict=True):
        values = map(codes.get(name, int), map(attrgetter(name), records))
        columns[name] = np.fromiter(values, kind, len(records))
    ids = pa.chunked_array([pa.array([game.game_id for game in records], pa.string())])
    return _columns(ledger, numbers, ids, GoGames(**columns))


def _numbers(ledger: GoLedger) -> dict[str, int]:
    ids = sorted(player.player_id for player in ledger.players)
    return {player: number for number, player in enumerate(ids)}


def _columns(ledger: GoLedger, numbers: dict[str, int], ids: Any, games: GoGames) -> GoColumns:
    states = go_history.opening(ledger).states
    rows = sorted(ledger.declarations, key=lambda row: (row.at, row.player_id))
    declarations = GoDeclarations(
        np.array([microseconds(row.at) for row in rows], np.int64),
        np.array([numbers[row.player_id] for row in rows], np.int32),
        np.array([HALF_OF[row.rank] for row in rows], np.int32),
    )
    opening = tuple(states[player] for player in numbers)
    return GoColumns(ledger.pool, tuple(numbers), opening, ids, games, declarations)


# From plain files


def _read_plain(folder: Path) -> GoColumns:
    """Raises NotPlainError, CellError, UnicodeDecodeError for what is read by rows, or refused."""
    ledger = _without_games(folder)
    numbers = _numbers(ledger)
    readers = {name: Memo(GAMES.columns[name], required=name in GAMES.required) for name in GAMES.columns}
    parts: dict[str, list[Any]] = {name: [] for name in GoGames._fields}
    ids = []
    for block in blocks(folder, GAMES, ("game_id", "ended")):
        games = _games(block, readers, numbers, ledger.pool)
        for name, column in games._asdict().items():
            parts[name].append(column)
        ids.append(_checked_ids(block["game_id"], readers["game_id"]))
    if not ids:
        raise NotPlainError
    # A column's parts go before the next one is put together.
    games = GoGames(*(np.concatenate(parts.pop(name)) for name in GoGames._fields))
    _check_games(games)
    return _columns(ledger, numbers, *_in_order(pa.chunked_array(ids), games))


def _without_games(folder: Path) -> GoLedger:
    """The pool and the small tables, by the ledger's own readers and checks."""
    pool, tables = small_tables(folder, is_go=True)
    faults = list[Fault]()
    check_go(pool, tables, faults)
    if faults:
        raise NotPlainError
    return GoLedger(pool, **{name: rows.records for name, rows in tables.items()})


def _games(block: dict[str, Any], readers: dict[str, Memo], numbers: dict[str, int], pool: Pool) -> GoGames:
    """The games of a block, each word of a column read once."""

    def moment(text: str) -> datetime:
        at = read_moment(text)
        if pool.find_edition(at.date()) is None:
            raise NotPlainError
        return at

    columns: dict[str, Any] = {"ended": moments(block["ended"], pool.editions[0].start, moment)}
    for name, kind in zip(GoGames._fields, GAME_TYPES, strict=True):
        if name != "ended":
            column = block.get(name)
            words = [""] if column is None else column.dictionary.to_pylist()
            codes = _players(words, numbers) if name in PLAYERS else _codes(name, words, readers[name])
            places = np.zeros(len(block["ended"]), np.int32) if column is None else column.indices.to_numpy()
            columns[name] = np.array(codes, kind)[places]
    return GoGames(**columns)


def _codes(name: str, words: Sequence[str], reader: Memo) -> list[int]:
    """The codes of a column's words. Raises CellError."""
    code = CODES.get(name, int)
    return [code(reader[word]) for word in words]


def _players(words: Sequence[str], numbers: dict[str, int]) -> list[int]:
    """The players' numbers; raises NotPlainError for somebody who is not one."""
    try:
        return [numbers[word] for word in words]
    except KeyError:
        raise NotPlainError from None


def _checked_ids(ids: Any, memo: Memo) -> Any:
    """The ids, none blank, too long, or with a sign that no file can hold. Raises CellError."""
    size = ids.offset + len(ids)
    starts = np.frombuffer(ids.buffers()[1], np.int32)[ids.offset : size + 1]
    letters = np.frombuffer(ids.buffers()[2] or b"", np.uint8)[starts[0] : starts[-1]]
    sizes, (low, high) = np.diff(starts), PLAIN_LETTERS
    is_plain = sizes.min(initial=1) > 0 and sizes.max(initial=1) <= MOST_OF_ID
    if not is_plain or ((letters < low) | (letters > high)).any():
        for text in ids.to_pylist():
            memo.kind.read(text) if text.strip() else memo[text]
    return ids


def _check_games(games: GoGames) -> None:
    """What `ledger.checks` notes of games whose players are known. Raises NotPlainError."""
    if (games.black == games.white).any():
        raise NotPlainError
    for side, winner in WINNER.items():
        if ((games.fault == SIDES.index(side)) & (games.result != RESULTS.index(winner))).any():
            raise NotPlainError


def _in_order(ids: Any, games: GoGames) -> tuple[Any, GoGames]:
    """The games in order of their end, then id. Raises NotPlainError where an id comes twice."""
    if pc.all(pc.less(ids[:-1], ids[1:])).as_py():
        if (games.ended[:-1] <= games.ended[1:]).all():
            return ids, games
        order = np.argsort(games.ended, kind="stable")
    else:
        if pc.count_distinct(ids).as_py() != len(ids):
            raise NotPlainError
        table = pa.table({"ended": games.ended, "id": ids})
        by = [("ended", "ascending"), ("id", "ascending")]
        order = pc.sort_indices(table, sort_keys=by).to_numpy()
    columns: list[Any] = [column[order] for column in games]
    return ids.take(pa.array(order)), GoGames(*columns)


# Moments


def moments(column: Any, first: date, take: Callable[[str], datetime]) -> Int64s:
    """The moments of an Arrow string array, each on `first` or later by the day it is written with.

    `take` reads the texts where one is unusual or on an earlier day. Raises what it raises.
    """
    try:
        found: Int64s = column.cast(IN_UTC).cast(pa.int64()).to_numpy()
    except pa.ArrowInvalid:
        found = np.empty(0, np.int64)
    if len(found) < len(column) or not _are_within(column, first):
        return np.array([microseconds(take(text)) for text in column.to_pylist()], np.int64)
    return found


def _are_within(column: Any, first: date) -> bool:
    """Whether texts that begin with a day are none of an earlier day, or of a year that no ledger has.

    What Arrow takes begins with year, month and day in ten signs, so that texts are ordered as their days.
    """
    ends = pc.min_max(column).as_py()
    if ends["min"] is None:
        return True
    earliest, latest = max(first, date(EARLIEST_YEAR, 1, 1)), date(LATEST_YEAR, 12, 31)
    return bool(earliest.isoformat() <= ends["min"][:10] and ends["max"][:10] <= latest.isoformat())


def read_moment(text: str) -> datetime:
    """The moment of a cell. Raises CellError."""
    at: datetime = MOMENT.read(text)
    return at
