"""Events for the tests of the Irish ratings: players by kind, and days of birth and joining that give a K.

A player is written `1500 K24`, `1500/12` (provisional, over 12 games), `fixed 2300`, or `-` (unrated).
"""

from __future__ import annotations

import csv
from datetime import date

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Entry, Event, Game, More, Player
from banzuke.core.rating import Rating, Standings
from banzuke.rulebooks.icu.event_rating import rate
from banzuke.rulebooks.icu.icu import Settings

DAY = date(2012, 3, 1)
#: Days of birth and of joining that give a K to a player below 2100.
DAYS = {
    "24": (date(1970, 1, 1), date(1990, 1, 1)),
    "32": (date(1970, 1, 1), date(2010, 1, 1)),
    "40": (date(2000, 1, 1), date(1990, 1, 1)),
    "16": (date(1970, 1, 1), date(1990, 1, 1)),
}
RESULTS = {"1": "1-0", "1.0": "1-0", "0.5": "1/2-1/2", "0": "0-1", "0.0": "0-1"}


def facts(players: dict[str, str]) -> tuple[dict[str, Player], dict[str, Rating]]:
    """The register's rows and the standings of players as they are written here."""
    known, states = {}, {}
    for player, written in players.items():
        rating, _, k = written.partition(" K")
        if written.startswith("fixed "):
            known[player] = Player(player, player, more=More(fixed_rating=int(written[6:])))
            continue
        known[player] = Player(player, player)
        if k:
            born, joined = DAYS[k]
            known[player] = Player(player, player, birth_date=born, more=More(joined=joined))
            states[player] = Rating(int(rating), 30, int(rating), earned=False)
        elif written != "-":
            value, _, games = rating.partition("/")
            states[player] = Rating(int(value), int(games or 30), int(value), earned=False)
    return known, states


def event_of(version: int | None = None, **given: object) -> Event:
    more = More() if version is None else More(version=version)
    return Event("E", "Event", DAY, DAY, DAY, more=more, **given)


def play(players, games, version=None, register=None, event=None, **settings):
    """The outcome of an event; games as `A 1-0 B`, one round each."""
    known, states = facts(players)
    made = [
        Game("E", number, *(game.split()[place] for place in (0, 2, 1))) if isinstance(game, str) else game
        for number, game in enumerate(games, 1)
    ]
    entry = Entry(event or event_of(version), made)
    register = register or Register(known, {}, {})
    batch = Batch("E", DAY, DAY, [entry], register, False, {})
    return rate(Standings({"": states}), batch, Settings(**settings))


def read(file):
    with file.open(encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


def published(folder, event):
    """The players and the games of one of the union's events."""
    players = {}
    for row in read(folder / "players.csv"):
        if row["event"] == event:
            by_type = {
                "rated": f"{row['old_rating']} K{row['k']}",
                "provisional": f"{row['old_rating']}/{row['games_before']}",
                "unrated": "-",
                "foreign": f"fixed {row['old_rating']}",
            }
            players[row["player"]] = by_type[row["type"]]
    games = [
        Game("E", int(row["round"]), row["player"], row["opponent"], RESULTS[row["score"]])
        for row in read(folder / "games.csv")
        if row["event"] == event
    ]
    return players, games
