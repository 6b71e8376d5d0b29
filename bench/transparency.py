"""How long the tree of a list takes, and the check of a player's proof, beside the package pymerkle.

    python bench/transparency.py [ROWS [GAMES]]

Made from the bytes of a list with so many rows and games: the leaves, their tree, a proof for every hundredth
player. Roots and paths must be pymerkle's; the least of some processor times is printed.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

import pymerkle
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.table import Table

from banzuke.engine.result_rows import CHANGES, LISTS
from banzuke.transparency.checkpoints import Checkpoint, sign_checkpoint
from banzuke.transparency.list_leaves import Person, list_leaves, person_key, split_content
from banzuke.transparency.log_entries import ListEntry, entry_body
from banzuke.transparency.merkle_tree import MerkleTree, check_consistency, check_inclusion, leaf_hash
from banzuke.transparency.player_proofs import LeafPlace, LogPlace, check_player_proof, player_proof
from banzuke.transparency.signed_notes import public_key

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES, STEP, EVENTS = 7, 100, 60
NAME = "banzuke-office-bench"
#: Entries of the log, of which the list's is one.
LOG = 1_000


def content(rows: int, games: int) -> bytes:
    """The bytes of a list."""
    rng = random.Random(6962)
    ids = [f"N{at:06}" for at in range(rows)]
    lines = ["banzuke list,2025-03", "edition,a-book,2024-01-01,,{}", ",".join(LISTS)]
    lines += [
        f"2025-03,standard,{player},{rng.randint(900, 2500)},30,12,2500,established,1" for player in ids
    ]
    lines.append(",".join(CHANGES))
    for at in range(games):
        event, (white, black) = f"E{at * EVENTS // games:03}", rng.sample(ids, 2)
        lines += [
            f"2025-03,standard,{event},1,{own},{other},{score},1500,1500,0,0.50,20,{change},rated,4(1)"
            for own, other, score, change in ((white, black, 1, "10"), (black, white, 0, "-10"))
        ]
    return "\n".join([*lines, "entry,1", ""]).encode()


def least(act: Callable[[], object]) -> float:
    """The least processor time of some, in seconds."""
    times = []
    for _ in range(TIMES):
        begun = time.process_time()
        act()
        times.append(time.process_time() - begun)
    return min(times)


def by_pymerkle(leaves: list[bytes]) -> pymerkle.InmemoryTree:
    tree = pymerkle.InmemoryTree()
    tree.append_entries(leaves)
    return tree


def made_proofs(leaves: list[bytes], people: list[Person], tree: MerkleTree) -> tuple[list[bytes], list]:
    """The proofs of some players, with the keys by which they are checked."""
    key = Ed25519PrivateKey.generate()
    entry = ListEntry(
        pool="bench", list="2025-03", revision=0, number=1, day="2025-03-01", entry=1, sha256="0" * 64,
        events_sha256=None, players=tree.size, root=tree.root().hex(), published="2025-03-01T00:00:00Z",
        book="0" * 64, persons="0" * 64,
    )  # fmt: skip
    body = entry_body(entry)
    log = MerkleTree([body.encode(), *(b"%d" % at for at in range(LOG))])
    note = sign_checkpoint(Checkpoint(NAME, log.size, log.root()), [key])
    place = LogPlace(0, log.inclusion_path(0), note)
    proofs = [
        player_proof(body, place, leaves[at], LeafPlace(at, tree.inclusion_path(at)), people[at])
        for at in range(0, len(leaves), STEP)
    ]
    return proofs, [public_key(NAME, key)]


def main() -> None:
    rows, games = (int(given) for given in (*sys.argv[1:], *("12000", "4000")[len(sys.argv) - 1 :]))
    data, events = content(rows, games), {f"E{at:03}": f"Open {at}" for at in range(EVENTS)}
    split = split_content(data)
    people = {
        player: Person(person_key(bytes(32), "bench", "2025-03", 0), (player, "", "C1", "", "adult"))
        for player in split.players
    }
    commitments = {player: person.commitment for player, person in people.items()}
    leaves = list(list_leaves(split, commitments, events))
    tree, theirs = MerkleTree(leaves), by_pymerkle(leaves)
    size = tree.size
    assert tree.root() == theirs.get_root()
    places = range(0, size, STEP)
    paths = [tree.inclusion_path(at) for at in places]
    other = [theirs.prove_inclusion(at + 1) for at in places]
    assert paths == [proof.path[1:] for proof in other]
    proofs, keys = made_proofs(leaves, list(people.values()), tree)
    half = size // 2
    old, root, path = tree.root(half), tree.root(), tree.consistency_path(half)
    their_path = theirs.prove_consistency(half)

    def whole() -> bytes:
        return MerkleTree(list_leaves(split_content(data), commitments, events)).root()

    def each(check: Callable[[int], object]) -> Callable[[], None]:
        def act() -> None:
            for at in range(len(places)):
                check(at)

        return act

    count = len(places)
    hashes = [leaf_hash(leaves[at]) for at in places]

    def tree_alone() -> bytes:
        return MerkleTree(leaves).root()

    def their_tree() -> bytes:
        return by_pymerkle(leaves).get_root()

    def checked(at: int) -> None:
        check_inclusion(hashes[at], places[at], size, paths[at], root)

    making = (
        each(lambda at: tree.inclusion_path(places[at])),
        each(lambda at: theirs.prove_inclusion(places[at] + 1)),
    )
    checking = each(checked), each(lambda at: other[at].verify(hashes[at], root))
    growing = (
        lambda: check_consistency(half, size, old, root, path),
        lambda: their_path.verify(old, root),
    )
    proving = each(lambda at: check_player_proof(proofs[at], keys))
    figures = [
        (f"{rows:,} rows and {games:,} games: leaves and tree, s", 1, whole, None),
        ("the tree alone, s", 1, tree_alone, their_tree),
        ("a path made, ms", 1000 / count, *making),
        ("a path checked, ms", 1000 / count, *checking),
        ("a consistency path checked, ms", 1000, *growing),
        ("a player's proof checked, signature and all, ms", 1000 / count, proving, None),
    ]
    table = Table(
        "", "banzuke", "pymerkle", title=f"The least of {TIMES} processor times; {count} paths are equal"
    )
    for what, scale, *acts in figures:
        table.add_row(what, *("" if act is None else f"{least(act) * scale:.4f}" for act in acts))
    Console().print(table)


if __name__ == "__main__":
    main()
