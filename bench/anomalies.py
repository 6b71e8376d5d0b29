"""How many planted anomalies `banzuke lab anomalies` finds, by kind, and what it finds in clean pools.

    python bench/anomalies.py --seeds 20

Each case is planted into made pools of known strength, one a pool, and looked for in the whole pool. It is
found if a finding of its kind names the planted player (of a pair, both). A finding that names nobody who was
planted is a false alarm. The clean pools are: adults alone; juniors who grow, newcomers and visitors; a small
club whose members meet each other all the time; leagues beside weekend tournaments in other places.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.core.facts import STANDARD, Event, Game
from banzuke.engine.columnar.chess_reader import columns_of
from banzuke.engine.columnar.readable_lists import ledger_of
from banzuke.lab.anomalies import run_checks
from banzuke.lab.encounters import games_of_ledger
from banzuke.lab.synthetic_chess_pools import ChessPool, made_ledger
from banzuke.lab.variants import Variant, edition_of_variant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.random import Generator

    from banzuke.lab.findings import Finding
    from banzuke.ledger.folder import ChessLedger

ADULTS = ChessPool(players=150, years=2, juniors=0, growth=0, drift=0, arriving=0, leaving=0, visiting=0)
GROWING = ChessPool(players=150, years=2)
CLUB = ChessPool(players=24, years=3, active=0.9, event_size=8, rounds=6, visiting=0, mixing=400)
#: The days on which planted games begin; a pool opens in January 2026.
START = date(2026, 9, 1)


class Planted(NamedTuple):
    """A ledger with an anomaly: its kinds, and the players that a finding must name."""

    ledger: ChessLedger
    kinds: tuple[str, ...]
    players: tuple[str, ...]


class Ranked(NamedTuple):
    """A made pool as records: its players from the weakest to the strongest, and luck."""

    ledger: ChessLedger
    order: Sequence[str]
    rng: Generator


def pool_of(pool: ChessPool, seed: int) -> Ranked:
    """The pool of that seed; every event has a place of its own."""
    people, columns, _ = made_ledger(pool, edition_of_variant(Variant("jcf-2024")), seed)
    ledger = ledger_of(columns)
    events = [replace(event, name=event.event_id, place=f"Town {event.event_id}") for event in ledger.events]
    there = np.flatnonzero((people.joins == 0) & ~people.visits)
    order = there[np.argsort(people.strength[there, 0])]
    ids = [columns.player_ids[player] for player in order.tolist()]
    return Ranked(replace(ledger, events=events), ids, np.random.default_rng([seed, 9]))


def add_event(
    made: Ranked,
    name: str,
    starts: date,
    games: Sequence[tuple[str, str, str]],
    *,
    days: int = 1,
    rounds: int = 0,
) -> None:
    """An event with those games (White, Black, result), one a round unless there are fewer rounds."""
    ends = starts + timedelta(days=days - 1)
    event = Event(
        name, name, starts, ends, ends, place=f"Town {name}", speed=STANDARD, base_minutes=90,
        increment_seconds=30, paid=ends,
    )  # fmt: skip
    made.ledger.events.append(event)
    made.ledger.games[name] = [
        Game(name, 1 + number % (rounds or len(games)), white, black, result)
        for number, (white, black, result) in enumerate(games)
    ]


def won(player: str, others: Sequence[str], result: str = "1-0") -> list[tuple[str, str, str]]:
    """Games of a player with White."""
    return [(player, other, result) for other in others]


# What is planted


def plant_match(made: Ranked, games: int, months: int) -> Planted:
    """Two players of a like strength meet again and again, and one wins always."""
    place = int(made.rng.integers(40, 110))
    loser, winner = made.order[place], made.order[place - int(made.rng.integers(1, 8))]
    share = -(-games // months)
    for month in range(months):
        count = min(share, games - share * month)
        day = START + timedelta(days=30 * month)
        add_event(made, f"match-{month}", day, won(winner, [loser] * count), days=max(1, count // 2))
    return Planted(made.ledger, ("pair",), (winner, loser))


def plant_hot_event(made: Ranked, games: int) -> Planted:
    """A player wins every game of an event against players who are some 200 points stronger."""
    place = int(made.rng.integers(30, 80))
    stronger = made.order[place + 45 : place + 45 + games]
    add_event(made, "hot", START, won(made.order[place], stronger), days=games)
    return Planted(made.ledger, ("event",), (made.order[place],))


def plant_sandbagger(made: Ranked, lost: int, nearest: int = 60) -> Planted:
    """A player loses to much weaker ones, five an event, and then wins five of five against stronger ones.

    The weaker ones are `nearest` places below or more.
    """
    place = int(made.rng.integers(70, 100))
    weaker = made.rng.permutation(made.order[place - nearest - 25 : place - nearest]).tolist()
    player = made.order[place]
    for number in range(0, lost, 5):
        of_event = weaker[number : number + 5]
        add_event(
            made, f"bag-{number:02}", START + timedelta(days=7 * number), won(player, of_event, "0-1"), days=2
        )
    add_event(made, "prize", START + timedelta(days=7 * lost + 20), won(player, made.order[-25:-20]), days=3)
    return Planted(made.ledger, ("sandbagging",), (player,))


def plant_farming(made: Ranked, games: int) -> Planted:
    """One player wins nine of ten games against another, three a fortnight, and plays little else."""
    place = int(made.rng.integers(40, 110))
    winner, loser = made.order[place], made.order[place - 2]
    for number in range(games // 3):
        results = ["1-0" if (3 * number + game) % 10 else "0-1" for game in range(3)]
        rows = [(winner, loser, result) for result in results]
        add_event(made, f"farm-{number:02}", START + timedelta(days=14 * number), rows)
    return Planted(made.ledger, ("farming", "pair"), (winner, loser))


def plant_closed_group(made: Ranked, events: int) -> Planted:
    """Two new players beat two others in events of their own."""
    ids = ("X1", "X2", "X3", "X4")
    like = {player.player_id: player for player in made.ledger.players}[made.order[0]]
    made.ledger.players.extend(
        like._replace(player_id=player, name=player, birth_date=None) for player in ids
    )
    span = made.ledger.memberships[0]
    made.ledger.memberships.extend(
        span._replace(player_id=player, valid_from=date(2000, 1, 1)) for player in ids
    )
    row = made.ledger.standings[0]
    for player in ids:
        games = 0 if player in ids[:2] else 100
        made.ledger.standings.append(row._replace(player_id=player, rating=1500, games=games))
    pairs = [("X1", "X3", "1-0"), ("X2", "X4", "1-0"), ("X1", "X4", "1-0"), ("X2", "X3", "1-0")]
    for number in range(events):
        add_event(made, f"closed-{number:02}", START + timedelta(days=14 * number), pairs, rounds=2)
    return Planted(made.ledger, ("closed",), ids)


def plant_two_places(made: Ranked, days: tuple[int, int], rounds: tuple[int, int], apart: int) -> Planted:
    """A player in two events at once; the second begins `apart` days later. No game tells its day."""
    places = made.rng.permutation(len(made.order))
    player = made.order[places[0]]
    first, second = (
        [made.order[place] for place in places[1 + 20 * side : 1 + 20 * side + rounds[side]]]
        for side in (0, 1)
    )
    results = made.rng.choice(["1-0", "1/2-1/2", "0-1"], 40).tolist()
    for name, others, length, begins in (
        ("here", first, days[0], START), ("there", second, days[1], START + timedelta(days=apart)),
    ):  # fmt: skip
        rows = [(player, other, results.pop()) for other in others]
        add_event(made, name, begins, rows, days=length)
    return Planted(made.ledger, ("two-places", "two-places-event"), (player,))


def plant_too_many(made: Ranked, days: int, games: int) -> Planted:
    """A player with more games than the days of an event hold."""
    player, *others = made.rng.permutation(made.order)[: games + 1].tolist()
    results = made.rng.choice(["1-0", "1/2-1/2", "0-1"], games).tolist()
    rows = [(player, other, result) for other, result in zip(others, results, strict=True)]
    add_event(made, "long", START, rows, days=days)
    return Planted(made.ledger, ("too-many", "too-many-event"), (player,))


CASES: dict[str, Callable[[Ranked], Planted]] = {
    "a match of 8 games, all won by one": lambda made: plant_match(made, 8, 1),
    "a match of 14 games, all won by one": lambda made: plant_match(made, 14, 1),
    "24 games of a pair in eight months, all won by one": lambda made: plant_match(made, 24, 8),
    "5 of 5 against players 200 points stronger": lambda made: plant_hot_event(made, 5),
    "9 of 9 against players 200 points stronger": lambda made: plant_hot_event(made, 9),
    "10 games lost to weaker ones, then 5 of 5 won": lambda made: plant_sandbagger(made, 10, 45),
    "15 games lost to weaker ones, then 5 of 5 won": lambda made: plant_sandbagger(made, 15, 45),
    "5 games lost to players 100 to 300 points weaker, then 5 of 5": lambda made: plant_sandbagger(
        made, 5, 20
    ),
    "10 games lost to players 100 to 300 points weaker, then 5 of 5": lambda made: plant_sandbagger(
        made, 10, 20
    ),
    "20 games lost to weaker ones, then 5 of 5 won": lambda made: plant_sandbagger(made, 20, 45),
    "24 games of a pair, nine of ten won by one": lambda made: plant_farming(made, 24),
    "a closed group of four, 15 events": lambda made: plant_closed_group(made, 15),
    "two one-day events on one day": lambda made: plant_two_places(made, (1, 1), (5, 5), 0),
    "two events of 3 days at once, days not told": lambda made: plant_two_places(made, (3, 3), (6, 6), 0),
    "the same, 2 of 3 days shared": lambda made: plant_two_places(made, (3, 3), (6, 6), 1),
    "9 rounds in 9 days, and a weekend elsewhere": lambda made: plant_two_places(made, (9, 2), (9, 5), 4),
    "9 rounds in 10 days, and the same elsewhere": lambda made: plant_two_places(made, (10, 10), (9, 9), 0),
    "10 games on a day": lambda made: plant_too_many(made, 1, 10),
    "18 games in two days": lambda made: plant_too_many(made, 2, 18),
}


def clean_leagues(seed: int) -> ChessLedger:
    """Adults in weekend tournaments, and in a league of seven rounds in seven months in another place."""
    made = pool_of(ADULTS, seed)
    players = made.rng.permutation(made.order)[:60].tolist()
    rows = []
    for _ in range(7):
        seats = made.rng.permutation(players).reshape(-1, 2).tolist()
        rows += [(one, other, str(made.rng.choice(["1-0", "1/2-1/2", "0-1"]))) for one, other in seats]
    strength = {player: place for place, player in enumerate(made.order)}
    rows = [row for row in rows if abs(strength[row[0]] - strength[row[1]]) < 20]
    add_event(made, "league", START - timedelta(days=200), rows, days=210, rounds=7)
    return made.ledger


CLEAN: dict[str, Callable[[int], ChessLedger]] = {
    "adults alone": lambda seed: pool_of(ADULTS, seed).ledger,
    "juniors who grow, newcomers, visitors": lambda seed: pool_of(GROWING, seed).ledger,
    "a club of 24 who meet all the time": lambda seed: pool_of(CLUB, seed).ledger,
    "a league beside weekend tournaments": clean_leagues,
}


# Looking


def findings_of(ledger: ChessLedger) -> list[tuple[Finding, set[str]]]:
    """Every finding in a ledger, with the ids that it names."""
    met = games_of_ledger(columns_of(ledger))
    found = [finding for check in run_checks(met) for finding in check.found]
    return [(finding, {met.ids[player] for player in finding.players}) for finding in found]


def try_case(plant: Callable[[Ranked], Planted], seeds: int) -> tuple[int, int, int]:
    """In how many pools a case was found by its own kind, by any; false alarms in all of them."""
    own = either = wrong = 0
    for seed in range(seeds):
        planted = plant(pool_of(ADULTS, seed))
        found = findings_of(planted.ledger)
        named = {finding.kind for finding, ids in found if ids & set(planted.players)}
        own += bool(named & set(planted.kinds))
        either += bool(named)
        met = {player for game in planted_games(planted) for player in (game.white, game.black)}
        wrong += sum(not ids & met for _, ids in found)
    return own, either, wrong


def planted_games(planted: Planted) -> list[Game]:
    """The games of those who were planted."""
    every = (game for games in planted.ledger.games.values() for game in games)
    return [game for game in every if {game.white, game.black} & set(planted.players)]


def main() -> None:
    """Print both tables as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20, help="pools for each case")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    asked = parser.parse_args()
    print("| planted | found as such | found at all | false alarms |\n|---|---|---|---|")
    for name, plant in CASES.items():
        if asked.only in name:
            own, either, wrong = try_case(plant, asked.seeds)
            print(f"| {name} | {own} of {asked.seeds} | {either} of {asked.seeds} | {wrong} |", flush=True)
    print("\n| clean pools | pools | findings |\n|---|---|---|")
    for name, make in CLEAN.items():
        if asked.only in name:
            kinds = [f.kind for seed in range(asked.seeds) for f, _ in findings_of(make(100 + seed))]
            told = ", ".join(f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds)))
            print(f"| {name} | {asked.seeds} | {len(kinds)}{f' ({told})' if told else ''} |", flush=True)


if __name__ == "__main__":
    main()
