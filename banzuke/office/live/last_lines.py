"""Reads the last lines of players before given games from the database."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from banzuke.office.live.live_rows import NEXT_LINES, TimeKey
from banzuke.office.live.live_tables import LiveTables

#: Of so many players the last lines are read by one statement.
AT_ONCE = 100
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
    """Ask for the last lines of players with each colour, so many at least; gives what fetches them.

    Lines of after the place may be among them. The moment is compared here, not in the statement: PostgreSQL
    would read all games between the two by the index on their ends.
    """
    stretches = [wanted[at : at + AT_ONCE] for at in range(0, len(wanted), AT_ONCE)]
    limit = most + 2  # with the game itself, and one more, which tells whether the others are whole
    answers = [tables.db.repeat(_statement(len(some), limit), _values(tables, some)) for some in stretches]

    def fetch() -> Iterator[LineFound]:
        for some, rows in zip(stretches, answers, strict=True):
            found: dict[tuple[int, str], list[LineFound]] = {}
            for at, game_id, text, number, side in rows.fetchall():
                line = LineFound(TimeKey(at, game_id), some[number].player, text)
                found.setdefault((number, side), []).append(line)
            for (number, side), lines in found.items():
                is_cut = len(lines) == limit and _may_lack_some(lines, some[number].before, most)
                every = _all_lines(tables, side, some[number]) if is_cut else lines
                yield from (line for line in every if line.place.at > some[number].after)

    return fetch


def _may_lack_some(lines: Sequence[LineFound], before: TimeKey, most: int) -> bool:
    """Whether others may count, too: of games that ended at one moment, the index gives any first."""
    first = lines[-1].place.at
    return sum(first < line.place.at and line.place < before for line in lines) < most


def _all_lines(tables: LiveTables, side: str, wanted: LinesWanted) -> list[LineFound]:
    """All lines of a player with that colour after the moment, up to that of the place."""
    rows = tables.db.repeat(
        f"SELECT l.at, l.game_id, COALESCE(n.{side}_line, l.{side}_line) FROM book_livegame l {NEXT_LINES} "  # noqa: S608  # no input
        f"WHERE l.pool_id = %s AND l.stands AND l.{side} = %s AND l.at > %s AND l.at <= %s",
        [tables.pool.pk, wanted.player, wanted.after, wanted.before.at],
    ).fetchall()
    return [LineFound(TimeKey(at, game_id), wanted.player, text) for at, game_id, text in rows]


def _values(tables: LiveTables, wanted: Sequence[LinesWanted]) -> list[Any]:
    return [
        value for each in wanted for _ in SIDES for value in (tables.pool.pk, each.player, each.before.at)
    ]


@cache
def _statement(players: int, limit: int) -> str:
    """The statement for so many players; it gives each row the player's number, and the last rows first."""
    parts = [
        f"SELECT * FROM (SELECT pool_id, at, game_id, {side}_line AS line, {number} AS number, "  # noqa: S608  # no input
        f"'{side}' AS side FROM book_livegame WHERE pool_id = %s AND stands AND {side} = %s AND at <= %s "
        f"ORDER BY at DESC LIMIT {limit}) AS of_{side}"
        for number in range(players)
        for side in SIDES
    ]
    every = " UNION ALL ".join(parts)
    line = "COALESCE(CASE l.side WHEN 'black' THEN n.black_line ELSE n.white_line END, l.line)"
    return f"SELECT l.at, l.game_id, {line}, l.number, l.side FROM ({every}) AS l {NEXT_LINES}"  # noqa: S608  # no input
