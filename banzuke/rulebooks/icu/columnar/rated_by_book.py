"""An event over columns rated by the book: where its twin is not sure of a figure, or it is refused."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np

from banzuke.columnar.batch_columns import (
    MISSING,
    NO_FIGURE,
    RESULTS,
    VERDICTS,
    Added,
    Batch,
    Exact,
    Lines,
    Rated,
    State,
)
from banzuke.columnar.twin import Rules
from banzuke.core import batch as core_batch
from banzuke.core.facts import EXCLUDE, Entry, Game, More, Player
from banzuke.core.rating import EventLines, Outcome, Rating, Standings
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.icu.columnar.entrant_arrays import FIXED_RATING, JOINED
from banzuke.rulebooks.icu.icu import ONE_LIST

#: The columns of lines that are numbers in records, too.
PLAIN = ("round", "score", "own", "opponent_rating", "difference", "expected", "change")


def rate_by_book(rules: Rules, state: State, batch: Batch, *, with_lines: bool) -> Rated:
    """The batch's one event rated by the book; raises RefusedError as the book does."""
    (event,) = batch.events
    games = list(_games(batch))
    ids = {player for game in games for player in (game.white, game.black)}
    number = {batch.player_ids[at]: at for at in _numbers(batch)}
    standings = Standings({ONE_LIST: {player: _rating(state, number[player]) for player in ids}})
    register = core_batch.Register({player: _player(batch, number[player]) for player in ids}, {}, {})
    readable = core_batch.Batch(
        batch.name, batch.published, batch.closes, [Entry(event, games)], register, batch.opens_edition, {}
    )
    outcome = rules.book.rate(standings, readable, rules.settings)
    after = _state_after(state, outcome, number)
    (lines,) = outcome.events
    clauses = tuple(dict.fromkeys(line.clause for line in lines.lines))
    rated = Rated(batch, state, after, rules.book.speeds, clauses, None)
    if not with_lines:
        return rated
    return rated._replace(
        lines=_lines(lines, number, clauses),
        exact=_exact(lines),
        added=_added(rules.book, outcome, number),
    )


def _numbers(batch: Batch) -> list[int]:
    """The numbers of the players of the event."""
    rows = slice(int(batch.first[0]), int(batch.last[0]))
    return np.unique(np.concatenate((batch.games.white[rows], batch.games.black[rows]))).tolist()  # type: ignore[no-any-return]


def _games(batch: Batch) -> Iterator[Game]:
    games, ids = batch.games, batch.player_ids
    for row in range(int(batch.first[0]), int(batch.last[0])):
        yield Game(
            batch.events[0].event_id,
            int(games.round[row]),
            ids[games.white[row]],
            ids[games.black[row]],
            RESULTS[games.result[row]],
            ruling=EXCLUDE if games.excluded[row] else "",
        )


def _rating(state: State, player: int) -> Rating:
    value, games, peak, earned = (field[0, player].item() for field in state[:4])
    return Rating(_given(value), games, _given(peak), earned)


def _player(batch: Batch, number: int) -> Player:
    """The player, as far as the book asks."""
    joined, fixed = (batch.register.own[row, number] for row in (JOINED, FIXED_RATING))
    facts = {"joined": _day(joined), "fixed_rating": _given(fixed)}
    more = More({name: fact for name, fact in facts.items() if fact is not None})
    return Player(batch.player_ids[number], "", birth_date=_day(batch.register.born[number]), more=more)


def _given(value: Any) -> int | None:
    return None if value == MISSING else int(value)


def _day(ordinal: Any) -> date | None:
    return date.fromordinal(int(ordinal)) if ordinal else None


def _state_after(state: State, outcome: Outcome, number: dict[str, int]) -> State:
    after = state._replace(value=state.value.copy(), games=state.games.copy(), peak=state.peak.copy())
    for player, calculation in outcome.calculations[ONE_LIST].items():
        at, rating = (0, number[player]), calculation.after
        if rating.value is not None:
            after.value[at], after.games[at] = rating.value, rating.games
            after.peak[at] = MISSING if rating.peak is None else rating.peak
    return after


def _lines(event: EventLines, number: dict[str, int], clauses: tuple[str, ...]) -> Lines:
    """The lines in columns."""

    def column(values: Iterator[int | None]) -> Any:
        return np.array([MISSING if value is None else value for value in values], np.int32)

    lines = event.lines
    found: dict[str, Any] = {name: column(getattr(line, name) for line in lines) for name in PLAIN}
    return Lines(
        of_event=np.array([len(lines)], np.int64),
        player=column(number[line.player] for line in lines),
        opponent=column(number[line.opponent] for line in lines),
        k=column(line.k and line.k.value for line in lines),
        verdict=np.array([VERDICTS.index(line.verdict) for line in lines], np.int8),
        clause=np.array([clauses.index(line.clause) for line in lines], np.int8),
        **found,
    )


def _exact(event: EventLines) -> Exact:
    """The finer figures in millionths."""
    expected = [_millionths(figure) for figure, _ in event.exact]
    change = [_millionths(figure) for _, figure in event.exact]
    return Exact(np.array(expected, np.int64), np.array(change, np.int64))


def _millionths(figure: str) -> int:
    return int(figure.replace(".", "")) if figure else NO_FIGURE


def _added(book: ChessBook, outcome: Outcome, number: dict[str, int]) -> Added:
    """The cells of the columns that the book adds to lists, of those who have any."""
    done = outcome.calculations[ONE_LIST].values()
    return {
        column.name: {
            number[each.player]: cell for each in done if (cell := column.cell(each.after, each)) is not None
        }
        for column in book.columns.lists
    }
