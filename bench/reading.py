"""How fast files come in: TRF beside the package `trf`, PGN beside python-chess, a ledger's games as CSV.

    python bench/reading.py [GAMES] [TIMES]

GAMES (2,000,000) is the size of the ledger; its games.csv is read and checked as `banzuke rate` does it, in a
process of its own. The PGN has a hundredth of it. The best of TIMES (3) runs in turn counts.
"""

from __future__ import annotations

import io
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import chess.pgn
import synthetic_pools
import trf_speed
from rich.console import Console
from rich.table import Table
from trf_speed import seconds

from banzuke.formats.pgn import pgn_reader
from banzuke.ledger.folder import write_ledger

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8"
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
    """Games of one event, 50 boards a round, with eighteen moves each."""
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
        parts += [f'[{name} "{said}"]\n' for name, said in tags.items()]
        parts.append(f"\n{MOVES * 2} {result}\n\n")
    return "".join(parts).encode()


def ours(data: bytes) -> int:
    (report,) = pgn_reader.read(data, "x")
    assert not report.faults
    return len(report.games)


def theirs(data: bytes) -> int:
    """The headers alone, without making a report of them."""
    stream, games = io.StringIO(data.decode()), 0
    while chess.pgn.read_headers(stream):
        games += 1
    return games


def pgn_row(games: int, times: int) -> tuple[str, ...]:
    """The best times of both, run in turn."""
    data = pgn_text(games)
    runs = [(seconds(ours, [data]), seconds(theirs, [data])) for _ in range(times)]
    assert {found for run in runs for found, _ in run} == {games}
    mine, other = min(run[0][1] for run in runs), min(run[1][1] for run in runs)
    beside = f"{games / other:,.0f} games/s, ratio {other / mine:.1f}"
    return "PGN, headers to a report", f"{games:,}", f"{mine:.2f} s", f"{games / mine:,.0f}", beside, ""


def ledger_row(games: int, times: int) -> tuple[str, ...]:
    """The best time, and the peak memory of that run."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "source", Path(folder) / "ledger"
        source.mkdir()
        (source / "pool.toml").write_text(POOL, "utf-8")
        write_ledger(synthetic_pools.chess_pool("jcf-2024", games, max(200, games // 40), 24), source, made)
        command = [sys.executable, "-c", READ, str(made)]
        runs = [
            subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(times)
        ]
    took, count, peak = min(tuple(map(float, run.split())) for run in runs)
    assert count == games
    speed = f"{games / took:,.0f}"
    return "ledger, games.csv", f"{games:,}", f"{took:.2f} s", speed, "", f"{peak:,.0f} MiB"


def main(games: int, times: int) -> None:
    """Print the tables."""
    trf_speed.show(times)
    table = Table(title=f"Reading PGN and CSV, best of {times}")
    for column in ("file", "games", "time", "games/s", "beside python-chess", "peak"):
        table.add_column(column, justify="left" if column == "file" else "right")
    table.add_row(*pgn_row(max(50, games // 100), times))
    table.add_row(*ledger_row(games, times))
    Console(width=110).print(table)


if __name__ == "__main__":
    said = [int(word) for word in sys.argv[1:]]
    main(said[0] if said else 2_000_000, said[1] if len(said) > 1 else 3)
