"""How fast the columnar engine rates, beside a plain dict loop, riix's Elo and a loop in C, in one run.

    python bench/columnar.py [--games 2000000] [--players 50000] [--windows 24] [--curve] [--streamed GAMES]
                             [--home FOLDER]

A made-up JCF pool (`synthetic_history.py`). In memory: the batches are made; rated are lists alone, then
lists with every line written as Parquet. A machine's speed drifts: all goes in rounds, in each of which the
engine does each five times and the dict loop its work once; the best of all counts. The peers take the same
games: a dict loop over tuples and a C loop over arrays (both know the main clauses alone: no first ratings,
members, forfeits or reasons), riix by its own rule, in a new virtual environment; who is unrated begins with
1500 in these. Then the whole command, CSV on disk to lists on disk. `--curve` goes from 100,000 to 10,000,000
games in memory; `--streamed` rates so many from Parquet with the command. Needs a C compiler.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from reference import PD, by_loop
from rich.console import Console
from rich.table import Table
from synthetic_history import Made, make

from banzuke.columnar.batch_columns import MISSING, WHITE_SCORES
from banzuke.columnar.calendar_years import year_of
from banzuke.columnar.twin import rules_of, twin_of
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import RatedColumns, RunningHistory, batches
from banzuke.engine.columnar.result_columns import change_table, list_table
from banzuke.engine.columnar.result_files import chess_files
from banzuke.engine.history import list_names

if TYPE_CHECKING:
    from banzuke.columnar.batch_columns import Batch
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.ledger.pool_rules import EditionInForce

HERE = Path(__file__).parent
ROUNDS, TIMES = 5, 5
#: The peers' rating of who has none when the pool opens.
UNRATED = 1500


class Pool(NamedTuple):
    """A pool in memory: its columns, and the batches of its lists."""

    columns: ChessColumns
    batches: list[tuple[EditionInForce, Batch]]

    @property
    def games(self) -> int:
        return len(self.columns.games.white)


def opened(folder: Path) -> Pool:
    columns = read_columns(folder)
    running = RunningHistory(columns, with_lines=False)
    return Pool(columns, list(batches(running, list_names(columns, None))))


def lists(pool: Pool) -> float:
    """Seconds for lists alone."""
    state = RunningHistory(pool.columns, with_lines=False).state
    begun = time.perf_counter()
    for edition, batch in pool.batches:
        rules = rules_of(edition.book, edition.settings)
        state = twin_of(edition.book).rate(rules, state, batch, with_lines=False).after
    return time.perf_counter() - begun


def with_lines(pool: Pool, folder: Path, *written: str) -> float:
    """Seconds for lists and every line; the files that are named, `changes` and `lists`, are written."""
    state = RunningHistory(pool.columns, with_lines=True).state
    begun = time.perf_counter()
    with chess_files(folder, pool.columns.pool, as_parquet=True) as sheets:
        for edition, batch in pool.batches:
            rules = rules_of(edition.book, edition.settings)
            rated = twin_of(edition.book).rate(rules, state, batch, with_lines=True)
            state = rated.after
            made = RatedColumns(edition, rated)
            if "changes" in written:
                sheets.append("changes", change_table(made, pool.columns.player_ids))
            if "lists" in written:
                sheets.append("lists", list_table(made, pool.columns.player_ids))
    return time.perf_counter() - begun


class Plain(NamedTuple):
    """The games of a pool as the peers take them: everybody rated when the pool opens, no forfeits."""

    white: Any
    black: Any
    score: Any
    years: list[int]
    ends: Any
    opening: Any
    born: Any


def plain(pool: Pool) -> Plain:
    columns = pool.columns
    state = RunningHistory(columns, with_lines=False).state
    games, register = columns.games, pool.batches[0][1].register
    takes, ends, years = [], [], []
    for _, batch in pool.batches:
        takes += map(np.arange, batch.first, batch.last)
        years.append((batch.events[-1].starts if batch.events else batch.closes).year)
        ends.append(sum(map(len, takes)))
    rows = np.concatenate(takes)
    score = WHITE_SCORES[games.result[rows]]
    counts = score != MISSING
    after = np.concatenate([[0], np.cumsum(counts)])
    rows = rows[counts]
    born = np.array([year_of(int(day)) if day else 1980 for day in register.born], np.int32)
    rating, peak = (np.where(each[0] == MISSING, UNRATED, each[0]) for each in (state.value, state.peak))
    opening = np.column_stack((rating, state.games[0], peak))
    return Plain(
        games.white[rows], games.black[rows], score[counts].astype(np.int8), years,
        after[np.array(ends)].astype(np.int64), opening, born,
    )  # fmt: skip


def by_dicts(given: Plain) -> tuple[float, Any]:
    """Seconds of the dict loop, and its ratings."""
    names = [f"P{number}" for number in range(len(given.born))]
    rows = list(
        zip(
            [names[p] for p in given.white],
            [names[p] for p in given.black],
            given.score.tolist(),
            strict=True,
        )
    )
    windows, first = [], 0
    for last, year in zip(given.ends.tolist(), given.years, strict=True):
        windows.append([(*row, year) for row in rows[first:last]])
        first = last
    state = dict(zip(names, given.opening.tolist(), strict=True))
    born = dict(zip(names, given.born.tolist(), strict=True))
    begun = time.perf_counter()
    ratings = by_loop(windows, state, born)
    return time.perf_counter() - begun, np.array([ratings[name] for name in names])


def by_c(given: Plain, folder: Path) -> tuple[float, Any]:
    """Seconds of the loop in C, and its ratings."""
    library = folder / "loop.so"
    subprocess.run(
        ["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, HERE / "loop.c"], check=True
    )
    rate = ctypes.CDLL(str(library)).rate
    players = np.zeros((len(given.born), 6), np.int32)
    pd, years = np.array(PD, np.int32), np.array(given.years, np.int32)
    best = float("inf")
    for _ in range(ROUNDS * TIMES):
        players[:, :3] = given.opening
        arrays = (given.ends, given.white, given.black, given.score, players, given.born, years, pd)
        ends, white, black, score, all_, born, year, table = (
            a.ctypes.data_as(ctypes.c_void_p) for a in arrays
        )
        begun = time.perf_counter()
        rate(len(years), ends, white, black, score, len(players), all_, born, year, table)
        best = min(best, time.perf_counter() - begun)
    return best, players[:, 0]


def by_riix(given: Plain, folder: Path) -> float:
    """Seconds of riix's iterative Elo, installed for it in an environment of its own."""
    venv.create(folder / "riix", with_pip=True)
    python = folder / "riix" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "riix"], check=True, stderr=subprocess.DEVNULL)
    said = {"white": given.white, "black": given.black, "score": given.score, "ends": given.ends}
    np.savez(folder / "games.npz", players=len(given.born), **said)
    ran = subprocess.run(
        [python, HERE / "riix_elo.py", folder / "games.npz"], check=True, capture_output=True, text=True
    )
    return float(ran.stdout)


