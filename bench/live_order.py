"""How much of rating a Go server's games must happen one after the other, in a ledger that is made up.

    python bench/live_order.py [--players 20000] [--games 200000] [--batch 1000] [--seed 1]

A game needs the state of both its players after their games before. So games form chains: the longest says
how many must be rated one after the other, however many machines there are, and games divided by it how many
could be rated side by side at the most. The same is counted within batches, as `banzuke consume` takes them.
Players whom games connect cannot be given to machines that know nothing of each other.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Pair = tuple[str, str]


def longest_chain(pairs: Iterable[Pair]) -> int:
    """The most games of which each needs the one before."""
    depth: Counter[str] = Counter()
    for black, white in pairs:
        depth[black] = depth[white] = max(depth[black], depth[white]) + 1
    return max(depth.values())


def largest_group(pairs: Iterable[Pair]) -> int:
    """How many players the largest group has that games connect."""
    above: dict[str, str] = {}

    def head(player: str) -> str:
        while (over := above.setdefault(player, player)) != player:
            above[player] = above[over]
            player = above[player]
        return player

    for black, white in pairs:
        above[head(black)] = head(white)
    return max(Counter(map(head, list(above))).values())


def figures(pairs: Sequence[Pair], players: int, batch: int) -> list[tuple[str, str]]:
    """What is printed: each figure with its name."""
    chain, group = longest_chain(pairs), largest_group(pairs)
    batches = [pairs[at : at + batch] for at in range(0, len(pairs), batch)]
    within = sum(map(longest_chain, batches)) / len(batches)
    return [
        ("players who play", f"{len({player for pair in pairs for player in pair})} of {players}"),
        ("of all players, connected by games", f"{group} ({100 * group / players:.0f} %)"),
        ("games in the longest chain", f"{chain} of {len(pairs)}"),
        ("games side by side, at the most", f"{len(pairs) / chain:.1f}"),
        (f"longest chain within {batch} games, on average", f"{within:.1f}"),
        (f"games side by side within {batch}, at the most", f"{batch / within:.1f}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option, default in (("players", 20_000), ("games", 200_000), ("batch", 1_000), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with tempfile.TemporaryDirectory(prefix="banzuke-order-") as folder:
        halves = live_service.made_ledger(Path(folder) / "ledger", asked.players, rng)
    games = live_service.made_games(halves, asked.games, rng)
    pairs = [(str(game["black"]), str(game["white"])) for game in games]
    for name, figure in figures(pairs, asked.players, asked.batch):
        print(f"{name}: {figure}")


if __name__ == "__main__":
    main()
