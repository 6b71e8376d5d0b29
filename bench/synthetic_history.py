"""A made chess history as a ledger folder, of whatever size: the input of the benchmarks.

    python bench/synthetic_history.py FOLDER --games 2000000 --players 50000 --windows 24 --book jcf-2024
    --parquet

Players are active by a skewed law, have a strength, and meet others of about theirs; a fifth are juniors, two
fifths open with a rating, a few are no members. The same numbers give the same bytes; games are written
window by window, so that a hundred million take no more memory than one window of them.
"""

from __future__ import annotations

import argparse
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.core.facts import SCORES, Event, Membership, Opening, Player
from banzuke.core.month import Month
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.result_files import ResultFiles
from banzuke.ledger.folder import replace_tables
from banzuke.ledger.schema import CHESS
from banzuke.table_writer.coded_columns import Column, Numbers, Table

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

FIRST_MONTH = Month(2023, 1)
COLUMNS = ("event_id", "round", "played", "white", "black", "result")
COUNTS = {"games.csv": frozenset({"round"})}
RESULTS = tuple(SCORES)
WHITE_WINS, DRAWN, BLACK_WINS, FORFEIT = (RESULTS.index(text) for text in ("1-0", "1/2-1/2", "0-1", "+/-"))
#: Players of an event, small ones being common; its rounds; its last day in the month, at the latest.
SMALLEST, LARGEST = 8, 240
FEWEST, MOST = 5, 9
LAST_DAY = 17


class Made(NamedTuple):
    """The size of a history, and the rule book of its pool."""

    games: int
    players: int
    windows: int
    book: str


class People(NamedTuple):
    """Players: their ids, strengths, and shares of all seats, summed up."""

    ids: tuple[str, ...]
    strength: NDArray[np.float64]
    shares: NDArray[np.float64]


class Played(NamedTuple):
    """The games of an event, in columns: round from 1, day of the event from 0, players, result."""

    round: NDArray[np.int32]
    day: NDArray[np.int32]
    white: NDArray[np.int32]
    black: NDArray[np.int32]
    result: NDArray[np.int32]


