"""A Go pool's history over columns, stretch by stretch; and the states after a stretch as records."""

from datetime import UTC, datetime, time
from typing import NamedTuple

import numpy as np

from banzuke.columnar.go_columns import (
    IN_BC,
    GoDeclarations,
    GoGames,
    GoRated,
    GoStates,
    Int16s,
    Rows,
    rank_words,
    states_of,
    zones_of,
)
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import (
    BEGINNER,
    CERTIFIED,
    HALF_RANKS,
    PROFESSIONAL,
    PROVISIONAL,
    Declaration,
    GoState,
)
from banzuke.engine.columnar.go_reader import GoColumns, columns_of, microseconds
from banzuke.engine.go_history import States
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import Pool, go_book


class Stretch(NamedTuple):
    """Games from row `first` until row `last`, and the declarations that go with them."""

    first: int
    last: int
    games: GoGames
    declarations: GoDeclarations


class RatedStretch(NamedTuple):
    """Games that were rated, with a LINE for each of their sides, and the states before the first of them."""

    stretch: Stretch
    before: GoStates
    lines: Rows


class RunningGoHistory:
    """A Go pool while it is rated, which all its editions do by one book.

    `states` are those after what was rated last; `verdicts` and `clauses` are the words of the codes of
    judgements in lines.
    """

    def __init__(self, columns: GoColumns) -> None:
        book = go_book(columns.pool.editions[0])
        self.columns = columns
        self.ranks = rank_words(columns.opening)
        self._twin = twin_of(book)
        self._figures = self._twin.figures(book)
        self.verdicts, self.clauses = (tuple(words) for words in zip(*self._twin.judgements, strict=True))
        longest = self._twin.longest_record(self._figures)
        self.states = states_of(columns.opening, self.ranks, longest)
        self._zones = zones_in_force(columns.pool)
        self._games = self._declarations = 0

    def rows_until(self, until: datetime | None) -> tuple[int, int]:
        """How many games ended and how many declarations were made until that moment; None: all."""
        times = self.columns.games.ended, self.columns.declarations.at
        if until is None:
            return len(times[0]), len(times[1])
        games, declarations = (int(np.searchsorted(each, microseconds(until), "right")) for each in times)
        return games, declarations

    def rate(self, games: int, declarations: int, *, with_lines: bool = True) -> tuple[Stretch, GoRated]:
        """Rate what comes next, until those rows."""
        stretch = Stretch(
            self._games,
            games,
            self.columns.games.between(self._games, games),
            self.columns.declarations.between(self._declarations, declarations),
        )
        self._games, self._declarations = games, declarations
        rated = self._twin.rate(
            self.states,
            stretch.games,
            stretch.declarations,
            self._zones,
            self._figures,
            with_lines=with_lines,
        )
        return stretch, rated

    def rate_until(self, until: datetime) -> RatedStretch:
        """Rate what came since, up to that moment, with its lines."""
        before = GoStates(self.states.players.copy(), self.states.evens.copy())
        stretch, rated = self.rate(*self.rows_until(until))
        if rated.lines is None:
            raise ValueError("rated without its lines")
        return RatedStretch(stretch, before, rated.lines)


def zones_in_force(pool: Pool) -> Rows:
    """The border-zone tables of the pool's editions; each is in force from its day in UTC."""
    since = [microseconds(datetime.combine(edition.start, time(), UTC)) for edition in pool.editions]
    return zones_of([edition.zone for edition in pool.editions], since)


def ignored_declarations(ledger: GoLedger) -> list[Declaration]:
    """As `go_history.ignored_declarations`."""
    columns = columns_of(ledger)
    running, ignored = RunningGoHistory(columns), []
    rows = sorted(ledger.declarations, key=lambda row: (row.at, row.player_id))
    firsts = np.searchsorted(columns.games.ended, columns.declarations.at, "left").tolist()
    for number, (declaration, first) in enumerate(zip(rows, firsts, strict=True), 1):
        _, rated = running.rate(first, number, with_lines=False)
        if rated.ignored:
            ignored.append(declaration)
    return ignored


def standings_of(columns: GoColumns, states: GoStates) -> States:
    """Everybody's state as a record.

    Columns have only the sum of scores of the games on record, and of the last two games only whether both
    were not rated. The records are made so that rating goes on from them as from the real ones.
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
