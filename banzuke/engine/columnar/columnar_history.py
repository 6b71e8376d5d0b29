"""A chess pool's history over columns: its batches in order, each rated on what the one before left.

The same fold as `engine.history`, by the fast twins. Players and events are numbers; the rows that a list may
know are taken before it is rated, and where nothing was ever corrected, games stay where they lie.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import (
    MISSING,
    VERDICTS,
    Batch,
    Flags,
    Games,
    Int32s,
    Int64s,
    Rated,
    Register,
    State,
    nothing_waits,
)
from banzuke.columnar.rating_records import blank_facts, put_ratings
from banzuke.columnar.twin import rules_of, twin_of
from banzuke.core.facts import ANNUAL, Membership, Player
from banzuke.engine.columnar.adjusted_columns import AdjustedColumns, adjust
from banzuke.engine.history import ENTERED, Plans, Registers, opening_rating, register_with
from banzuke.ledger.pool_rules import EditionInForce, chess_book

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from banzuke.engine.columnar.chess_reader import ChessColumns

_ENTERED = np.array([verdict in ENTERED for verdict in VERDICTS])


class RatedColumns(NamedTuple):
    """One list: the edition that rated it, its batch with what rating it gave, and its adjustments."""

    edition: EditionInForce
    rated: Rated
    adjusted: Sequence[AdjustedColumns] = ()


def history(
    columns: ChessColumns, names: Iterable[str], *, with_lines: bool = True
) -> Iterator[RatedColumns]:
    """The lists of those names (a leading run of `engine.history.list_names`), one after another."""
    return continue_history(RunningHistory(columns, with_lines=with_lines), names)


def continue_history(running: RunningHistory, names: Iterable[str]) -> Iterator[RatedColumns]:
    """The lists of those names by a new history, which has noted a list when the next one is asked for."""
    for edition, batch in batches(running, names):
        rated = running.rate(edition, batch)
        yield rated
        running.note(rated.rated)


class RunningHistory:
    """A history while it is made: its state after the last list, and the `lists` that events are rated on."""

    def __init__(self, columns: ChessColumns, *, with_lines: bool = False) -> None:
        self.columns = columns
        self.state = self.before_all = opening(columns)
        self.plans = Plans(columns)
        self.lists: dict[str, State] = {}
        make = partial(register_of, columns)
        self.registers = Registers(columns.players, columns.memberships, make)
        self.selection = GameSelection(columns)
        self._with_lines = with_lines or self.selection.has_repeated_events

    def rate(self, edition: EditionInForce, batch: Batch) -> RatedColumns:
        """The batch rated on the present state and adjusted; the state is then the one after it."""
        book = chess_book(edition)
        rules = rules_of(book, edition.settings)
        rated = twin_of(book).rate(rules, self.state, batch, with_lines=self._with_lines)
        self.state, adjusted = adjust(rated.after, book, self.plans.adjustments(batch.name))
        return RatedColumns(edition, rated._replace(after=self.state), adjusted)

    def note(self, rated: Rated) -> None:
        """Remember what later lists need of this one."""
        self.selection.note(rated)
        if rated.batch.name in self.plans.rated_on:
            self.lists[rated.batch.name] = rated.after


def opening(columns: ChessColumns) -> State:
    """The standings that the pool opens with."""
    speeds, number = columns.pool.speeds, columns.player_numbers
    shape = len(speeds), len(columns.player_ids)
    value, peak = (np.full(shape, MISSING, np.int32) for _ in range(2))
    games, earned = np.zeros(shape, np.int32), np.zeros(shape, np.bool_)
    last = chess_book(columns.pool.editions[-1])
    carried = twin_of(last).carried if last.twin else ()
    nobody = State(value, games, peak, earned, nothing_waits(), blank_facts(carried, shape))
    least = chess_book(columns.pool.editions[0]).peak_from_games
    at = np.array([(speeds.index(row.speed), number[row.player_id]) for row in columns.standings], np.int32)
    row, player = at.reshape(-1, 2).T
    ratings = [opening_rating(opened, least) for opened in columns.standings]
    return put_ratings(nobody, carried, (row, player), ratings)


def register_of(
    columns: ChessColumns, players: Sequence[Player], memberships: Sequence[Membership]
) -> Register:
    """A register of those rows; a player without a row is known by number alone."""
    number, born = columns.player_numbers, np.zeros(len(columns.player_ids), np.int32)
    fide = np.full((3, len(columns.player_ids)), MISSING, np.int32)
    for player in players:
        at = number[player.player_id]
        born[at] = 0 if player.birth_date is None else player.birth_date.toordinal()
        ratings = player.fide_standard, player.fide_rapid, player.fide_blitz
        fide[:, at] = [MISSING if rating is None else rating for rating in ratings]
    own = _own_facts(columns, players, memberships)
    return Register(born, fide, *_spans(columns, memberships), own)


def _own_facts(columns: ChessColumns, players: Sequence[Player], memberships: Sequence[Membership]) -> Int32s:
    """What the twin of the pool's book asks of every player beside."""
    book = chess_book(columns.pool.editions[-1])
    own_facts = twin_of(book).own_facts if book.twin else None
    if own_facts is None:
        return np.empty((0, len(columns.player_ids)), np.int32)
    known = {player: Player(player, "") for player in columns.player_ids}
    known.update((player.player_id, player) for player in players)
    return own_facts(columns.player_ids, register_with(known, memberships))


