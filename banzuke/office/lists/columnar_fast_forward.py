"""Lists of a large pool passed over columns: which stay as they were published, who played in them last."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from banzuke.columnar.batch_columns import VERDICTS
from banzuke.engine import result_rows
from banzuke.engine.columnar.go_columnar_history import RatedStretch, RunningGoHistory, standings_of
from banzuke.engine.columnar.go_reader import A_DAY, EPOCH, GoColumns, columns_of, microseconds
from banzuke.engine.columnar.record_standings import position_after
from banzuke.engine.columnar.result_columns import (
    adjusted_tables,
    change_table,
    go_change_table,
    go_standing_table,
    list_table,
)
from banzuke.engine.go_windows import last_moment, opening_players
from banzuke.engine.list_content import ContentHash, added_columns
from banzuke.ledger.pool_rules import EditionInForce, go_book
from banzuke.office.lists.chess_lists import COUNTED, LastPlayed
from banzuke.office.lists.list_rows import ListStart
from banzuke.table_writer.coded_columns import csv_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banzuke.columnar.batch_columns import Int32s, Int64s, Rated
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.columnar.columnar_history import RatedColumns
    from banzuke.engine.list_content import IsUnchanged
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import ChessLedger, GoLedger
    from banzuke.office.lists.fast_forward import ListedPlayers

_FIRST_DAY = EPOCH.toordinal()
#: Before and after every moment.
_ALWAYS, _NEVER = np.iinfo(np.int64).min, np.iinfo(np.int64).max
_COUNTED = np.array([verdict in COUNTED for verdict in VERDICTS])


def chess_start(
    ledger: ChessLedger, names: Sequence[str], most: int, progress: Progress, stays: IsUnchanged | None
) -> ListStart:
    """Where to begin making lists of those names: after the first ones that stay, `most` of them at most."""
    walk = _ChessWalk(len(names), progress, stays)
    reached = position_after(ledger, names[:most], walk.passes)
    return ListStart(walk.lists_kept, reached, walk.last_played(), {})


class _ChessWalk:
    """Lists while they are passed, with the last day that everybody played on, 0 for none, by speed."""

    def __init__(self, lists: int, progress: Progress, stays: IsUnchanged | None) -> None:
        self.lists_kept = 0
        self._lists = lists
        self._progress = progress
        self._stays = stays
        self._days: Int32s | None = None
        self._columns: ChessColumns | None = None

    def passes(self, columns: ChessColumns, made: RatedColumns) -> bool:
        """Whether the list stays; what was played in it is noted then."""
        name = made.rated.batch.name
        self._progress(self.lists_kept, self._lists, name)
        if self._stays is not None and not self._stays(name, chess_content(columns, made)):
            return False
        self.lists_kept += 1
        self._columns = columns
        if self._days is None:
            self._days = np.zeros(made.rated.after.value.shape, np.int32)
        _note_days(made.rated, columns.pool.speeds, self._days)
        return True

    def last_played(self) -> LastPlayed:
        """As records."""
        if self._columns is None or self._days is None:
            return {}
        speeds, ids = self._columns.pool.speeds, self._columns.player_ids
        rows, players = np.nonzero(self._days)
        days = self._days[rows, players].tolist()
        return {
            (speeds[row], ids[player]): date.fromordinal(day)
            for row, player, day in zip(rows.tolist(), players.tolist(), days, strict=True)
        }


def _note_days(rated: Rated, speeds: tuple[str, ...], days: Int32s) -> None:
    """The last days of events with a game that counted, into `days` by speed and player."""
    lines = rated.lines
    if lines is None:
        raise ValueError("rated without its lines")
    row_of = np.array([speeds.index(speed) if speed in speeds else -1 for speed in rated.speeds], np.int32)
    ends = np.array([event.ends.toordinal() for event in rated.batch.events], np.int32)
    at = np.flatnonzero(_COUNTED[lines.verdict])
    event = lines.event[at]
    np.maximum.at(days, (row_of[event], lines.player[at]), ends[event])


def go_start(
    ledger: GoLedger,
    names: Sequence[str],
    most: int,
    progress: Progress,
    stays: IsUnchanged | None,
    listed: ListedPlayers | None,
) -> ListStart:
    """Where to begin making rankings of those names: after the first that stay, `most` of them at most."""
    columns = columns_of(ledger)
    running, first = RunningGoHistory(columns), _first_seen(ledger, columns)
    played = _GoGamesPlayed(running)
    passed, left = 0, running.states
    for name in names[:most]:
        progress(passed, len(names), name)
        until = last_moment(ledger.pool.schedule.window_named(name).closes)
        rated = running.rate_until(until)
        if stays is not None:
            kinds = _who_is_on(name, first, columns, listed)
            if not any(stays(name, go_content(running, name, until, rated, seen)) for seen in kinds):
                left = rated.before
                break
        played.note(rated)
        passed += 1
    return ListStart(passed, standings_of(columns, left), played.last_played(), played.games_so_far())


class _GoGamesPlayed:
    """How many games everybody has had, and the last day (an ordinal; 0: none) of one that counted."""

    def __init__(self, running: RunningGoHistory) -> None:
        self._ids = running.columns.player_ids
        counts = go_book(running.columns.pool.editions[-1]).counts
        self._is_counted = np.array([*map(counts, running.verdicts, running.clauses)])
        self._games: Int64s = np.zeros(len(self._ids), np.int64)
        self._days: Int64s = np.zeros(len(self._ids), np.int64)

    def note(self, rated: RatedStretch) -> None:
        """What was played in a stretch."""
        games = rated.stretch.games
        sides = np.column_stack((games.black, games.white)).ravel()
        days = np.repeat(games.ended // A_DAY + _FIRST_DAY, 2)
        counted = self._is_counted[rated.lines["judgement"]]
        self._games += np.bincount(sides, minlength=len(self._ids))
        np.maximum.at(self._days, sides[counted], days[counted])

    def last_played(self) -> dict[str, date]:
        """The days, of everybody who had such a game."""
        found = np.flatnonzero(self._days)
        days = self._days[found].tolist()
        return {self._ids[n]: date.fromordinal(day) for n, day in zip(found.tolist(), days, strict=True)}

    def games_so_far(self) -> dict[str, int]:
        """The games, of everybody who had one."""
        found = np.flatnonzero(self._games)
        return {
            self._ids[n]: games for n, games in zip(found.tolist(), self._games[found].tolist(), strict=True)
        }


def _first_seen(ledger: GoLedger, columns: GoColumns) -> Int64s:
    """When everybody was first seen: `_ALWAYS` with whom the server opened, `_NEVER` who never was."""
    seen = np.full(len(columns.player_ids), _NEVER, np.int64)
    for player, at in (
        (columns.games.black, columns.games.ended),
        (columns.games.white, columns.games.ended),
        (columns.declarations.player, columns.declarations.at),
    ):
        np.minimum.at(seen, player, at)
    seen[_are_in(opening_players(ledger), columns)] = _ALWAYS
    return seen


def _who_is_on(
    name: str, first: Int64s, columns: GoColumns, listed: ListedPlayers | None
) -> Iterator[Int64s]:
    """When everybody comes onto a ranking, in the ways in which it stays as published (see `GoRanking`).

    Who was never seen is there at once; or of those who were not seen yet the listed, and no others.
    """
    yield np.where(first == _NEVER, _ALWAYS, first)
    if listed is not None:
        yield np.where(_are_in(set(listed(name)), columns), _ALWAYS, first)


def _are_in(players: set[str], columns: GoColumns) -> Any:
    return np.array([player in players for player in columns.player_ids], np.bool_)


def chess_content(columns: ChessColumns, made: RatedColumns) -> ContentHash:
    """A list's content, as `ChessList` has it."""
    added = added_columns(made.edition)
    tables = list_table(made, columns.player_ids, added), change_table(made, columns.player_ids)
    headers = (*result_rows.LISTS, *added), result_rows.CHANGES
    content = _content(made.rated.batch.name, made.edition, zip(headers, tables, strict=True))
    adjusted = [table for table in adjusted_tables(made, columns.player_ids) if table.rows]
    content.add([result_rows.ADJUSTED] if adjusted else [])
    for table in adjusted:
        content.add_bytes(csv_blocks(table))
    return content


def go_content(
    running: RunningGoHistory, name: str, until: datetime, rated: RatedStretch, seen: Int64s
) -> ContentHash:
    """The content of the ranking up to a moment, as `GoRanking` has it."""
    who: Int32s = np.flatnonzero(seen <= microseconds(until)).astype(np.int32)
    tables = (
        (result_rows.GO_STANDINGS, go_standing_table(running, who)),
        (result_rows.GO_CHANGES, go_change_table(running, rated.stretch, rated.lines)),
    )
    return _content(name, running.columns.pool.edition_at(until), tables)


def _content(name: str, edition: EditionInForce, tables: Iterable[tuple[Sequence[str], Any]]) -> ContentHash:
    """The content of a list from its tables, each with its header."""
    content = ContentHash(name, edition)
    for header, table in tables:
        content.add([header])
        content.add_bytes(csv_blocks(table))
    return content
