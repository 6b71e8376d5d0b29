"""One event over columns rated by the readable book: where a twin is not sure, or the book refuses it.

Of books with one list and a batch for each event.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import (
    MISSING,
    NO_FIGURE,
    RESULTS,
    VERDICTS,
    Batch,
    Exact,
    Lines,
    Rated,
    State,
)
from banzuke.columnar.rating_records import put_ratings, ratings_at
from banzuke.columnar.twin import Rules, twin_of
from banzuke.core import batch as core_batch
from banzuke.core.facts import EXCLUDE, Entry, Game, Player
from banzuke.core.rating import EventLines, Outcome, Standings

#: The columns of lines that are numbers in records, too.
PLAIN = ("round", "score", "own", "opponent_rating", "difference", "expected", "change")


class BookResult(NamedTuple):
    """What the book gives, in columns and as records, and the numbers of the event's players by their ids."""

    rated: Rated
    outcome: Outcome
    number_of: dict[str, int]


def rate_by_book(
    rules: Rules,
    state: State,
    batch: Batch,
    player_of: Callable[[Batch, int], Player],
    places: int,
    *,
    with_lines: bool,
) -> BookResult:
    """The batch's one event rated by the book, whose finer figures have so many decimals.

    `player_of(batch, number)` is the player as far as the book asks. Raises RefusedError as the book does.
    """
    (event,), (speed,) = batch.events, rules.book.speeds
    games, players = list(_games(batch)), _players(batch)
    ids = [batch.player_ids[player] for player in players]
    number_of, carried, at = dict(zip(ids, players, strict=True)), twin_of(rules.book).carried, _at(players)
    ratings = dict(zip(ids, ratings_at(state, carried, at), strict=True))
    register = core_batch.Register({player: player_of(batch, number_of[player]) for player in ids}, {}, {})
    readable = core_batch.Batch(
        batch.name, batch.published, batch.closes, [Entry(event, games)], register, batch.opens_edition, {}
    )
    outcome = rules.book.rate(Standings({speed: ratings}), readable, rules.settings)
    new_ratings = {
        number_of[player]: calculation.after
        for player, calculation in outcome.calculations[speed].items()
        if calculation.after.value is not None
    }
    after = put_ratings(state, carried, _at(list(new_ratings)), list(new_ratings.values()))
    (lines,) = outcome.events
    clauses = tuple(dict.fromkeys(line.clause for line in lines.lines))
    rated = Rated(batch, state, after, rules.book.speeds, clauses, None)
    if with_lines:
        rated = rated._replace(lines=_lines(lines, number_of, clauses), exact=_exact(lines, places))
    return BookResult(rated, outcome, number_of)


def register_day(ordinal: Any) -> date | None:
    """A day of the register; None: not known."""
    return date.fromordinal(int(ordinal)) if ordinal else None


def _at(numbers: Sequence[int]) -> tuple[Any, Any]:
    return np.zeros(len(numbers), np.int32), np.array(numbers, np.int32)


def _players(batch: Batch) -> list[int]:
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


def _lines(event: EventLines, number_of: dict[str, int], clauses: tuple[str, ...]) -> Lines:
    """The lines in columns."""

    def column(values: Iterator[int | None]) -> Any:
        return np.array([MISSING if value is None else value for value in values], np.int32)

    lines = event.lines
    found: dict[str, Any] = {name: column(getattr(line, name) for line in lines) for name in PLAIN}
    return Lines(
        of_event=np.array([len(lines)], np.int64),
        player=column(number_of[line.player] for line in lines),
        opponent=column(number_of[line.opponent] for line in lines),
        k=column(line.k and line.k.value for line in lines),
        verdict=np.array([VERDICTS.index(line.verdict) for line in lines], np.int8),
        clause=np.array([clauses.index(line.clause) for line in lines], np.int8),
        **found,
    )


def _exact(event: EventLines, places: int) -> Exact:
    """The finer figures, counted in their last decimal."""
    expected = [_in_last_place(figure) for figure, _ in event.exact]
    change = [_in_last_place(figure) for _, figure in event.exact]
    return Exact(np.array(expected, np.int64), np.array(change, np.int64), places)


def _in_last_place(figure: str) -> int:
    return int(figure.replace(".", "")) if figure else NO_FIGURE
