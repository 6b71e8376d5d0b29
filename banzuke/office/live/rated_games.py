"""The games of a Go pool with what they did: the feed in the order of rating, and each player's games."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import OuterRef, QuerySet

from banzuke.core.go_facts import VOID, GoGame, GoLine
from banzuke.database.models import LiveGame, Pool
from banzuke.office.live.live_codec import lines_from, moment_of
from banzuke.office.live.live_pool import ENTRIES_BEHIND, STANDS, catch_up_if_behind, synchronise
from banzuke.office.live.live_rows import TimeKey
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.raw_sql import newest_of_pool

GAMES_A_PAGE = 100
#: How many games are looked through for those that counted, or did not, before the page ends as it is.
MOST_LOOKED_THROUGH = 2_000
_NEWEST = f"SELECT COALESCE({newest_of_pool('id', 'book_livegame')}, 0)"
#: How the live standings stand to the book, and the number of the pool's last change.
_STANDS = f"SELECT {STANDS}, ({_NEWEST})"
_HAS_NEWS = f"SELECT ({_NEWEST}) > %s OR ({ENTRIES_BEHIND}) > 0"
#: The feed after a number: as a row of the live games has it, and whether the game has a row before.
_FEED = (
    "SELECT l.id, l.game_id, l.at, EXISTS (SELECT 1 FROM book_livegame e WHERE e.pool_id = l.pool_id "
    "AND e.game_id = l.game_id AND e.id < l.id), l.black, l.white, l.black_line, l.white_line "
    "FROM book_livegame l WHERE l.pool_id = %s AND l.id > %s {only} ORDER BY l.id LIMIT %s"
)
_OF_PLAYER = "AND (l.black = %s OR l.white = %s)"


class FeedEntry(NamedTuple):
    """A game that was rated; `is_again`: it had been rated before, and this is what holds instead.

    `result` is the game's as it stands; `void` of one that was annulled or struck. `game` is None for one
    that was struck.
    """

    number: int
    game_id: str
    ended: datetime
    result: str
    game: GoGame | None
    is_again: bool
    black: GoLine
    white: GoLine


def changes_after(pool: Pool, after: int, limit: int, player: str = "") -> list[FeedEntry]:
    """What was rated after the change of that number, in order; of one player (blank: of all).

    No number is passed over: whoever writes a pool's games holds the pool's lock until they are committed, so
    numbers become visible in their order. Raises NotLiveError.
    """
    tables = LiveTables(pool)
    behind, rules_mark, newest = tables.db.repeat(_STANDS, [pool.pk] * 3).fetchone()
    catch_up_if_behind(pool, behind, rules_mark)
    if behind <= 0 and newest <= after:
        return []
    only, players = (_OF_PLAYER, [player, player]) if player else ("", [])
    rows = tables.db.execute(_FEED.format(only=only), [pool.pk, after, *players, limit]).fetchall()
    stored = tables.standing_games(row[1] for row in rows) if rows else {}
    games = {game_id: each.game for game_id, each in stored.items()}
    return [
        FeedEntry(
            number,
            game_id,
            moment_of(at),
            games[game_id].result if game_id in games else VOID,
            games.get(game_id),
            bool(is_again),
            *lines_from(*texts),
        )
        for number, game_id, at, is_again, *texts in rows
    ]


def newest_number(pool: Pool) -> int:
    """The number of the pool's last change; 0 if there is none."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [pool.pk])
        return int(cursor.fetchone()[0])


def has_news(pool: Pool, after: int) -> bool:
    """Whether the feed has, or will have once it is read, something after the change of that number."""
    with connection.cursor() as cursor:
        cursor.execute(_HAS_NEWS, [pool.pk, after, pool.pk, pool.pk])
        return bool(cursor.fetchone()[0])


def earlier_rows(pool: Pool) -> QuerySet[LiveGame]:
    """Within a query of a pool's live games: each one's rows before."""
    return LiveGame.objects.filter(pool=pool, game_id=OuterRef("game_id"), pk__lt=OuterRef("pk"))


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


class GamesPage(NamedTuple):
    """Games, the newest first; `next` is the game after which the following page begins, blank at the end."""

    games: list[PlayedGame]
    next: str


def is_counted(line: GoLine) -> bool:
    """Whether a game counted for a side: it moved points, or changed the state in more than `last_two`."""
    return line.points is not None or line.after._replace(last_two=()) != line.before._replace(last_two=())


def games_of_player(
    pool: Pool, player: str, after: str = "", limit: int = GAMES_A_PAGE, counted: bool | None = None
) -> GamesPage:
    """A player's games that are older than the game `after`; `counted`: only those that did, or did not.

    Raises NotLiveError, and LookupError where there is no game `after`.
    """
    synchronise(pool)
    place = _place(pool, after) if after else None
    found: list[PlayedGame] = []
    count, last = 0, after
    for game in _games(pool, player, place, limit + 1):
        if len(found) == limit or count == MOST_LOOKED_THROUGH:
            return GamesPage(found, last)
        count, last = count + 1, game.game.game_id
        if counted is None or is_counted(game.line(player)) == counted:
            found.append(game)
    return GamesPage(found, "")


def _place(pool: Pool, game_id: str) -> TimeKey:
    at = LiveGame.objects.filter(pool=pool, game_id=game_id).values_list("at", flat=True).first()
    if at is None:
        raise LookupError(game_id)
    return TimeKey(at, game_id)


def _games(pool: Pool, player: str, place: TimeKey | None, stretch: int) -> Iterator[PlayedGame]:
    """The player's games before a place (None: all), the newest first, read in stretches."""
    while True:
        places = _places(pool, player, place, stretch)
        yield from find_games(pool, [place.game_id for place in places])
        if len(places) < stretch:
            return
        place = places[-1]


def _places(pool: Pool, player: str, place: TimeKey | None, count: int) -> list[TimeKey]:
    """Those of the player's games, by the index of each colour."""
    every = LiveGame.objects.filter(pool=pool, stands=True)
    found = [
        each
        for games in (every.filter(black=player), every.filter(white=player))
        for each in _newest(games, place, count)
    ]
    return sorted(found, reverse=True)[:count]


def _newest(games: QuerySet[LiveGame], place: TimeKey | None, count: int) -> list[TimeKey]:
    """So many of the games before a place, or more: of one moment all, as databases order ids otherwise."""
    rows = games.values_list("at", "game_id")
    older = rows if place is None else rows.filter(at__lt=place.at)
    found = [TimeKey(*row) for row in older.order_by("-at")[:count]]
    moments = set() if place is None else {place.at}
    if len(found) == count:
        moments.add(found[-1].at)
    same = [TimeKey(*row) for row in rows.filter(at__in=moments)] if moments else []
    return [each for each in found if each.at not in moments] + [
        each for each in same if place is None or each < place
    ]


def find_games(pool: Pool, ids: Sequence[str]) -> list[PlayedGame]:
    """The games of those ids, in that order; one that an inquiry has struck meanwhile is left out."""
    known = LiveTables(pool).games_by_id(ids)
    return [
        PlayedGame(stored.number, stored.game, *stored.lines)
        for stored in map(known.get, ids)
        if stored is not None
    ]