def _spans(columns: ChessColumns, rows: Iterable[Membership]) -> tuple[Int64s, Int32s, Int32s, Int32s]:
    """The memberships by player: where each one's begin, from when to when, and of which event (-1: any)."""
    known = columns.event_numbers
    spans = [
        (
            columns.player_numbers[row.player_id],
            row.valid_from.toordinal(),
            row.valid_to.toordinal(),
            -1 if row.kind == ANNUAL else known[row.event_id],
        )
        for row in rows
        if row.kind == ANNUAL or row.event_id in known
    ]
    table = np.array(spans, np.int32).reshape(len(spans), 4)
    table = table[np.argsort(table[:, 0], kind="stable")]
    first = np.searchsorted(table[:, 0], np.arange(len(columns.player_ids) + 1))
    starts, ends, events = (np.ascontiguousarray(table[:, at]) for at in (1, 2, 3))
    return first.astype(np.int64), starts, ends, events


class GameSelection:
    """The games of a list's events: of those that stand, the ones that entered no earlier list.

    Only events reported anew (`has_repeated_events`) could bring a game again.
    """

    def __init__(self, columns: ChessColumns) -> None:
        self._columns = columns
        numbers = [columns.event_numbers[event.event_id] for event in columns.events]
        found, times = np.unique(np.array(numbers, np.int64), return_counts=True)
        self._repeated: Flags = np.zeros(len(columns.event_ids), np.bool_)
        self._repeated[found[times > 1]] = True
        self._is_corrected = bool(len(columns.added))
        self._entered: set[tuple[int, int, int, int]] = set()

    @property
    def entered(self) -> Iterable[tuple[str, int, frozenset[str]]]:
        """The games that entered earlier lists, of events reported anew: event, round and the two players."""
        players, events = self._columns.player_ids, self._columns.event_ids
        for event, round_, one, other in self._entered:
            yield events[event], round_, frozenset((players[one], players[other]))

    @property
    def has_repeated_events(self) -> bool:
        """Whether any event was reported anew."""
        return bool(self._repeated.any())

    def games_of(self, numbers: Int32s, until: date | None) -> tuple[Games, Int64s, Int64s]:
        """The games of those events, and where in them each event's begin and end."""
        first, last = self._columns.event_first[numbers], self._columns.event_first[numbers + 1]
        if not self._is_corrected and not self._entered:
            return self._columns.games, first, last
        rows = [self._standing(np.arange(*each), until) for each in zip(first, last, strict=True)]
        lengths = np.array([len(each) for each in rows], np.int64)
        ends = np.cumsum(lengths)
        taken = np.concatenate([*rows, np.empty(0, np.int64)])
        return Games(*(column[taken] for column in self._columns.games)), ends - lengths, ends

    def _standing(self, rows: Int64s, until: date | None) -> Int64s:
        if self._is_corrected:
            added, struck = self._columns.added[rows], self._columns.struck[rows]
            day = 0 if until is None else until.toordinal()
            is_known = ((added == 0) | (added < day)) & ((struck == 0) | (struck >= day))
            rows = rows[(struck == 0) if until is None else is_known]
        if self._entered:
            rows = rows[[key not in self._entered for key in self._keys(rows)]]
        return rows

    def _keys(self, rows: Int64s) -> list[tuple[int, int, int, int]]:
        """Event, round and the two players of games."""
        games, event = self._columns.games, self._columns.event_of(rows)
        return _pairs(event, games.round[rows], games.white[rows], games.black[rows])

    def note(self, rated: Rated) -> None:
        """Remember the games that entered."""
        if not self.has_repeated_events or rated.lines is None:
            return
        lines = rated.lines
        event = rated.batch.event_ids[lines.event]
        at = np.flatnonzero(_ENTERED[lines.verdict])
        self.add_entered(event[at], lines.round[at], lines.player[at], lines.opponent[at])

    def add_entered(self, event: Int32s, round_: Int32s, one: Int32s, other: Int32s) -> None:
        """Remember games that entered, by event, round and the two players."""
        at = np.flatnonzero(self._repeated[event])
        self._entered.update(_pairs(event[at], round_[at], one[at], other[at]))


def _pairs(event: Int32s, round_: Int32s, one: Int32s, other: Int32s) -> list[tuple[int, int, int, int]]:
    columns = (event, round_, np.minimum(one, other), np.maximum(one, other))
    return list(zip(*(column.tolist() for column in columns), strict=True))


def batches(running: RunningHistory, names: Iterable[str]) -> Iterator[tuple[EditionInForce, Batch]]:
    """The batches of those lists with the editions that rate them.

    `running` must have noted a list before the next one is asked for.
    """
    previous = None
    for name in names:
        window, edition, known, events, lists = running.plans.plan(name)
        ids = np.array([running.columns.event_numbers[event.event_id] for event in events], np.int32)
        games, first, last = running.selection.games_of(ids, known)
        yield (
            edition,
            Batch(
                name, window.published, window.closes, tuple(events), ids, first, last, games,
                running.registers.known(known), edition is not previous,
                tuple(running.lists.get(of, running.before_all) for of in lists.values()),
                running.columns.player_ids,
            ),
        )  # fmt: skip
        previous = edition
