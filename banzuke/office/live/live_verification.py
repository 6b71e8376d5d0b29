"""Verifying live standings: they are made again from the book, and every game and every player compared."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import GoState
from banzuke.database.book_reader import read_book
from banzuke.database.models import LiveGame, LivePool, LiveStanding, Pool
from banzuke.engine.go_history import history, opening
from banzuke.engine.go_ranking import rung, strength
from banzuke.ledger.folder import GoLedger
from banzuke.office.database_snapshot import database_snapshot
from banzuke.office.live.live_codec import state_text, texts_of
from banzuke.office.live.live_rows import place_of
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.live.whole_standings import GAMES_AT_ONCE

#: So many games or players are named.
MOST_NAMED = 20
#: Not when somebody last played or declared a rank: a declaration that changes nothing may count or not.
_SEAT = ("player_id", "state", "rung", "strength")


def differing_standings(pool: Pool) -> list[Fault]:
    """What the live standings have otherwise than rating the book gives; nothing where there are none yet.

    Games may come in meanwhile.
    """
    with database_snapshot():
        live = LivePool.objects.filter(pool=pool).first()
        ledger = read_book(pool, live.entry) if live else None
        if not isinstance(ledger, GoLedger):
            return []
        run = opening(ledger)
        games = [*_differing_games(pool, history(ledger, run, None))]
        players = _differing_players(pool, run.states)
    return [*_told(pool, "book-live-games", games), *_told(pool, "book-live-players", players)]


def _differing_games(pool: Pool, rated: Iterator[Any]) -> Iterator[str]:
    """The games whose lines or places differ, or that do not stand once."""
    tables, there = LiveTables(pool), set[str]()
    while chunk := list(islice(rated, GAMES_AT_ONCE)):
        stored = tables.standing_games(each.game.game_id for each in chunk)
        for game, *lines in chunk:
            place, was = place_of(game), stored.get(game.game_id)
            there.add(game.game_id)
            if was is None or (was.place, was.black, was.white) != (place, *texts_of((lines[0], lines[1]))):
                yield game.game_id
    for game_id in (
        LiveGame.objects.filter(pool=pool, stands=True).values_list("game_id", flat=True).iterator()
    ):
        if game_id not in there:  # the book does not have it, or it stands twice
            yield game_id
        there.discard(game_id)


def _differing_players(pool: Pool, states: Mapping[str, GoState]) -> list[str]:
    stored = {row[0]: row[1:] for row in LiveStanding.objects.filter(pool=pool).values_list(*_SEAT)}
    made = {player: (state_text(state), rung(state), strength(state)) for player, state in states.items()}
    return sorted(player for player in stored.keys() | made.keys() if stored.get(player) != made.get(player))


def _told(pool: Pool, code: str, differing: list[str]) -> Iterator[Fault]:
    if differing:
        named = ", ".join(sorted(set(differing))[:MOST_NAMED])
        yield fault(pool.slug, 0, "", code, count=len(set(differing)), named=named)
