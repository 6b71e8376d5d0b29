"""Events for the tests of the Irish ratings: players by kind, and days of birth and joining that give a K.

A player is written `1500 K24`, `1500/12` (provisional, over 12 games), `fixed 2300`, or `-` (unrated).
"""

from __future__ import annotations

import csv
from datetime import date
from random import Random

import pytest

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
#: The union's events whose players have a K that days give.
EVENTS = ("E02", "E06", "E07", "E09", "E11", "E12")
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


def union_folder(shared):
    folder = shared / "data" / "icu"
    if not folder.exists():
        pytest.skip("the union's events are not here")
    return folder


def written(kind, rating, games, k):
    return {
        "rated": f"{rating} K{k}",
        "provisional": f"{rating}/{games}",
        "unrated": "-",
        "fixed": f"fixed {rating}",
    }[kind]


def made_up(seed):
    """Players close in rating, and hard to expect: many bonuses, whose players meet each other."""
    dice = Random(seed)
    size = dice.choice((6, 8, 12, 14))
    players = {}
    for number in range(1, size + 1):
        kind = dice.choice(("rated",) * 5 + ("provisional", "unrated", "fixed"))
        rating = dice.choice((dice.randrange(1100, 1500), dice.randrange(1900, 2150)))
        k = 16 if rating >= 2100 else dice.choice((24, 32, 40, 40))
        games = {"rated": 30, "provisional": dice.randrange(1, 20)}.get(kind, 0)
        players[number] = (kind, rating if kind != "unrated" else None, games, k)
    strength = {number: dice.gauss(0, 2) for number in players}
    pairs = [(a, b) for a in players for b in players if a < b]
    games = []
    for one, other in dice.sample(pairs, min(len(pairs), 4 * size)):
        better = strength[one] - strength[other]
        score = 0.5 if abs(better) < dice.random() else float(better > 0)
        games.append((one, other, score))
    return players, games


WORDS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
