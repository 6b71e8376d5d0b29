"""The columns by which a stored game is read, and what rows become: `StoredGame`, `Seat`, `TimeKey`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from banzuke.core.go_facts import GoGame, GoLine, GoState
from banzuke.database.models import VOIDS
from banzuke.office.live.live_codec import NEVER, lines_from, micros

#: A game's columns, in the record's order.
GAME = (
    "g.game_id, g.ended, g.black, g.white, CASE WHEN v.id IS NULL THEN g.result ELSE 'void' END, g.handicap, "
    "g.komi, g.board, g.moves, g.room, g.pair, g.robot, CASE WHEN v.id IS NULL THEN g.fault ELSE '' END"
)
#: Joins the voiding `v` that stands to the game `g`.
VOIDED = (
    "LEFT JOIN book_govoid v ON v.pool_id = g.pool_id AND v.game_id = g.game_id "
    f'AND NOT EXISTS (SELECT 1 FROM book_strike s WHERE s."table" = \'{VOIDS}\' AND s."row" = v.id)'
)
#: The columns of a row: the lines are those by the pool's new rules, where the feed does not tell them yet.
ROW = "SELECT l.id, l.at, COALESCE(n.black_line, l.black_line), COALESCE(n.white_line, l.white_line), " + GAME
#: Joins the lines `n` by new rules to the lines `l`, as long as the feed does not tell all of them.
NEXT_LINES = (
    "LEFT JOIN book_nextgame n ON n.pool_id = l.pool_id AND n.game_id = l.game_id AND n.stands "
    "AND EXISTS (SELECT 1 FROM book_nextpool p WHERE p.pool_id = l.pool_id AND p.in_force IS NOT NULL)"
)
#: Where a row of `ROW` has the game's id; where cells of `GAME` have its players.
ROW_GAME_ID, _CELL_BLACK, _CELL_WHITE = 4, 2, 3


class TimeKey(NamedTuple):
    """Where a game or declaration stands in time: its moment, then the game's id.

    The id is blank, so first, for a declaration.
    """

    at: int
    game_id: str


#: The place of who has only come.
AT_FIRST = TimeKey(NEVER, "")


class Seat(NamedTuple):
    """A player's state after everything so far, and the place of the last of it."""

    state: GoState
    place: TimeKey


class StoredGame(NamedTuple):
    """A stored game: its number in the feed, its place, both lines as text, and its own cells."""

    number: int
    place: TimeKey
    black: str
    white: str
    cells: tuple[Any, ...]

    @property
    def players(self) -> tuple[str, str]:
        """Black and White."""
        return self.cells[_CELL_BLACK], self.cells[_CELL_WHITE]

    def text_of(self, player: str) -> str:
        """The line of one of its players, as text."""
        return self.black if self.players[0] == player else self.white

    @property
    def lines(self) -> tuple[GoLine, GoLine]:
        """Black's line and White's."""
        return lines_from(*self.players, self.black, self.white)

    @property
    def game(self) -> GoGame:
        """The game itself."""
        return game_of(self.cells)


#: A stored game in brief: its place, its players, and its number in the feed.
Brief = tuple[tuple[int, str], str, str, int]


def place_of(game: GoGame) -> TimeKey:
    """A game's place."""
    return TimeKey(micros(game.ended), game.game_id)


def stored_game(row: Sequence[Any]) -> StoredGame:
    """A row that has the columns of `ROW`."""
    number, at, black, white, *cells = row
    return StoredGame(number, TimeKey(at, cells[0]), black, white, tuple(cells))


def in_order(rows: Iterable[Any]) -> Iterator[StoredGame]:
    """Rows by end as games in order: those of one moment by their ids."""
    for _, same in groupby(rows, key=itemgetter(1)):
        yield from sorted(map(stored_game, same), key=itemgetter(1))


def game_of(cells: Sequence[Any]) -> GoGame:
    """The game whose columns are those of `GAME`."""
    game_id, ended, *rest = cells
    pair = rest[8]
    is_pair = None if pair is None else bool(pair)
    return GoGame._make((game_id, datetime.fromisoformat(ended), *rest[:8], is_pair, *rest[9:]))
