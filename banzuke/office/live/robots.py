"""Players who are robots: the office sets the `robot` of their games where a program forgot it.

The ledger has no such player, only games that a robot played. So the flag is set as a game is taken, and
`banzuke rate` makes the same of the exported ledger. Whoever becomes a robot later is one in games that come
from then on.
"""

from typing import NamedTuple

from banzuke.core.go_facts import GoGame
from banzuke.database.models import GoRobot, Pool
from banzuke.office.live.last_row_cache import LastRowCache
from banzuke.office.raw_sql import Statements, newest_of_pool

BLACK, WHITE = "black", "white"


class Robots(NamedTuple):
    """The ids of a pool's players who are robots `now`, and of those who `ever` were."""

    now: frozenset[str] = frozenset()
    ever: frozenset[str] = frozenset()

    def side(self, black: str, white: str) -> str:
        """The side that a robot plays: Black where both are; blank where neither is."""
        return BLACK if black in self.now else WHITE if white in self.now else ""

    def marked(self, game: GoGame) -> GoGame:
        """A game with its robot, also where nobody said so."""
        if game.robot or not self.now:
            return game
        return game._replace(robot=self.side(game.black, game.white))

    def as_there(self, sent: GoGame, there: GoGame) -> GoGame:
        """A game as it was sent, with the robot that it has in the office where nobody said so."""
        side = {BLACK: there.black, WHITE: there.white}.get(there.robot)
        return sent._replace(robot=there.robot) if not sent.robot and side in self.ever else sent


NO_ROBOTS = Robots()
_known = LastRowCache[Robots]()


def find_robots(pool: Pool) -> Robots:
    """The robots of a pool as it is now."""
    last = Statements().repeat(f"SELECT {newest_of_pool('id', 'book_gorobot')}", [pool.pk])
    return robots_of(pool, last.fetchone()[0])


def robots_of(pool: Pool, last: int | None) -> Robots:
    """The robots of a pool whose last row has that number; None: no player ever was a robot."""
    return NO_ROBOTS if last is None else _known.find(pool, last, _read)


def _read(pool: Pool) -> Robots:
    rows = GoRobot.objects.filter(pool=pool).order_by("pk").values_list("player_id", "robot")
    said = dict(rows)
    return Robots(
        frozenset(player for player, is_robot in said.items() if is_robot),
        frozenset(player for player, is_robot in rows if is_robot),
    )
