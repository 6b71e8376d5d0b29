"""The proof that a player can take home: what a list says of them is in the log of the office.

It is a proof file for the log's entry of the list. Its extra data, which the rest of the file and the
checkpoint's signature bind, are canonical JSON: the entry's `body`, the player's `leaf`, its `index` in
the list's tree and the `path` to that tree's root, and for a player who is shown by name `person`: the key of
the commitment, and what it is over.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from banzuke.transparency.checkpoints import SignedCheckpoint
from banzuke.transparency.list_leaves import KEY_BYTES, PERSON, Leaf, Person, read_leaf
from banzuke.transparency.log_entries import ListEntry, read_entry
from banzuke.transparency.merkle_tree import check_inclusion, leaf_hash
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.proof_files import ProofFile, read_proof, write_proof
from banzuke.transparency.signed_notes import NoteKey
from banzuke.transparency.strict_text import base64_bytes, base64_text, hashes, json_text, json_value


class LogPlace(NamedTuple):
    """Where an entry stands in a log: from 0, the path to the root of a checkpoint, and that, signed."""

    place: int
    path: Sequence[bytes]
    checkpoint: bytes


class LeafPlace(NamedTuple):
    """Where a leaf stands in the tree of its list: from 0, and the path to the root."""

    place: int
    path: Sequence[bytes]


class ProvenPlayer(NamedTuple):
    """What a proof proves: the entry, the leaf, who the player is (None: not said), and who signed it."""

    entry: ListEntry
    leaf: Leaf
    person: Person | None
    signed: SignedCheckpoint


def player_proof(body: str, log: LogPlace, leaf: bytes, of_leaf: LeafPlace, person: Person | None) -> bytes:
    """The proof file of a player, from the body of the list's log entry and the player's leaf.

    `person` only of a player who is shown by name.
    """
    facts: dict[str, object] = {
        "body": body,
        "leaf": leaf.decode(),
        "index": of_leaf.place,
        "path": list(map(base64_text, of_leaf.path)),
    }
    if person is not None:
        facts["person"] = {"facts": list(person.facts), "key": base64_text(person.key)}
    extra = json_text(facts).encode()
    return write_proof(ProofFile(extra, log.place, tuple(log.path), log.checkpoint))


def check_player_proof(data: bytes, keys: Sequence[NoteKey]) -> ProvenPlayer:
    """What a player's proof proves to who trusts one of the keys. Raises ProofError."""
    proof = read_proof(data)
    body, leaf, of_leaf, person = _read_extra(proof.extra or b"")
    signed = proof.check(body, keys)
    entry = read_entry(body)
    if not isinstance(entry, ListEntry):
        raise ProofError("no-list-entry")
    root = bytes.fromhex(entry.root)
    check_inclusion(leaf_hash(leaf), of_leaf.place, entry.players, of_leaf.path, root)
    said = read_leaf(leaf)
    if said.name != entry.list:
        raise ProofError("no-leaf")
    if person is not None and person.commitment != said.person:
        raise ProofError("another-person")
    return ProvenPlayer(entry, said, person, signed)


def _read_extra(extra: bytes) -> tuple[bytes, bytes, LeafPlace, Person | None]:
    """The body of the entry, the leaf, its place in the list's tree, and the person."""
    try:
        facts = json_value(extra)
        person = _person(facts.pop("person")) if "person" in facts else None
        body, leaf = facts.pop("body").encode(), facts.pop("leaf").encode()
        of_leaf = LeafPlace(facts.pop("index"), hashes(facts.pop("path")))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise ProofError("no-player-proof") from None
    if facts or type(of_leaf.place) is not int:
        raise ProofError("no-player-proof")
    return body, leaf, of_leaf, person


def _person(said: dict[str, Any]) -> Person:
    person = Person(base64_bytes(said.pop("key")), tuple(said.pop("facts")))
    if said or len(person.key) != KEY_BYTES or len(person.facts) != len(PERSON):
        raise ValueError
    if not all(isinstance(fact, str) for fact in person.facts):
        raise ValueError
    return person
