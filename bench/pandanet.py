"""How fast the fast twin of Pandanet rates, beside the readable engine, in memory and from disk to disk.

    python bench/pandanet.py [GAMES [PLAYERS]]

First both rate the same pool of a tenth of 10^6 games, and must agree. Then the twin alone on 10^5 games to
GAMES, with and without a line for each side of each game. Last a ledger on disk, in CSV, to its files.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv as pa_csv
from rich.console import Console
from rich.table import Table
from synthetic_pools import go_pool

from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory
from banzuke.engine.columnar.go_reader import GoColumns, columns_of
from banzuke.ledger.folder import GoLedger, records_of, replace_tables
from banzuke.ledger.schema import GO

SMALL = 100_000
BETWEEN = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
EDITION = 'name = "Bench"\n[[edition]]\nrulebook = "pandanet"\nfrom = 2005-04-01\n'


def timed(function, *arguments, **named):  # noqa: ANN001, ANN002, ANN003, ANN201 - a benchmark's stopwatch
    """The result and the seconds it took, without garbage collection, as `banzuke rate` runs."""
    with uncollected():
        start = time.perf_counter()
        result = function(*arguments, **named)
        return result, time.perf_counter() - start


def by_reference(ledger: GoLedger) -> tuple[list[tuple[str, int]], int]:
    """Ranks and points in the end, by player, and the points that moved."""
    run, moved = go_history.opening(ledger), 0
    for rated in go_history.history(ledger, run, None):
        moved += abs(rated.black.points or 0) + abs(rated.white.points or 0)
    return [(run.states[player].rank, run.states[player].points or 0) for player in sorted(run.states)], moved


def by_twin(columns: GoColumns, *, with_lines: bool) -> tuple[list[tuple[str, int]], int, float]:
    """The same, and the seconds without the opening; nothing moved is told without lines."""
    running = RunningGoHistory(columns)
    (_, rated), seconds = timed(running.rate, *running.rows_until(None), with_lines=with_lines)
    moved = 0
    if rated.lines is not None:
        points = rated.lines["points"]
        moved = int(np.abs(points[points > -1000]).sum())
    players = running.states.players
    ended = [
        (running.ranks[rank], int(points))
        for rank, points in zip(players["rank"], players["points"], strict=True)
    ]
    return ended, moved, seconds


def many(columns: GoColumns, games: int) -> GoColumns:
    """So many games: those of a pool again and again, in another order and later each time."""
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.permutation(len(columns.game_ids)) for _ in range(-(-games // SMALL))])[:games]
    again = columns.games._replace(ended=np.sort(columns.games.ended))
    taken = type(again)(*(column[rows] for column in again))
    later = taken._replace(ended=np.arange(games, dtype=np.int64) * 1_000_000 + again.ended[0])
    return columns._replace(
        games=later, game_ids=pa.chunked_array([pa.array([f"G{n:09}" for n in range(games)])])
    )


def curve(columns: GoColumns, games: int, table: Table) -> None:
    size = SMALL
    while size <= games:
        some = many(columns, size)
        taken = sum(column.nbytes for column in some.games) + some.game_ids.nbytes
        for with_lines in (False, True):
            seconds = min(by_twin(some, with_lines=with_lines)[2] for _ in range(3))
            what = "twin, lines" if with_lines else f"twin, states alone ({taken / size:.0f} bytes a game)"
            add(table, what, size, seconds)
        size *= 10


def add(table: Table, what: str, games: int, seconds: float) -> None:
    table.add_row(what, f"{games:,}", f"{seconds:.3f}", f"{games / seconds:,.0f}")


def from_disk(ledger: GoLedger, columns: GoColumns, games: int, table: Table) -> None:
    """A command of its own, from CSV to CSV."""
    some = many(columns, games)
    ids = np.array(some.player_ids)
    ended = [datetime.fromtimestamp(at // 1_000_000, UTC).isoformat() for at in some.games.ended.tolist()]
    cells = {
        "game_id": some.game_ids, "ended": ended,
        "black": ids[some.games.black], "white": ids[some.games.white],
        "result": np.array(["B", "W"])[some.games.result], "handicap": some.games.handicap,
        "komi": (some.games.komi / 2).astype(str), "board": some.games.board, "moves": some.games.moves,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        folder.mkdir()
        (folder / "pool.toml").write_text(EDITION, encoding="utf-8")
        replace_tables(folder, {t.name: records_of(ledger, t) for t in GO if t.name != "games"}, GO)
        with (folder / "games.csv").open("wb") as stream:
            stream.write((",".join(cells) + "\n").encode())
            options = pa_csv.WriteOptions(include_header=False, quoting_style="none")
            pa_csv.write_csv(pa.table(cells), stream, options)
        for engine in ("columnar", "reference") if games <= SMALL else ("columnar",):
            seconds, peak = command(folder, Path(name) / engine, engine)
            what = f"banzuke rate --engine {engine}, CSV to CSV, {peak / 2**20:,.0f} MiB"
            add(table, what, games, seconds)


def command(folder: Path, out: Path, engine: str) -> tuple[float, int]:
    """The seconds of the whole command, and its peak memory, which a small process between tells."""
    words = ["-m", "banzuke.cli.app", "rate", str(folder), "--out", str(out), "--engine", engine]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", BETWEEN, sys.executable, *words], check=True, capture_output=True, text=True
    )
    return time.perf_counter() - start, int(done.stdout) * 1024


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    table = Table(title=f"Pandanet, {players:,} players")
    for column in ("what", "games", "seconds", "games/s"):
        table.add_column(column, justify="left" if column == "what" else "right")
    ledger = go_pool(SMALL, players)
    columns = columns_of(ledger)
    (ended, moved), seconds = timed(by_reference, ledger)
    add(table, "readable engine, lines", SMALL, seconds)
    assert by_twin(columns, with_lines=True)[:2] == (ended, moved), "the engines disagree"
    curve(columns, games, table)
    for size in (SMALL, min(games, 20 * SMALL)):
        from_disk(ledger, columns, size, table)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
