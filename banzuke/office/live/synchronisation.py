"""The live standings brought to what the book says, after others than the service have written into it."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import QuerySet

from banzuke.core.go_facts import Declaration, GoPlayer
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.engine.go_history import history, opening
from banzuke.engine.go_ranking import rung, strength
from banzuke.office.fact_rows import record_of
from banzuke.office.live import queries
from banzuke.office.live.current_rules import go_rules_now
from banzuke.office.live.game_rating import GameRating, RatingResult
from banzuke.office.live.live_codec import micros, state_text, texts_of
from banzuke.office.live.locked_pool import lock_pool
from banzuke.office.live.queries import AT_FIRST, Place, Seat, place_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.live.locked_pool import PoolWriter

#: How many games of a history are written at once.
CHUNK = 500
#: What changes the past in more than single games.
_DEEP = (models.Strike, models.GoOpening)


_LEFT = (
    "SELECT COALESCE((SELECT MAX(id) FROM book_entry WHERE pool_id = %s), 0) "
    "- COALESCE((SELECT entry FROM book_livepool WHERE pool_id = %s), -1)"
)


def up_to_date(pool: Pool) -> Rules:
    """The rules of a Go pool, whose live standings hold what its book says when this returns.

    Nothing is locked unless somebody else than the service has entered something since. Raises NotLiveError.
    """
    rules = go_rules_now(pool)
    if not _holds_all(pool):
        with current(pool):
            pass
    return rules


def _holds_all(pool: Pool) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, [pool.pk, pool.pk])
        return bool(cursor.fetchone()[0] <= 0)


@contextmanager
def current(pool: Pool, games: Collection[str] = ()) -> Iterator[PoolWriter]:
    """Hold a pool whose live standings hold all that its book says; which of the games are there is seen."""
    with lock_pool(pool, games) as found:
        if not found.is_current:
            catch_up(found)
        yield found


def catch_up(writer: PoolWriter) -> None:
    """Bring the live standings to the last entry of the book."""
    locked = writer.locked
    if locked.live is None or _is_deep(writer.pool, locked.live):
        rebuild(writer, locked.last)
        return
    since: dict[str, Any] = {"pool": writer.pool, "entry_id__gt": locked.live}
    came = models.GoPlayer.objects.filter(**since)
    seat_all(writer.pool, {row.player_id: writer.seat_of_newcomer(record_of(row, GoPlayer)) for row in came})
    games = queries.games_since(writer.db, writer.pool.pk, locked.live)
    voids = models.GoVoid.objects.filter(**since).values_list("game_id", flat=True)
    made = models.Declaration.objects.filter(**since)
    declared = [Declaration(each.player_id, datetime.fromisoformat(each.at), each.rank) for each in made]
    voided = writer.standing_games(voids).values()
    done = (
        writer.rerating({}).rate(games, voided, declared)
        if games or voided or declared
        else RatingResult([], {})
    )
    writer.write(locked.last, done)
    # Who declared a rank and played since stands on another rung, though no game says so.
    states = {
        each.player_id: done.seats[each.player_id].state for each in declared if each.player_id in done.seats
    }
    queries.update_rungs(writer.db, writer.pool.pk, states)


def _is_deep(pool: Pool, since: int) -> bool:
    if models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=since).exists():
        return True
    tables_of: list[QuerySet[Any]] = [QuerySet(model) for model in _DEEP]
    return any(rows.filter(pool=pool, entry_id__gt=since).exists() for rows in tables_of)


def rebuild(writer: PoolWriter, last: int) -> None:
    """Rate the whole book; rows of games that come out as they were stay."""
    ledger: Any = read_book(writer.pool, last)
    run = opening(ledger)
    places = dict.fromkeys(run.states, AT_FIRST)
    rated = history(ledger, run, None)
    models.LivePool.objects.get_or_create(pool=writer.pool, defaults={"entry": 0})
    models.LiveStanding.objects.filter(pool=writer.pool).delete()
    while chunk := list(islice(rated, CHUNK)):
        stored = writer.standing_games(each.game.game_id for each in chunk)
        made = [
            GameRating(
                place_of(each.game), each.game, each[1:], texts_of(each[1:]), stored.get(each.game.game_id)
            )
            for each in chunk
        ]
        for each in made:
            places[each.game.black] = places[each.game.white] = each.place
        writer.write(last, RatingResult([each for each in made if not _stays(each)], {}))
    for each in ledger.declarations:
        place = Place(micros(each.at), "")
        places[each.player_id] = max(places[each.player_id], place)
    seat_all(writer.pool, {player: Seat(state, places[player]) for player, state in run.states.items()})
    queries.retire_struck(writer.db, writer.pool.pk)
    queries.mark_current(writer.db, writer.pool.pk, last)
    queries.analyze_tables(writer.db)


def _stays(made: GameRating) -> bool:
    was = made.was
    return was is not None and (was.place, was.black, was.white) == (made.place, *made.texts)


def seat_all(pool: Pool, seats: Mapping[str, Seat]) -> None:
    """Seat players who had no seat."""
    models.LiveStanding.objects.bulk_create(
        [
            models.LiveStanding(
                pool=pool,
                player_id=player,
                state=state_text(state),
                rung=rung(state),
                strength=strength(state),
                at=place.at,
                game_id=place.game_id,
            )
            for player, (state, place) in sorted(seats.items())
        ],
        batch_size=CHUNK,
    )
