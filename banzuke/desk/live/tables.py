"""The live tables in SQL: the one path on which a statement more or less is felt.

Every function takes a cursor within the transaction of its caller, who has locked the pool. The statements
are good on SQLite and on PostgreSQL; of moments and ids a row's place in time is made: later is greater.
"""

from __future__ import annotations

from datetime import UTC, datetime
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from banzuke.core.go import Declaration, GoGame
from banzuke.desk.live.written import NEVER, lines_from, micros, state_from, state_text
from banzuke.office.go_ranking import rung, strength

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from banzuke.core.go import GoLine, GoState

#: How many rows are written or fetched at once, and how many of a player's later games at first.
CHUNK, FIRST_STRETCH = 500, 20
#: Where a row has the game's id, and where the game's cells have its players.
_ID, _BLACK, _WHITE = 4, 2, 3
#: A game's columns, in the record's order.
GAME = (
    "g.game_id, g.ended, g.black, g.white, CASE WHEN v.id IS NULL THEN g.result ELSE 'void' END, g.handicap, "
    "g.komi, g.board, g.moves, g.room, g.pair, g.robot, CASE WHEN v.id IS NULL THEN g.fault ELSE '' END"
)
_VOIDED = "LEFT JOIN book_govoid v ON v.pool_id = g.pool_id AND v.game_id = g.game_id"
_ROW = f"SELECT l.id, l.at, l.black_line, l.white_line, {GAME}"
_KEPT = (
    f"{_ROW} FROM book_livegame l "
    f"JOIN book_gogame g ON g.pool_id = l.pool_id AND g.game_id = l.game_id {_VOIDED} "
    "WHERE l.pool_id = %s AND l.stands"
)
_KNOWN = (
    f"{_ROW} FROM book_gogame g "
    "LEFT JOIN book_livegame l ON l.pool_id = g.pool_id AND l.game_id = g.game_id AND l.stands "
    f"{_VOIDED} WHERE g.pool_id = %s"
)


class Place(NamedTuple):
    """When something was: games of one moment go by their ids, declarations come before them."""

    at: int
    game_id: str


#: The place of who has only come.
AT_FIRST = Place(NEVER, "")


class Seat(NamedTuple):
    """A player's state after all that there is of him, and the place of the last of it."""

    state: GoState
    place: Place


class Kept(NamedTuple):
    """A game as it is kept: its number in the feed, its place, both lines, and its own cells."""

    number: int
    place: Place
    black: str
    white: str
    cells: tuple[Any, ...]

    @property
    def players(self) -> tuple[str, str]:
        """Black and White."""
        return self.cells[_BLACK], self.cells[_WHITE]

    @property
    def lines(self) -> tuple[GoLine, GoLine]:
        """Black's line and White's."""
        return lines_from(*self.players, self.black, self.white)

    @property
    def game(self) -> GoGame:
        """The game itself."""
        return _game(self.cells)


class Locked(NamedTuple):
    """A pool that is held: to which entry its live standings have come, and its book's last.

    With the number of the last file of its rules, the newest game's end (microseconds since 1970), and how
    many hours before it a program may reach.
    """

    live: int | None
    last: int
    rules: int
    newest: int | None
    late_hours: int | None


def lock(cursor: Any, pool: int) -> Locked:
    """Wait until nobody else writes into the pool's book, and hold it till the transaction ends."""
    if connection.vendor == "postgresql":
        cursor.execute("SELECT 1 FROM book_pool WHERE id = %s FOR UPDATE", [pool])
    cursor.execute(
        "SELECT (SELECT entry FROM book_livepool WHERE pool_id = %s), "
        "(SELECT MAX(id) FROM book_entry WHERE pool_id = %s), "
        "(SELECT MAX(f.id) FROM book_poolfile f "
        "WHERE (SELECT e.pool_id FROM book_entry e WHERE e.id = f.entry_id) = %s), "
        "(SELECT MAX(at) FROM book_livegame WHERE pool_id = %s), "
        "(SELECT MAX(late_hours) FROM book_officesettings)",
        [pool, pool, pool, pool],
    )
    return Locked(*cursor.fetchone())


def seats(cursor: Any, pool: int, players: Collection[str]) -> dict[str, Seat]:
    """Where those players stand; who is unknown is left out."""
    cursor.execute(
        "SELECT player_id, state, at, game_id FROM book_livestanding "
        f"WHERE pool_id = %s AND player_id IN ({_marks(players)})",
        [pool, *players],
    )
    return {player: Seat(state_from(state), Place(at, last)) for player, state, at, last in cursor.fetchall()}


