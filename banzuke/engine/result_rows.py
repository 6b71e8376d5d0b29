"""The rows of the files that `rate` writes, column by column as docs/ledger.md says."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from banzuke.core.decimals import decimal, two_decimals, with_decimals
from banzuke.core.go_facts import BEGINNER, CERTIFIED, TWENTYFOURTHS, GoState
from banzuke.ledger.pool_rules import EditionInForce, Pool, chess_book

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banzuke.core.rating import EventLines, Rating
    from banzuke.core.rulebook import ListColumn
    from banzuke.engine.go_history import RatedGame
    from banzuke.engine.history import RatedList

Row = tuple[object, ...]

LISTS = ("list", "speed", "player_id", "rating", "games", "change", "peak", "status", "qualified")
CHANGES = (
    "list", "speed", "event_id", "round", "player_id", "opponent_id", "score", "own", "opponent",
    "difference", "expected", "k", "change", "verdict", "clause",
)  # fmt: skip
ADJUSTED = ("list", "speed", "player_id", "adjustment_id", "before", "after")
_EXPECTED = CHANGES.index("expected")  # k comes after it, then the change
GO_STANDINGS = ("player_id", "rank", "points", "rated_games", "wins_in_bc")
GO_CHANGES = (
    "game_id", "player_id", "opponent_id", "rank", "opponent_rank", "difference", "upper", "won",
    "points", "verdict", "rank_after", "clause",
)  # fmt: skip

#: Columns of whole numbers by file (int64 in Parquet); all others are strings there.
CHESS_NUMBERS = {
    "lists.csv": frozenset(("rating", "games", "change", "peak", "qualified")),
    "changes.csv": frozenset(("round", "own", "opponent", "difference", "k")),
}
GO_NUMBERS = {
    "standings.csv": frozenset(("points", "rated_games", "wins_in_bc")),
    "changes.csv": frozenset(("upper", "won", "points")),
}

SCORE = {None: "", 0: "0", 1: "0.5", 2: "1"}


def list_header(editions: Iterable[EditionInForce]) -> tuple[str, ...]:
    """The columns of lists.csv: the common ones, then those that the editions' books add."""
    return (*LISTS, *(column.name for column in _added(editions)))


def number_columns(pool: Pool) -> dict[str, frozenset[str]]:
    """The columns of whole numbers of the files that rating the pool makes, by file."""
    if pool.is_go:
        return GO_NUMBERS
    added = {column.name for column in _added(pool.editions) if column.kind == "count"}
    is_whole = not any(chess_book(edition).scale.places for edition in pool.editions)
    adjusted = frozenset(("before", "after") if is_whole else ())
    return CHESS_NUMBERS | {"lists.csv": CHESS_NUMBERS["lists.csv"] | added, "adjusted.csv": adjusted}


def _added(editions: Iterable[EditionInForce]) -> Iterable[ListColumn]:
    """The columns that the books add, each name once."""
    columns = (column for edition in editions for column in chess_book(edition).columns.lists)
    return {column.name: column for column in columns}.values()


def list_rows(rated: RatedList, more: Sequence[str] = ()) -> Iterator[Row]:
    """A list's rows: players by id, speeds in the book's order; `more` are the added columns of its file."""
    after = rated.outcome.standings.ratings
    of_speeds = [(speed, after.get(speed, {})) for speed in rated.edition.book.speeds]
    for player in sorted({player for _, ratings in of_speeds for player in ratings}):
        for speed, ratings in of_speeds:
            rating = ratings.get(player)
            if rating is not None and rating.value is not None:
                yield list_cells(rated, speed, player, rating, more)


def list_cells(rated: RatedList, speed: str, player: str, rating: Rating, more: Sequence[str]) -> Row:
    """A player's row with the cells of added columns."""
    row = list_row(rated, speed, player, rating, rated.before.get(speed, {}).get(player))
    return row + more_cells(rated, speed, player, more) if more else row


def more_cells(rated: RatedList, speed: str, player: str, more: Sequence[str]) -> Row:
    """A player's cells of added columns; blank where this list's book does not have one."""
    columns = {column.name: column for column in chess_book(rated.edition).columns.lists}
    rating = rated.outcome.standings.of(speed, player)
    calculation = rated.outcome.calculations.get(speed, {}).get(player)
    return tuple(columns[name].cell(rating, calculation) if name in columns else None for name in more)


def list_row(rated: RatedList, speed: str, player: str, rating: Rating, old: Rating | None) -> Row:
    """A player's row; `old` is the player's rating before the batch."""
    change = "" if old is None or old.value is None or rating.value is None else rating.value - old.value
    columns = chess_book(rated.edition).columns
    qualified = columns.qualified
    return (
        rated.batch.name,
        speed,
        player,
        rating.value,
        rating.games,
        change,
        rating.peak,
        columns.status(rating),
        "" if qualified is None else str(int(qualified(speed, rating))),
    )


def change_rows(rated: RatedList) -> Iterator[Row]:
    """Both lines of every game of the list's events."""
    for lines in rated.outcome.events:
        rows = _event_rows(rated.batch.name, lines)
        yield from _with_exact(rows, lines.exact) if lines.exact else rows


def _event_rows(name: str, event_lines: EventLines) -> Iterator[Row]:
    event_id, speed = event_lines.event.event_id, event_lines.speed
    for line in event_lines.lines:
        round_, player, opponent, score, own, other, difference, expected, k, change, verdict, clause = line
        yield (
            name, speed, event_id, round_, player, opponent, SCORE[score], own, other, difference,
            None if expected is None else two_decimals(expected),
            None if k is None else k.value,
            None if change is None else decimal(change),
            verdict, clause,
        )  # fmt: skip


def _with_exact(rows: Iterable[Row], exact: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """The rows, with the finer expectations and changes that the book gives in place of hundredths."""
    for row, (expected, change) in zip(rows, exact, strict=True):
        yield (*row[:_EXPECTED], expected, row[_EXPECTED + 1], change, *row[_EXPECTED + 3 :])


def adjusted_rows(rated: RatedList) -> Iterator[Row]:
    """A row for every rating that an adjustment of the list was for, as exact as the book carries it on."""
    scale = chess_book(rated.edition).scale
    for adjustment, speed, player, before, after in rated.adjusted.rows:
        figures = (with_decimals(scale.read(rating), scale.places) for rating in (before, after))
        yield (rated.batch.name, speed, player, adjustment.adjustment_id, *figures)


def go_standing_row(player: str, state: GoState) -> Row:
    """A player at the end of a Go run."""
    points = state.points if state.kind == CERTIFIED else None
    wins = state.wins_in_bc if state.kind == BEGINNER else 0
    return (player, state.rank, points, state.rated_games, wins)


@cache
def ranks(twentyfourths: int) -> str:
    """A difference of ranks as a fraction: 36 is `3/2`."""
    return str(Fraction(twentyfourths, TWENTYFOURTHS))


def go_change_rows(rated: RatedGame) -> Iterator[Row]:
    """A game's two lines, Black's first."""
    for line in (rated.black, rated.white):
        yield (
            rated.game.game_id, line.player, line.opponent, line.before.rank, line.opponent_before.rank,
            None if line.difference is None else ranks(line.difference),
            None if line.upper is None else int(line.upper),
            None if line.won is None else int(line.won),
            line.points, line.verdict, line.after.rank, line.clause,
        )  # fmt: skip
