"""Players of a Go pool as they are now, with all else that an answer about them rests on: one statement."""

from collections.abc import Collection
from typing import Any, NamedTuple

from banzuke.database.models import Pool
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.live.go_rules import current_rules
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_pool import STANDS, synchronise
from banzuke.office.live.live_rows import Seat, TimeKey
from banzuke.office.live.robots import Robots, robots_of
from banzuke.office.public_names import Person, go_people_of, go_person_columns
from banzuke.office.raw_sql import Statements, in_values, newest_of_pool

#: Of the pool, in each row; of a player's seat; of the player.
_POOL = f"{STANDS}, {newest_of_pool('id', 'book_gorobot')}"
_SEAT, _OF_SEAT = "s.state, s.at, s.game_id", slice(3, 6)
_PERSON, _OF_PERSON = f"s.player_id, {go_person_columns('s')}", slice(6, 10)
#: What the published lists say of a player changes with the last row of one of these tables alone.
_LAST_ROWS = "".join(
    f", (SELECT MAX(id) FROM {table})"  # noqa: S608  # no input
    for table in ("book_ratinglist", "book_contact", "book_merge", "book_erasure")
)
#: There is a row without a player, too.
_PLAYERS = "FROM (SELECT 1 AS one) AS pool LEFT JOIN book_livestanding s ON s.pool_id = %s AND s.player_id"


class PlayersNow(NamedTuple):
    """A pool's rules and robots; by id, where players stand and who they are, without those it does not have.

    `last_rows`, where asked for: what the published lists say of a player is the same as long as these are.
    """

    rules: Rules
    robots: Robots
    seats: dict[str, Seat]
    people: dict[str, Person]
    last_rows: tuple[int | None, ...]


def read_players(pool: Pool, ids: Collection[str], *, with_last_rows: bool = False) -> PlayersNow:
    """The players of these ids. Raises NotLiveError."""
    columns = f"{_POOL}, {_SEAT}, {_PERSON}{_LAST_ROWS if with_last_rows else ''}"
    rows = _read(columns, pool, ids)
    if rows[0][0] > 0:
        synchronise(pool)
        rows = _read(columns, pool, ids)
    _, rules_mark, last_robot, *_ = rows[0]
    there = [(row[_OF_SEAT], row[_OF_PERSON]) for row in rows if row[_OF_SEAT][0] is not None]
    return PlayersNow(
        current_rules(pool, rules_mark),
        robots_of(pool, last_robot),
        {player: Seat(state_from(state), TimeKey(*place)) for (state, *place), (player, *_) in there},
        go_people_of(pool, [person for _, person in there]),
        tuple(rows[0][_OF_PERSON.stop :]),
    )


def _read(columns: str, pool: Pool, ids: Collection[str]) -> list[Any]:
    one_of, values = in_values(ids)
    text = f"SELECT {columns} {_PLAYERS} {one_of}"
    rows: list[Any] = Statements().repeat(text, [pool.pk] * 4 + values).fetchall()
    return rows
