"""How fast the twins of the rule books rate, beside the readable books on the same pools in memory.

    python bench/twins.py [GAMES]

Every book rates its made-up pool three ways: readably, by its twin with every line, by its twin for the
lists alone; all three must leave the same standings. Kernels are compiled, or found compiled, before the
clock runs.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table
from synthetic_pools import chess_pool, go_pool

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history, history
from banzuke.engine.columnar import chess_reader, go_reader
from banzuke.engine.columnar.columnar_history import history as columnar_history
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from banzuke.ledger.folder import ChessLedger, GoLedger

WINDOWS = 24
SMALL = 2_000


class Speeds(NamedTuple):
    """Seconds that a pool took: by the readable book, by its twin with lines, by its twin without."""

    readable: float
    with_lines: float
    lists_alone: float


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work gives, and the seconds it took, as `banzuke rate` runs."""
    with uncollected():
        start = time.perf_counter()
        found = work()
        return found, time.perf_counter() - start


def readable_chess(ledger: ChessLedger) -> dict[tuple[str, str], int]:
    """The ratings of the last list, by speed and player."""
    for rated in history.history(ledger, history.list_names(ledger, None)):
        ratings = rated.outcome.standings.ratings
    return {
        (speed, player): rating.value
        for speed, of_speed in ratings.items()
        for player, rating in of_speed.items()
        if rating.value is not None
    }


def twin_chess(columns: chess_reader.ChessColumns, *, with_lines: bool) -> dict[tuple[str, str], int]:
    """The same by the twins."""
    names = history.list_names(columns, None)
    for made in columnar_history(columns, names, with_lines=with_lines):
        value = made.rated.after.value
    speeds = columns.pool.speeds
    return {
        (speed, player): rating
        for speed, row in zip(speeds, value.tolist(), strict=True)
        for player, rating in zip(columns.player_ids, row, strict=True)
        if rating != MISSING
    }


def chess(ledger: ChessLedger) -> Speeds:
    columns = chess_reader.columns_of(ledger)
    expected, readable = timed(lambda: readable_chess(ledger))
    lined, with_lines = timed(lambda: twin_chess(columns, with_lines=True))
    listed, lists_alone = timed(lambda: twin_chess(columns, with_lines=False))
    assert expected == lined == listed, "the twin and its book disagree"
    return Speeds(readable, with_lines, lists_alone)


def readable_go(ledger: GoLedger) -> list[tuple[int, int]]:
    """The points of all players at the end, by id, and their rated games."""
    run = go_history.opening(ledger)
    for _ in go_history.history(ledger, run, None):
        pass
    return [(run.states[player].points or 0, run.states[player].rated_games) for player in sorted(run.states)]


def twin_go(columns: go_reader.GoColumns, *, with_lines: bool) -> list[tuple[int, int]]:
    """The same by the twin."""
    running = RunningGoHistory(columns)
    running.rate(*running.rows_until(None), with_lines=with_lines)
    return running.states.players[["points", "rated_games"]].tolist()


def go(ledger: GoLedger) -> Speeds:
    columns = go_reader.columns_of(ledger)
    expected, readable = timed(lambda: readable_go(ledger))
    lined, with_lines = timed(lambda: twin_go(columns, with_lines=True))
    listed, lists_alone = timed(lambda: twin_go(columns, with_lines=False))
    assert expected == lined == listed, "the twin and its book disagree"
    return Speeds(readable, with_lines, lists_alone)


def row(book: str, games: int, speeds: Speeds) -> list[str]:
    return [
        book,
        f"{games:,}",
        *(f"{games / seconds:,.0f}" for seconds in speeds),
        *(f"{speeds.readable / seconds:.0f} x" for seconds in speeds[1:]),
    ]


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    table = Table(title=f"Games a second in memory, {WINDOWS} windows; hakodate, icu, us-chess by event")
    for column in ("book", "games", "readable", "twin, lines", "twin, lists", "lines", "lists"):
        table.add_column(column, justify="left" if column == "book" else "right")
    for book, size, players in (
        ("ncs-2022", games, games // 40),
        ("jcf-2024", games, games // 40),
        ("fide-2024", games, games // 40),
        ("hakodate", games // 10, 300),
        ("icu", games // 10, 300),
        ("us-chess", games // 10, 300),
    ):
        chess(chess_pool(book, SMALL, 300, WINDOWS))
        table.add_row(*row(book, size, chess(chess_pool(book, size, players, WINDOWS))))
    go(go_pool(SMALL, 300))
    table.add_row(*row("pandanet", games, go(go_pool(games, games // 40))))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
