"""What a log adds between two checkpoints, as an office tells it, and as whoever kept the old one checks it.

The answer is JSON: the sizes `old` and `new`, the consistency `path` of RFC 6962 in base64, and the bodies of
the `entries` between. The path gives the subtrees of which the old tree is made; with the entries after them
they must give the new root, so that none of the entries can be another.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from banzuke.transparency.checkpoints import Checkpoint
from banzuke.transparency.log_entries import LogEntry, known_entry
from banzuke.transparency.merkle_tree import MerkleTree, check_consistency, grown_root, leaf_hash
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import base64_text, hashes


class LogGrowth(NamedTuple):
    """How a log grew: the consistency path between two sizes, and the bodies of the entries between."""

    old: int
    new: int
    path: tuple[bytes, ...]
    entries: tuple[str, ...]

    @property
    def known_entries(self) -> tuple[LogEntry | None, ...]:
        """What the entries say; None for one of a kind that is not known here."""
        return tuple(map(known_entry, self.entries))

    def check(self, old: Checkpoint, new: Checkpoint) -> None:
        """Check that the new log is the old one with these entries after it. Raises ProofError."""
        if old.origin != new.origin:
            raise ProofError("another-log", old=old.origin, new=new.origin)
        if (self.old, self.new) != (old.size, new.size) or len(self.entries) != new.size - old.size:
            raise ProofError("another-growth")
        check_consistency(old.size, new.size, old.root, new.root, self.path)
        added = (leaf_hash(entry.encode()) for entry in self.entries)
        if grown_root(old.size, new.size, old.root, self.path, added) != new.root:
            raise ProofError("other-entries")


def has_grown(old: Checkpoint, new: Checkpoint) -> bool:
    """Whether a log has more entries by a later checkpoint, which is to be proved; False: both are one.

    Raises ProofError where the two contradict each other, whatever else is proved.
    """
    if old.origin != new.origin:
        raise ProofError("another-log", old=old.origin, new=new.origin)
    if old.size > new.size:
        raise ProofError("shorter-log", old=old.size, new=new.size)
    if old.size == new.size and old.root != new.root:
        raise ProofError("two-logs", size=old.size)
    return old.size < new.size


def growth(tree: MerkleTree, old: int, new: int, entries: Sequence[str]) -> LogGrowth:
    """How a log grew; `entries` are the bodies of the entries from `old` up to `new`."""
    return LogGrowth(old, new, tuple(tree.consistency_path(old, new)), tuple(entries))


def growth_facts(found: LogGrowth) -> dict[str, object]:
    """The answer, as values for JSON."""
    return found._asdict() | {"path": list(map(base64_text, found.path))}


def read_growth(data: bytes) -> LogGrowth:
    """The growth that an answer tells of. Raises ProofError."""
    try:
        facts = json.loads(data)
        found = LogGrowth(facts["old"], facts["new"], hashes(facts["path"]), tuple(facts["entries"]))
        for each in found.entries:
            each.encode()  # half a letter is no text
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise ProofError("no-growth") from None
    if {type(found.old), type(found.new)} != {int} or not all(
        isinstance(each, str) for each in found.entries
    ):
        raise ProofError("no-growth")
    return found
