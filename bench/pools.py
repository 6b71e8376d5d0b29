"""Made-up chess pools of any size, in memory, the same for the same seed."""

from __future__ import annotations

import random
from datetime import date, timedelta

from banzuke.core.facts import Event, Game, Membership, Opening, Player
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool import EditionInForce, Pool
from banzuke.rulebooks import BOOKS
from banzuke.rulebooks.pandanet_ranks import default_zone

FIRST_WINDOW = date(2024, 10, 21)
GAMES_AN_EVENT = 500
ROUNDS = 5


def pool_of(book: str, start: date) -> Pool:
    """A pool with one edition of that book."""
    found = BOOKS[book]
    return Pool("Bench", (EditionInForce(found, start, found.settings(), "", "", default_zone()),))


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
        Opening(
            player, rng.randrange(1000, 2600), rng.randrange(5, 300), "" if book == "hakodate" else "standard"
        )
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
