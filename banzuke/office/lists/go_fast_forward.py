"""A Go server's rankings passed over columns: which stay as they were published, who played in them last."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

import numpy as np

from banzuke.engine import result_rows
from banzuke.engine.columnar.go_columnar_history import RatedStretch, RunningGoHistory, standings_of
from banzuke.engine.columnar.go_reader import A_DAY, EPOCH, GoColumns, columns_of, microseconds
from banzuke.engine.columnar.result_columns import go_change_table, go_standing_table
from banzuke.ledger.pool_rules import go_book
from banzuke.office.lists.go_rankings import GoStart, last_moment
from banzuke.office.lists.list_content import Content
from banzuke.table_writer.coded_columns import csv_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.columnar.batch_columns import Int32s, Int64s
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import GoLedger
    from banzuke.office.lists.list_content import Stays

_FIRST_DAY = EPOCH.toordinal()


def start_after(
    ledger: GoLedger, names: Sequence[str], most: int, progress: Progress, stays: Stays | None
) -> GoStart:
    """Where to begin making rankings of those names: after the first that stay, `most` of them at most."""
    columns = columns_of(ledger)
    running, seen = RunningGoHistory(columns), _first_seen(ledger, columns)
    played = _Played(running)
    passed, left = 0, running.states
    for name in names[:most]:
        progress(passed, len(names), name)
        until = last_moment(ledger.pool.schedule.window_named(name).closes)
        rated = running.rate_until(until)
        if stays is not None and not stays(name, content_of(running, name, until, rated, seen)):
            left = rated.before
            break
        played.note(rated)
        passed += 1
    return GoStart(passed, standings_of(columns, left), played.last_played(), played.games_so_far())


class _Played:
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
    """When everybody comes onto the rankings: at once those with whom the server opened, or never seen."""
    never = np.iinfo(np.int64)
    seen = np.full(len(columns.player_ids), never.max, np.int64)
    for player, at in (
        (columns.games.black, columns.games.ended),
        (columns.games.white, columns.games.ended),
        (columns.declarations.player, columns.declarations.at),
    ):
        np.minimum.at(seen, player, at)
    opened = {row.player_id for row in ledger.standings}
    at_once = np.array([player in opened for player in columns.player_ids], np.bool_)
    seen[at_once | (seen == never.max)] = never.min
    return seen


def content_of(
    running: RunningGoHistory, name: str, until: datetime, rated: RatedStretch, seen: Int64s
) -> Content:
    """The content of the ranking up to a moment, as `GoList` has it."""
    content = Content(name, running.columns.pool.edition_at(until))
    who: Int32s = np.flatnonzero(seen <= microseconds(until)).astype(np.int32)
    standings = go_standing_table(running, who)
    changes = go_change_table(running, rated.stretch, rated.lines)
    for header, table in ((result_rows.GO_STANDINGS, standings), (result_rows.GO_CHANGES, changes)):
        content.add([header])
        content.add_bytes(csv_blocks(table))
    return content
