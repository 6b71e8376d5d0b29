"""How soon short commands answer, beside an empty Python: `python bench/startup.py [ROUNDS]` (20).

Each round runs every command once, so that a machine that slows down slows all of them. Printed are seconds
on the clock from start to end, seconds of the processor, and how many times the empty Python's processor
seconds that is, as the median of the rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from statistics import median

from rich.console import Console
from rich.table import Table

BANZUKE = ("-m", "banzuke.cli.app")
EMPTY = "python -c pass"
COMMANDS = {
    EMPTY: ("-c", "pass"),
    "banzuke --help": (*BANZUKE, "--help"),
    "banzuke lab --help": (*BANZUKE, "lab", "--help"),
    "banzuke rules": (*BANZUKE, "rules"),
    "banzuke rules jcf-2024": (*BANZUKE, "rules", "jcf-2024"),
    "banzuke check --help": (*BANZUKE, "check", "--help"),
    "banzuke serve --help": (*BANZUKE, "serve", "--help"),
}


def run(words: tuple[str, ...]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor, of Python with these words."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{words}: exit status {process.returncode}")
    return took, usage.ru_utime + usage.ru_stime


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for words in COMMANDS.values():  # the first run compiles
        run(words)
    times = [{name: run(words) for name, words in COMMANDS.items()} for _ in range(rounds)]
    table = Table("", "clock: min", "median", "processor: min", "median", "ratio")
    for name in COMMANDS:
        clock, processor = zip(*(each[name] for each in times), strict=True)
        factor = median(each[name][1] / each[EMPTY][1] for each in times)
        figures = (min(clock), median(clock), min(processor), median(processor))
        table.add_row(name, *(f"{figure:.3f}" for figure in figures), f"{factor:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
