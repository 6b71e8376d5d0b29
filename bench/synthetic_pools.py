"""Made-up pools of any size, in memory, the same for the same seed."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

from banzuke.core.facts import Event, Game, Membership, Opening, Player
from banzuke.core.go_facts import HALF_OF, GoGame, GoOpening, GoPlayer, rank_name
from banzuke.core.registry import BOOKS
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone, regular_terms

FIRST_WINDOW = date(2024, 10, 21)
GAMES_AN_EVENT = 500
ROUNDS = 5


def pool_of(book: str, start: date) -> Pool:
    """A pool with one edition of that book."""
    found = BOOKS[book]
    return Pool("Bench", (EditionInForce(found, start, found.settings(), "", default_zone()),))


def chess_pool(book: str, games: int, players: int, windows: int, seed: int = 1) -> ChessLedger:
    """`games` games in events of 500 (five rounds of 100 boards), spread over monthly windows."""
    rng = random.Random(seed)
    ids = [f"N{number:06}" for number in range(players)]
    register = [
        Player(
            player, f"PLAYER {player}", birth_date=date(1950 + rng.randrange(65), 1 + rng.randrange(12), 5)
        )
        for player in ids
    ]
    memberships = [Membership(player, "annual", date(2020, 1, 1), date(2040, 12, 31)) for player in ids]
    standings = [
        Opening(player, rng.randrange(1000, 2600), rng.randrange(5, 300), BOOKS[book].speeds[0])
        for player in ids[: players * 19 // 20]
    ]
    events, of_event = [], {}
    for number in range(-(-games // GAMES_AN_EVENT)):
        start = FIRST_WINDOW + timedelta(days=30 * (number % windows) + 1 + number % 20)
        event_id = f"E{number:07}"
        events.append(
            Event(
                event_id,
                event_id,
                start,
                start + timedelta(days=1),
                start + timedelta(days=3),
                speed="standard",
                base_minutes=90,
                increment_seconds=30,
                paid=start,
            )
        )
        of_event[event_id] = _event_games(
            rng, event_id, ids, min(GAMES_AN_EVENT, games - number * GAMES_AN_EVENT)
        )
    start = date(2022, 9, 1)
    return ChessLedger(pool_of(book, start), register, [], memberships, events, of_event, standings)


def _event_games(rng: random.Random, event_id: str, ids: list[str], games: int) -> list[Game]:
    boards = GAMES_AN_EVENT // ROUNDS
    field = rng.sample(ids, 2 * boards)
    made = []
    for number in range(games):
        if number % boards == 0:
            rng.shuffle(field)
        board = number % boards
        result = rng.choice(("1-0", "0-1", "1/2-1/2"))
        made.append(Game(event_id, number // boards + 1, field[2 * board], field[2 * board + 1], result))
    return made


def go_pool(games: int, players: int, seed: int = 1) -> GoLedger:
    """Games on regular terms between players of near ranks, one a minute; nine in ten are certified."""
    rng = random.Random(seed)
    certified = players * 9 // 10
    register = [GoPlayer(f"g{n:06}", f"g{n:06}", rank_name(2 * rng.randrange(2, 24))) for n in range(players)]
    standings = [
        GoOpening(p.player_id, p.declared, rng.randrange(20, 300), HALF_OF[p.declared] * 400 + 200)
        for p in register[:certified]
    ]
    start, made = datetime(2024, 1, 1, tzinfo=UTC), []
    by_rank = sorted(register, key=lambda p: HALF_OF[p.declared])
    for number in range(games):
        low = rng.randrange(players - 1)
        black, white = by_rank[low], by_rank[min(players - 1, low + 1 + rng.randrange(players // 12))]
        stones, komi = regular_terms(abs(HALF_OF[white.declared] - HALF_OF[black.declared]))
        result = rng.choice("BW")
        ended = start + timedelta(minutes=number)
        made.append(
            GoGame(f"G{number:08}", ended, black.player_id, white.player_id, result, stones, komi, 19, 200)
        )
    return GoLedger(pool_of("pandanet", date(2005, 4, 1)), register, made, [], standings)