def make(folder: Path, made: Made, *, as_parquet: bool = False) -> None:
    """Write the ledger into a folder that is not there yet."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng([made.games, made.players, made.windows])
    pool = f'name = "Made"\n[[edition]]\nrulebook = "{made.book}"\nfrom = 2000-01-01\n'
    (folder / "pool.toml").write_text(pool, encoding="utf-8")
    people = _people(rng, made.players)
    events: list[Event] = []
    with ResultFiles(folder, {"games": COLUMNS}, COUNTS, as_parquet=as_parquet) as sheets:
        for window in range(made.windows):
            sheets.append("games", _window(rng, made, people, window, events))
    tables = {
        "players": _players(rng, people),
        "memberships": _memberships(rng, made, people),
        "standings": _standings(rng, made, people),
        "events": events,
    }
    replace_tables(folder, tables, CHESS)


def _people(rng: Generator, players: int) -> People:
    ids = tuple(f"P{number:0{len(str(players))}}" for number in range(1, players + 1))
    activity = rng.pareto(1.3, players) + 0.02
    return People(ids, rng.normal(1500, 320, players), np.cumsum(activity) / activity.sum())


def _window(rng: Generator, made: Made, people: People, window: int, events: list[Event]) -> Table:
    """The games of a window; its events are added to `events`."""
    left = made.games * (window + 1) // made.windows - made.games * window // made.windows
    month = FIRST_MONTH.plus(window).first_day
    first, played, ids, days = len(events), [], [], []
    while left:
        rounds, length = int(rng.integers(FEWEST, MOST + 1)), int(rng.integers(1, 4))
        event = Played(
            *(column[:left] for column in _event(rng, people, _size(rng, made, left, rounds), rounds, length))
        )
        starts = month + timedelta(days=int(rng.integers(LAST_DAY - length)))
        events.append(_reported(rng, f"E{window:03}-{len(events) - first:05}", starts, length))
        played.append(event)
        ids.append(np.full(len(event.round), len(events) - 1 - first, np.int32))
        days.append(event.day + (starts - month).days)
        left -= len(event.round)
    joined = Played(*(np.concatenate(column) for column in zip(*played, strict=True)))
    texts = (
        Column(np.concatenate(ids), tuple(event.event_id for event in events[first:])),
        Numbers(joined.round),
        Column(np.concatenate(days), tuple(str(month + timedelta(days=n)) for n in range(31))),
        Column(joined.white, people.ids),
        Column(joined.black, people.ids),
        Column(joined.result, RESULTS),
    )
    return Table(dict(zip(COLUMNS, texts, strict=True)))


def _size(rng: Generator, made: Made, left: int, rounds: int) -> int:
    """How many play; all that a window has in one event where each event makes a list."""
    if made.book == "hakodate":
        return max(SMALLEST, 2 * -(-left // rounds))
    return int(SMALLEST * (LARGEST / SMALLEST) ** rng.random())


def _event(rng: Generator, people: People, size: int, rounds: int, length: int) -> Played:
    """Rounds in which players meet others of about their strength."""
    found = np.unique(np.searchsorted(people.shares, rng.random(2 * size)))
    who = rng.permutation(found)[: min(size, len(found)) // 2 * 2]
    seats = who[np.argsort(people.strength[who] + rng.normal(0, 150, (rounds, len(who))), axis=1)]
    swapped = rng.random((rounds, len(who) // 2)) < 0.5
    one, other = seats[:, ::2], seats[:, 1::2]
    white, black = np.where(swapped, one, other).ravel(), np.where(swapped, other, one).ravel()
    boards = len(who) // 2
    return Played(
        np.repeat(np.arange(1, rounds + 1), boards).astype(np.int32),
        np.repeat(np.arange(rounds) * length // rounds, boards).astype(np.int32),
        white.astype(np.int32),
        black.astype(np.int32),
        _results(rng, people.strength[white] + 35 - people.strength[black]),
    )


def _results(rng: Generator, ahead: NDArray[np.float64]) -> NDArray[np.int32]:
    """By the logistic curve, a tenth of games drawn and one in a hundred not played."""
    luck, other = rng.random(len(ahead)), rng.random(len(ahead))
    result = np.where(luck < 1 / (1 + 10 ** (-ahead / 400)), WHITE_WINS, BLACK_WINS)
    result = np.where(other < 0.1, DRAWN, result)
    return np.where(other > 0.99, FORFEIT, result).astype(np.int32)


def _reported(rng: Generator, event_id: str, starts: date, length: int) -> Event:
    ends = starts + timedelta(days=length - 1)
    reported = ends + timedelta(days=int(rng.integers(3)))
    minutes = (90, 30) if rng.random() < 0.8 else (20, 10)
    return Event(
        event_id, event_id, starts, ends, reported,
        base_minutes=minutes[0], increment_seconds=minutes[1], fide_rated=False, paid=reported,
    )  # fmt: skip


def _players(rng: Generator, people: People) -> list[Player]:
    """One in five a junior; one in ten has a rating taken over."""
    ages, taken = rng.random(len(people.ids)), rng.random(len(people.ids)) < 0.1
    return [
        Player(
            player,
            f"PLAYER {player}",
            birth_date=date(
                2008 + int(10 * age) if age < 0.2 else 1940 + int(60 * age), 1 + int(12 * age), 5
            ),
            fide_standard=int(min(max(strength, 1400), 2800)) if is_taken else None,
        )
        for player, strength, age, is_taken in zip(
            people.ids, people.strength.tolist(), ages.tolist(), taken.tolist(), strict=True
        )
    ]


def _memberships(rng: Generator, made: Made, people: People) -> list[Membership]:
    """Nearly all for ever, some for a year, some never; Irish ratings ask when everybody joined."""
    kinds = rng.random(len(people.ids)).tolist()
    ends = [date(2099, 12, 31) if kind < 0.95 else date(FIRST_MONTH.year, 12, 31) for kind in kinds]
    return [
        Membership(player, "annual", date(2000, 1, 1), end)
        for player, kind, end in zip(people.ids, kinds, ends, strict=True)
        if kind < 0.98 or made.book == "icu"
    ]


def _standings(rng: Generator, made: Made, people: People) -> list[Opening]:
    """Two fifths open with a rating near their strength; nearly all do whose unrated must not meet alone."""
    speeds = BOOKS[made.book].speeds
    openings, share = [], 0.9 if made.book == "icu" else 0.4
    for player in np.flatnonzero(rng.random(len(people.ids)) < share).tolist():
        rating = int(min(max(people.strength[player] + rng.normal(0, 80), 1400), 2800))
        played = int(rng.integers(200))
        openings += [Opening(people.ids[player], rating, played, speed) for speed in speeds]
    return openings


def main() -> None:
    """Write the ledger that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=2_000_000)
    parser.add_argument("--players", type=int, default=50_000)
    parser.add_argument("--windows", type=int, default=24)
    parser.add_argument(
        "--book",
        choices=("ncs-2022", "jcf-2024", "fide-2024", "hakodate", "icu", "us-chess"),
        default="ncs-2022",
    )
    parser.add_argument("--parquet", action="store_true", help="games.parquet in place of games.csv")
    asked = parser.parse_args()
    made = Made(asked.games, asked.players, asked.windows, asked.book)
    make(asked.folder, made, as_parquet=asked.parquet)


if __name__ == "__main__":
    main()
