"""A Go player's games, the newest first, each with what it did for both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.database.models import LiveGame
from banzuke.office.live import queries
from banzuke.office.live.queries import Place
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from banzuke.core.go_facts import GoGame, GoLine
    from banzuke.database.models import Pool

PAGE = 100
#: How many games are looked through for those that counted, or did not, before the page ends as it is.
MOST_LOOKED_THROUGH = 2_000


class PlayedGame(NamedTuple):
    """A game with the lines of both sides; `number` is its place in the feed."""

    number: int
    game: GoGame
    black: GoLine
    white: GoLine

    def line(self, player: str) -> GoLine:
        """The line of one of its players."""
        return self.black if self.black.player == player else self.white

    def opponents_line(self, player: str) -> GoLine:
        """The line of the other."""
        return self.white if self.black.player == player else self.black


class Page(NamedTuple):
    """Games, the newest first; `next` is the game after which the following page begins, blank at the end."""

    games: list[PlayedGame]
    next: str


def counts(line: GoLine) -> bool:
    """Whether a game counted for a side: it moved points, or more changed than which were rated."""
    return line.points is not None or line.after._replace(last_two=()) != line.before._replace(last_two=())


def games_of(
    pool: Pool, player: str, after: str = "", limit: int = PAGE, counted: bool | None = None
) -> Page:
    """A player's games that are older than the game `after`; `counted`: only those that did, or did not.

    Raises NotLiveError, and LookupError where there is no game `after`.
    """
    up_to_date(pool)
    place = _place(pool, after) if after else None
    found: list[PlayedGame] = []
    looked, last = 0, after
    for game in _games(pool, player, place, limit + 1):
        if len(found) == limit or looked == MOST_LOOKED_THROUGH:
            return Page(found, last)
        looked, last = looked + 1, game.game.game_id
        if counted is None or counts(game.line(player)) == counted:
            found.append(game)
    return Page(found, "")


def _place(pool: Pool, game_id: str) -> Place:
    at = LiveGame.objects.filter(pool=pool, game_id=game_id).values_list("at", flat=True).first()
    if at is None:
        raise LookupError(game_id)
    return Place(at, game_id)


def _games(pool: Pool, player: str, place: Place | None, stretch: int) -> Iterator[PlayedGame]:
    """The player's games before a place (None: all), the newest first, read in stretches."""
    while True:
        places = _places(pool, player, place, stretch)
        yield from games_at(pool, places)
        if len(places) < stretch:
            return
        place = places[-1]


def _places(pool: Pool, player: str, place: Place | None, count: int) -> list[Place]:
    """Those of the player's games, by the index of each colour."""
    every = LiveGame.objects.filter(pool=pool, stands=True)
    found = [
        each
        for games in (every.filter(black=player), every.filter(white=player))
        for each in _newest(games, place, count)
    ]
    return sorted(found, reverse=True)[:count]


def _newest(games: QuerySet[LiveGame], place: Place | None, count: int) -> list[Place]:
    """So many of the games before a place, or more: of one moment all, as databases order ids otherwise."""
    rows = games.values_list("at", "game_id")
    older = rows if place is None else rows.filter(at__lt=place.at)
    found = [Place(*row) for row in older.order_by("-at")[:count]]
    moments = set() if place is None else {place.at}
    if len(found) == count:
        moments.add(found[-1].at)
    same = [Place(*row) for row in rows.filter(at__in=moments)] if moments else []
    return [each for each in found if each.at not in moments] + [
        each for each in same if place is None or each < place
    ]


def games_at(pool: Pool, places: Sequence[Place]) -> list[PlayedGame]:
    """The games of those places, in that order; one that an inquiry has struck meanwhile is left out."""
    ids = [place.game_id for place in places]
    known = queries.games_by_id(Statements(), pool.pk, ids)
    return [
        PlayedGame(stored.number, stored.game, *stored.lines)
        for stored in map(known.get, ids)
        if stored is not None
    ]