def known(cursor: Any, pool: int, games: Collection[str]) -> dict[str, Kept | None]:
    """Those of the games that the book has, by id; None for one that an inquiry struck."""
    cursor.execute(f"{_KNOWN} AND g.game_id IN ({_marks(games)})", [pool, *games])
    return {row[_ID]: None if row[0] is None else _kept(row) for row in cursor.fetchall()}


def kept_from(cursor: Any, pool: int, place: Place, most: int) -> list[Kept]:
    """The games from the moment of that place on, in order; so many at most."""
    cursor.execute(f"{_KEPT} AND l.at >= %s ORDER BY l.at, l.id LIMIT {most}", [pool, place.at])
    return list(_in_order(cursor.fetchall()))


def kept_of(cursor: Any, pool: int, player: str, place: Place) -> Iterator[Kept]:
    """A player's games after that place, in order; the cursor is free for others between two games."""
    sides = [_in_order(_rows_of(cursor, pool, side, player, place.at)) for side in ("black", "white")]
    return (kept for kept in merge(*sides, key=itemgetter(1)) if kept.place > place)


def _rows_of(cursor: Any, pool: int, side: str, player: str, at: int) -> Iterator[Any]:
    """Rows of a player's games on one side by end and number, fetched in stretches."""
    number, stretch = 0, FIRST_STRETCH
    while True:
        cursor.execute(
            f"{_KEPT} AND l.{side} = %s AND l.at >= %s AND (l.at > %s OR l.id > %s) "
            f"ORDER BY l.at, l.id LIMIT {stretch}",
            [pool, player, at, at, number],
        )
        rows = cursor.fetchall()
        yield from rows
        if len(rows) < stretch:
            return
        number, at, stretch = rows[-1][0], rows[-1][1], CHUNK


def _in_order(rows: Iterable[Any]) -> Iterator[Kept]:
    """Rows by end as games in order: those of one moment by their ids."""
    for _, same in groupby(rows, key=itemgetter(1)):
        yield from sorted(map(_kept, same), key=itemgetter(1))


def last_before(cursor: Any, pool: int, player: str, place: Place) -> Kept | None:
    """The player's last game before that place."""
    found = []
    for side in ("black", "white"):
        cursor.execute(
            f"{_KEPT} AND l.{side} = %s AND (l.at = %s OR l.at = (SELECT MAX(at) FROM book_livegame "
            f"WHERE pool_id = %s AND {side} = %s AND stands AND at < %s))",
            [pool, player, place.at, pool, player, place.at],
        )
        found += [each for each in map(_kept, cursor.fetchall()) if each.place < place]
    return max(found, key=itemgetter(1), default=None)


def declarations(cursor: Any, pool: int, players: Collection[str]) -> list[Declaration]:
    """Those players' declarations, in order."""
    cursor.execute(
        "SELECT player_id, at, rank FROM book_declaration d "
        f"WHERE pool_id = %s AND player_id IN ({_marks(players)}) AND NOT EXISTS (SELECT 1 "
        "FROM book_strike s WHERE s.\"table\" = 'declarations' AND s.row = d.id AND s.pool_id = d.pool_id)",
        [pool, *players],
    )
    found = [Declaration(player, datetime.fromisoformat(at), rank) for player, at, rank in cursor.fetchall()]
    return sorted(found, key=lambda each: (each.at, each.player_id))


def unrated(cursor: Any, pool: int, since: int) -> list[GoGame]:
    """The games that were entered after that entry, in order."""
    cursor.execute(
        f"SELECT {GAME} FROM book_gogame g {_VOIDED} WHERE g.pool_id = %s AND g.entry_id > %s", [pool, since]
    )
    return sorted(map(_game, cursor.fetchall()), key=place_of)


def set_aside_struck(cursor: Any, pool: int) -> None:
    """The lines of games that an inquiry struck no longer stand."""
    cursor.execute(
        "UPDATE book_livegame SET stands = %s WHERE pool_id = %s AND stands AND game_id IN "
        "(SELECT g.game_id FROM book_gogame g JOIN book_strike s ON s.row = g.id AND s.\"table\" = 'games' "
        "AND s.pool_id = g.pool_id WHERE g.pool_id = %s)",
        [False, pool, pool],
    )


