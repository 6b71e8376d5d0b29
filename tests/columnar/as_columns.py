"""What a readable rule book is given and gives, as columns, so that its twin can be held to it.

Players and events are numbered in the order of their ids; the batch's games lie behind rows of other games,
as they do in a ledger.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from banzuke.columnar import batch_columns
from banzuke.columnar.batch_columns import MISSING, NO_FIGURE
from banzuke.columnar.twin import rules_of, twin_of
from banzuke.core.decimals import all_decimals
from banzuke.core.facts import EXCLUDE, SPEEDS, More, Player
from banzuke.core.fault import RefusedError
from banzuke.core.rating import UNRATED, Rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from banzuke.columnar.twin import CarriedFact
    from banzuke.core import batch as readable
    from banzuke.core.facts import Game
    from banzuke.core.rating import FirstGame, Outcome, Ratings, Waiting
    from banzuke.core.rulebook import ChessBook

#: Rows of other games before those of a batch.
OTHERS = 3
#: The row of a file (event, round, day, ...) by which FIDE's twin remembers a first event left out.
EMPTY_FILE = (-1, 0, 0, 0, MISSING, 0)


def cell(value: int | None) -> int:
    return MISSING if value is None else value


def number(fact: CarriedFact, rating: Rating) -> int:
    return NO_FIGURE if rating.more.get(fact.name) is None else fact.number(rating.more[fact.name])


def uncell(value: Any) -> int | None:
    return None if value == MISSING else int(value)


def ordinal(day) -> int:
    return day.toordinal() if day else 0


class Pool(NamedTuple):
    """The ids of a pool in their order, and the speeds of its books; the book, if its twin asks or carries more."""

    players: list[str]
    events: list[str]
    speeds: tuple[str, ...]
    book: ChessBook | None = None

    def state(self, ratings: Ratings, waiting: Waiting) -> batch_columns.State:
        rows = [[ratings.get(s, {}).get(p, UNRATED) for p in self.players] for s in self.speeds]
        on_file = [
            (self.speeds.index(speed), self.players.index(player), *game)
            for speed, of_speed in waiting.items()
            for player, games in of_speed.items()
            for game in (map(self._filed, games) if games else [EMPTY_FILE])
        ]
        fields = zip(*on_file, strict=True) if on_file else [()] * len(batch_columns.Waiting._fields)
        kinds = (np.int8, *[np.int32] * 7)
        return batch_columns.State(
            np.array([[cell(r.value) for r in row] for row in rows], np.int32),
            np.array([[r.games for r in row] for row in rows], np.int32),
            np.array([[cell(r.peak) for r in row] for row in rows], np.int32),
            np.array([[r.earned for r in row] for row in rows], np.bool_),
            batch_columns.Waiting(
                *(np.array(field, kind) for field, kind in zip(fields, kinds, strict=True))
            ),
            self._more(rows),
        )

    def _more(self, rows: list[list[Rating]]) -> Any:
        facts = [[[number(fact, rating) for rating in row] for row in rows] for fact in self._carried]
        return np.array(facts, np.int64).reshape(len(facts), len(self.speeds), len(self.players))

    @property
    def _carried(self) -> tuple[CarriedFact, ...]:
        """What the book carries on beside rating, games and peak."""
        return twin_of(self.book).carried if self.book else ()

    def _filed(self, game: FirstGame) -> tuple[int, ...]:
        event = self.events.index(game.event_id) if game.event_id in self.events else -1
        opponent = self.players.index(game.opponent) if game.opponent in self.players else -1
        return (
            event,
            game.round,
            ordinal(game.played),
            opponent,
            cell(game.opponent_rating),
            game.score,
        )

    def batch(
        self, batch: readable.Batch, states: Mapping[int, batch_columns.State] | None = None
    ) -> batch_columns.Batch:
        """The batch; `states` has the states by the identity of the ratings that `in_force` gives."""
        ends = np.cumsum([OTHERS, *(len(entry.games) for entry in batch.entries)]).astype(np.int64)
        games = [game for entry in batch.entries for game in entry.games]
        return batch_columns.Batch(
            batch.name,
            batch.published,
            batch.closes,
            tuple(entry.event for entry in batch.entries),
            np.array([self.events.index(entry.event.event_id) for entry in batch.entries], np.int32),
            ends[:-1],
            ends[1:],
            self._games(games),
            self._register(batch.register),
            batch.opens_edition,
            tuple(states[id(batch.in_force[e.event.event_id])] for e in batch.entries) if states else (),
            tuple(self.players),
        )

    def _games(self, games: Iterable[Game]) -> batch_columns.Games:
        place = {name: number for number, name in enumerate(self.players)}
        rows = [
            (
                g.round,
                place[g.white],
                place[g.black],
                batch_columns.RESULTS.index(g.result),
                ordinal(g.played),
                g.ruling == EXCLUDE,
            )
            for g in games
        ]
        fields = zip(*[(1, 0, 0, 0, 0, False)] * OTHERS, *rows, strict=True)
        kinds = (np.int32, np.int32, np.int32, np.int8, np.int32, np.bool_)
        return batch_columns.Games(
            *(np.array(field, kind) for field, kind in zip(fields, kinds, strict=True))
        )

    def _register(self, register: readable.Register) -> batch_columns.Register:
        known = [register.players.get(name) for name in self.players]
        taken_over = [
            [cell(getattr(p, f"fide_{speed}") if p else None) for p in known]
            for speed in ("standard", "rapid", "blitz")
        ]
        spans = [self._spans(register, name) for name in self.players]
        rows = np.array([row for of_player in spans for row in of_player], np.int32).reshape(-1, 3)
        return batch_columns.Register(
            np.array([ordinal(p.birth_date) if p else 0 for p in known], np.int32),
            np.array(taken_over, np.int32),
            np.cumsum([0, *map(len, spans)]).astype(np.int64),
            *(np.ascontiguousarray(column) for column in rows.T),
            self._own_facts(register),
        )

    def _own_facts(self, register: readable.Register) -> Any:
        """What the twin of the pool's book asks beside."""
        own_facts = twin_of(self.book).own_facts if self.book else None
        if own_facts is None:
            return np.empty((0, len(self.players)), np.int32)
        players = {name: Player(name, name) for name in self.players} | dict(register.players)
        return own_facts(self.players, replace(register, players=players))

    def _spans(self, register: readable.Register, player: str) -> list[tuple[int, int, int]]:
        """From, to and the event, -1 for annual memberships."""
        annual = [(*map(ordinal, span), -1) for span in register.annual.get(player, ())]
        return annual + [
            (*map(ordinal, span), self.events.index(event))
            for (member, event), spans in register.one_event.items()
            if member == player and event in self.events
            for span in spans
        ]

    def ratings(self, state: batch_columns.State) -> dict[tuple[str, str], Rating]:
        """Every player's rating at every speed."""
        return {
            (speed, player): Rating(
                uncell(state.value[s, p]),
                int(state.games[s, p]),
                uncell(state.peak[s, p]),
                bool(state.earned[s, p]),
                More(
                    {
                        fact.name: fact.fact(int(state.more[row, s, p]))
                        for row, fact in enumerate(self._carried)
                        if state.more[row, s, p] != NO_FIGURE
                    }
                ),
            )
            for s, speed in enumerate(self.speeds)
            for p, player in enumerate(self.players)
        }

    def on_file(self, state: batch_columns.State) -> dict[tuple[str, str], list[tuple[int, ...]]]:
        """The games on file of those who have a file, in their order.

        In a pool of FIDE's a row without the opponent's rating is the trace of a first event left out.
        """
        leaves_traces = self.speeds == SPEEDS
        files: dict[tuple[str, str], list[tuple[int, ...]]] = {}
        for row in zip(*(column.tolist() for column in state.waiting), strict=True):
            games = files.setdefault((self.speeds[row[0]], self.players[row[1]]), [])
            if row[6] != MISSING or not leaves_traces:
                games.append(row[2:])
        return files

    def lines(self, rated: batch_columns.Rated) -> list[tuple[Any, ...]]:
        """The lines as `readable_lines` gives them."""
        assert rated.lines is not None
        return [
            (
                rated.batch.events[row[0]].event_id,
                rated.speeds[row[0]],
                int(row[1]),
                self.players[row[2]],
                self.players[row[3]],
                *map(uncell, row[4:11]),
                batch_columns.VERDICTS[row[11]],
                rated.clauses[row[12]],
            )
            for row in zip(rated.lines.event, *rated.lines[1:], strict=True)
        ]


