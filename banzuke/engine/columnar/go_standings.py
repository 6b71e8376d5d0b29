"""A Go server's games rated over columns from moment to moment, and what they leave as records again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.rulebooks.pandanet.columnar import pandanet_twin as pandanet
from banzuke.columnar.go_columns import IN_BC, GoStates, rank_words, states_of
from banzuke.rulebooks.pandanet.columnar.lookup_tables import FIGURES
from banzuke.core.go_facts import BEGINNER, CERTIFIED, HALF_RANKS, PROFESSIONAL, PROVISIONAL, GoState
from banzuke.engine.columnar.go_reader import columns_of
from banzuke.engine.columnar.go_run import Stretch, zones_in_force
from banzuke.engine.columnar.moment_columns import microseconds

if TYPE_CHECKING:
    from datetime import datetime

    from banzuke.columnar.go_columns import Int16s, Rows
    from banzuke.core.go_facts import Declaration
    from banzuke.engine.columnar.go_reader import GoColumns
    from banzuke.engine.go_history import States
    from banzuke.ledger.folder import GoLedger


class RatedStretch(NamedTuple):
    """Games that were rated, with a LINE for each of their sides, and the states before the first of them."""

    stretch: Stretch
    before: GoStates
    lines: Rows


class GoPast:
    """A Go pool while it is rated from moment to moment; `states` are those after what was rated last."""

    def __init__(self, columns: GoColumns) -> None:
        self.columns = columns
        self.ranks = rank_words(columns.opening)
        self.states = states_of(columns.opening, self.ranks, FIGURES.certifying_games)
        self._zones = zones_in_force(columns.pool)
        self._games = self._said = 0

    def go_on(self, until: datetime) -> RatedStretch:
        """Rate what came since, up to that moment."""
        columns, at = self.columns, microseconds(until)
        games, said = self._games, self._said
        self._games = int(np.searchsorted(columns.games.ended, at, "right"))
        self._said = int(np.searchsorted(columns.declarations.at, at, "right"))
        stretch = Stretch(
            games,
            self._games,
            columns.games.between(games, self._games),
            columns.declarations.between(said, self._said),
        )
        before = GoStates(self.states.players.copy(), self.states.evens.copy())
        rated = pandanet.rate(self.states, stretch.games, stretch.declarations, self._zones)
        if rated.lines is None:
            raise ValueError("rated without its lines")
        return RatedStretch(stretch, before, rated.lines)


def ignored_declarations(ledger: GoLedger) -> list[Declaration]:
    """As `go_history.ignored_declarations`."""
    columns = columns_of(ledger)
    states = states_of(columns.opening, rank_words(columns.opening), FIGURES.certifying_games)
    zones, rated, ignored = zones_in_force(columns.pool), 0, []
    rows = sorted(ledger.declarations, key=lambda row: (row.at, row.player_id))
    firsts = np.searchsorted(columns.games.ended, columns.declarations.at, "left").tolist()
    for row, (declaration, first) in enumerate(zip(rows, firsts, strict=True)):
        games, alone = columns.games.between(rated, first), columns.declarations.between(row, row + 1)
        if pandanet.rate(states, games, alone, zones, with_lines=False).ignored:
            ignored.append(declaration)
        rated = first
    return ignored


def standings_of(columns: GoColumns, states: GoStates) -> States:
    """Everybody's state as a record.

    Of the games on a record only the sum of their scores is in columns, and of somebody's last two only
    whether both were not rated: whatever else the records say is as good as what the games left.
    """
    ranks = rank_words(columns.opening)
    players = zip(columns.player_ids, states.players.tolist(), states.evens, strict=True)
    return {player: _state(ranks, row, evens) for player, row, evens in players}


def _state(ranks: tuple[str, ...], row: tuple[int, ...], evens: Int16s) -> GoState:
    points, games, number, on_record, score, wins, unrated = row
    rank, last_two = ranks[number], (not unrated & 0b10, not unrated & 0b01)
    if number < HALF_RANKS:
        return GoState(CERTIFIED, rank, number, points, games, 0, (), last_two)
    if number < IN_BC:
        record = tuple(
            (even, 2 * (game < score // 2)) for game, even in enumerate(evens[:on_record].tolist())
        )
        return GoState(PROVISIONAL, rank, number - HALF_RANKS, None, games, 0, record, last_two)
    if number == IN_BC:
        return GoState(BEGINNER, rank, None, None, games, wins, (), last_two)
    return GoState(PROFESSIONAL, rank, None, None, games, 0, (), last_two)
