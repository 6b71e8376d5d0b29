"""Live standings made from a whole ledger or book: of a new pool, or where what came since is not enough."""

from collections.abc import Iterable
from contextlib import nullcontext
from itertools import islice
from typing import Any, NamedTuple

from banzuke.core.go_facts import Declaration
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.write_turns import WriteTurn
from banzuke.engine.go_history import GoRun, history, opening
from banzuke.ledger.folder import GoLedger
from banzuke.office.live.game_rating import GameRating, RatingResult
from banzuke.office.live.live_codec import micros, texts_of
from banzuke.office.live.live_rows import AT_FIRST, Seat, TimeKey, place_of
from banzuke.office.live.pool_writer import PoolWriter, unlocked_pool

#: How many games of a history are written at once.
GAMES_AT_ONCE = 500


class RatedLedger(NamedTuple):
    """A ledger of Go with all its games rated, in order, and where its players stand in the end."""

    rated: Iterable[GameRating]
    run: GoRun
    declarations: list[Declaration]


def rate_ledger(ledger: GoLedger) -> RatedLedger:
    """A ledger rated as it is read: `run` is whole once every game was taken."""
    run = opening(ledger)
    rated = (
        GameRating(place_of(game), game, (black, white), texts_of((black, white)))
        for game, black, white in history(ledger, run, None)
    )
    return RatedLedger(rated, run, ledger.declarations)


def open_standings(pool: models.Pool, done: RatedLedger, turn: WriteTurn = nullcontext) -> None:
    """The live standings of a new pool that is hidden or in a transaction, rated beforehand."""
    writer, last, rated = unlocked_pool(pool), last_entry(pool), iter(done.rated)
    places = dict.fromkeys(done.run.states, AT_FIRST)
    with turn():
        models.LivePool.objects.create(pool=pool, entry=0)
    while chunk := list(islice(rated, GAMES_AT_ONCE)):
        for each in chunk:
            places[each.game.black] = places[each.game.white] = each.place
        with turn():
            writer.add_rated([(last, each.place, each.game, *each.texts) for each in chunk])
    place_declarations(places, done.declarations)
    states = iter(done.run.states.items())
    while some := list(islice(states, GAMES_AT_ONCE)):
        with turn():
            writer.add_seats({player: Seat(state, places[player]) for player, state in some})
    with turn():
        writer.retire_struck()
        writer.mark_current(last)
        writer.analyze_tables()


def place_declarations(places: dict[str, TimeKey], declarations: Iterable[Declaration]) -> None:
    """Move who declared a rank after their last game to the place of the declaration."""
    for declared in declarations:
        place = TimeKey(micros(declared.at), "")
        places[declared.player_id] = max(places[declared.player_id], place)


def rebuild(writer: PoolWriter, last: int) -> None:
    """Rate the whole book; rows of games that come out as they were stay."""
    ledger: Any = read_book(writer.pool, last)
    done = rate_ledger(ledger)
    states, rated = done.run.states, iter(done.rated)
    places = dict.fromkeys(states, AT_FIRST)
    has_games = models.LiveGame.objects.filter(pool=writer.pool).exists()
    models.LivePool.objects.get_or_create(pool=writer.pool, defaults={"entry": 0})
    models.LiveStanding.objects.filter(pool=writer.pool).delete()
    while chunk := list(islice(rated, GAMES_AT_ONCE)):
        ids = [each.game.game_id for each in chunk] if has_games else ()
        stored = writer.standing_games(ids)
        made = [each._replace(was=stored.get(each.game.game_id)) for each in chunk]
        for each in made:
            places[each.game.black] = places[each.game.white] = each.place
        writer.write(last, RatingResult([each for each in made if not _is_unchanged(each)], {}))
    place_declarations(places, done.declarations)
    writer.add_seats({player: Seat(state, places[player]) for player, state in states.items()})
    writer.retire_struck()
    writer.mark_current(last)
    writer.analyze_tables()


def _is_unchanged(made: GameRating) -> bool:
    was = made.was
    return was is not None and (was.place, was.black, was.white) == (made.place, *made.texts)