def rate_columns(
    book: ChessBook,
    state: batch_columns.State,
    batch: batch_columns.Batch,
    settings: Any,
    **options: Any,
) -> batch_columns.Rated:
    """The batch rated by the fast twin of a book."""
    return twin_of(book).rate(rules_of(book, settings), state, batch, **options)


def readable_lines(outcome: Outcome) -> list[tuple[Any, ...]]:
    """Event, speed and every field of every line, K as its value."""
    return [
        (of.event.event_id, of.speed, *line._replace(k=line.k.value if line.k else None))
        for of in outcome.events
        for line in of.lines
    ]


def assert_same(pool: Pool, rated: batch_columns.Rated, outcome: Outcome) -> None:
    """The twin's outcome is the readable book's: every line, every rating, every game on file."""
    assert pool.lines(rated) == readable_lines(outcome)
    expected = {
        (speed, player): outcome.standings.of(speed, player)
        for speed in pool.speeds
        for player in pool.players
    }
    assert pool.ratings(rated.after) == expected
    waiting = {
        (speed, player): list(map(pool._filed, games))
        for speed, files in outcome.standings.waiting.items()
        for player, games in files.items()
    }
    assert pool.on_file(rated.after) == waiting


def faults_of(rate, *given):
    """What rating gives, or for what it refuses the event."""
    try:
        return rate(*given), []
    except RefusedError as refused:
        return None, refused.faults


def assert_same_exact(rated, outcome):
    """The figures that are finer than those of the lines."""
    (lines,) = outcome.events
    words = [
        "" if figure == NO_FIGURE else all_decimals(figure, rated.exact.places)
        for side in rated.exact[:2]
        for figure in side.tolist()
    ]
    assert words == [figure for side in zip(*lines.exact, strict=True) for figure in side]
