"""The rows of the files that `rate` writes of a Go pool, as coded columns."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Int32s
from banzuke.columnar.go_columns import IN_BC, Rows
from banzuke.core.go_facts import HALF_RANKS
from banzuke.engine import result_rows
from banzuke.table_writer.coded_columns import Column, Numbers, Table

if TYPE_CHECKING:
    from banzuke.engine.columnar.go_columnar_history import RunningGoHistory, Stretch


def change_table(running: RunningGoHistory, stretch: Stretch, lines: Rows) -> Table:
    """Both lines of every game, Black's first."""
    columns, ranks = running.columns, running.ranks
    ids = tuple(columns.game_ids[stretch.first : stretch.last].to_pylist())
    sides = np.column_stack((stretch.games.black, stretch.games.white))
    before = lines["rank"].reshape(-1, 2)
    cells = (
        Column(np.repeat(np.arange(len(ids), dtype=np.int32), 2), ids),
        Column(sides.ravel(), columns.player_ids),
        Column(_other_side(sides), columns.player_ids),
        _worded(before.ravel(), ranks),
        _worded(_other_side(before), ranks),
        Numbers(_column(lines, "difference"), result_rows.ranks),
        Numbers(_column(lines, "upper")),
        Numbers(_column(lines, "won")),
        Numbers(_column(lines, "points")),
        _worded(lines["judgement"], running.verdicts),
        _worded(lines["rank_after"], ranks),
        _worded(lines["judgement"], running.clauses),
    )
    return Table(dict(zip(result_rows.GO_CHANGES, cells, strict=True)))


def standing_table(running: RunningGoHistory, who: Int32s | None = None) -> Table:
    """The players of those numbers (None: every one) as they stand."""
    columns, states, ranks = running.columns, running.states, running.ranks
    numbered = np.arange(len(columns.player_ids), dtype=np.int32) if who is None else who
    players = states.players[numbered]
    points = np.where(players["rank"] < HALF_RANKS, players["points"], np.int32(MISSING))
    wins = np.where(players["rank"] == IN_BC, players["wins_in_bc"], np.int8(0))
    cells = (
        Column(numbered, columns.player_ids),
        _worded(players["rank"], ranks),
        Numbers(points),
        Numbers(_column(players, "rated_games")),
        Numbers(wins.astype(np.int32)),
    )
    return Table(dict(zip(result_rows.GO_STANDINGS, cells, strict=True)))


def _other_side(of_sides: Int32s) -> Int32s:
    """What each side's row says of the other one."""
    return np.ascontiguousarray(of_sides[:, ::-1]).ravel()


def _column(rows: Rows, name: str) -> Int32s:
    return np.ascontiguousarray(rows[name])


def _worded(codes: Int32s, words: tuple[str, ...]) -> Column:
    """A column of words of which several codes may say the same one."""
    places, distinct = _distinct(words)
    return Column(places[codes], distinct)


@lru_cache(maxsize=8)
def _distinct(words: tuple[str, ...]) -> tuple[Int32s, tuple[str, ...]]:
    """The words once each, and the place among them of each code's word."""
    distinct = tuple(dict.fromkeys(words))
    place = {word: number for number, word in enumerate(distinct)}
    return np.array([place[word] for word in words], np.int32), distinct
