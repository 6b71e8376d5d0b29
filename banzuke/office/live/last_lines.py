"""Reads the last lines of players before given games from the database."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from banzuke.office.live.live_rows import NEXT_LINES, TimeKey
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.raw_sql import by_code_points, is_postgresql

#: Of so many players the last lines are read by one statement. SQLite sorts the lines of each player and
#: colour at the same time, and with many that takes ten times as long; PostgreSQL is better asked once.
AT_ONCE_ON_SQLITE, AT_ONCE_ON_POSTGRESQL = 2, 100
SIDES = ("black", "white")


class LinesWanted(NamedTuple):
    """Whose lines: those before a place, and after a moment (microseconds since 1970)."""

    player: str
    after: int
    before: TimeKey


class LineFound(NamedTuple):
    """A line as text, with its game's place."""

    place: TimeKey
    player: str
    text: str


def ask_last_lines(
    tables: LiveTables, wanted: Sequence[LinesWanted], most: int
) -> Callable[[], Iterator[LineFound]]:
    """Ask for the last lines of players with each colour, so many at most; gives what fetches them.

    The moment is compared here, not in the statement: PostgreSQL would read all games between the two by the
    index on their ends.
    """
    at_once = AT_ONCE_ON_POSTGRESQL if is_postgresql() else AT_ONCE_ON_SQLITE
    stretches = [wanted[at : at + at_once] for at in range(0, len(wanted), at_once)]
    answers = [tables.db.repeat(_statement(len(some), most), _values(tables, some)) for some in stretches]
    return lambda: (
        LineFound(TimeKey(at, game_id), player, text)
        for some, rows in zip(stretches, answers, strict=True)
        for at, game_id, player, text, number in rows.fetchall()
        if at > some[number].after
    )


def _values(tables: LiveTables, wanted: Sequence[LinesWanted]) -> list[Any]:
    return [
        value
        for player, _, (at, game_id) in wanted
        for _ in SIDES
        for value in (tables.pool.pk, player, at, at, game_id)
    ]


@cache
def _statement(players: int, most: int) -> str:
    """The statement for so many players; it gives each row the player's number."""
    game_id = by_code_points("game_id")
    parts = [
        f"SELECT * FROM (SELECT pool_id, at, game_id, '{side}' AS side, {side} AS player, "  # noqa: S608  # no input
        f"{side}_line AS line, {number} AS number FROM book_livegame "
        f"WHERE pool_id = %s AND stands AND {side} = %s AND at <= %s AND (at < %s OR {game_id} < %s) "
        f"ORDER BY at DESC, {game_id} DESC LIMIT {most}) AS of_{side}"
        for number in range(players)
        for side in SIDES
    ]
    every = " UNION ALL ".join(parts)
    line = "COALESCE(CASE l.side WHEN 'black' THEN n.black_line ELSE n.white_line END, l.line)"
    return f"SELECT l.at, l.game_id, l.player, {line}, l.number FROM ({every}) AS l {NEXT_LINES}"  # noqa: S608  # no input
