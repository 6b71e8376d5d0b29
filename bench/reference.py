"""How fast the readable engine rates, beside a plain dict loop that gives the same ratings.

    python bench/reference.py [GAMES [PLAYERS]]

Both rate the same made-up pool in memory; the loop keeps no reasons, no lines, no workings. Then
the whole command: a ledger in CSV on disk, read, checked, rated, written, with its peak memory.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table
from synthetic_pools import chess_pool, go_pool

from banzuke.core.facts import SCORES
from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import ChessLedger, records_of, replace_tables
from banzuke.ledger.schema import CHESS
from banzuke.rulebooks.fide.tables import expected
from banzuke.rulebooks.jcf.ncs_2022 import CALENDAR

WINDOWS = 24
Ratings = dict[str, int]


def by_engine(ledger: ChessLedger) -> tuple[Ratings, int]:
    """The last list's standard ratings by the reference engine, and how many lines it made."""
    lines, rated = 0, None
    for rated in history(ledger, list_names(ledger, None)):
        lines += sum(len(event.lines) for event in rated.outcome.events)
    assert rated is not None
    after = rated.outcome.standings.ratings["standard"]
    return {player: r.value for player, r in after.items() if r.value is not None}, lines


def by_loop(
    windows: list[list[tuple[str, str, int, int]]], state: dict[str, list[int]], born: dict[str, int]
) -> Ratings:
    """The same ratings by a plain loop over dicts (JCF: K, table, limit, sum, rounding, floor)."""
    for games in windows:
        change: dict[str, int] = {}
        count: dict[str, int] = {}
        for white, black, score, year in games:
            if white not in state or black not in state:
                continue
            a, b = state[white], state[black]
            d = a[0] - b[0]
            d = 400 if d > 400 else -400 if d < -400 else d  # noqa: FURB136 - the faster way
            for player, own, points, gap in ((white, a, score, d), (black, b, 2 - score, -d)):
                if own[2] >= 2400:
                    k = 10
                elif (own[2] < 2000 and year - born[player] - 1 < 19) or own[1] < 30:
                    k = 40
                else:
                    k = 20
                change[player] = change.get(player, 0) + (50 * points - PD[gap + 400]) * k
                count[player] = count.get(player, 0) + 1
        for player, total in change.items():
            own = state[player]
            shift = (abs(total) + 50) // 100
            own[0] = max(1000, own[0] + (shift if total >= 0 else -shift))
            own[1] += count[player]
            own[2] = max(own[2], own[0])
    return {player: own[0] for player, own in state.items()}


PD = [expected(d) for d in range(-400, 401)]


def plain(
    ledger: ChessLedger,
) -> tuple[list[list[tuple[str, str, int, int]]], dict[str, list[int]], dict[str, int]]:
    """The pool as the plain loop takes it."""
    windows: dict[str, list[tuple[str, str, int, int]]] = {name: [] for name in list_names(ledger, None)}
    for event in ledger.events:
        games = windows[CALENDAR.window_on(event.reported).name]
        for game in ledger.games[event.event_id]:
            games.append((game.white, game.black, SCORES[game.result][0] or 0, event.starts.year))
    state = {row.player_id: [row.rating, row.games, row.rating] for row in ledger.standings}
    born = {player.player_id: player.birth_date.year for player in ledger.players if player.birth_date}
    return list(windows.values()), state, born


def without_newcomers(ledger: ChessLedger) -> ChessLedger:
    """The pool with everybody rated: the plain loop knows no first ratings."""
    rated = {row.player_id for row in ledger.standings}
    games = {
        event: [g for g in games if g.white in rated and g.black in rated]
        for event, games in ledger.games.items()
    }
    return ChessLedger(
        ledger.pool, ledger.players, [], ledger.memberships, ledger.events, games, ledger.standings
    )


def timed(function, *arguments):  # noqa: ANN001, ANN002, ANN201 - a benchmark's stopwatch
    """The result and the seconds it took, without garbage collection, as `banzuke rate` runs."""
    gc.collect()
    with uncollected():
        start = time.perf_counter()
        result = function(*arguments)
        return result, time.perf_counter() - start


def in_memory(games: int, players: int, table: Table) -> None:
    ledger = without_newcomers(chess_pool("jcf-2024", games, players, WINDOWS))
    played = sum(len(games) for games in ledger.games.values())
    loop, loop_seconds = timed(by_loop, *plain(ledger))
    (engine, lines), seconds = timed(by_engine, ledger)
    assert engine == loop, "the engine and the loop disagree"
    table.add_row(
        "plain dict loop, ratings alone",
        f"{played:,}",
        f"{loop_seconds:.2f}",
        f"{played / loop_seconds:,.0f}",
        "1.00",
    )
    table.add_row(
        f"reference engine, {lines:,} lines",
        f"{played:,}",
        f"{seconds:.2f}",
        f"{played / seconds:,.0f}",
        f"{loop_seconds / seconds:.2f}",
    )


def other_books(games: int, players: int, table: Table) -> None:
    for book in ("ncs-2022", "fide-2024", "hakodate"):
        size = games if book != "hakodate" else games // 10
        ledger = chess_pool(book, size, players if book != "hakodate" else 300, WINDOWS)
        (_, _), seconds = timed(by_engine_lines, ledger)
        table.add_row(
            f"reference engine, {book}", f"{size:,}", f"{seconds:.2f}", f"{size / seconds:,.0f}", ""
        )


def go(games: int, players: int, table: Table) -> None:
    ledger = go_pool(games, players)
    run = go_history.opening(ledger)
    lines, seconds = timed(lambda: sum(2 for _ in go_history.history(ledger, run, None)))
    assert lines == 2 * games
    table.add_row("reference engine, pandanet", f"{games:,}", f"{seconds:.2f}", f"{games / seconds:,.0f}", "")


def by_engine_lines(ledger: ChessLedger) -> tuple[int, int]:
    lists = lines = 0
    for rated in history(ledger, list_names(ledger, None)):
        lists += 1
        lines += sum(len(event.lines) for event in rated.outcome.events)
    return lists, lines


def whole_command(games: int, players: int, table: Table) -> None:
    ledger = chess_pool("jcf-2024", games, players, WINDOWS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        folder.mkdir()
        (folder / "pool.toml").write_text(
            'name = "Bench"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2022-09-01\n', encoding="utf-8"
        )
        replace_tables(folder, {t.name: records_of(ledger, t) for t in CHESS}, CHESS)
        del ledger
        start = time.perf_counter()
        command = [sys.executable, "-m", "banzuke.cli.app", "rate", str(folder), "--out", f"{name}/out"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    table.add_row("banzuke rate, CSV to CSV", f"{games:,}", f"{seconds:.2f}", f"{games / seconds:,.0f}", "")
    table.caption = (
        f"Peak memory of the whole command: {peak / 2**20:,.0f} MiB, {peak / games:,.0f} bytes a game."
    )


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    table = Table(title=f"{games:,} games, {players:,} players, {WINDOWS} windows")
    for column in ("what", "games", "seconds", "games/s", "of the loop's speed"):
        table.add_column(column, justify="left" if column == "what" else "right")
    in_memory(games, players, table)
    other_books(games, players, table)
    go(games, players, table)
    whole_command(games, players, table)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
