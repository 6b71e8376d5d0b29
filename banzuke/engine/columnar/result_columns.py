"""The rows of the files that `rate` writes, as coded columns: `engine.result_rows` for whole lists."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from banzuke.columnar.batch_columns import MISSING, VERDICTS, Int8s, Int32s, Lines, State
from banzuke.columnar.twin import ListRows, twin_of
from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.facts import SPEEDS
from banzuke.core.rating import Rating
from banzuke.engine.result_rows import CHANGES, LISTS, SCORE
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.table_writer.coded_columns import Column, Numbers, Table, constant, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.rulebook import ChessBook
    from banzuke.engine.columnar.columnar_history import RatedColumns
    from banzuke.table_writer.coded_columns import AnyColumn

#: The speeds of events, blank for one that makes no list.
SPEED_WORDS = ("", *SPEEDS)


def list_rows(after: State) -> ListRows:
    """A list's rows: who has a rating after it, players by id, speeds in the book's order."""
    player, speed = (each.astype(np.int32) for each in np.nonzero(after.value.T != MISSING))
    return ListRows(player, speed, after.value[speed, player], after.games[speed, player])


def list_table(made: RatedColumns, player_ids: tuple[str, ...], more: Sequence[str] = ()) -> Table:
    """The rows of lists.csv of one list; `more` are the added columns of its file."""
    rated = made.rated
    return standings_table(rated.batch.name, made.edition, rated.before, rated.after, player_ids, more)


def standings_table(
    name: str,
    edition: EditionInForce,
    before: State,
    after: State,
    player_ids: tuple[str, ...],
    more: Sequence[str] = (),
) -> Table:
    """The rows of lists.csv of one list, made by an edition, from the standings before and after it."""
    rows, book = list_rows(after), chess_book(edition)
    twin, at = twin_of(book), (rows.speed, rows.player)
    earlier = before.value[at]
    change = np.where(earlier == MISSING, np.int32(MISSING), rows.rating - earlier)
    if twin.qualified is None:
        qualified = np.full(len(rows.player), MISSING, np.int32)
    else:
        qualified = twin.qualified(book, rows).astype(np.int32)
    columns = (
        constant(name, len(rows.player)),
        Column(rows.speed, book.speeds),
        Column(rows.player, player_ids),
        Numbers(rows.rating),
        Numbers(rows.games),
        Numbers(change.astype(np.int32)),
        Numbers(after.peak[at]),
        Column(twin.status(book, rows), twin.statuses),
        Numbers(qualified),
    )
    table: dict[str, AnyColumn] = dict(zip(LISTS, columns, strict=True))
    return Table(table | {column: _added(column, book, rows, after) for column in more})


def _added(name: str, book: ChessBook, rows: ListRows, after: State) -> AnyColumn:
    """A column that a book adds, by the book's own function; blank where this list's book has none such."""
    cell = next((column.cell for column in book.columns.lists if column.name == name), None)
    if cell is None:
        return constant("", len(rows.player))
    ratings = zip(*(field[rows.speed, rows.player].tolist() for field in after[:4]), strict=True)
    cells = [
        cell(book.speeds[speed], Rating(value, games, None if peak == MISSING else peak, earned))
        for speed, (value, games, peak, earned) in zip(rows.speed.tolist(), ratings, strict=True)
    ]
    place = {word: number for number, word in enumerate(dict.fromkeys(cells))}
    words = tuple("" if word is None else str(word) for word in place)
    return Column(np.array([place[word] for word in cells], np.int32), words)


def change_table(made: RatedColumns, player_ids: tuple[str, ...]) -> Table:
    """The rows of changes.csv of one list, whose lines were asked for."""
    rated = made.rated
    lines = rated.lines
    if lines is None:
        raise ValueError("rated without its lines")
    ids = tuple(event.event_id for event in rated.batch.events)
    return line_table(rated.batch.name, lines, (rated.speeds, ids), rated.clauses, player_ids)


def verdicts_of(codes: Int8s | Int32s, words: Sequence[str] = VERDICTS) -> Counter[str]:
    """The verdicts of lines, in the order in which they first appear, as `most_common` shows ties."""
    found, firsts, counts = np.unique(codes, return_index=True, return_counts=True)
    verdicts: Counter[str] = Counter()
    for place in np.argsort(firsts).tolist():
        verdicts[words[found[place]]] += int(counts[place])
    return verdicts


def _points(half_points: int) -> str:
    """A score as printed; blank for a number that is none."""
    return SCORE.get(half_points, "")


def line_table(
    name: str,
    lines: Lines,
    events: tuple[tuple[str, ...], tuple[str, ...]],
    clauses: tuple[str, ...],
    player_ids: tuple[str, ...],
) -> Table:
    """The rows of changes.csv of lines of the list of that name; of their events, the speeds and the ids."""
    speeds, ids = events
    columns = (
        constant(name, len(lines.player)),
        runs(np.array([SPEED_WORDS.index(speed) for speed in speeds], np.int32), lines.of_event, SPEED_WORDS),
        runs(np.arange(len(ids), dtype=np.int32), lines.of_event, ids),
        Numbers(lines.round),
        Column(lines.player, player_ids),
        Column(lines.opponent, player_ids),
        Numbers(lines.score, _points),
        Numbers(lines.own),
        Numbers(lines.opponent_rating),
        Numbers(lines.difference),
        Numbers(lines.expected, two_decimals),
        Numbers(lines.k),
        Numbers(lines.change, decimal),
        Column(lines.verdict.astype(np.int32), VERDICTS),
        Column(lines.clause.astype(np.int32), clauses),
    )
    return Table(dict(zip(CHANGES, columns, strict=True)))
