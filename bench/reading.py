"""How fast files come in: TRF beside the package `trf`, PGN beside python-chess, a ledger's games as CSV.

    python bench/reading.py [GAMES] [TIMES]

GAMES (2,000,000) is the size of the ledger; its games.csv is read and checked as `banzuke rate` does it, in a
process of its own. The PGN has a hundredth of it. The best of TIMES (3) runs in turn counts.
"""

from __future__ import annotations

import io
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess.pgn
import pools
import trf_speed
from rich.console import Console
from rich.table import Table

from banzuke.formats import pgn
from banzuke.ledger.folder import write_ledger

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7"
POOL = 'name = "Bench"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2022-09-01\n'
READ = """
import resource, sys, time
from pathlib import Path
from banzuke.ledger.folder import read_ledger
start = time.perf_counter()
ledger = read_ledger(Path(sys.argv[1]))
took = time.perf_counter() - start
print(took, sum(map(len, ledger.games.values())), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def pgn_text(games: int) -> bytes:
    """Games of one event, 50 boards a round, with forty moves each."""
    rng, parts = random.Random(1), []
    for number in range(games):
        turn, board = divmod(number, 50)
        white, black = 2 * board + 1, 2 * board + 2
        result = rng.choice(("1-0", "0-1", "1/2-1/2"))
        tags = {
            "Event": "Bench", "Site": "Tokyo", "Date": "2025.02.01", "Round": f"{turn + 1}.{board + 1}",
            "White": f"Player, W{white}", "Black": f"Player, B{black}", "Result": result,
            "WhiteFideId": f"{7000000 + white}", "BlackFideId": f"{7000000 + black}",
        }  # fmt: skip
        parts.append("".join(f'[{name} "{said}"]\n' for name, said in tags.items()) + f"\n{MOVES * 2} {result}\n\n")
    return "".join(parts).encode()


def ours(data: bytes) -> int:
    (report,) = pgn.read(data, "x")
    assert not report.faults
    return len(report.games)


def theirs(data: bytes) -> int:
    """The headers alone, without making a report of them."""
    stream, games = io.StringIO(data.decode()), 0
    while chess.pgn.read_headers(stream):
        games += 1
    return games


def best(times: int, work: list[tuple[object, bytes]]) -> list[float]:
    """The best time of each, run in turn."""
    found = [float("inf")] * len(work)
    for _ in range(times):
        for place, (read, data) in enumerate(work):
            start = time.perf_counter()
            read(data)  # type: ignore[operator]
            found[place] = min(found[place], time.perf_counter() - start)
    return found


def ledger_row(games: int, times: int) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "source", Path(folder) / "ledger"
        source.mkdir()
        (source / "pool.toml").write_text(POOL, "utf-8")
        write_ledger(pools.chess_pool("jcf-2024", games, max(200, games // 40), 24), source, made)
        runs = [
            subprocess.run([sys.executable, "-c", READ, str(made)], check=True, capture_output=True, text=True)
            for _ in range(times)
        ]
        shutil.rmtree(made)
    seconds, count, peak = min(tuple(map(float, run.stdout.split())) for run in runs)
    assert count == games
    return "ledger, games.csv", f"{games:,}", f"{seconds:.2f} s", f"{games / seconds:,.0f}", "", f"{peak:,.0f} MiB"


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    trf_speed.show(times)
    count = max(50, games // 100)
    data = pgn_text(count)
    mine, other = best(times, [(ours, data), (theirs, data)])
    table = Table(title=f"Reading PGN and CSV, best of {times}")
    for column in ("file", "games", "time", "games/s", "beside python-chess", "peak"):
        table.add_column(column, justify="left" if column == "file" else "right")
    beside = f"{count / other:,.0f} games/s, ratio {other / mine:.1f}"
    table.add_row("PGN, headers to a report", f"{count:,}", f"{mine:.2f} s", f"{count / mine:,.0f}", beside, "")
    table.add_row(*ledger_row(games, times))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
