"""A log with lists of made players, and proofs from it."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from banzuke.transparency.checkpoints import Checkpoint, sign_checkpoint
from banzuke.transparency.list_leaves import Person, list_leaves, person_key, split_content
from banzuke.transparency.log_entries import ListEntry, entry_body
from banzuke.transparency.log_growth import growth, growth_facts
from banzuke.transparency.merkle_tree import MerkleTree
from banzuke.transparency.player_proofs import LeafPlace, LogPlace, player_proof
from banzuke.transparency.signed_notes import public_key

NAME = "banzuke-office-0123456789abcdef"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
PUBLIC = public_key(NAME, KEY)
LISTS = "list,speed,player_id,rating,games,change,peak,status,qualified"
CHANGES = "list,speed,event_id,round,player_id,opponent_id,score,own,opponent,difference,expected,k,change,verdict,clause"
EVENTS = {"E1": "Sakura Open", 'E"2, spring': "Spring, the second"}


class MadeList(NamedTuple):
    """A list: its content, its leaves by player, who the players are, its entry in the log."""

    content: bytes
    leaves: dict[str, bytes]
    people: dict[str, Person]
    tree: MerkleTree
    body: str


def content(name, players=7, seed=1):
    """The bytes of a chess list of so many players, two of which have a comma in their id or no rating yet."""
    rng = random.Random(seed)
    ids = [f"J{1000 + at:04}" for at in range(players - 1)] + ['"J,1"']
    rows = [
        f"{name},standard,{who},{rng.randint(900, 2400)},{rng.randint(5, 90)},12,2410,established,1"
        for who in ids[1:]
    ]
    games = []
    for at in range(players):
        white, black = rng.sample(ids, 2)
        event = rng.choice(["E1", '"E""2, spring"'])
        games += [
            f"{name},standard,{event},{at + 1},{white},{black},1,1500,1500,0,0.50,20,10.00,rated,4(1)",
            f"{name},standard,{event},{at + 1},{black},{white},0,1500,1500,0,0.50,20,-10.00,rated,4(1)",
        ]
    head = [f"banzuke list,{name}", 'edition,a-book,2024-01-01,,"{""floor"": 1}"']
    return "".join(
        f"{line}\n" for line in [*head, LISTS, *rows, CHANGES, *games, f"entry,{40 + seed}"]
    ).encode()


def made_list(name, players=7, seed=1, late=False):
    """A list of the pool `pool` and its entry."""
    whole = content(name, players, seed)
    split = split_content(whole)
    people = {
        player: Person(
            person_key(bytes([at]) * 32, "pool", name, 0), (f"Player {at}", f"選手{at}", "C1", "", "adult")
        )
        for at, player in enumerate(split.players)
    }
    commitments = {player: person.commitment for player, person in people.items()}
    leaves = dict(zip(split.players, list_leaves(split, commitments, EVENTS), strict=True))
    tree = MerkleTree(leaves.values())
    entry = ListEntry(
        pool="pool", list=name, revision=0, number=seed, day=f"{name}-24", entry=split.entry, sha256="ab" * 32,
        events_sha256=None, players=tree.size, root=tree.root().hex(), published=f"{name}-24T09:30:00Z",
        book="cd" * 32, persons="ef" * 32, late=late,
    )  # fmt: skip
    return MadeList(whole, leaves, people, tree, entry_body(entry))


def log_note(bodies, size=None, keys=(KEY,), name=NAME):
    """The signed checkpoint of a log that begins with the entries of these bodies, or the first of them."""
    tree = MerkleTree(body.encode() for body in bodies[:size])
    return sign_checkpoint(Checkpoint(name, tree.size, tree.root()), keys)


def growth_answer(bodies, old, new):
    """What an office answers of how the log of these entries grew."""
    tree = MerkleTree(body.encode() for body in bodies)
    return json.dumps(growth_facts(growth(tree, old, new, bodies[old:new]))).encode()


class MadeLog(NamedTuple):
    """Lists, in the order of their entries, and the log's tree."""

    lists: list[MadeList]
    tree: MerkleTree

    @property
    def bodies(self):
        """Those of its entries."""
        return [made.body for made in self.lists]

    def checkpoint(self, size=None):
        """The checkpoint of the log's first entries."""
        return Checkpoint(NAME, self.tree.size if size is None else size, self.tree.root(size))

    def note(self, size=None, keys=(KEY,)):
        """That checkpoint, signed."""
        return sign_checkpoint(self.checkpoint(size), keys)

    def proof(self, at, player, size=None, *, named=True):
        """The proof of a player in the list of that place."""
        of = self.lists[at]
        place = list(of.leaves).index(player)
        log = LogPlace(at, self.tree.inclusion_path(at, size), self.note(size))
        leaf = LeafPlace(place, of.tree.inclusion_path(place))
        return player_proof(of.body, log, of.leaves[player], leaf, of.people[player] if named else None)


@cache
def made_log(lists=5):
    """A log of so many lists, a month each."""
    made = [made_list(f"2025-{month:02}", 7 + month, month) for month in range(1, lists + 1)]
    return MadeLog(made, MerkleTree(one.body.encode() for one in made))
