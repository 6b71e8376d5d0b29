"""A Go player's points game by game, between the lines of his rank then, thinned out to what can be drawn."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from banzuke.book.models import LiveGame
from banzuke.core.go import CERTIFIED
from banzuke.desk.live.reading import up_to_date
from banzuke.desk.live.standing import lines_of
from banzuke.desk.live.written import after, moment_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from banzuke.book.models import Pool
    from banzuke.core.go import GoState
    from banzuke.ledger.pool import Pool as Rules

#: The most points that a curve has: more are not seen side by side.
MOST = 400


class Point(NamedTuple):
    """A player after a game: its number among his, his rank, points and lines (None: he has none)."""

    number: int
    ended: datetime
    rank: str
    points: int | None
    up: int | None
    down: int | None


class Curve(NamedTuple):
    """The points that are drawn, in order, and of how many games since he was certified first."""

    points: list[Point]
    games: int

    @property
    def is_thinned(self) -> bool:
        """Whether games are left out."""
        return len(self.points) < self.games


class _After(NamedTuple):
    number: int
    at: int
    state: GoState


def curve(pool: Pool, player: str) -> Curve:
    """A player's points since he was certified first; of many games, the lowest and highest of each stretch.

    Raises NotLiveError.
    """
    rules = up_to_date(pool)
    every = _states(pool, player)
    certified = [at for at, one in enumerate(every) if one.state.kind == CERTIFIED]
    since = every[certified[0] :] if certified else []
    return Curve([_point(rules, one) for one in thinned(since)], len(since))


def _states(pool: Pool, player: str) -> list[_After]:
    games = LiveGame.objects.filter(Q(black=player) | Q(white=player), pool=pool, stands=True)
    rows = games.values_list("at", "game_id", "black", "black_line", "white_line")
    found = sorted((at, game, own if black == player else other) for at, game, black, own, other in rows)
    return [_After(number, at, after(line)) for number, (at, _, line) in enumerate(found, 1)]


def thinned(every: Sequence[_After]) -> Sequence[_After]:
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
