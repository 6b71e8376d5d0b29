"""A Go player's points game by game, between the lines of the rank then, thinned out to what can be drawn."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go_facts import CERTIFIED
from banzuke.database.models import LiveGame
from banzuke.office.live.go_standing import lines_of
from banzuke.office.live.live_codec import after, moment_of
from banzuke.office.live.synchronisation import up_to_date

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from banzuke.core.go_facts import GoState
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules

#: The most points of a curve, as more are not seen apart; of more games, how many of the last are drawn.
MOST, LAST = 400, 200


class Point(NamedTuple):
    """A player after a game: its number among the player's, rank, points and lines (None: there are none)."""

    number: int
    ended: datetime
    rank: str
    points: int | None
    up: int | None
    down: int | None


class Curve(NamedTuple):
    """The points that are drawn, in order, and how many games the player has in all."""

    points: list[Point]
    games: int


class _After(NamedTuple):
    number: int
    at: int
    state: GoState


def curve(pool: Pool, player: str, *, everything: bool = False) -> Curve:
    """A player's points since first certified: of more than `MOST` games those of the last `LAST`.

    With `everything` those of all, of each stretch the lowest and the highest. Raises NotLiveError.
    """
    rules = up_to_date(pool)
    own = {side: _games(pool, player, side) for side in ("black", "white")}
    games = sum(each.count() for each in own.values())
    wanted = LAST if games > MOST and not everything else games
    rows = [
        row
        for side, each in own.items()
        for row in each.values_list("at", "game_id", f"{side}_line")[:wanted]
    ]
    last = sorted(rows)[-wanted:]
    every = [
        _After(games - len(last) + number, at, after(line)) for number, (at, _, line) in enumerate(last, 1)
    ]
    certified = [at for at, one in enumerate(every) if one.state.kind == CERTIFIED]
    since = every[certified[0] :] if certified else []
    return Curve([_point(rules, one) for one in thin_out(since)], games)


def _games(pool: Pool, player: str, side: str) -> QuerySet[LiveGame]:
    """The games that a player played with a colour, the newest first."""
    return LiveGame.objects.filter(pool=pool, stands=True, **{side: player}).order_by("-at", "-game_id")


def thin_out(every: Sequence[_After]) -> Sequence[_After]:
    """At most `MOST` of them: the first, the last, and the lowest and highest of each stretch between."""
    if len(every) <= MOST:
        return every
    kept = {every[0], every[-1]}
    stretches = MOST // 2 - 1
    for number in range(stretches):
        stretch = every[number * len(every) // stretches : (number + 1) * len(every) // stretches]
        kept |= {min(stretch, key=_height), max(stretch, key=_height)}
    return sorted(kept, key=attrgetter("number"))


def _height(one: _After) -> tuple[bool, int]:
    points = one.state.points
    return points is not None, points or 0


def _point(rules: Rules, one: _After) -> Point:
    ended, state = moment_of(one.at), one.state
    lines = lines_of(state, rules.edition_at(ended).zone)
    up, down = (lines.up, lines.down) if lines else (None, None)
    return Point(one.number, ended, state.rank, state.points, up, down)