def add_entry(cursor: Any, pool: int, author: str, act: str, why: str = "") -> int:
    """A new entry of the pool's book: its number."""
    cursor.execute(
        "INSERT INTO book_entry (pool_id, at, author, act, why) VALUES (%s, %s, %s, %s, %s) RETURNING id",
        [pool, connection.ops.adapt_datetimefield_value(datetime.now(UTC)), author, act, why],
    )
    number: int = cursor.fetchone()[0]
    return number


def add_games(cursor: Any, pool: int, games: Iterable[tuple[int, GoGame]]) -> None:
    """Facts: games, each under its entry."""
    rows = [(pool, entry, game.game_id, game.ended.isoformat(), *game[2:]) for entry, game in games]
    for some in _stretches(rows):
        cursor.execute(
            "INSERT INTO book_gogame (pool_id, entry_id, game_id, ended, black, white, result, handicap, "
            f"komi, board, moves, room, pair, robot, fault) VALUES {_tuples(some)}",
            _flat(some),
        )


def add_rated(cursor: Any, pool: int, rated: Iterable[tuple[int, Place, GoGame, str, str]]) -> dict[str, int]:
    """Games with their lines, in the order in which they were rated, each under its entry: their numbers."""
    rows = [
        (pool, entry, game.game_id, place.at, game.black, game.white, black, white, True)
        for entry, place, game, black, white in rated
    ]
    numbers: dict[str, int] = {}
    for some in _stretches(rows):
        cursor.execute(
            "INSERT INTO book_livegame (pool_id, entry_id, game_id, at, black, white, black_line, "
            f"white_line, stands) VALUES {_tuples(some)} RETURNING game_id, id",
            _flat(some),
        )
        numbers |= dict(cursor.fetchall())
    return numbers


def set_aside(cursor: Any, numbers: Sequence[int]) -> None:
    """Lines that no longer stand."""
    for some in _stretches(numbers):
        cursor.execute(f"UPDATE book_livegame SET stands = %s WHERE id IN ({_marks(some)})", [False, *some])


def seat(cursor: Any, pool: int, seated: Mapping[str, Seat]) -> None:
    """Where players stand from now on."""
    players = sorted(seated.items())
    rows = [(player, state_text(state), strength(state), *place) for player, (state, place) in players]
    for some in _stretches(rows):
        cursor.execute(
            f"WITH now (player, state, strength, at, game) AS (VALUES {_tuples(some)}) "
            "UPDATE book_livestanding SET state = now.state, strength = now.strength, at = now.at, "
            "game_id = now.game FROM now WHERE pool_id = %s AND player_id = now.player",
            [*_flat(some), pool],
        )


def put_on_rungs(cursor: Any, pool: int, states: Mapping[str, GoState]) -> None:
    """Whose rank is another stands on another rung."""
    rungs = [(player, rung(state)) for player, state in sorted(states.items())]
    for some in _stretches(rungs):
        cursor.execute(
            f"WITH now (player, rung) AS (VALUES {_tuples(some)}) "
            "UPDATE book_livestanding SET rung = now.rung FROM now "
            "WHERE pool_id = %s AND player_id = now.player AND book_livestanding.rung <> now.rung",
            [*_flat(some), pool],
        )


def come_to(cursor: Any, pool: int, entry: int) -> None:
    """The live standings hold what the book says up to that entry."""
    cursor.execute("UPDATE book_livepool SET entry = %s WHERE pool_id = %s", [entry, pool])


def place_of(game: GoGame) -> Place:
    """A game's place."""
    return Place(micros(game.ended), game.game_id)


def _kept(row: Sequence[Any]) -> Kept:
    number, at, black, white, *cells = row
    return Kept(number, Place(at, cells[0]), black, white, tuple(cells))


def _game(cells: Sequence[Any]) -> GoGame:
    game_id, ended, *rest = cells
    pair = rest[8]
    is_pair = None if pair is None else bool(pair)
    return GoGame._make((game_id, datetime.fromisoformat(ended), *rest[:8], is_pair, *rest[9:]))


def _stretches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))


def _flat(rows: Sequence[tuple[Any, ...]]) -> list[Any]:
    return [cell for row in rows for cell in row]


def _marks(of: Collection[Any]) -> str:
    return ", ".join(["%s"] * len(of)) or "NULL"


def _tuples(rows: Sequence[tuple[Any, ...]]) -> str:
    return ", ".join([f"({_marks(rows[0])})"] * len(rows))
