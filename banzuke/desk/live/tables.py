"""The live tables in SQL: the one path on which a statement more or less is felt.

Every function takes a cursor within the transaction of its caller, who has locked the pool. The statements are
good on SQLite and on PostgreSQL; of moments and ids a row's place in time is made: later is greater.
"""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.go import Declaration, GoGame
from banzuke.desk.live.written import micros, state_from, state_text
from banzuke.office.go_ranking import strength

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from banzuke.core.go import GoState

#: How many rows are fetched at once.
CHUNK = 500
#: A game's columns, in the record's order.
GAME = (
    "g.game_id, g.ended, g.black, g.white, CASE WHEN v.id IS NULL THEN g.result ELSE 'void' END, g.handicap, "
    "g.komi, g.board, g.moves, g.room, g.pair, g.robot, CASE WHEN v.id IS NULL THEN g.fault ELSE '' END"
)
_VOIDED = "LEFT JOIN book_govoid v ON v.pool_id = g.pool_id AND v.game_id = g.game_id"
_KEPT = (
    f"SELECT l.id, l.at, l.black_line, l.white_line, {GAME} FROM book_livegame l "
    f"JOIN book_gogame g ON g.pool_id = l.pool_id AND g.game_id = l.game_id {_VOIDED} "
    "WHERE l.pool_id = %s AND l.stands"
)


class Place(NamedTuple):
    """When something was: games of one moment go by their ids, declarations come before them."""

    at: int
    game_id: str


class Seat(NamedTuple):
    """A player's state after all that there is of him, and the place of the last of it."""

    state: GoState
    place: Place


class Kept(NamedTuple):
    """A game as it is kept: its number, its place, both lines, and the game itself."""

    number: int
    place: Place
    black: str
    white: str
    game: GoGame


class Locked(NamedTuple):
    """A pool that waits for nobody: the entry that its live standings have come to, its book's last entry, and
    the number of the last file of its rules."""

    live: int | None
    last: int
    rules: int


def lock(cursor: Any, pool: int) -> Locked:
    """Wait until nobody else writes into the pool's book, and hold it till the transaction ends."""
    if cursor.db.vendor == "postgresql":
        cursor.execute("SELECT 1 FROM book_pool WHERE id = %s FOR UPDATE", [pool])
    cursor.execute(
        "SELECT (SELECT entry FROM book_livepool WHERE pool_id = %s), "
        "(SELECT MAX(id) FROM book_entry WHERE pool_id = %s), "
        "(SELECT MAX(f.id) FROM book_poolfile f JOIN book_entry e ON e.id = f.entry_id WHERE e.pool_id = %s)",
        [pool, pool, pool],
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


def kept(cursor: Any, pool: int, games: Collection[str]) -> dict[str, Kept]:
    """Those of the games that are there, by id."""
    cursor.execute(f"{_KEPT} AND l.game_id IN ({_marks(games)})", [pool, *games])
    return {each.game.game_id: each for each in map(_kept, cursor.fetchall())}


def kept_from(cursor: Any, pool: int, place: Place) -> Iterator[Kept]:
    """The games at that place and later, in order."""
    cursor.execute(f"{_KEPT} AND l.at >= %s ORDER BY l.at", [pool, place.at])
    for _, same in groupby(_fetched(cursor), key=itemgetter(1)):
        games = sorted(map(_kept, same), key=itemgetter(1))
        yield from (each for each in games if each.place >= place)


def last_before(cursor: Any, pool: int, player: str, place: Place) -> Kept | None:
    """The player's last game before that place."""
    found = []
    for side in ("black", "white"):
        cursor.execute(
            f"{_KEPT} AND l.{side} = %s AND l.at = (SELECT MAX(at) FROM book_livegame WHERE pool_id = %s "
            f"AND {side} = %s AND stands AND (at < %s OR at = %s AND game_id < %s))",
            [pool, player, pool, player, place.at, place.at, place.game_id],
        )
        found += [each for each in map(_kept, cursor.fetchall()) if each.place < place]
    return max(found, key=itemgetter(1), default=None)


def declarations(cursor: Any, pool: int, players: Collection[str]) -> list[Declaration]:
    """Those players' declarations, in order."""
    cursor.execute(
        f"SELECT player_id, at, rank FROM book_declaration WHERE pool_id = %s AND player_id IN ({_marks(players)})",
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
        "UPDATE book_livegame SET stands = %s WHERE pool_id = %s AND stands AND game_id IN (SELECT g.game_id "
        "FROM book_gogame g JOIN book_strike s ON s.row = g.id AND s.\"table\" = 'games' WHERE g.pool_id = %s)",
        [False, pool, pool],
    )


def add_entry(cursor: Any, pool: int, author: str, act: str, why: str = "") -> int:
    """A new entry of the pool's book: its number."""
    cursor.execute(
        "INSERT INTO book_entry (pool_id, at, author, act, why) VALUES (%s, %s, %s, %s, %s) RETURNING id",
        [pool, datetime.now(UTC), author, act, why],
    )
    number: int = cursor.fetchone()[0]
    return number


def add_games(cursor: Any, pool: int, games: Iterable[tuple[int, GoGame]]) -> None:
    """Facts: games, each under its entry."""
    cursor.executemany(
        "INSERT INTO book_gogame (pool_id, entry_id, game_id, ended, black, white, result, handicap, komi, board, "
        "moves, room, pair, robot, fault) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (pool, entry, game.game_id, game.ended.isoformat(), *game[2:])
            for entry, game in games
        ],
    )


