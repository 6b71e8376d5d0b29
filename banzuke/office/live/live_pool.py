"""The live standings of a Go pool: bring them up to date with its book, and rate games that might come."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import takewhile
from typing import Any

from django.db.models import QuerySet

from banzuke.core.go_facts import Declaration, GoGame, GoPlayer
from banzuke.database import models
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError, rules_of
from banzuke.engine.go_history import RatedGame
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.live.game_rating import LaterGames, RemovedEvent
from banzuke.office.live.go_rules import current_rules
from banzuke.office.live.live_codec import micros
from banzuke.office.live.live_rows import AT_FIRST, StoredGame, TimeKey, place_of
from banzuke.office.live.live_tables import RULES_MARK
from banzuke.office.live.pool_writer import PoolWriter, lock_pool, unlocked_pool
from banzuke.office.live.whole_standings import rebuild
from banzuke.office.raw_sql import Statements, newest_of_pool

#: Positive if the book has entries that the live standings do not hold.
ENTRIES_BEHIND = (
    f"SELECT COALESCE({newest_of_pool('id', 'book_entry')}, 0) "  # noqa: S608  # no input
    "- COALESCE((SELECT entry FROM book_livepool WHERE pool_id = %s), -1)"
)
#: Two columns of a statement: `ENTRIES_BEHIND` and `RULES_MARK`. It takes the pool's number twice.
STANDS = f"({ENTRIES_BEHIND}), {RULES_MARK}"


def synchronise(pool: models.Pool) -> Rules:
    """Bring the live standings of a Go pool up to its book, if they are behind; gives its rules.

    Nothing is locked unless somebody else than the service has entered something since. Raises NotLiveError.
    """
    return catch_up_if_behind(pool, *Statements().repeat(f"SELECT {STANDS}", [pool.pk, pool.pk]).fetchone())


def catch_up_if_behind(pool: models.Pool, behind: int, rules_mark: int) -> Rules:
    """The same by the two columns of `STANDS`, which were read already."""
    rules = current_rules(pool, rules_mark)
    if behind > 0:
        with lock_current_pool(pool):
            pass
    return rules


@contextmanager
def lock_current_pool(pool: models.Pool, games: Collection[str] = ()) -> Iterator[PoolWriter]:
    """Lock a pool and bring its live standings to the book; reads which of the games are there."""
    with lock_pool(pool, games) as found:
        if not found.is_current:
            catch_up(found)
        yield found


def catch_up(writer: PoolWriter) -> None:
    """Bring the live standings to the last entry of the book."""
    locked = writer.locked
    if (
        locked.live is None
        or has_lost_players(writer.pool, locked.live)
        or _has_other_rules(writer.pool, locked.live)
    ):
        rebuild(writer, locked.last)
    else:
        take_in(writer, locked.live, locked.last)


def take_in(writer: PoolWriter, since: int, until: int) -> None:
    """Take in what the book has after one entry and up to another, by the same rules."""
    entries: dict[str, Any] = {"pool": writer.pool, "entry_id__gt": since, "entry_id__lte": until}
    came = {row.player_id: row for row in models.GoPlayer.objects.filter(**entries).order_by("pk")}
    new = came.keys() - writer.seats(came).keys()
    writer.add_seats({each: writer.seat_of_newcomer(record_of(came[each], GoPlayer)) for each in new})
    games = writer.games_since(since, until)
    voids = set(models.GoVoid.objects.filter(**entries).values_list("game_id", flat=True))
    made = models.Declaration.objects.filter(**entries)
    declared = [Declaration(each.player_id, datetime.fromisoformat(each.at), each.rank) for each in made]
    opened = models.GoOpening.objects.filter(**entries).values_list("player_id", flat=True)
    removed = [RemovedEvent(AT_FIRST, player) for player in opened]
    strikes = models.Strike.objects.filter(**entries)
    if strikes.exists():
        writer.retire_struck()
        removed += _removals(strikes)
        restored = models.GoVoid.objects.filter(pk__in=strikes.filter(table=models.VOIDS).values("row"))
        voids.update(restored.values_list("game_id", flat=True))
    if voids or declared or removed:
        voided = writer.standing_games(voids).values()
        done = writer.rerating({}).rate(games, voided, declared, removed)
    else:
        done = writer.rate(games, writer.seats({each for game in games for each in (game.black, game.white)}))
    writer.write(until, done)
    # Who declared a rank and played since stands on another rung, though no game says so.
    moved = done.seats.keys() & ({each.player_id for each in declared} | {each.player for each in removed})
    writer.update_rungs({player: done.seats[player].state for player in moved})


def _removals(strikes: QuerySet[models.Strike]) -> list[RemovedEvent]:
    """The places from which strikes took something, for each of its players."""
    games = models.GoGame.objects.filter(pk__in=strikes.filter(table="games").values("row"))
    declared = models.Declaration.objects.filter(pk__in=strikes.filter(table="declarations").values("row"))
    removed = [
        RemovedEvent(TimeKey(micros(datetime.fromisoformat(each.ended)), each.game_id), player)
        for each in games
        for player in (each.black, each.white)
    ]
    removed += [
        RemovedEvent(TimeKey(micros(datetime.fromisoformat(each.at)), ""), each.player_id)
        for each in declared
    ]
    for table, rows in (("players", models.GoPlayer.objects), ("standings", models.GoOpening.objects)):
        struck = rows.filter(pk__in=strikes.filter(table=table).values("row"))
        removed += [RemovedEvent(AT_FIRST, player) for player in struck.values_list("player_id", flat=True)]
    return removed


def has_lost_players(pool: models.Pool, since: int) -> bool:
    """Whether, since an entry, somebody was struck who is no player of the pool any more."""
    strikes = models.Strike.objects.filter(pool=pool, entry_id__gt=since, table="players")
    rows = models.GoPlayer.objects.filter(pk__in=strikes.values("row"))
    struck = set(rows.values_list("player_id", flat=True))
    there = standing_rows(pool, GoPlayer).filter(player_id__in=struck)
    return bool(struck) and not struck.issubset(there.values_list("player_id", flat=True))


def _has_other_rules(pool: models.Pool, since: int) -> bool:
    """Whether the editions, with their settings and border zones, are others than as of an entry."""
    if not models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=since).exists():
        return False
    try:
        return rules_of(pool).editions != rules_of(pool, since).editions
    except (MissingBookError, SpoiledRulesError):
        return True


def rate_if_entered(
    pool: models.Pool, rules: Rules, games: Sequence[GoGame], added: Iterable[GoPlayer] = ()
) -> list[RatedGame]:
    """New games in order, with the lines that they would have; `added` are players who would come with them.

    The pool's live standings are to hold what its book says. Of the games that are there, only those between
    the first and the last new one are rated again, where they touch a player of them.
    """
    if not games:
        return []
    writer = unlocked_pool(pool, rules)
    seats = writer.seats({player for game in games for player in (game.black, game.white)})
    seats |= {player.player_id: writer.seat_of_newcomer(player) for player in added}
    last, there = max(map(place_of, games)), LaterGames(writer, len(seats))

    def later(player: str, place: TimeKey) -> Iterator[StoredGame]:
        return takewhile(lambda stored: stored.place <= last, there.of(player, place))

    done = writer.rerating(seats, later).rate(games, [], [])
    return [RatedGame(each.game, *each.lines) for each in done.rated if each.was is None]
