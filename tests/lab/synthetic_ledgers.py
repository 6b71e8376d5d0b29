"""Ledgers of synthetic pools, for the tests of the laboratory: facts whose truth is known."""

from __future__ import annotations

from datetime import date

import numpy as np

from banzuke.columnar.batch_columns import RESULTS
from banzuke.core.facts import ANNUAL, STANDARD, Event, Game, Membership, Opening, Player
from banzuke.core.go_facts import HALF_OF, GoGame, GoOpening, GoPlayer
from banzuke.core.registry import BOOKS
from banzuke.lab.synthetic_chess_pools import OPENS, games_of, people_of
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone

FOREVER = date(2000, 1, 1), date(2100, 1, 1)


def pool_with(name):
    book = BOOKS[name]
    return Pool("Made", (EditionInForce(book, date(2020, 1, 1), book.settings(), "", default_zone()),))


def event(event_id, day, place="Tokyo", days=1, **told):
    ends = date.fromordinal(day.toordinal() + days - 1)
    told = {"speed": STANDARD, "base_minutes": 90, "increment_seconds": 30} | told
    return Event(event_id, event_id, day, ends, ends, place=place, paid=ends, **told)


def chess_ledger(ratings, events, games, book="jcf-2024"):
    """Established players with those ratings, events, and games by event."""
    players = [Player(player, f"{player} NAME") for player in sorted(ratings)]
    standings = [Opening(p, rating, 100, STANDARD, None, earned=True) for p, rating in ratings.items()]
    members = [Membership(p.player_id, ANNUAL, *FOREVER) for p in players]
    return ChessLedger(pool_with(book), players, [], members, events, games, standings)


def made_ledger(pool, seed):
    """A synthetic pool without newcomers or visitors as a ledger; everybody opens with their true strength."""
    people = people_of(pool, np.random.default_rng([seed, 0]))
    ids = [f"P{number:04}" for number in range(len(people.joins))]
    events, games = [], {}
    for number, played in enumerate(games_of(pool, people, np.random.default_rng([seed, 2])), 1):
        day = OPENS.plus(number - 1).first_day.replace(day=10)
        for row in zip(*(column.tolist() for column in played), strict=True):
            name = f"{number:03}-{row[0]:03}"
            if name not in games:
                events.append(event(name, day))
            games.setdefault(name, []).append(Game(name, row[1], ids[row[2]], ids[row[3]], RESULTS[row[4]]))
    strengths = np.rint(people.strength[:, 0]).astype(int).tolist()
    return chess_ledger(dict(zip(ids, strengths, strict=True)), events, games)


def go_game(number, ended, black, white, result="B", moves=200, handicap=0, komi=13):
    return GoGame(f"G{number:06}", ended, black, white, result, handicap, komi, 19, moves)


def go_ledger(halves, games):
    """Certified players with those ranks as they are written, and games."""
    zone = default_zone()
    players = [GoPlayer(player, player, rank) for player, rank in halves.items()]
    standings = [GoOpening(player, rank, 200, zone.start[HALF_OF[rank]]) for player, rank in halves.items()]
    return GoLedger(pool_with("pandanet"), players, games, [], standings)
