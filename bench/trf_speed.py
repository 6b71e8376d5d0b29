"""How fast TRF reports are read, beside the package `trf` from PyPI on the same bytes.

    python bench/trf_speed.py [TIMES]

Made-up events of some shapes, written by Banzuke's own writer; some with a national record for every player,
which the package passes over. The package only parts the columns; Banzuke also holds every row against the
opponents' rows and the points, and makes the games. Both read every event in turn, TIMES times (5); the best
time of each counts.
"""

from __future__ import annotations

import random
import sys
import time
from datetime import date, timedelta
from typing import TYPE_CHECKING

import trf as package
from rich.console import Console
from rich.table import Table

from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_reader, trf_writer

if TYPE_CHECKING:
    from collections.abc import Callable

#: Players, rounds, how many such events; the code and the native name in national records.
SHAPES = (
    (2000, 9, 6, "", ""),
    (2000, 9, 6, "JPN", ""),
    (2000, 9, 6, "JPN", "選手　番号"),
    (300, 11, 20, "", ""),
    (300, 11, 20, "JPN", "選手　番号"),
    (60, 7, 100, "", ""),
    (10, 9, 500, "", ""),
)
RESULTS = ("1-0", "0-1", "1/2-1/2") * 33 + ("+/-",)
DAY = date(2025, 3, 1)


def event(players: int, rounds: int, seed: int, *, code: str, native: str) -> bytes:
    """A made-up report: everybody plays somebody in every round."""
    chance = random.Random(seed)
    people = tuple(
        ReportedPlayer(
            n,
            f"Player, Number {n}",
            str(24_600_000 + n),
            f"N{n:08}",
            chance.randint(1000, 2500),
            "JPN",
            "mw"[n % 2],
            date(1950, 1, 1) + timedelta(chance.randint(0, 23_000)),
            name_native=native,
            national_rating=chance.randint(1000, 2500),
        )
        for n in range(1, players + 1)
    )
    games = []
    for number in range(1, rounds + 1):
        order = chance.sample(range(1, players + 1), players)
        pairs = zip(order[::2], order[1::2], strict=True)
        games += [ReportedGame(number, white, black, chance.choice(RESULTS), DAY) for white, black in pairs]
    report = Report(ReportedEvent("Made up", "Tokyo", "JPN", starts=DAY, rounds=rounds), people, tuple(games))
    return trf_writer.write(report, version=26, federation_code=code)


def ours(data: bytes) -> int:
    """How many games Banzuke finds."""
    report = trf_reader.read(data, "x")
    assert not report.faults
    return len(report.games)


def theirs(data: bytes) -> int:
    """How many games the package finds (each side is a game of its own there)."""
    players = package.loads(data.decode()).players
    sides: int = sum(game.startrank != 0 for player in players for game in player.games)
    return sides // 2


def seconds(read: Callable[[bytes], int], files: list[bytes]) -> tuple[int, float]:
    """How many games are read, and in how many seconds."""
    start = time.perf_counter()
    games = sum(read(data) for data in files)
    return games, time.perf_counter() - start


def show(times: int) -> None:
    """Print the table."""
    table = Table(title=f"Reading TRF, best of {times}, in turn")
    for column in ("events", "games", "games/s", "package trf, games/s", "ratio"):
        table.add_column(column, justify="left" if column == "events" else "right")
    for players, rounds, count, code, native in SHAPES:
        files = [event(players, rounds, seed, code=code, native=native) for seed in range(count)]
        runs = [(seconds(ours, files), seconds(theirs, files)) for _ in range(times)]
        games, found = {run[0][0] for run in runs}, {run[1][0] for run in runs}
        assert games == found
        best, other = min(run[0][1] for run in runs), min(run[1][1] for run in runs)
        records = ", national records" if code else ""
        name = f"{count} of {players:,} x {rounds}{records}" + (" in Japanese" if native else "")
        total = games.pop()
        speeds = (f"{total:,}", f"{total / best:,.0f}", f"{total / other:,.0f}", f"{other / best:.1f}")
        table.add_row(name, *speeds)
    Console(width=100).print(table)


if __name__ == "__main__":
    show(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