def streaming(pool: Pool) -> float:
    """Seconds to read what the engine must read of every game once: the machine's bound."""
    games, begun = pool.columns.games, time.perf_counter()
    for column in games:
        column.view(np.uint8).max(initial=0)
    return time.perf_counter() - begun


def command(folder: Path, out: Path, *options: str) -> tuple[float, int]:
    """Seconds and peak bytes of the whole command."""
    before = time.perf_counter()
    line = [
        sys.executable,
        "-m",
        "banzuke.cli.app",
        "rate",
        str(folder),
        "--out",
        str(out),
        "--engine",
        "columnar",
    ]
    child = subprocess.Popen([*line, *options], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"the command failed: {status}")
    return time.perf_counter() - before, used.ru_maxrss * 1024


def in_memory(pool: Pool, folder: Path, table: Table) -> None:
    given = plain(pool)
    with_lines(pool, folder, "changes", "lists")
    kinds = {
        "columnar, lists alone": lambda: lists(pool),
        "columnar, every line made": lambda: with_lines(pool, folder),
        "columnar, every line written as Parquet": lambda: with_lines(pool, folder, "changes"),
        "columnar, every line and list written as Parquet": lambda: with_lines(
            pool, folder, "changes", "lists"
        ),
    }
    best, loop = dict.fromkeys(kinds, float("inf")), float("inf")
    for _ in range(ROUNDS):
        for what, timed in kinds.items():
            best[what] = min(best[what], *(timed() for _ in range(TIMES)))
        seconds, of_loop = by_dicts(given)
        loop = min(loop, seconds)
    c, of_c = by_c(given, folder)
    assert (of_loop == of_c).all(), "the loops disagree"
    best |= {"a loop in C, main clauses alone": c, "every column read once": streaming(pool)}
    best |= {"plain dict loop, main clauses alone": loop, "riix, iterative Elo": by_riix(given, folder)}
    for what, seconds in best.items():
        of = len(given.white) if "loop" in what or "riix" in what else pool.games
        dict_loop, elo = (
            best[name] / seconds for name in ("plain dict loop, main clauses alone", "riix, iterative Elo")
        )
        table.add_row(
            what, f"{of:,}", f"{seconds:.3f}", f"{of / seconds:,.0f}", f"{dict_loop:.1f}", f"{elo:.1f}"
        )


def curve(home: Path, table: Table) -> None:
    for games in (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000):
        folder = home / f"curve-{games}"
        make(folder, Made(games, max(games // 40, 1000), 24, "jcf-2024"), as_parquet=True)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        pool = opened(folder)
        seconds = min(lists(pool) for _ in range(3))
        held = sum(column.nbytes for column in pool.columns.games) / pool.games
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / pool.games
        said = f"{1e9 * seconds / games:.0f} ns", f"{held:.0f}", f"{grown:.0f}"
        table.add_row(f"{games:,}", f"{seconds:.3f}", *said)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="left" if column == columns[0] else "right")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option, default in (("games", 2_000_000), ("players", 50_000), ("windows", 24), ("streamed", 0)):
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    console = Console(width=120)
    with tempfile.TemporaryDirectory(dir=given.home) as name:
        home = Path(name)
        make(home / "pool", Made(given.games, given.players, given.windows, "jcf-2024"))
        table = _table(
            f"{given.games:,} games, {given.players:,} players, {given.windows} windows",
            "what", "games", "seconds", "games/s", "x the dict loop", "x riix",
        )  # fmt: skip
        in_memory(opened(home / "pool"), home, table)
        console.print(table)
        seconds, peak = min(command(home / "pool", home / "out") for _ in range(3))
        console.print(f"banzuke rate --engine columnar, CSV to CSV: {seconds:.2f} s, {peak / 2**20:,.0f} MiB")
        if given.curve:
            table = _table(
                "lists alone", "games", "seconds", "a game", "bytes a game held", "and while reading"
            )
            curve(home, table)
            console.print(table)
        if given.streamed:
            made = Made(given.streamed, max(given.streamed // 100, 1000), given.windows, "jcf-2024")
            make(home / "large", made, as_parquet=True)
            seconds, peak = command(home / "large", home / "large-out", "--parquet")
            console.print(
                f"{given.streamed:,} games from Parquet to Parquet: {seconds:.0f} s, {peak / 2**30:.2f} GiB"
            )


if __name__ == "__main__":
    main()
