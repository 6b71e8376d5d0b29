"""A chess pool's lists passed over columns: which stay as they were published, who played in them last."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from banzuke.columnar.batch_columns import VERDICTS, Rated
from banzuke.engine import result_rows
from banzuke.engine.columnar.record_standings import position_after
from banzuke.engine.columnar.result_columns import change_table, list_table
from banzuke.office.lists.chess_lists import COUNTED, LastPlayed, Start
from banzuke.office.lists.list_content import Content
from banzuke.table_writer.coded_columns import csv_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.columnar.batch_columns import Int32s
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.columnar.columnar_history import RatedColumns
    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.folder import ChessLedger
    from banzuke.office.lists.list_content import Stays

_COUNTED = np.array([verdict in COUNTED for verdict in VERDICTS])


def start_after(
    ledger: ChessLedger, names: Sequence[str], most: int, progress: Progress, stays: Stays | None
) -> Start:
    """Where to begin making lists of those names: after the first ones that stay, `most` of them at most."""
    walk = _Walk(len(names), progress, stays)
    reached = position_after(ledger, names[:most], walk.passes)
    return Start(walk.lists_kept, reached, walk.last_played())


class _Walk:
    """Lists while they are passed, with the last day that everybody played on, 0 for none, by speed."""

    def __init__(self, lists: int, progress: Progress, stays: Stays | None) -> None:
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
        if self._stays is not None and not self._stays(name, content_of(columns, made)):
            return False
        self.lists_kept += 1
        self._columns = columns
        if self._days is None:
            self._days = np.zeros(made.rated.after.value.shape, np.int32)
        _note(made.rated, columns.pool.speeds, self._days)
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


def _note(rated: Rated, speeds: tuple[str, ...], days: Int32s) -> None:
    """The last days of events with a game that counted, into `days` by speed and player."""
    lines = rated.lines
    if lines is None:
        raise ValueError("rated without its lines")
    row_of = np.array([speeds.index(speed) if speed in speeds else -1 for speed in rated.speeds], np.int32)
    ends = np.array([event.ends.toordinal() for event in rated.batch.events], np.int32)
    at = np.flatnonzero(_COUNTED[lines.verdict])
    event = lines.event[at]
    np.maximum.at(days, (row_of[event], lines.player[at]), ends[event])


def content_of(columns: ChessColumns, made: RatedColumns) -> Content:
    """A list's content, as `ChessList` has it."""
    content = Content(made.rated.batch.name, made.edition)
    tables = list_table(made, columns.player_ids), change_table(made, columns.player_ids)
    for header, table in zip((result_rows.LISTS, result_rows.CHANGES), tables, strict=True):
        content.add([header])
        content.add_bytes(csv_blocks(table))
    return content
