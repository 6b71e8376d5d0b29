"""Trees and proofs beside the package pymerkle, and changed proofs, in full: what was compared, what refused.

    python bench/proofs.py [MUTATIONS]

Every size to 300 with every leaf and every older size; random sizes to 100,000; then so many changed proofs
of players, and as many changed answers of how a log grew. It ends with 1 where anything differs or is taken.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from proof_mutations import growth_mutations, player_mutations, refuses, refuses_growth, tally
from pymerkle_trees import compare_all, compare_random

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LARGEST_OF_ALL, LARGEST, RANDOM, MUTATIONS = 300, 100_000, 1_000, 10_000


def timed(act: Callable[[], Any]) -> tuple[Any, str]:
    """What it gives, and the processor time that it takes."""
    begun = time.process_time()
    found = act()
    return found, f"{time.process_time() - begun:.1f}"


def compare_with_pymerkle() -> Table:
    """Roots and paths that are the same; it raises AssertionError for one that is not."""
    table = Table(
        "sizes", "roots", "inclusion paths", "consistency paths", "processor s", title="Equal to pymerkle's"
    )
    for named, act in (
        (f"every size to {LARGEST_OF_ALL}", lambda: compare_all(LARGEST_OF_ALL)),
        (f"random to {LARGEST:,}", lambda: compare_random(LARGEST, RANDOM)),
    ):
        counts, took = timed(act)
        table.add_row(named, *(f"{count:,}" for count in counts), took)
    return table


def refuse(
    title: str, mutations: Iterator[Any], is_refused: Callable[[Any], bool], count: int
) -> tuple[Table, int]:
    """The kinds of the changed proofs with how many there were; and how many were taken."""
    (tried, taken), took = timed(lambda: tally(mutations, is_refused, count))
    table = Table("changed", "tried", "taken", title=f"{title} (processor s: {took})")
    for kind, number in tried.items():
        table.add_row(kind, f"{number:,}", str(sum(each == kind for each, _ in taken)))
    table.add_row("all", f"{tried.total():,}", str(len(taken)))
    return table, len(taken)


def main() -> int:
    count = int(sys.argv[1]) if sys.argv[1:] else MUTATIONS
    console = Console()
    console.print(compare_with_pymerkle())
    of_players, taken = refuse("Proofs of players", player_mutations(), refuses, count)
    console.print(of_players)
    of_growth, also_taken = refuse("Answers of a log's growth", growth_mutations(), refuses_growth, count)
    console.print(of_growth)
    return 1 if taken or also_taken else 0


if __name__ == "__main__":
    sys.exit(main())
