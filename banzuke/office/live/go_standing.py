"""Where a Go player stands now (rank, points, lines, what comes next), and the curve of the points."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from django.db.models import QuerySet

from banzuke.core.go_facts import CERTIFIED, GoProspects, GoState, Zone
from banzuke.database.models import LiveGame, LiveStanding, Pool
from banzuke.engine.go_ranking import strength
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live import live_ranking
from banzuke.office.live.live_codec import NEVER, moment_of, state_after
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.players_now import PlayersNow, read_players
from banzuke.office.public_names import Person

#: The most points of a curve, as more are not seen apart; of more games, how many of the last are drawn.
MOST_POINTS, LAST_GAMES = 400, 200


class Thresholds(NamedTuple):
    """The promotion line (None for 9d+) and the demotion line of a certified player, and the points to each.

    `source` is the file of the operator's border-zone table; blank: the project's own.
    """

    up: int | None
    to_up: int | None
    down: int
    to_down: int
    source: str


class Standing(NamedTuple):
    """A player now, and what comes next; `last_at` is the last game or declaration, None: there was none."""

    person: Person
    is_robot: bool
    state: GoState
    lines: Thresholds | None
    prospects: GoProspects
    place: int
    last_at: datetime | None


def find_standing(pool: Pool, player_id: str, now: datetime) -> Standing | None:
    """Where a player stands; None for nobody of that id. Raises NotLiveError."""
    return standing_of(pool, read_players(pool, [player_id]), player_id, now)


def standing_of(pool: Pool, there: PlayersNow, player_id: str, now: datetime) -> Standing | None:
    """The same of a player who was read with the pool already."""
    seat = there.seats.get(player_id)
    if seat is None:
        return None
    state, at = seat.state, seat.place.at
    edition, own = there.rules.edition_at(now), strength(state)
    return Standing(
        there.people[player_id],
        player_id in there.robots.now,
        state,
        lines_of(state, edition.zone),
        go_book(edition).prospects(state),
        live_ranking.places(pool, {own}, now)[own],
        None if at == NEVER else moment_of(at),
    )


def has_player(pool: Pool, player_id: str) -> bool:
    """Whether a Go pool has a player of that id, even one without a game."""
    return LiveStanding.objects.filter(pool=pool, player_id=player_id).exists()


def lines_of(state: GoState, zone: Zone) -> Thresholds | None:
    """The lines of a certified player's rank; None for all others."""
    if state.kind != CERTIFIED or state.half is None or state.points is None:
        return None
    up, down, points = zone.up[state.half], zone.down[state.half], state.points
    return Thresholds(up, None if up is None else up - points, down, points - down, zone.source)


class Point(NamedTuple):
    """A player after a game: its number among the player's, rank, points and lines (None: there are none)."""

    number: int
    ended: datetime
    rank: str
    points: int | None
    up: int | None
    down: int | None


class PointsCurve(NamedTuple):
    """The points that are drawn, in order, and how many games the player has in all."""

    points: list[Point]
    games: int


class _After(NamedTuple):
    number: int
    at: int
    state: GoState


def points_curve(pool: Pool, player: str, *, everything: bool = False) -> PointsCurve:
    """A player's points since first certified: of more than `MOST_POINTS` games the last `LAST_GAMES`.

    With `everything` those of all, of each stretch the lowest and the highest. Raises NotLiveError.
    """
    rules = synchronise(pool)
    own = {side: _games(pool, player, side) for side in ("black", "white")}
    games = sum(each.count() for each in own.values())
    wanted = LAST_GAMES if games > MOST_POINTS and not everything else games
    rows = [
        row
        for side, each in own.items()
        for row in each.values_list("at", "game_id", f"{side}_line")[:wanted]
    ]
    last = sorted(rows)[-wanted:]
    every = [
        _After(games - len(last) + number, at, state_after(line))
        for number, (at, _, line) in enumerate(last, 1)
    ]
    certified = [at for at, one in enumerate(every) if one.state.kind == CERTIFIED]
    since = every[certified[0] :] if certified else []
    return PointsCurve([_point(rules, one) for one in thin_out(since)], games)


def _games(pool: Pool, player: str, side: str) -> QuerySet[LiveGame]:
    """The games that a player played with a colour, the newest first."""
    return LiveGame.objects.filter(pool=pool, stands=True, **{side: player}).order_by("-at", "-game_id")


def thin_out(every: Sequence[_After]) -> Sequence[_After]:
    """At most `MOST_POINTS` of them: first, last, and the lowest and highest of each stretch between."""
    if len(every) <= MOST_POINTS:
        return every
    drawn = {every[0], every[-1]}
    stretches = MOST_POINTS // 2 - 1
    for number in range(stretches):
        stretch = every[number * len(every) // stretches : (number + 1) * len(every) // stretches]
        drawn |= {min(stretch, key=_height), max(stretch, key=_height)}
    return sorted(drawn, key=attrgetter("number"))


def _height(one: _After) -> tuple[bool, int]:
    points = one.state.points
    return points is not None, points or 0


def _point(rules: Rules, one: _After) -> Point:
    ended, state = moment_of(one.at), one.state
    lines = lines_of(state, rules.edition_at(ended).zone)
    up, down = (lines.up, lines.down) if lines else (None, None)
    return Point(one.number, ended, state.rank, state.points, up, down)