def add_rated(cursor: Any, pool: int, rated: Iterable[tuple[int, Place, GoGame, str, str]]) -> None:
    """Games with their lines, in the order in which they were rated, each under its entry."""
    cursor.executemany(
        "INSERT INTO book_livegame (pool_id, entry_id, game_id, at, black, white, black_line, white_line, stands) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            (pool, entry, game.game_id, place.at, game.black, game.white, black, white, True)
            for entry, place, game, black, white in rated
        ],
    )


def set_aside(cursor: Any, numbers: Sequence[int]) -> None:
    """Lines that no longer stand."""
    cursor.executemany("UPDATE book_livegame SET stands = %s WHERE id = %s", [(False, each) for each in numbers])


def seat(cursor: Any, pool: int, seated: Mapping[str, Seat]) -> None:
    """Where players stand from now on."""
    cursor.executemany(
        "UPDATE book_livestanding SET state = %s, strength = %s, at = %s, game_id = %s "
        "WHERE pool_id = %s AND player_id = %s",
        [
            (state_text(state), strength(state), *place, pool, player)
            for player, (state, place) in sorted(seated.items())
        ],
    )


def come_to(cursor: Any, pool: int, entry: int) -> None:
    """The live standings hold what the book says up to that entry."""
    cursor.execute("UPDATE book_livepool SET entry = %s WHERE pool_id = %s", [entry, pool])


def place_of(game: GoGame) -> Place:
    """A game's place."""
    return Place(micros(game.ended), game.game_id)


def _kept(row: Sequence[Any]) -> Kept:
    number, at, black, white, *cells = row
    game = _game(cells)
    return Kept(number, Place(at, game.game_id), black, white, game)


def _game(cells: Sequence[Any]) -> GoGame:
    game_id, ended, *rest = cells
    pair = rest[8]
    return GoGame(
        game_id, datetime.fromisoformat(ended), *rest[:8], None if pair is None else bool(pair), *rest[9:]
    )


def _fetched(cursor: Any) -> Iterator[Any]:
    while rows := cursor.fetchmany(CHUNK):
        yield from rows


def _marks(of: Collection[Any]) -> str:
    return ", ".join(["%s"] * len(of)) or "NULL"
