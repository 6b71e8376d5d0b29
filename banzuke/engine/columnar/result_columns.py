"""The rows of the files that `rate` writes, as coded columns: `engine.result_rows` for many at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from banzuke.columnar.batch_columns import (
    MISSING,
    NO_FIGURE,
    NOTHING_ADDED,
    VERDICTS,
    Added,
    Int8s,
    Int32s,
    Int64s,
    Lines,
    State,
)
from banzuke.columnar.go_columns import IN_BC, Rows
from banzuke.columnar.rating_records import ratings_at
from banzuke.columnar.twin import ListRows, twin_of
from banzuke.core.decimals import all_decimals, decimal, two_decimals
from banzuke.core.facts import SPEEDS
from banzuke.core.go_facts import HALF_RANKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.adjusted_columns import AdjustedColumns
from banzuke.engine.columnar.columnar_history import RatedColumns
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory, Stretch
from banzuke.engine.result_rows import ADJUSTED, CHANGES, GO_CHANGES, GO_STANDINGS, LISTS, SCORE, ranks
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.table_writer.coded_columns import AnyColumn, Column, Numbers, Table, constant, runs

#: The speeds of events, blank for one that makes no list.
SPEED_WORDS = ("", *SPEEDS)


def list_rows(after: State) -> ListRows:
    """A list's rows: who has a rating after it, players by id, speeds in the book's order."""
    player, speed = (each.astype(np.int32) for each in np.nonzero(after.value.T != MISSING))
    return ListRows(player, speed, after.value[speed, player], after.games[speed, player])


def list_table(made: RatedColumns, player_ids: tuple[str, ...], more: Sequence[str] = ()) -> Table:
    """The rows of lists.csv of one list; `more` are the added columns of its file."""
    rated = made.rated
    states = rated.before, rated.after
    return standings_table(rated.batch.name, made.edition, *states, player_ids, more, rated.added)


def standings_table(
    name: str,
    edition: EditionInForce,
    before: State,
    after: State,
    player_ids: tuple[str, ...],
    more: Sequence[str] = (),
    added: Added = NOTHING_ADDED,
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
    table |= {name: _of_batch(cells, rows.player) for name, cells in added.items()}
    table |= {name: _with_decimals(*figures) for name, figures in twin.cells(book, rows, after).items()}
    others = [column for column in more if column not in table]
    table |= {column: _added(column, book, rows, after) for column in others}
    return Table({name: table[name] for name in (*LISTS, *more)})


def _added(name: str, book: ChessBook, rows: ListRows, after: State) -> AnyColumn:
    """A column that a book adds, by the book's own function; blank where this list's book has none such."""
    cell = next((column.cell for column in book.columns.lists if column.name == name), None)
    if cell is None:
        return constant("", len(rows.player))
    ratings = ratings_at(after, twin_of(book).carried, (rows.speed, rows.player))
    cells = [cell(rating, None) for rating in ratings]
    place = {word: number for number, word in enumerate(dict.fromkeys(cells))}
    words = tuple("" if word is None else str(word) for word in place)
    return Column(np.array([place[word] for word in cells], np.int32), words)


def _of_batch(cells: Mapping[int, str | int], players: Int32s) -> Column:
    """A column that has cells of some players, blank for all others."""
    words = ("", *dict.fromkeys(map(str, cells.values())))
    place = {word: number for number, word in enumerate(words)}
    of_player = np.zeros(int(players.max(initial=max(cells, default=0))) + 1, np.int32)
    of_player[list(cells)] = [place[str(word)] for word in cells.values()]
    return Column(of_player[players], words)


def change_table(made: RatedColumns, player_ids: tuple[str, ...]) -> Table:
    """The rows of changes.csv of one list, whose lines were asked for."""
    rated = made.rated
    lines = rated.lines
    if lines is None:
        raise ValueError("rated without its lines")
    ids = tuple(event.event_id for event in rated.batch.events)
    table = line_table(rated.batch.name, lines, (rated.speeds, ids), rated.clauses, player_ids)
    if rated.exact is None:
        return table
    expected, change, places = rated.exact
    finer = {"expected": _with_decimals(expected, places), "change": _with_decimals(change, places)}
    return Table(table.columns | finer)


def _with_decimals(figures: Int64s, places: int) -> Column:
    """Figures that are counted in the last of so many decimals."""
    found, codes = np.unique(figures, return_inverse=True)
    words = tuple("" if figure == NO_FIGURE else all_decimals(figure, places) for figure in found.tolist())
    return Column(codes.astype(np.int32), words)


def adjusted_tables(made: RatedColumns, player_ids: tuple[str, ...]) -> list[Table]:
    """The rows of adjusted.csv of one list, a table for each adjustment."""
    name, speeds = made.rated.batch.name, made.edition.book.speeds
    return [adjusted_table(name, speeds, adjusted, player_ids) for adjusted in made.adjusted]


def adjusted_table(
    name: str, speeds: tuple[str, ...], adjusted: AdjustedColumns, player_ids: tuple[str, ...]
) -> Table:
    """The rows of adjusted.csv of one adjustment of the list of that name."""
    rows = len(adjusted.player)
    columns = (
        constant(name, rows),
        Column(adjusted.speed, speeds),
        Column(adjusted.player, player_ids),
        constant(adjusted.adjustment_id, rows),
        _with_decimals(adjusted.before, adjusted.places),
        _with_decimals(adjusted.after, adjusted.places),
    )
    return Table(dict(zip(ADJUSTED, columns, strict=True)))


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


# Go


def go_change_table(running: RunningGoHistory, stretch: Stretch, lines: Rows) -> Table:
    """Both lines of every game, Black's first."""
    columns, words = running.columns, running.ranks
    ids = tuple(columns.game_ids[stretch.first : stretch.last].to_pylist())
    sides = np.column_stack((stretch.games.black, stretch.games.white))
    before = lines["rank"].reshape(-1, 2)
    cells = (
        Column(np.repeat(np.arange(len(ids), dtype=np.int32), 2), ids),
        Column(sides.ravel(), columns.player_ids),
        Column(_other_side(sides), columns.player_ids),
        _worded(before.ravel(), words),
        _worded(_other_side(before), words),
        Numbers(_field(lines, "difference"), ranks),
        Numbers(_field(lines, "upper")),
        Numbers(_field(lines, "won")),
        Numbers(_field(lines, "points")),
        _worded(lines["judgement"], running.verdicts),
        _worded(lines["rank_after"], words),
        _worded(lines["judgement"], running.clauses),
    )
    return Table(dict(zip(GO_CHANGES, cells, strict=True)))


def go_standing_table(running: RunningGoHistory, who: Int32s | None = None) -> Table:
    """The players of those numbers (None: every one) as they stand."""
    columns, states, words = running.columns, running.states, running.ranks
    numbered = np.arange(len(columns.player_ids), dtype=np.int32) if who is None else who
    players = states.players[numbered]
    points = np.where(players["rank"] < HALF_RANKS, players["points"], np.int32(MISSING))
    wins = np.where(players["rank"] == IN_BC, players["wins_in_bc"], np.int8(0))
    cells = (
        Column(numbered, columns.player_ids),
        _worded(players["rank"], words),
        Numbers(points),
        Numbers(_field(players, "rated_games")),
        Numbers(wins.astype(np.int32)),
    )
    return Table(dict(zip(GO_STANDINGS, cells, strict=True)))


def _other_side(of_sides: Int32s) -> Int32s:
    """What each side's row says of the other one."""
    return np.ascontiguousarray(of_sides[:, ::-1]).ravel()


def _field(rows: Rows, name: str) -> Int32s:
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
